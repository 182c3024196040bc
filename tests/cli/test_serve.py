"""senna-py serve: pages, JSON, limits, and clients that are slow or wrong."""

import asyncio
import contextlib
import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.parse

import pytest
from click.testing import CliRunner

from senna_py import Document
from senna_py.cli import serve
from senna_py.cli.serve import LARGEST_BODY, Application, command
from senna_py.errors import SennaError
from senna_py.tagger import Tagger
from tests.helpers.commands import MODEL
from tests.helpers.documents import document_of, frame, sentence_object

uvicorn = pytest.importorskip("uvicorn")

from senna_py.cli import serve_connections  # noqa: E402 - it needs this library

pytestmark = pytest.mark.extra

PATIENCE = 240  # seconds: the first request may have to wait for kernels to be compiled
JSON = {"Content-Type": "application/json"}
FORM = {"Content-Type": "application/x-www-form-urlencoded"}
CROSS = {"Sec-Fetch-Site": "cross-site"}


@pytest.fixture(scope="module")
def tagger():
    return Tagger(MODEL, ["pos", "ner"])


@pytest.fixture(scope="module")
def options():
    """What the command gives to uvicorn besides the application."""
    given = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(uvicorn, "run", lambda app, **options: given.update(options))
        assert CliRunner().invoke(command, ["--path", str(MODEL)]).exit_code == 0
    return given


@contextlib.contextmanager
def serving(application, options):
    """A server, and the port it listens on."""
    server = uvicorn.Server(uvicorn.Config(application, log_config=None, **options))
    with socket.create_server(("127.0.0.1", 0), backlog=500) as listening:
        thread = threading.Thread(target=server.run, args=([listening],))
        thread.start()
        try:
            yield server, listening.getsockname()[1]
        finally:
            server.should_exit = True
            thread.join()


@pytest.fixture(scope="module")
def port(tagger, options):
    """Port of a server that tags a text at a time."""
    with serving(Application(tagger.document), options) as (_, port):
        yield port


