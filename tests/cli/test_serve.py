"""senna-tag --serve: pages, JSON, limits, and clients that are slow or wrong."""

import http.client
import json
import signal
import socket
import subprocess
import threading
import urllib.parse

import pytest
from click.testing import CliRunner

from senna_py.annotation import Sentence
from senna_py.cli import tag_server
from senna_py.cli.tag import command
from senna_py.cli.tag_server import LARGEST_BODY, Server
from senna_py.errors import SennaError
from senna_py.kernels.runtime.pace import one_way
from senna_py.tagger import Tagger
from tests.helpers.commands import MODEL, installed

PATIENCE = 240  # seconds: the first request may have to wait for kernels to be compiled
JSON = {"Content-Type": "application/json"}
FORM = {"Content-Type": "application/x-www-form-urlencoded"}


@pytest.fixture(scope="module", autouse=True)
def pace():
    """Set back what a server sets for all of the process."""
    with one_way(plain=True):
        yield


@pytest.fixture(scope="module")
def tagger():
    return Tagger(MODEL, ["pos", "ner"])


@pytest.fixture(scope="module")
def logged():
    return []


@pytest.fixture(scope="module")
def server(tagger, logged):
    with Server("127.0.0.1", 0, tagger, jobs=2, log=logged.append) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def ask(server, method, path, body=None, headers=None):
    """Status, headers and body of an answer."""
    connection = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=PATIENCE)
    try:
        connection.request(method, path, body, headers or {})
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read().decode()
    finally:
        connection.close()


def raw(server, data, timeout=PATIENCE):
    """What the server sends until it closes the connection, of bytes that are sent."""
    with socket.create_connection(("127.0.0.1", server.server_port), timeout) as client:
        client.sendall(data)
        return b"".join(iter(lambda: client.recv(4096), b""))


def test_json_is_what_python_gives(server, tagger):
    text = "He left Rome. <b>She</b>\ndid not."
    status, headers, body = ask(server, "POST", "/tag", json.dumps({"text": text}), JSON)
    assert status == 200
    assert headers["Content-Type"] == "application/json; charset=utf-8"
    found = [Sentence.from_dict(each) for each in json.loads(body)["sentences"]]
    assert found == list(tagger.document(text))
    assert len(found) == 2
    assert json.loads(ask(server, "POST", "/tag", '{"text": ""}', JSON)[2]) == {"sentences": []}
    odd = json.loads(ask(server, "POST", "/tag", '{"text": "a \\ud800\\u0000 b"}', JSON)[2])
    assert odd["sentences"]


def test_long_sentences_are_cut_to_what_takes_little_time():
    tagger = Tagger(MODEL, ["psg"])
    assert tagger.longest_sentence == 1024
    with Server("127.0.0.1", 0, tagger) as server:
        (found,) = server.tag("word " * 600)
    assert [len(part.leaves) for part in found.tree.children] == [256, 256, 88]
    assert tagger.longest_sentence == 1024
    for wrong in (0, 1025):
        with pytest.raises(ValueError, match="sentences of 1 to 1,024 tokens"):
            tagger.cut_sentences(wrong)


def test_the_page_shows_what_was_typed(server):
    status, headers, empty = ask(server, "GET", "/?x")
    assert (status, headers["Content-Type"]) == (200, "text/html; charset=utf-8")
    assert "default-src 'none'" in headers["Content-Security-Policy"]
    assert "<textarea" in empty
    assert "<ol" not in empty
    text = "\r\n</textarea><script>x</script> & é\r\nNo ."
    body = urllib.parse.urlencode({"text": text})
    status, _, page = ask(server, "POST", "/", body, FORM)
    assert status == 200
    assert "<script" not in page
    assert "&lt;/textarea&gt;&lt;script&gt;x&lt;/script&gt; &amp; é\nNo .</textarea>" in page
    assert "<th>No<th>." in page
    head = ask(server, "HEAD", "/")
    assert (head[0], int(head[1]["Content-Length"]), head[2]) == (200, len(empty.encode()), "")


@pytest.mark.parametrize(
    ("method", "path", "body", "headers", "status", "said"),
    [
        ("GET", "/../../etc/passwd", None, {}, 404, "there are /"),
        ("GET", "/tag", None, {}, 404, "there are /"),
        ("POST", "/other", "text=a", FORM, 404, "there are /"),
        ("POST", "/tag", "text=a", FORM, 415, "Content-Type: application/json"),
        ("POST", "/", "text=a", JSON, 415, "urlencoded"),
        ("POST", "/", b"text=\xff", FORM, 400, "form"),
        ("POST", "/tag", "nonsense", JSON, 400, "JSON object"),
        ("POST", "/tag", '{"text": 1}', JSON, 400, "JSON object"),
        ("POST", "/tag", "[" * 10000, JSON, 400, "JSON object"),
        ("POST", "/tag", iter([b"a"]), JSON, 411, "length"),
        ("POST", "/tag", None, {**JSON, "Content-Length": "-1"}, 411, "length"),
        ("POST", "/tag", None, {**JSON, "Content-Length": "9" * 5000}, 413, "at most"),
        ("POST", "/tag", " " * (LARGEST_BODY + 1), JSON, 413, "at most"),
        ("POST", "/tag", " " * (LARGEST_BODY << 4), JSON, 413, "at most"),
        ("GET", "/", None, {"Host": "example.com:80"}, 403, "unknown name"),
    ],
)  # fmt: skip
def test_what_cannot_be_answered(server, method, path, body, headers, status, said):
    found, sent, text = ask(server, method, path, body, headers)
    assert found == status
    assert said in json.loads(text)["error"]
    assert sent["Connection"] == "close"


