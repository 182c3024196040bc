"""The command `senna-py serve`: a web page that tags text, and a JSON interface."""

from __future__ import annotations

import asyncio
import json
import logging
import re
import socket
import threading
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from http.client import HTTPException
from typing import TYPE_CHECKING, Any
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

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from senna_py import Document

    Message = Mapping[str, Any]
    Receive = Callable[[], Awaitable[Message]]
    Send = Callable[[Message], Awaitable[None]]

# The maximum size of a request body, or of the text of a form, in bytes. A text of this
# size is tagged within seconds.
LARGEST_BODY = 1 << 16
_LARGEST_FORM = LARGEST_BODY << 2  # The maximum size of a URL-encoded form.
LONGEST_WAIT = 60  # The time limit for a request, in seconds.
# The maximum length of a sentence in tokens; longer ones are cut, because text without
# ends of sentences would take ten times as long.
LONGEST_SENTENCE = 256
# The maximum size of the pictures of roles on a page: the sum, over its sentences, of
# the number of predicates times the number of tokens.
MOST_DRAWN = 1 << 20
# The names of this machine in the header Host.
_LOCAL = re.compile(r"(localhost|127(\.\d+){3}|\[::1\])\.?(:\d*)?")
_HEADERS = {"Content-Security-Policy": f"{POLICY}; frame-ancestors 'none'"}
_HTML, _JSON = "text/html", "application/json"


class _Gone(Exception):
    """The client has closed its connection, so no response is needed."""


