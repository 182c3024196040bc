"""A page with a box to type into, and the same as JSON: `senna-tag --serve`."""

import contextlib
import io
import json
import socket
import threading
import time
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs

from senna_py.display.escapes import escape
from senna_py.display.page import LIST_END, LIST_START, POLICY, page_end, page_start
from senna_py.display.sentence import sentence_html
from senna_py.errors import SennaError, one_line
from senna_py.io.nesting import parse_json
from senna_py.kernels.runtime.pace import warm_up
from senna_py.tagger import LONGEST_SENTENCE

__all__ = ["LARGEST_BODY", "Server", "serve"]

LARGEST_BODY = 1 << 16  # bytes of a request: text that is tagged in seconds
_LONGEST_SENTENCE = 256  # tokens: without ends of sentences, that text would take ten times as long
_SECONDS_TO_ASK = 10  # for all of a request to come in, or for the next one of a connection
_SECONDS_TO_READ = 30  # for the client to take the answer
_SECONDS_TO_DRAIN, _DRAINED = 2, 1 << 22  # and bytes: of a request that was refused
_SECONDS_TO_WAIT = 60  # for others, whose texts are tagged first
_CONNECTIONS = 2000  # that are open at a time
_FILES_BESIDE = 100  # that a process has open besides
_SAMPLE = "Ann said on Monday that 20 men had left."
_TITLE = "senna-tag"
_FORM = """\
<form method="post" action="/">
<label for="text">Text</label>
<textarea id="text" name="text" rows="4" required>
{text}</textarea>
<button>Tag</button>
</form>
"""


class _Refusal(Exception):
    """A request that is answered with a status and a reason."""

    def __init__(self, status, reason):
        super().__init__(reason)
        self.status = status


class Server(ThreadingHTTPServer):
    """Tags what it is sent; each connection has a thread, and `jobs` of them tag at a time."""

    daemon_threads = True
    request_queue_size = 1024

    def __init__(self, host, port, tagger, jobs=1, paragraphs=False, log=None):
        """Listen at `host` and `port`, 0 for any that is free; raises SennaError.

        tagger: a Tagger; paragraphs: whether lines are joined up to an empty one; log: called with
        a line for each request, or None.
        """
        self.tagger, self.paragraphs, self.log = tagger, paragraphs, log
        self._turns = threading.Semaphore(jobs)
        self._connections = threading.Semaphore(_allow_connections())
        try:
            self.address_family, *_, address = socket.getaddrinfo(
                host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
            )[0]
            super().__init__(address, _Handler)
            tagger.cut_sentences(_LONGEST_SENTENCE)
        except (OSError, UnicodeError) as error:
            reason = getattr(error, "strerror", None) or error
            raise SennaError(f"{host}, port {port}: {reason}") from None

    def server_close(self):
        """Close the socket; from then on the tagger is as it was."""
        super().server_close()
        self.tagger.cut_sentences(LONGEST_SENTENCE)

    def server_bind(self):
        """Bind the socket without asking for the name of the machine, which may take seconds."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.socket.bind(self.server_address)
        self.server_address = self.socket.getsockname()
        self.server_name, self.server_port = self.server_address[:2]

    @property
    def address(self):
        """Address of the page."""
        host = f"[{self.server_name}]" if ":" in self.server_name else self.server_name
        return f"http://{host}:{self.server_port}/"

    @property
    def is_local(self):
        """Whether only this machine can reach it."""
        return self.server_name == "::1" or self.server_name.startswith("127.")

    def tag(self, text):
        """Sentences of a text, once it is its turn; raises _Refusal if that takes too long."""
        if not self._turns.acquire(timeout=_SECONDS_TO_WAIT):
            raise _Refusal(HTTPStatus.SERVICE_UNAVAILABLE, "too many requests at a time")
        try:
            return self.tagger.document(text, paragraphs=self.paragraphs)
        finally:
            self._turns.release()

    def warm_up(self):
        """Get compiled kernels ready; until then all texts are tagged without them."""
        with contextlib.suppress(Exception):  # the same comes up with a request
            warm_up(lambda: self.tagger.annotate(self.tagger.tokenizer.document(_SAMPLE)))

    def process_request(self, request, client_address):
        """Answer in a thread, unless there are too many connections."""
        if not self._connections.acquire(blocking=False):
            self.shutdown_request(request)
            return
        try:
            super().process_request(request, client_address)
        except RuntimeError:  # no thread can be started
            self._connections.release()
            self.shutdown_request(request)

    def process_request_thread(self, request, client_address):
        """Answer, and count the connection no more."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._connections.release()

    def handle_error(self, request, client_address):
        """Say nothing of clients that went away, and what any other error is."""
        import sys

        error = sys.exc_info()[1]
        if not isinstance(error, OSError) and self.log is not None:
            self.log(f"{type(error).__name__}: {one_line(error)}")


class _TimedInput(io.RawIOBase):
    """Bytes from a socket until a deadline, however slowly they come."""

    def __init__(self, connection):
        self._connection, self.deadline = connection, 0.0

    def readable(self):
        """Whether it can be read."""
        return True

    def readinto(self, buffer):
        """Read what is there; raises TimeoutError after the deadline."""
        left = self.deadline - time.monotonic()
        if left <= 0:
            raise TimeoutError
        self._connection.settimeout(left)
        return self._connection.recv_into(buffer)


