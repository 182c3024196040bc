"""The page about the server: its requests are sent, and the answers are what it shows."""

import json
import re
import shlex
import shutil
from pathlib import Path

import pytest

pytest.importorskip("starlette")

from senna_py.formats.registry import FORMATS
from senna_py.server.application import create_application
from senna_py.server.service import Service
from senna_py.tagger import Tagger
from tests.helpers.commands import run_program
from tests.helpers.page_commands import running_server
from tests.helpers.server import call

pytestmark = pytest.mark.extra

PAGE = Path(__file__).resolve().parents[2] / "docs" / "guide" / "server.md"
BLOCKS = re.findall(r"```console\n\$ (curl .*)\n([^`]*)```", PAGE.read_text("utf-8"))


@pytest.fixture(scope="module")
def application(shipped_model):
    return create_application(Service(Tagger(shipped_model)))


def shown(text):
    """An answer as the page shows it: JSON is shortened where its list is long."""
    return re.sub(r'("tokens": \[\{[^}]*\}, \{[^}]*\}), .*$', r"\1, …", text.strip())


@pytest.mark.parametrize(("command", "answer"), BLOCKS)
def test_requests_get_what_the_page_shows(application, command, answer):
    words = shlex.split(command)
    body, path = words[words.index("-d") + 1], words[-1].partition(":8765")[2]
    _, _, found = call(application, "POST", path, json.loads(body))
    assert shown(found) == answer.strip()


@pytest.mark.process
@pytest.mark.script
def test_a_server_gives_curl_what_the_page_shows(shipped_model, tmp_path):
    if not shutil.which("curl"):
        pytest.skip("no curl")
    with running_server("senna-py serve", tmp_path) as port:
        for command, answer in BLOCKS:
            line = command.replace("8765", str(port))
            asked = run_program("sh", "-c", line, cwd=tmp_path)
            assert shown(asked.stdout) == answer.strip()


def test_formats_are_on_the_page():
    (row,) = re.findall(r"^\| `format` .*$", PAGE.read_text("utf-8"), re.MULTILINE)
    left_out = {"brat", "html", "parquet", "probabilities", "rows", "tokens"}
    assert {*re.findall(r"`([\w-]+)`", row)} - {"format"} == {*FORMATS} - left_out
