"""senna-py serve: a page with a box to type into, and the same as JSON."""

import asyncio
import json
import logging
import re
import socket
import threading
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from http.client import HTTPException
from urllib.parse import parse_qs

import click

from senna_py.cli.help import Command
from senna_py.cli.options import number, option
from senna_py.cli.parameter_types import WORKERS
from senna_py.cli.tag_options import TagOptions, tag_options
from senna_py.cli.warm_up import compile_apart
from senna_py.display import body_html
from senna_py.display.page import POLICY, form_page
from senna_py.errors import SennaError, missing, one_line
from senna_py.io.nesting import parse_json
from senna_py.labels.tasks import ROLES

LARGEST_BODY = (
    1 << 16
)  # bytes of a request, or of a form's text: what is tagged in seconds
_LARGEST_FORM = LARGEST_BODY << 2  # as encoded; more of it is not shown again
LONGEST_WAIT = 60  # seconds for its body, its turn and its answer
LONGEST_SENTENCE = (
    256  # tokens: without ends of sentences, a text would take ten times as long
)
MOST_DRAWN = 1 << 20  # predicates of a page, times the tokens beside each
_LOCAL = re.compile(
    r"(localhost|127(\.\d+){3}|\[::1\])\.?(:\d*)?"
)  # names of this machine
_HEADERS = {"Content-Security-Policy": f"{POLICY}; frame-ancestors 'none'"}


class _Gone(Exception):
    """The client has left: there is nobody to answer."""


class Application:
    """An ASGI application that tags and draws texts in `jobs` threads, in the order
    they came.

    The event loop only reads and writes: nothing that grows with a text is done there.
    Requests whose clients have left lose their turn.

    tag: gives the Document of a text; is_local: answer to the names of this machine
    only.
    """

    def __init__(self, tag, jobs=1, is_local=True):
        self._tag, self._is_local = tag, is_local
        self._workers = ThreadPoolExecutor(jobs, "tagging")

    async def __call__(self, scope, receive, send):
        """Answer a request, if its client stays; after an error the connection is
        closed.
        """
        status, headers = 200, {**_HEADERS, "X-Content-Type-Options": "nosniff"}
        is_form, sent, form_text = (
            (scope["method"], scope["path"]) == ("POST", "/"),
            {},
            [],
        )
        await asyncio.sleep(
            0
        )  # uvicorn answers itself what ends in no HTTP, and logs a 2nd answer
        try:
            sent = {
                name.decode(): value.decode("latin-1")
                for name, value in scope["headers"]
            }
            self._check(scope["method"], sent)
            wanted = self._answer(scope["method"], scope["path"], receive, form_text)
            content_type, body = await asyncio.wait_for(wanted, LONGEST_WAIT)
        except _Gone:
            return
        except Exception as error:
            status, reason = 500, one_line(error)
            if isinstance(error, HTTPException):
                status, reason = error.args
            elif isinstance(error, asyncio.TimeoutError):
                status, reason = 503, f"a request has {LONGEST_WAIT} seconds"
            content_type, body = (
                "application/json",
                _bytes(json.dumps({"error": reason}) + "\n"),
            )
            if (is_form and status != 403) or "text/html" in sent.get("accept", ""):
                content_type, body = (
                    "text/html",
                    await asyncio.to_thread(_error_page, form_text, reason),
                )
            headers["Connection"] = "close"
        headers["Content-Type"] = f"{content_type}; charset=utf-8"
        headers["Content-Length"] = str(len(body))
        pairs = [(name.encode(), value.encode()) for name, value in headers.items()]
        await send({"type": "http.response.start", "status": status, "headers": pairs})
        await send({"type": "http.response.body", "body": body})

    def _check(self, method, sent):
        """Refuse what other servers might read differently, and what pages of other
        sites send.
        """
        if len({"content-length", "transfer-encoding"} & sent.keys()) > (
            method == "POST"
        ):
            raise HTTPException(
                400, "a body of two lengths, or of a request that has none"
            )
        host = sent.get("host", "").lower()
        if self._is_local and not _LOCAL.fullmatch(host):
            raise HTTPException(403, "unknown name of this server")
        origin, site = (
            sent.get("origin", f"//{host}").lower(),
            sent.get("sec-fetch-site", "none"),
        )
        is_own = origin.partition("//")[2] == host and site in ("none", "same-origin")
        if method == "POST" and not is_own:
            raise HTTPException(403, "a request of another site")

    async def _answer(self, method, path, receive, form_text):
        """The type of an answer, and the answer; raises HTTPException, and _Gone.

        form_text: gets the text of a form, which an error shows again.
        """
        if path == "/" and method in ("GET", "HEAD"):
            return "text/html", _bytes(form_page())
        if path not in ("/", "/tag") or method != "POST":
            raise HTTPException(404, "there are / and, to POST to, /tag")
        text = await asyncio.to_thread(
            _text_of, await _body(receive), path == "/", form_text
        )
        return await self._in_turn(receive, text, _page if path == "/" else _json)

    async def _in_turn(self, receive, text, show):
        """What `show` makes of a tagged text, when a thread is free; raises _Gone if
        nobody waits.

        What has begun goes on in its thread until the text is tagged, and is then not
        shown.
        """
        gone = threading.Event()
        loop = asyncio.get_running_loop()
        work = loop.run_in_executor(self._workers, self._work, text, show, gone)
        leaving = asyncio.ensure_future(_wait_until_left(receive))
        try:
            await asyncio.wait((work, leaving), return_when=asyncio.FIRST_COMPLETED)
            if not work.done():
                raise _Gone
            return work.result()
        finally:
            gone.set()
            work.cancel()
            leaving.cancel()

    def _work(self, text, show, gone):
        document = self._tag(text)
        return None if gone.is_set() else show(text, document)