class Application:
    """An ASGI application that tags and draws texts in `jobs` threads, in order.

    The event loop only reads and writes; all work on texts is done in threads. Requests
    whose clients have disconnected are dropped from the queue.
    """

    def __init__(
        self,
        tag: Callable[[str], Document],
        jobs: int = 1,
        is_local: bool = True,
    ) -> None:
        """Start the threads.

        Args:
            tag: A function that returns the Document of a text.
            jobs: The number of threads that tag texts.
            is_local: Whether to answer only requests to a name of this machine.
        """
        self._tag, self._is_local = tag, is_local
        self._workers = ThreadPoolExecutor(jobs, "tagging")

    async def __call__(
        self, scope: Mapping[str, Any], receive: Receive, send: Send
    ) -> None:
        """Answer a request, unless the client disconnects.

        After an error, the connection is closed.
        """
        status, headers = 200, {**_HEADERS, "X-Content-Type-Options": "nosniff"}
        is_form = (scope["method"], scope["path"]) == ("POST", "/")
        request_headers: dict[str, str] = {}
        form_text: list[str] = []
        # uvicorn itself answers a malformed request, and would log a second answer.
        await asyncio.sleep(0)
        try:
            request_headers = {
                name.decode(): value.decode("latin-1")
                for name, value in scope["headers"]
            }
            self._check(scope["method"], request_headers)
            answer = self._answer(scope["method"], scope["path"], receive, form_text)
            content_type, body = await asyncio.wait_for(answer, LONGEST_WAIT)
        except _Gone:
            return
        except Exception as error:
            status, reason = _problem(error)
            accepts_html = _HTML in request_headers.get("accept", "")
            if (is_form and status != 403) or accepts_html:
                content_type = _HTML
                body = await asyncio.to_thread(_error_page, form_text, reason)
            else:
                content_type = _JSON
                body = _encoded(json.dumps({"error": reason}) + "\n")
            headers["Connection"] = "close"
        headers["Content-Type"] = f"{content_type}; charset=utf-8"
        headers["Content-Length"] = str(len(body))
        pairs = [(name.encode(), value.encode()) for name, value in headers.items()]
        await send({"type": "http.response.start", "status": status, "headers": pairs})
        await send({"type": "http.response.body", "body": body})

    def _check(self, method: str, headers: Mapping[str, str]) -> None:
        """Reject ambiguous requests, and requests from pages of other sites.

        Args:
            method: The HTTP method.
            headers: The headers of the request, with lower-case names.

        Raises:
            HTTPException: If the headers contradict each other, the host name is
                unknown, or another site has sent the request.
        """
        n_lengths = len({"content-length", "transfer-encoding"} & headers.keys())
        if n_lengths > (method == "POST"):
            reason = "a body of two lengths, or of a request that has none"
            raise HTTPException(400, reason)
        host = headers.get("host", "").lower()
        if self._is_local and not _LOCAL.fullmatch(host):
            raise HTTPException(403, "unknown name of this server")
        origin = headers.get("origin", f"//{host}").lower()
        site = headers.get("sec-fetch-site", "none")
        is_same = origin.partition("//")[2] == host and site in ("none", "same-origin")
        if method == "POST" and not is_same:
            raise HTTPException(403, "a request of another site")

    async def _answer(
        self, method: str, path: str, receive: Receive, form_text: list[str]
    ) -> tuple[str, bytes]:
        """Return the content type and the body of the response.

        Args:
            method: The HTTP method.
            path: The path of the URL.
            receive: The ASGI function that receives messages.
            form_text: A list to which the text of a form is appended, so that the page
                of an error can show it again.

        Raises:
            HTTPException: If the request is invalid.
            _Gone: If the client has disconnected.
        """
        if path == "/" and method in ("GET", "HEAD"):
            return _HTML, _encoded(form_page())
        if path not in ("/", "/tag") or method != "POST":
            raise HTTPException(404, "there are / and, to POST to, /tag")
        body = await _body(receive)
        text = await asyncio.to_thread(_text_of, body, path == "/", form_text)
        return await self._in_turn(receive, text, _page if path == "/" else _object)

    async def _in_turn(
        self,
        receive: Receive,
        text: str,
        show: Callable[[str, Document], tuple[str, bytes]],
    ) -> tuple[str, bytes]:
        """Tag a text when a thread is free, and return the result of `show`.

        If the client disconnects first, _Gone is raised. Tagging that has begun is then
        finished in its thread, but its result is discarded.
        """
        gone = threading.Event()
        loop = asyncio.get_running_loop()
        work = loop.run_in_executor(self._workers, self._work, text, show, gone)
        leaving = asyncio.ensure_future(_wait_until_left(receive))
        try:
            await asyncio.wait((work, leaving), return_when=asyncio.FIRST_COMPLETED)
            if not work.done() or (answer := work.result()) is None:
                raise _Gone
            return answer
        finally:
            gone.set()
            work.cancel()
            leaving.cancel()

    def _work(
        self,
        text: str,
        show: Callable[[str, Document], tuple[str, bytes]],
        gone: threading.Event,
    ) -> tuple[str, bytes] | None:
        document = self._tag(text)
        return None if gone.is_set() else show(text, document)


def _problem(error: Exception) -> tuple[int, str]:
    """Return the HTTP status code and the message for an error."""
    if isinstance(error, HTTPException):
        status, reason = error.args
        return status, reason
    if isinstance(error, asyncio.TimeoutError):
        return 503, f"a request has {LONGEST_WAIT} seconds"
    return 500, one_line(error)


def _text_of(body: bytes, is_form: bool, form_text: list[str]) -> str:
    """Parse the text of a request body.

    Args:
        body: The body, which is a form or a JSON object.
        is_form: Whether it is a form.
        form_text: See `_answer`.

    Raises:
        HTTPException: If the body is malformed, or the text is too long.
    """
    text = body
    try:
        if is_form:
            form = parse_qs(
                body.decode("latin-1"), True, max_num_fields=10, encoding="latin-1"
            )
            text = form["text"][0].encode("latin-1").replace(b"\r\n", b"\n")
            form_text.append(text.decode("utf-8", "replace"))
        if len(text) > LARGEST_BODY:
            size = f"{len(text):,}"
            if len(body) > _LARGEST_FORM:
                size = "more than is shown"
            reason = f"a text has at most {LARGEST_BODY:,} bytes, this one {size}"
            raise HTTPException(413, reason)
        if is_form:
            return text.decode()
        value: str = parse_json(body)["text"] + ""
        return value
    except (ValueError, KeyError, TypeError):
        reason = 'send UTF-8, as a form or JSON object: {"text": "..."}'
        raise HTTPException(400, reason) from None


