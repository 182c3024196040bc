"""Clients that are slow, leave, or are many."""

import contextlib
import http.client
import json
import logging
import socket
import threading
import time

import pytest

from senna_py.server.limits import Limits

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")

from senna_py.server import connections
from tests.helpers.server import PATIENCE, answer, ask, faked, post, serving

pytestmark = pytest.mark.extra


@pytest.fixture(scope="module")
def options():
    """What the command gives to uvicorn besides the application."""
    others = {"ws": "none", "lifespan": "off", "access_log": False}
    return others | connections.connection_options()


def raw(port, *lines, body=""):
    """What the server sends until it closes the connection, of lines of a head and a
    body.
    """
    with socket.create_connection(("127.0.0.1", port), PATIENCE) as client:
        client.sendall(("\r\n".join([*lines, "", ""]) + body).encode())
        return b"".join(iter(lambda: client.recv(4096), b"")).decode()


def test_a_page_is_made_while_others_are_served(options):
    begun, served = threading.Event(), threading.Event()

    def make(text, is_wanted):
        begun.set()
        return json.dumps(served.wait(20))  # false if the request below waits for this

    application = faked(make)
    with serving(application, options) as (_, port), post(port, "a") as client:
        assert begun.wait(PATIENCE)
        assert ask(port, "GET", "/")[0] == 200
        served.set()
        assert answer(client) == (200, b"true")


def test_who_has_left_loses_the_turn(options):
    """...and what is worked on for nobody can end."""
    begun, go, worked, left = threading.Event(), threading.Event(), [], []

    def make(text, is_wanted):
        worked.append(text)
        begun.set()
        assert go.wait(PATIENCE)
        if not is_wanted():
            left.append(text)
        return "{}"

    with serving(faked(make), options) as (_, port):
        first, second, third = (
            post(port, text) for text in ("first", "second", "third")
        )
        assert begun.wait(PATIENCE)
        for _ in range(3):
            ask(port, "GET", "/")  # the loop has read all three
        waiting = json.loads(ask(port, "GET", "/health")[2])
        assert (waiting["waiting"], waiting["running"]) == (2, 1)
        first.close()
        second.close()
        for _ in range(3):
            ask(port, "GET", "/")  # and has seen who left
        waiting = json.loads(ask(port, "GET", "/health")[2])
        assert (waiting["waiting"], waiting["running"]) == (1, 1)
        go.set()
        with third:
            assert answer(third)[0] == 200
        assert 'path="/tag",status="499"} 2' in ask(port, "GET", "/metrics")[2]
    assert worked == ["first", "third"]
    assert left == ["first"]


def test_more_than_may_wait_are_told_to_come_again(options):
    begun, go = threading.Event(), threading.Event()

    def make(text, is_wanted):
        begun.set()
        assert go.wait(PATIENCE)
        return "{}"

    application = faked(make, limits=Limits(max_concurrent=2))
    with serving(application, options) as (_, port), contextlib.ExitStack() as clients:
        accepted = [clients.enter_context(post(port, "a")) for _ in range(2)]
        assert begun.wait(PATIENCE)
        for _ in range(3):
            ask(port, "GET", "/")
        status, headers, body = ask(port, "POST", "/tag", '{"text": "a"}')
        assert (status, headers["Retry-After"]) == (429, "1")
        assert "2 requests are waiting" in json.loads(body)["error"]
        go.set()
        assert [answer(client)[0] for client in accepted] == [200, 200]
        assert ask(port, "POST", "/tag", '{"text": "a"}')[0] == 200


def test_nothing_is_lost_of_200_clients_at_once(options):
    def make(text, is_wanted):
        return json.dumps(text)

    with serving(faked(make, jobs=2), options) as (_, port):
        with contextlib.ExitStack() as stack:
            clients = [stack.enter_context(post(port, str(i))) for i in range(200)]
            answers = [answer(client) for client in clients]
        text = ask(port, "GET", "/metrics")[2]
    assert answers == [(200, f'"{i}"'.encode()) for i in range(200)]
    assert 'path="/tag",status="200"} 200' in text


def test_who_leaves_before_all_is_sent_gets_no_turn(options):
    tagged = []

    def make(text, is_wanted):
        tagged.append(text)
        return "{}"

    with serving(faked(make), options) as (_, port):
        with socket.create_connection(("127.0.0.1", port), PATIENCE) as client:
            head = "POST /tag HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99\r\n\r\n"
            client.sendall((head + '{"text": "a"}').encode())
            ask(port, "GET", "/")
        for _ in range(3):
            ask(port, "GET", "/")
    assert tagged == []


