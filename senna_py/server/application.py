"""The ASGI application: its routes, its errors, and what it refuses."""

from __future__ import annotations

import asyncio
import json
import time
from functools import partial
from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from senna_py import __version__
from senna_py.display.page import POLICY, form_page
from senna_py.errors import SennaError, UsageError, one_line
from senna_py.server import metrics, openapi
from senna_py.server.connections import ENDS
from senna_py.server.limits import Limits
from senna_py.server.names import Names
from senna_py.server.pages import (
    LARGEST_FORM,
    error_page,
    tagged_page,
    text_of_form,
)
from senna_py.server.queue import Queue
from senna_py.server.request_log import log_request
from senna_py.server.requests import (
    TooManyTexts,
    read_request,
    search_schema,
    tag_schema,
)
from senna_py.server.service import Answer, encoded

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from typing import Any

    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from senna_py.server.requests import TagRequest
    from senna_py.server.service import Service

    Work = Callable[[TagRequest, Callable[[], bool]], Answer]
    Endpoint = Callable[[Request], Awaitable[Response]]

_HEADERS = {
    "Content-Security-Policy": f"{POLICY}; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
}
_HTML = "text/html"
_RETRY_LATER = {"Retry-After": "5"}  # The number of seconds of a restart.
_PLAIN = "identity"  # The Content-Encoding of a body that is not compressed.
_LARGEST_READ = 16 << 20  # The maximum size of a body that is read to its end.
_GONE = 499  # The status of requests whose clients did not wait, in metrics.
_SMALL = 1 << 12  # Smaller bodies are parsed in the event loop, in less than 1 ms.
_OTHER = "other"  # The path of requests to unknown paths, in metrics.


def create_application(
    service: Service,
    limits: Limits | None = None,
    jobs: int = 1,
    names: Names | None = None,
    log_requests: bool = False,
) -> ASGIApp:
    """Create the application, which tags and draws texts in threads, in order.

    The event loop only reads and writes; all work on texts is done in threads.

    Args:
        service: The service that tags texts.
        limits: The limits on requests, or None for the default ones.
        jobs: The number of threads that tag texts.
        names: The names of the server, or None for those of this machine only.
        log_requests: Whether to write a line for each request on standard error.
    """
    limits, names = limits or Limits(), names or Names()
    endpoints = _Endpoints(service, limits, Queue(jobs, limits.max_concurrent))
    routes = {
        "/": (endpoints.page, ("GET", "POST")),
        "/tag": (endpoints.tag, ("POST",)),
        "/search": (endpoints.search, ("POST",)),
        "/health": (endpoints.health, ("GET",)),
        "/metrics": (endpoints.metrics, ("GET",)),
        "/openapi.json": (endpoints.openapi, ("GET",)),
    }
    application = Starlette(
        routes=[
            Route(path, partial(_checked, endpoint, limits, names), methods=methods)
            for path, (endpoint, methods) in routes.items()
        ],
        exception_handlers={
            HTTPException: _error,
            SennaError: _error,
            ClientDisconnect: _error,
            404: partial(_error, known=[*routes]),
            Exception: _error,
        },
    )
    application.router.redirect_slashes = False
    return _Counted(application, endpoints.counts, {*routes}, log_requests)


class _Counted:
    """Counts and logs the requests of an application, and adds headers to its answers."""

    def __init__(
        self,
        application: ASGIApp,
        counts: metrics.Metrics,
        paths: set[str],
        log_requests: bool,
    ) -> None:
        self._application, self._counts, self._paths = application, counts, paths
        self._log_requests = log_requests

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._application(scope, receive, send)
            return
        begin, status, n_bytes = time.monotonic(), 500, 0

        async def send_counted(message: Message) -> None:
            nonlocal status, n_bytes
            if message["type"] == "http.response.start":
                status = message["status"]
                MutableHeaders(scope=message).update(_HEADERS)
            n_bytes += len(message.get("body", b""))
            await send(message)

        # uvicorn itself answers a malformed request, and would log a second answer.
        await asyncio.sleep(0)
        try:
            await self._application(scope, receive, send_counted)
        finally:
            path = scope["path"] if scope["path"] in self._paths else _OTHER
            seconds = time.monotonic() - begin
            self._counts.add_request(path, status, seconds)
            if self._log_requests:
                log_request(scope, status, n_bytes, seconds)