def _object(_: str, document: Document) -> tuple[str, bytes]:
    """Return the content type and the JSON of a document."""
    return _JSON, _encoded(document.to_json() + "\n")


def _page(text: str, document: Document) -> tuple[str, bytes]:
    """Return the content type and the page that shows a tagged text.

    If there are too many predicates to draw, only entities are marked.
    """
    style, message = "all", "" if document else "There is no text."
    frames = [
        (len(sentence.frames), len(sentence))
        for sentence in document.sentences
        if ROLES in sentence.layers
    ]
    if sum(n * min(length, LONGEST_SENTENCE) for n, length in frames) > MOST_DRAWN:
        n_frames = sum(n for n, _ in frames)
        style = "entities"
        message = (
            f"{n_frames:,} predicates are too many to draw: only entities are marked."
        )
    return _HTML, _encoded(form_page(text, body_html(document, style), message))


def _error_page(form_text: list[str], reason: str) -> bytes:
    return _encoded(form_page("".join(form_text), message=f"Error: {reason}."))


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "backslashreplace")


async def _body(receive: Receive) -> bytes:
    """Read the body of a request, and return at most `_LARGEST_FORM + 1` bytes of it.

    All of the body is read, because many clients read the response only afterwards.

    Raises:
        _Gone: If the client disconnects.
    """
    body = bytearray()
    message: Message = {"more_body": True}
    while message.get("more_body"):
        message = await receive()
        if message["type"] == "http.disconnect":
            raise _Gone
        body += message.get("body", b"")[: _LARGEST_FORM + 1 - len(body)]
    return bytes(body)


async def _wait_until_left(receive: Receive) -> None:
    """Return when the client disconnects, after it has sent its whole request."""
    while (await receive())["type"] != "http.disconnect":
        await asyncio.sleep(1)  # uvicorn sends nothing else.


@click.command(
    "serve",
    cls=Command,
    brief="pos chk ner srl psg upos lemma path paragraphs host port jobs",
    examples=("senna-py serve --pos --ner --port 8080",),
)
@tag_options(
    only=(
        "path",
        "tasks",
        "posvbs",
        "paragraphs",
        "abbreviations",
        "rules",
        "tokens",
    )
)
@option("--host", "Address to listen on.", default="127.0.0.1")
@number("--port", "Port; 0: any.", default=8765, least=0, most=65535)
@option("--jobs", "Cores to use.", type=WORKERS, default=1)
def command(host: str, port: int, jobs: int, **options: Any) -> None:
    """Serve a web page that tags what is typed into it, and answer POST /tag with
    JSON.
    """
    try:
        import uvicorn
    except ImportError:
        raise SennaError(missing("serve", "serve", "uvicorn")) from None
    from senna_py.cli.serve_connections import connection_options
    from senna_py.kernels.runtime.pace import get_ready

    chosen = TagOptions.from_options(options)
    tagger = chosen.tagger()
    tagger.cut_sentences(LONGEST_SENTENCE)
    compile_apart(chosen, tagger)

    def run() -> None:
        tagger.annotate(tagger.tokenizer.document("Ann said that 20 men had left."))

    get_ready(run)
    is_local = bool(_LOCAL.fullmatch(f"[{host}]" if ":" in host else host))
    app = Application(
        partial(tagger.document, paragraphs=chosen.paragraphs), jobs, is_local
    )
    try:  # uvicorn would only log this error
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        socket.create_server((host, port), family=family).close()
    except OSError as error:
        raise SennaError(f"{host}, port {port}: {error.strerror}") from None
    # When uvicorn rejects a HEAD request, it raises an error. asyncio closes the
    # connection and logs a traceback.
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
