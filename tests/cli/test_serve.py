"""The command senna-py serve."""

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import time

import pytest
from click.testing import CliRunner

from senna_py.cli.serve import command
from tests.helpers.commands import MODEL

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")

from tests.helpers.server import JSON, PATIENCE, ask, call, post

pytestmark = pytest.mark.extra


def test_options_are_limits_and_choices(monkeypatch):
    started = {}

    def serve(app, host, port, timeout):
        started.update(app=app, host=host, port=port, timeout=timeout)

    monkeypatch.setattr("senna_py.server.process.serve", serve)
    monkeypatch.setattr(sys, "setswitchinterval", lambda seconds: None)
    arguments = "--ner --port 0 --max-texts 1 --max-body 60 --max-concurrent 3"
    result = CliRunner().invoke(
        command, ["--path", str(MODEL), *arguments.split(), "--timeout", "5s"]
    )
    assert result.exit_code == 0, result.output
    assert (started["host"], started["port"]) == ("127.0.0.1", 0)
    assert started["timeout"] == 5
    application = started["app"]
    assert json.loads(call(application, "GET", "/health")[2])["tasks"] == ["ner"]
    assert call(application, "POST", "/tag", {"texts": ["a", "b"]})[0] == 413
    assert call(application, "POST", "/tag", {"text": "a" * 60})[0] == 413
    assert call(application, "POST", "/tag", {"text": "a", "tasks": ["pos"]})[0] == 400
    assert call(application, "POST", "/tag", {"text": "a", "tasks": ["ner"]})[0] == 200


def test_the_command_serves_with_rules(monkeypatch, tmp_path):
    started = {}
    serve = lambda app, *options: started.update(app=app)  # noqa: E731
    monkeypatch.setattr("senna_py.server.process.serve", serve)
    monkeypatch.setattr(sys, "setswitchinterval", lambda seconds: None)
    path = tmp_path / "my.toml"
    path.write_text('[[entities]]\nphrases = ["Senna Py"]\nlabel = "MISC"\n')
    arguments = ["--path", str(MODEL), "--ner", "--port", "0", "--rules", str(path)]
    result = CliRunner().invoke(command, arguments)
    assert result.exit_code == 0, result.output
    _, _, body = call(started["app"], "POST", "/tag", {"text": "We use Senna Py."})
    entities = json.loads(body)["sentences"][0]["entities"]
    assert ("MISC", "Senna Py") in [(each["label"], each["text"]) for each in entities]

    path.write_text("[[entities]]\n")
    failed = CliRunner().invoke(command, arguments)
    assert failed.exit_code
    assert str(path) in str(failed.exception)


def test_without_the_extra_it_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    result = CliRunner().invoke(command, [])
    assert (
        "pip install starlette uvicorn, or in a checkout: pip install '.[serve]'"
        in str(result.exception)
    )


@pytest.mark.process
def test_the_command_serves_until_it_is_interrupted():
    """...and says in a line that a port is taken."""
    code = "from senna_py.cli import running, serve; running.run(serve.command)"
    arguments = [sys.executable, "-c", code, "--path", str(MODEL), "--port"]
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
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
@pytest.mark.skipif(os.name == "nt", reason="signals")
@pytest.mark.parametrize("last", [signal.SIGTERM, signal.SIGINT])
def test_a_second_signal_ends_the_server_at_once(last):
    code = (
        "import time; from tests.helpers.server import faked; "
        "from senna_py.server.process import serve; "
        "serve(faked(lambda *_: time.sleep(60)), '127.0.0.1', 0, 60)"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code], stderr=subprocess.PIPE, text=True
    )
    with process:
        line = next(line for line in process.stderr if "running on" in line)
        port = int(line.split("http://127.0.0.1:")[1].split()[0])
        with post(port, "a"):
            while not json.loads(ask(port, "GET", "/health")[2])["running"]:
                time.sleep(0.05)
            process.send_signal(signal.SIGTERM)
            assert any("Waiting for connections" in line for line in process.stderr)
            process.send_signal(last)
            assert process.wait(30) == 128 + last


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
            for _ in range(70):
                silent.enter_context(
                    socket.create_connection(("127.0.0.1", port), PATIENCE)
                )
            assert ask(port, "GET", "/")[0] == 200
            assert ask(port, "POST", "/tag", '{"text": "No."}', JSON)[0] == 200
    finally:
        process.terminate()
        process.wait(PATIENCE)
        process.stderr.close()