class _Endpoints:
    """The functions that answer requests, each to a path.

    Attributes:
        counts: The counts of requests and tokens.
    """

    def __init__(self, service: Service, limits: Limits, queue: Queue) -> None:
        self._service, self._limits, self._queue = service, limits, queue
        self._schemas = {
            "/tag": tag_schema(service.tasks, limits),
            "/search": search_schema(limits),
        }
        self._description = openapi.describe(self._schemas)
        self.counts = metrics.Metrics()

    async def page(self, request: Request) -> Response:
        """Return the page with the form or, for a form, with the tagged text."""
        if request.method != "POST":
            return Response(encoded(form_page()), media_type=_HTML)
        body = await _read_body(request, LARGEST_FORM)
        text, problem = await asyncio.to_thread(text_of_form, body)
        request.state.text = text
        if problem is not None:
            raise problem

        def draw(is_wanted: Callable[[], bool]) -> Answer:
            document = self._service.document(text)
            page = tagged_page(text, document) if is_wanted() else b""
            return Answer(page, _HTML, 1, len(document))

        return self._response(await self._queue.run(request, draw))

    async def tag(self, request: Request) -> Response:
        """Return the answer to a request to tag texts."""
        return await self._work(request, self._service.tag)

    async def search(self, request: Request) -> Response:
        """Return the answer to a request to search texts."""
        return await self._work(request, self._service.search)

    async def _work(self, request: Request, work: Work) -> Response:
        """Return the answer to a request with texts.

        Raises:
            HTTPException: If it is too large.
            UsageError: If it is malformed.
        """
        most = self._limits.max_body
        body = await _read_body(request, most)
        if len(body) > most:
            reason = (
                f"the body of a request has at most {most:,} bytes: send fewer texts, or "
                "start the server with a larger --max-body"
            )
            raise HTTPException(413, reason)
        encoding = request.headers.get("content-encoding", _PLAIN)
        if encoding.lower() != _PLAIN:
            reason = (
                f"Content-Encoding {one_line(encoding, 60)} is not supported: send the "
                "body uncompressed, without this header"
            )
            raise HTTPException(415, reason, {"Accept-Encoding": _PLAIN})
        schema = self._schemas[request.url.path]
        if len(body) < _SMALL:
            asked = read_request(body, schema)
        else:
            asked = await asyncio.to_thread(read_request, body, schema)
        return self._response(await self._queue.run(request, partial(work, asked)))

    def _response(self, answer: Answer) -> Response:
        self.counts.add_texts(answer.n_texts, answer.n_tokens)
        content_type = f"{answer.media_type}; charset=utf-8"
        return Response(answer.body, headers={"Content-Type": content_type})

    async def health(self, request: Request) -> Response:
        """Return the state of the server."""
        service, queue = self._service, self._queue
        return JSONResponse(
            {
                "status": "ok",
                "version": __version__,
                "model": service.name,
                "tasks": [*service.tasks],
                "waiting": queue.n_waiting,
                "running": queue.n_running,
            }
        )

    async def metrics(self, request: Request) -> Response:
        """Return the metrics."""
        text = self.counts.to_text(self._queue)
        return Response(text, headers={"Content-Type": metrics.MEDIA_TYPE})

    async def openapi(self, request: Request) -> Response:
        """Return the description of the interface."""
        return JSONResponse(self._description)