class _Handler(BaseHTTPRequestHandler):
    """Answers the requests of a connection."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # else a body waits for the answer to its header

    def setup(self):
        """Read from the socket with a deadline for each request."""
        super().setup()
        self._input = _TimedInput(self.connection)
        self.rfile = io.BufferedReader(self._input)

    def handle_one_request(self):
        """Answer the next request of the connection."""
        self._input.deadline = time.monotonic() + _SECONDS_TO_ASK
        super().handle_one_request()

    def do_GET(self):
        """The page with an empty box."""
        self._answer(self._empty_page)

    do_HEAD = do_GET

    def do_POST(self):
        """The sentences of the text that was sent: a page, or JSON."""
        self._answer(self._json if self.path == "/tag" else self._page)

    def _answer(self, make):
        """Send what `make` returns, a type and a str, or why there is none."""
        try:
            self._check_host()
            kind, text = make()
            status = HTTPStatus.OK
        except _Refusal as refusal:
            status, kind = refusal.status, "application/json"
            text = json.dumps({"error": str(refusal)}) + "\n"
            self.close_connection = True  # what was not read of the request is no other one
        body = text.encode("utf-8", "backslashreplace")
        self.connection.settimeout(_SECONDS_TO_READ)
        self.send_response(status)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Content-Security-Policy", f"{POLICY}; frame-ancestors 'none'")
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Referrer-Policy", "no-referrer")
        self.send_header("Cache-Control", "no-store")
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)
        if self.close_connection and status != HTTPStatus.OK:
            self._drain()

    def _drain(self):
        """Read what the client still sends, for a while: else it might not see the answer."""
        self._input.deadline = time.monotonic() + _SECONDS_TO_DRAIN
        left = _DRAINED
        with contextlib.suppress(OSError):
            self.connection.shutdown(socket.SHUT_WR)
            while left > 0 and (data := self.rfile.read1()):
                left -= len(data)

    def _empty_page(self):
        self._check_path("/")
        return "text/html", _page("", [])

    def _page(self):
        self._check_path("/")
        form = self._body("application/x-www-form-urlencoded")
        try:
            fields = parse_qs(form.decode(), max_num_fields=10)
        except ValueError:
            raise _Refusal(HTTPStatus.BAD_REQUEST, "not the fields of a form") from None
        text = fields.get("text", [""])[0].replace("\r\n", "\n")
        return "text/html", _page(text, self.server.tag(text))

    def _json(self):
        text = self._text_of_json(self._body("application/json"))
        sentences = [sentence.to_dict() for sentence in self.server.tag(text)]
        return "application/json", json.dumps({"sentences": sentences}, ensure_ascii=False) + "\n"

    def _text_of_json(self, body):
        try:
            return parse_json(body)["text"] + ""
        except (ValueError, KeyError, TypeError):
            reason = 'expected a JSON object with a text: {"text": "..."}'
            raise _Refusal(HTTPStatus.BAD_REQUEST, reason) from None

    def _body(self, kind):
        """Bytes of a request, which must be of a type; raises _Refusal."""
        if self.headers.get_content_type() != kind:
            raise _Refusal(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, f"expected Content-Type: {kind}")
        given = self.headers.get("Content-Length", "")
        if "Transfer-Encoding" in self.headers or not (given.isascii() and given.isdigit()):
            raise _Refusal(HTTPStatus.LENGTH_REQUIRED, "expected the length of the request")
        length = int(given[:20])
        if length > LARGEST_BODY:
            reason = f"a request has at most {LARGEST_BODY:,} bytes"
            raise _Refusal(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, reason)
        try:
            body = self.rfile.read(length)
        except TimeoutError:
            raise _Refusal(HTTPStatus.REQUEST_TIMEOUT, "the request took too long") from None
        if len(body) < length:
            raise _Refusal(HTTPStatus.BAD_REQUEST, "the request ends early")
        return body

    def _check_path(self, path):
        if self.path.partition("?")[0] != path:
            raise _Refusal(HTTPStatus.NOT_FOUND, "there are / and, to POST to, /tag")

    def _check_host(self):
        """Refuse a request to another name, by which web pages would get at a local server."""
        name = self.headers.get("Host", "").rpartition(":")[0] or self.headers.get("Host", "")
        known = ("localhost", "127.0.0.1", "[::1]", self.server.server_name)
        if self.server.is_local and name not in known:
            raise _Refusal(HTTPStatus.FORBIDDEN, "unknown name of this server")

    def version_string(self):
        """What the server says of itself."""
        return "senna-tag"

    def log_message(self, form, *values):
        """Log a line, if that is wanted."""
        if self.server.log is not None:
            self.server.log(one_line(f"{self.client_address[0]} {form % values}"))


def _page(text, sentences):
    items = "".join(map(sentence_html, sentences))
    found = f"{LIST_START}{items}{LIST_END}" if text else ""
    return f"{page_start(_TITLE)}{_FORM.format(text=escape(text))}{found}{page_end()}"


def _allow_connections():
    """Number of connections that may be open at a time, as far as the system allows."""
    try:
        import resource
    except ImportError:  # not on this system
        return _CONNECTIONS
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _CONNECTIONS + _FILES_BESIDE
    if soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(hard, wanted)
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        soft = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return min(_CONNECTIONS, max(soft - _FILES_BESIDE, 1))


def serve(tagger, host, port, jobs, paragraphs, verbose, note):
    """Answer requests until the process is ended; note: called with lines for the user."""
    server = Server(host, port, tagger, jobs, paragraphs, note if verbose else None)
    threading.Thread(target=server.warm_up, daemon=True).start()
    note(f"listening on {server.address}; Ctrl-C ends it")
    with server:
        server.serve_forever()