def ask(port, method, path, body=None, headers=None):
    """Status, headers and body of an answer."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    try:
        connection.request(method, path, body, headers or {})
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read().decode()
    finally:
        connection.close()


def raw(port, *lines, body=""):
    """What the server sends until it closes the connection, of lines of a head and a
    body.
    """
    with socket.create_connection(("127.0.0.1", port), PATIENCE) as client:
        client.sendall(("\r\n".join([*lines, "", ""]) + body).encode())
        return b"".join(iter(lambda: client.recv(4096), b"")).decode()


def test_json_is_what_python_gives(port, tagger):
    text = "He left Rome. <b>She</b>\ndid not."
    status, headers, body = ask(port, "POST", "/tag", json.dumps({"text": text}), JSON)
    assert status == 200
    assert headers["Content-Type"] == "application/json; charset=utf-8"
    found = Document.from_json(body)
    assert found == tagger.document(text)
    assert len(found.sentences) == 2
    assert Document.from_json(
        ask(port, "POST", "/tag", '{"text": ""}', JSON)[2]
    ) == Document("")
    odd = json.loads(
        ask(port, "POST", "/tag", '{"text": "a \\ud800\\u0000 b"}', JSON)[2]
    )
    assert odd["sentences"]
    chunked = ask(port, "POST", "/tag", iter([b'{"text": ', b'"No."}']), JSON)
    assert json.loads(chunked[2])["sentences"]


def test_the_page_shows_what_was_typed(port):
    status, headers, empty = ask(port, "GET", "/?x")
    assert (status, headers["Content-Type"]) == (200, "text/html; charset=utf-8")
    assert "default-src 'none'" in headers["Content-Security-Policy"]
    assert "<textarea" in empty
    assert "<ol" not in empty
    text = "\r\n</textarea><script>x</script> & é\r\nNo ."
    own = {"Origin": f"http://127.0.0.1:{port}", "Sec-Fetch-Site": "same-origin"}
    status, _, page = ask(
        port, "POST", "/", urllib.parse.urlencode({"text": text}), FORM | own
    )
    assert status == 200
    assert "<script" not in page
    assert (
        "&lt;/textarea&gt;&lt;script&gt;x&lt;/script&gt; &amp; é\nNo .</textarea>"
        in page
    )
    assert "<th>No<th>." in page
    head = ask(port, "HEAD", "/")
    assert (head[0], int(head[1]["Content-Length"]), head[2]) == (
        200,
        len(empty.encode()),
        "",
    )


@pytest.mark.parametrize(
    ("method", "path", "body", "headers", "status", "said"),
    [
        ("GET", "/tag", None, {}, 404, "there are /"),
        ("OPTIONS", "/tag", None, {}, 404, "there are /"),
        ("POST", "/tag", "nonsense", JSON, 400, "JSON object"),
        ("POST", "/tag", '{"text": 1}', JSON, 400, "JSON object"),
        ("POST", "/tag", "[" * 10000, JSON, 400, "JSON object"),
        ("POST", "/tag", " " * (LARGEST_BODY + 1), JSON, 413, "at most 65,536 bytes"),
        ("POST", "/tag", " " * (LARGEST_BODY << 4), JSON, 413, "at most"),
        ("POST", "/tag", iter([b" " * LARGEST_BODY] * 3), JSON, 413, "at most"),
        ("GET", "/", None, {"Host": "example.com:80"}, 403, "unknown name"),
        ("GET", "/", None, {"Host": "localhost@example.com"}, 403, "unknown name"),
        ("POST", "/tag", "{}", {"Origin": "http://evil.example"}, 403, "another site"),
        ("POST", "/", "text=a", {"Origin": "null"}, 403, "another site"),
        ("POST", "/", "text=a", {"Origin": "http://["}, 403, "another site"),
        ("POST", "/", "text=a", CROSS, 403, "another site"),
        ("GET", "/", "text=a", {}, 400, "has none"),
    ],
)
def test_what_cannot_be_answered(port, method, path, body, headers, status, said):
    found, sent, text = ask(port, method, path, body, headers)
    assert found == status
    assert said in json.loads(text)["error"]
    assert sent["Connection"] == "close"
    assert sent["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize(
    ("body", "status", "said", "kept"),
    [
        (
            b"text=" + b"No.+" * (LARGEST_BODY // 4 + 1),
            413,
            "at most 65,536 bytes, this one 65,540",
            "No. " * (LARGEST_BODY // 4 + 1),
        ),
        (b"text=" + b"%E9%BB" * LARGEST_BODY, 413, "more than is shown", ""),
        (b"text=A+%3Cb%3E+\xff", 400, "send UTF-8", "A &lt;b&gt; \ufffd"),
        (b"text=A+%FF", 400, "send UTF-8", "A \ufffd"),
        (b"text=+%0D%0A", 200, "no text", " \n"),
        (b"text=", 200, "no text", ""),
        (b"other=1", 400, "as a form", ""),
        (b"a=&" * 11 + b"text=a", 400, "as a form", ""),
    ],
)
def test_errors_of_the_form_are_on_its_page(port, body, status, said, kept):
    found, headers, page = ask(port, "POST", "/", body, FORM)
    assert (found, headers["Content-Type"]) == (status, "text/html; charset=utf-8")
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert "default-src 'none'" in headers["Content-Security-Policy"]
    assert said in page.split("<p role=alert>")[1].split("</p>")[0]
    assert f"{kept}</textarea>" in page


def test_text_of_any_script_may_be_as_long(port):
    body = b"text=" + urllib.parse.quote("я" * 20).encode() + b"%0A" * 60_000
    assert ask(port, "POST", "/", body, FORM)[0] == 200


def test_a_browser_gets_a_page_whatever_it_asks_for(port):
    accepts = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
    for method, path, more in (
        ("GET", "/tag", {}),
        ("GET", "/x", {}),
        ("GET", "/", {"Host": "x"}),
    ):
        status, headers, page = ask(port, method, path, None, accepts | more)
        assert (status >= 400, headers["Content-Type"]) == (
            True,
            "text/html; charset=utf-8",
        )
        assert "<p role=alert>" in page and "<textarea" in page


def test_names_of_hosts_have_no_case(port):
    for host in (
        "LOCALHOST",
        "localhost.",
        f"LocalHost:{port}",
        "127.0.0.1",
        "[::1]:80",
    ):
        assert ask(port, "GET", "/", headers={"Host": host})[0] == 200
        own = {"Host": host, "Origin": f"http://{host.upper()}"}
        assert ask(port, "POST", "/tag", '{"text": ""}', own)[0] == 200
    assert ask(port, "GET", "/", headers=CROSS)[0] == 200  # a link on another page


def test_ambiguous_requests_are_refused_and_closed(port, caplog):
    """...in one answer, and without a traceback in the log."""
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
        answer = raw(port, *lines, body=body + smuggled)
        assert answer.startswith("HTTP/1.1 400 "), lines
        assert answer.count("HTTP/1.1") == 1, lines  # what follows is no request
    assert {record.levelname for record in caplog.records} == {"WARNING"}


def test_what_goes_wrong_in_tagging_is_an_error_and_the_text_stays_in_the_form():
    def fail(text):
        raise SennaError(f"model: broken\n{text}")

    status, sent = call(Application(fail), "/tag", b'{"text": "a"}')
    assert (status, sent) == (500, {"error": "model: broken\\na"})
    status, page = call(Application(fail), "/", b"text=a+%26+b")
    assert (status, "model: broken" in page, "a &amp; b</textarea>" in page) == (
        500,
        True,
        True,
    )


def test_a_client_that_sends_no_body_is_not_waited_for(monkeypatch):
    monkeypatch.setattr(serve, "LONGEST_WAIT", 0.05)
    status, sent = call(Application(None), "/tag", None)
    assert (status, sent) == (503, {"error": "a request has 0.05 seconds"})


def call(application, path, body):
    """Status and value of a POST to an ASGI application; body: None for one that does
    not come.
    """
    sent, scope = (
        [],
        {"method": "POST", "path": path, "headers": [(b"host", b"localhost")]},
    )

    bodies = [] if body is None else [{"type": "http.request", "body": body}]

    async def receive():
        if not bodies:
            await asyncio.sleep(60)
        return bodies.pop()

    async def send(message):
        sent.append(message)

    asyncio.run(application(scope, receive, send))
    answer = sent[1]["body"].decode()
    return sent[0]["status"], json.loads(answer) if path == "/tag" else answer


class Found:
    """What stands for a Document: its JSON is made by a function of its text."""

    def __init__(self, text, make):
        self._text, self._make = text, make

    def to_json(self):
        return self._make(self._text)


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


def test_a_page_is_made_while_others_are_served(options):
    begun, served = threading.Event(), threading.Event()

    def make(text):
        begun.set()
        return json.dumps(served.wait(20))  # false if the request below waits for this

    application = Application(lambda text: Found(text, make))
    with serving(application, options) as (_, port), post(port, "a") as client:
        assert begun.wait(PATIENCE)
        assert ask(port, "GET", "/")[0] == 200
        served.set()
        assert answer(client) == (200, b"true\n")


def test_who_has_left_loses_the_turn(options):
    """...and what was tagged for nobody is not drawn."""
    begun, go, tagged, drawn = threading.Event(), threading.Event(), [], []

    def tag(text):
        tagged.append(text)
        begun.set()
        assert go.wait(PATIENCE)
        return Found(text, lambda text: drawn.append(text) or "{}")

    with serving(Application(tag), options) as (_, port):
        first, second, third = (
            post(port, text) for text in ("first", "second", "third")
        )
        assert begun.wait(PATIENCE)
        for _ in range(3):
            ask(port, "GET", "/")  # the loop has read all three
        first.close()
        second.close()
        for _ in range(3):
            ask(port, "GET", "/")  # and has seen who left
        go.set()
        with third:
            assert answer(third)[0] == 200
    assert tagged == ["first", "third"]
    assert drawn == ["third"]


def test_who_leaves_before_all_is_sent_gets_no_turn(options):
    tagged = []
    with serving(Application(tagged.append), options) as (_, port):
        with socket.create_connection(("127.0.0.1", port), PATIENCE) as client:
            head = "POST /tag HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99\r\n\r\n"
            client.sendall((head + '{"text": "a"}').encode())
            ask(port, "GET", "/")
        for _ in range(3):
            ask(port, "GET", "/")
    assert tagged == []


def test_rows_of_too_many_predicates_are_not_drawn(monkeypatch):
    frames = [frame(i, ("V", i, i + 1)) for i in range(30)]
    tags = {"pos": ["VB"] * 30, "ner": ["O"] * 30}
    document = document_of(sentence_object(["eat"] * 30, tags=tags, frames=frames))
    application = Application(lambda text: document)
    body = b"text=" + b"+".join([b"eat"] * 30)
    _, page = call(application, "/", body)
    assert page.count("tabindex=0><th>eat") == 30
    monkeypatch.setattr(serve, "MOST_DRAWN", 899)
    status, page = call(application, "/", body)
    assert (status, "<table" in page, "eat eat" in page) == (200, False, True)
    assert "30 predicates are too many to draw" in page.split("<p role=alert>")[1]
    assert (
        len(call(application, "/tag", b'{"text": "a"}')[1]["sentences"][0]["frames"])
        == 30
    )


@pytest.mark.parametrize(
    "sent", [b"", b"G", b"GET / HTTP/1.1\r\nHost: localhost\r\nX: "]
)
def test_who_sends_no_request_is_left(options, monkeypatch, sent):
    """...also after another request."""
    monkeypatch.setattr(serve_connections, "PATIENCE", 0.2)
    with serving(Application(None), options) as (_, port):
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
    monkeypatch.setattr(serve_connections, "PATIENCE", 0.2)
    application = Application(lambda text: Found(text, lambda text: " " * (32 << 20)))
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

    def tag(text):
        begun.set()
        assert go.wait(PATIENCE)
        return Found(text, lambda text: "{}")

    with (
        serving(Application(tag), {**options, "http": own}) as (_, port),
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


def test_long_sentences_are_cut_to_what_takes_little_time():
    tagger = Tagger(MODEL, ["psg"])
    assert tagger.longest_sentence == 1024
    tagger.cut_sentences(256)
    (found,) = tagger.document("word " * 600).sentences
    assert [len(part.leaves) for part in found.tree.children] == [256, 256, 88]
    for wrong in (0, 1025):
        with pytest.raises(ValueError, match="sentences of 1 to 1,024 tokens"):
            tagger.cut_sentences(wrong)


def test_without_the_extra_it_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    result = CliRunner().invoke(command, [])
    assert "pip install uvicorn, or in a checkout: pip install '.[serve]'" in str(
        result.exception
    )


@pytest.mark.process
def test_the_command_serves_until_it_is_interrupted(port):
    """...and says in a line that a port is taken."""
    code = "from senna_py.cli import running, serve; running.run(serve.command)"
    arguments = [sys.executable, "-c", code, "--path", str(MODEL), "--port"]
    taken = subprocess.run(
        [*arguments, str(port)], stderr=subprocess.PIPE, text=True, check=False
    )
    assert taken.returncode == 1
    assert f"port {port}: Address already in use" in taken.stderr
    assert taken.stderr.count("\n") == 1
    process = subprocess.Popen([*arguments, "0"], stderr=subprocess.PIPE, text=True)
    try:
        line = next(line for line in process.stderr if "running on" in line)
        own = int(line.split("http://127.0.0.1:")[1].split()[0])
        status, _, found = ask(own, "POST", "/tag", '{"text": "No."}', JSON)
        assert (status, len(json.loads(found)["sentences"])) == (200, 1)
    finally:
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE) == -signal.SIGTERM
        process.stderr.close()


@pytest.mark.process
@pytest.mark.skipif(os.name == "nt", reason="ulimit")
def test_more_silent_clients_than_open_files_do_not_keep_others_out():
    code = "from senna_py.cli import running, serve; running.run(serve.command)"
    arguments = [sys.executable, "-c", code, "--path", str(MODEL), "--port", "0"]
    limited = ["bash", "-c", 'ulimit -n 64; exec "$@"', "serve", *arguments]
    process = subprocess.Popen(limited, stderr=subprocess.PIPE, text=True)
    try:
        line = next(line for line in process.stderr if "running on" in line)
        port = int(line.split("http://127.0.0.1:")[1].split()[0])
        with contextlib.ExitStack() as silent:
            for _ in range(100):
                silent.enter_context(
                    socket.create_connection(("127.0.0.1", port), PATIENCE)
                )
            assert ask(port, "GET", "/")[0] == 200
            assert ask(port, "POST", "/tag", '{"text": "No."}', JSON)[0] == 200
    finally:
        process.terminate()
        process.wait(PATIENCE)
        process.stderr.close()