async def _checked(
    endpoint: Endpoint, limits: Limits, names: Names, request: Request
) -> Response:
    """Return the response of an endpoint, unless the request is refused or takes long.

    Args:
        endpoint: The endpoint.
        limits: The limits on requests.
        names: The names of the server.
        request: The request.

    Raises:
        HTTPException: If the server ends, the headers contradict each other, the host
            name is unknown, another site has sent the request, or the time is over.
    """
    if getattr(request.state, ENDS, False):
        reason = "the server is being stopped or restarted: ask again later"
        raise HTTPException(503, reason, _RETRY_LATER)
    _check_headers(request, names)
    try:
        return await asyncio.wait_for(endpoint(request), limits.timeout)
    except asyncio.TimeoutError:
        reason = (
            f"a request has {limits.timeout:g} seconds, waiting included: send fewer or "
            "shorter texts, ask again later, or start the server with a longer --timeout"
        )
        raise HTTPException(503, reason, {"Retry-After": "1"}) from None


def _check_headers(request: Request, names: Names) -> None:
    """Raise HTTPException for ambiguous requests, and for those of other sites' pages."""
    headers, is_post = request.headers, request.method == "POST"
    n_lengths = len({"content-length", "transfer-encoding"} & {*headers.keys()})
    if n_lengths > is_post:
        reason = "a body of two lengths, or of a request that has none"
        raise HTTPException(400, reason)
    if problem := names.problem(headers, is_post):
        raise HTTPException(403, problem)


async def _read_body(request: Request, most: int) -> bytes:
    """Read the body of a request, and return at most `most + 1` bytes of it.

    All of the body is read, because many clients read the response only afterwards. A
    body of more than 16 MiB that is also larger than `most` is refused at once.

    Raises:
        ClientDisconnect: If the client disconnects.
        HTTPException: If the body is refused.
    """
    largest = max(_LARGEST_READ, most)
    reason = f"a body of more than {largest:,} bytes is not read: send fewer texts"
    too_large = HTTPException(413, reason)
    length = request.headers.get("content-length", "")  # h11 checks it.
    if length.isdecimal() and int(length) > largest:
        raise too_large
    body, size = bytearray(), 0
    async for chunk in request.stream():
        size += len(chunk)
        if size > largest:
            raise too_large
        body += chunk[: most + 1 - len(body)]
    return bytes(body)


async def _error(
    request: Request, error: Exception, known: list[str] | None = None
) -> Response:
    """Return the response for an error.

    It is a page for forms, and for clients that accept HTML. Afterwards, the connection
    is closed.

    Args:
        request: The request.
        error: The error.
        known: The paths that exist, for a request to another one.
    """
    status, reason, headers = _problem(error)
    if known is not None and status == 404:
        reason = f"there are {', '.join(known)}"
    headers = {**headers, "Connection": "close"}
    is_form = request.method == "POST" and request.url.path == "/"
    accepts_html = _HTML in request.headers.get("accept", "")
    if (is_form and status != 403) or accepts_html:
        text = getattr(request.state, "text", "")
        page = await asyncio.to_thread(error_page, text, reason)
        return Response(page, status, headers, _HTML)
    body = encoded(json.dumps({"error": reason}) + "\n")
    return Response(body, status, headers, "application/json; charset=utf-8")


def _problem(error: Exception) -> tuple[int, str, dict[str, Any]]:
    """Return the HTTP status code, the message and the headers for an error."""
    if isinstance(error, HTTPException):
        reason = error.detail
        if error.status_code == 405 and error.headers:
            methods = sorted(error.headers["Allow"].split(", "))
            reason = f"this path takes {', '.join(methods)}"
        return error.status_code, reason, dict(error.headers or {})
    if isinstance(error, ClientDisconnect):
        return _GONE, "the client has left", {}
    if isinstance(error, TooManyTexts):
        return 413, str(error), {}
    if isinstance(error, UsageError):
        return 400, str(error), {}
    return 500, one_line(error), {}
