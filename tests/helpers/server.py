"""Servers in threads, and clients that ask them."""

import asyncio
import contextlib
import http.client
import json
import socket
import threading

from senna_py.server.application import create_application
from senna_py.server.service import Answer

PATIENCE = 240  # seconds: the first request may have to wait for kernels to be compiled
JSON = {"Content-Type": "application/json"}
FORM = {"Content-Type": "application/x-www-form-urlencoded"}


class FakeService:
    """A service without a model: a function makes the JSON of a text."""

    tasks = ("pos",)
    name = "fake"

    def __init__(self, answer=None, document=None):
        self._answer, self.document = answer, document

    def tag(self, request, is_wanted):
        body = self._answer(request.texts[0], is_wanted).encode()
        return Answer(body, n_texts=1, n_tokens=5)


def faked(answer=None, document=None, **options):
    """An application with a FakeService."""
    return create_application(FakeService(answer, document), **options)


@contextlib.contextmanager
def serving(application, options):
    """A server, and the port it listens on."""
    import uvicorn

    server = uvicorn.Server(uvicorn.Config(application, log_config=None, **options))
    with socket.create_server(("127.0.0.1", 0), backlog=500) as listening:
        thread = threading.Thread(target=server.run, args=([listening],))
        thread.start()
        try:
            yield server, listening.getsockname()[1]
        finally:
            server.should_exit = True
            thread.join()


def ask(port, method, path, body=None, headers=None):
    """Status, headers and body of an answer."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    try:
        connection.request(method, path, body, headers or {})
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read().decode()
    finally:
        connection.close()


def post(port, text):
    """A socket that has sent a text and waits."""
    body = json.dumps({"text": text})
    client = socket.create_connection(("127.0.0.1", port), PATIENCE)
    head = (
        f"POST /tag HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    client.sendall((head + body).encode())
    return client


def answer(client):
    """The status and the body that a socket is sent."""
    with http.client.HTTPResponse(client) as found:
        found.begin()
        return found.status, found.read()


def scope_of(method, path, headers):
    """The scope of a request to an ASGI application."""
    return {
        "type": "http",
        "http_version": "1.1",
        "method": method,
        "path": path,
        "root_path": "",
        "query_string": b"",
        "scheme": "http",
        "headers": headers,
    }


def call(application, method, path, body=b"", headers=(), host="localhost"):
    """Status, headers and body of the answer of an ASGI application.

    body: None for one that does not come; a value that is not bytes is sent as JSON.
    """
    sent, bodies = [], []
    if body is not None:
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        bodies = [{"type": "http.request", "body": data}]
    if host is not None:
        headers = [(b"host", host.encode()), *headers]
    scope = scope_of(method, path, [*headers])

    async def receive():
        if not bodies:
            await asyncio.sleep(60)
        return bodies.pop()

    async def send(message):
        sent.append(message)

    asyncio.run(application(scope, receive, send))
    found = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    body = b"".join(message.get("body", b"") for message in sent[1:])
    return sent[0]["status"], found, body.decode()