def test_methods_and_lines_that_are_none(server):
    assert ask(server, "DELETE", "/")[0] == 501
    assert b"400" in raw(server, b"nonsense\r\n\r\n").split(b"\r\n")[0]
    assert b"414" in raw(server, b"GET /" + b"x" * 70000 + b" HTTP/1.1\r\n\r\n").split(b"\r\n")[0]
    short = b"POST /tag HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    with socket.create_connection(("127.0.0.1", server.server_port), PATIENCE) as client:
        client.sendall(short + b"Content-Length: 9\r\n\r\n{}")
        client.shutdown(socket.SHUT_WR)
        assert client.recv(100).startswith(b"HTTP/1.1 400")


def test_a_connection_can_be_kept(server):
    connection = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=PATIENCE)
    for _ in range(3):
        connection.request("POST", "/tag", '{"text": "No."}', JSON)
        assert len(json.load(connection.getresponse())["sentences"]) == 1
    connection.close()


def test_slow_clients_hold_nobody_up_and_are_let_go(server, monkeypatch):
    monkeypatch.setattr(tag_server, "_SECONDS_TO_ASK", 0.8)
    head = b"POST /tag HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    pieces = [b"GET", head, head + b"Content-Length: 50\r\n\r\n{"]
    clients = [
        socket.create_connection(("127.0.0.1", server.server_port), PATIENCE) for _ in range(60)
    ]
    for i, client in enumerate(clients):
        client.sendall(pieces[i % 3])
    assert ask(server, "POST", "/tag", '{"text": "No."}', JSON)[0] == 200
    answers = [client.recv(100) for client in clients]  # though none has sent all of its request
    assert [answer[9:12] for answer in answers] == [b"", b"", b"408"] * 20
    for client in clients:
        client.close()


def test_there_are_only_so_many_connections(tagger):
    with Server("127.0.0.1", 0, tagger) as server:
        server._connections = threading.Semaphore(1)
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        with socket.create_connection(("127.0.0.1", server.server_port), PATIENCE) as first:
            first.sendall(b"GET / HTTP/1.1\r\n")
            assert raw(server, b"") == b""  # is closed at once
            first.sendall(b"Host: localhost\r\nConnection: close\r\n\r\n")
            assert first.recv(20).startswith(b"HTTP/1.1 200")
        server.shutdown()
        thread.join()


def test_too_many_texts_at_a_time(server, monkeypatch):
    monkeypatch.setattr(tag_server, "_SECONDS_TO_WAIT", 0.05)
    monkeypatch.setattr(server, "_turns", threading.Semaphore(0))
    status, _, text = ask(server, "POST", "/tag", '{"text": "No."}', JSON)
    assert (status, json.loads(text)["error"]) == (503, "too many requests at a time")


def test_requests_are_logged_on_a_line_each(server, logged):
    logged.clear()
    raw(server, b"GET /\x1b[1m HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    assert len(logged) == 1
    assert logged[0].isprintable()


def test_a_port_that_is_taken_and_a_host_that_is_none(server, tagger):
    for host, port in (("127.0.0.1", server.server_port), ("no such host", 0)):
        with pytest.raises(SennaError, match=f"{host}, port {port}: "):
            Server(host, port, tagger)


@pytest.mark.parametrize(
    ("options", "said"),
    [(["--serve", "a.txt"], "FILE does not go with --serve"),
     (["--serve", "--format", "html"], "--format does not go with --serve"),
     (["--port", "80"], "--port goes with --serve only"),
     (["--host", "::1"], "--host goes with --serve only")],
)  # fmt: skip
def test_what_does_not_go_with_serving(options, said):
    result = CliRunner().invoke(command, options)
    assert result.exit_code == 2
    assert said in result.output


@pytest.mark.process
def test_the_command_serves_until_it_is_interrupted():
    process = subprocess.Popen(
        [installed("senna-tag"), "-path", str(MODEL), "-pos", "--serve", "--port", "0"],
        stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        line = process.stderr.readline()
        assert line.startswith("senna-tag: listening on http://127.0.0.1:")
        port = int(line.split(":")[3].split("/")[0])
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        connection.request("POST", "/tag", '{"text": "No."}', JSON)
        found = json.load(connection.getresponse())["sentences"]
        assert [set(each["tags"]) for each in found] == [{"pos"}]
    finally:
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE) == 130
        process.stderr.close()