def _text_of(body, is_form, form_text):
    """The text that a body has; raises HTTPException; form_text: see `_answer`."""
    text = body
    try:
        if is_form:
            form = parse_qs(
                body.decode("latin-1"), True, max_num_fields=10, encoding="latin-1"
            )
            text = form["text"][0].encode("latin-1").replace(b"\r\n", b"\n")
            form_text.append(text.decode("utf-8", "replace"))
        if len(text) > LARGEST_BODY:
            size = (
                f"{len(text):,}" if len(body) <= _LARGEST_FORM else "more than is shown"
            )
            reason = f"a text has at most {LARGEST_BODY:,} bytes, this one {size}"
            raise HTTPException(413, reason)
        return text.decode() if is_form else parse_json(body)["text"] + ""
    except (ValueError, KeyError, TypeError):
        reason = 'send UTF-8, as a form or JSON object: {"text": "..."}'
        raise HTTPException(400, reason) from None


def _json(_, document):
    return "application/json", _bytes(document.to_json() + "\n")


def _page(text, document):
    """The page of a text; rows of predicates are left out where they would be too many
    to draw.
    """
    style, message = "all", "" if document else "There is no text."
    frames = [
        (len(each.frames), len(each))
        for each in document.sentences
        if ROLES in each.layers
    ]
    if sum(n * min(length, LONGEST_SENTENCE) for n, length in frames) > MOST_DRAWN:
        n_frames = sum(n for n, _ in frames)
        style = "entities"
        message = (
            f"{n_frames:,} predicates are too many to draw: only entities are marked."
        )
    return "text/html", _bytes(form_page(text, body_html(document, style), message))


def _error_page(form_text, reason):
    return _bytes(form_page("".join(form_text), message=f"Error: {reason}."))


def _bytes(text):
    return text.encode("utf-8", "backslashreplace")


async def _body(receive):
    """The body of a request, or its beginning, behind which more is read: so an answer
    is seen.
    """
    body, message = bytearray(), {"more_body": True}
    while message.get("more_body"):
        message = await receive()
        if message["type"] == "http.disconnect":
            raise _Gone
        body += message.get("body", b"")[: _LARGEST_FORM + 1 - len(body)]
    return bytes(body)


async def _wait_until_left(receive):
    """Return when the client, who has sent all of its request, has left."""
    while (await receive())["type"] != "http.disconnect":
        await asyncio.sleep(1)  # nothing else comes from uvicorn


@click.command(
    "serve",
    cls=Command,
    brief="pos chk ner srl psg upos lemma path paragraphs host port jobs",
    examples=("senna-py serve --pos --ner --port 8080",),
)
@tag_options(only=("path", "tasks", "posvbs", "paragraphs", "abbreviations"))
@option("--host", "Address to listen on.", default="127.0.0.1")
@number("--port", "Port; 0: any.", default=8765, least=0, most=65535)
@option("--jobs", "Cores to use.", type=WORKERS, default=1)
def command(host, port, jobs, **options):
    """Serve a web page that tags what is typed into it, and answer POST /tag with
    JSON.
    """
    try:
        import uvicorn
    except ImportError:
        raise SennaError(missing("serve", "serve", "uvicorn")) from None
    from senna_py.cli.serve_connections import connection_options
    from senna_py.kernels.runtime.pace import get_ready

    options = TagOptions.from_options(options)
    tagger = options.tagger()
    tagger.cut_sentences(LONGEST_SENTENCE)
    compile_apart(options, tagger)

    def run():
        tagger.annotate(tagger.tokenizer.document("Ann said that 20 men had left."))

    get_ready(run)
    is_local = bool(_LOCAL.fullmatch(f"[{host}]" if ":" in host else host))
    app = Application(
        partial(tagger.document, paragraphs=options.paragraphs), jobs, is_local
    )
    try:  # uvicorn would say what is wrong in lines of its log
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        socket.create_server((host, port), family=family).close()
    except OSError as error:
        raise SennaError(f"{host}, port {port}: {error.strerror}") from None
    # uvicorn fails where it refuses a HEAD; asyncio closes the connection, and logs a
    # traceback.
    logging.getLogger("asyncio").setLevel(logging.CRITICAL)
    uvicorn.run(
        app,
        host=host,
        port=port,
        ws="none",
        lifespan="off",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=5,
        **connection_options(),
    )