@pytest.mark.parametrize(
    "sent", [b"", b"G", b"GET / HTTP/1.1\r\nHost: localhost\r\nX: "]
)
def test_who_sends_no_request_is_left(options, monkeypatch, sent):
    """...also after another request."""
    monkeypatch.setattr(connections, "PATIENCE", 0.2)
    with serving(faked(), options) as (_, port):
        with socket.create_connection(("127.0.0.1", port), PATIENCE) as client:
            client.sendall(sent)
            with contextlib.suppress(ConnectionResetError):
                assert client.recv(1) == b""
        with socket.create_connection(("127.0.0.1", port), PATIENCE) as client:
            client.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n" + sent)
            with contextlib.suppress(ConnectionResetError):
                assert (
                    b"".join(iter(lambda: client.recv(4096), b"")).count(
                        b"HTTP/1.1 200"
                    )
                    == 1
                )


def test_who_does_not_read_is_left(options, monkeypatch):
    monkeypatch.setattr(connections, "PATIENCE", 0.2)
    application = faked(lambda text, is_wanted: " " * (32 << 20))
    with serving(application, options) as (server, port), post(port, "a"):
        for _ in range(PATIENCE * 10):
            if (
                server.server_state.total_requests
                and not server.server_state.connections
            ):
                break
            time.sleep(0.1)
        assert not server.server_state.connections


def test_the_oldest_without_a_request_makes_room(options):
    own = type("Few", (options["http"],), {"most": 3})
    begun, go = threading.Event(), threading.Event()

    def make(text, is_wanted):
        begun.set()
        assert go.wait(PATIENCE)
        return "{}"

    with (
        serving(faked(make), {**options, "http": own}) as (_, port),
        post(port, "a") as busy,
    ):
        assert begun.wait(PATIENCE)
        silent = [
            socket.create_connection(("127.0.0.1", port), PATIENCE) for _ in range(9)
        ]
        assert ask(port, "GET", "/")[0] == 200
        for client in silent[:7]:
            with client, contextlib.suppress(ConnectionResetError):
                assert client.recv(1) == b""
        silent[8].sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert answer(silent[8])[0] == 200
        go.set()
        assert answer(busy)[0] == 200
        for client in silent[7:]:
            client.close()


def test_the_end_of_a_server_answers_what_was_accepted(options, monkeypatch):
    """...and tells later requests on open connections that it ends."""
    monkeypatch.setattr(connections, "LAST_CALL", PATIENCE)
    begun, go = threading.Event(), threading.Event()

    def make(text, is_wanted):
        begun.set()
        assert go.wait(PATIENCE)
        return "{}"

    with serving(faked(make), options) as (server, port), contextlib.ExitStack() as own:
        kept = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        own.callback(kept.close)
        kept.request("GET", "/")
        assert kept.getresponse().read()
        running, waiting = (own.enter_context(post(port, "a")) for _ in range(2))
        assert begun.wait(PATIENCE)
        ask(port, "GET", "/")
        server.should_exit = True
        with pytest.raises(OSError):  # Refused or reset.
            while True:
                ask(port, "GET", "/")
        kept.request("POST", "/tag", '{"text": "late"}')
        found = kept.getresponse()
        assert (found.status, found.headers["Connection"]) == (503, "close")
        assert found.headers["Retry-After"]
        assert "is being stopped" in json.loads(found.read())["error"]
        go.set()
        for client in (running, waiting):
            with http.client.HTTPResponse(client) as found:
                found.begin()
                assert (found.status, found.headers["Connection"]) == (200, "close")
                assert found.read() == b"{}"


def test_ambiguous_requests_are_refused_and_closed(options, caplog, monkeypatch):
    """...in one answer, and without a traceback in the log, as of the command."""
    monkeypatch.setattr(logging.getLogger("asyncio"), "disabled", True)
    post = "POST /tag HTTP/1.1", "Host: localhost"
    smuggled = "GET /smuggled HTTP/1.1\r\nHost: localhost\r\n\r\n"
    for lines, body in (
        ((*post, "Content-Length: 2", "Content-Length: 20"), "{}"),
        ((*post, "Content-Length: 2", "Transfer-Encoding: chunked"), "0\r\n\r\n"),
        (("GET / HTTP/1.1", "Host: localhost", "Content-Length: 0050"), ""),
        (("GET / HTTP/1.1", "Host: localhost", "Host: localhost"), ""),
        (("nonsense",), ""),
        ((*post, "Transfer-Encoding: chunked"), "no chunk\r\n"),
        (
            ("GET / HTTP/1.1", "Host: localhost", "Transfer-Encoding: chunked"),
            "no chunk\r\n",
        ),
        (
            ("HEAD / HTTP/1.1", "Host: localhost", "Transfer-Encoding: chunked"),
            "no chunk\r\n",
        ),
    ):
        with serving(faked(), options) as (_, port):
            found = raw(port, *lines, body=body + smuggled)
        assert found.startswith("HTTP/1.1 400 "), lines
        assert found.count("HTTP/1.1") == 1, lines  # what follows is no request
    assert {record.levelname for record in caplog.records} == {"WARNING"}
