"""Files by which the server is deployed: their commands are those of the program."""

import json
import re
import shlex
from pathlib import Path

from senna_py.cli.serve import command
from tests.test_commands import check

ROOT = Path(__file__).resolve().parent.parent
UNIT = (ROOT / "contrib" / "senna-py.service").read_text("utf-8")
# A backslash at the end of a line continues it.
IMAGE = (ROOT / "Dockerfile").read_text("utf-8").replace("\\\n", "")


def test_commands_of_the_unit_exist():
    commands = re.findall(r"^Exec\w+=/opt/senna-py/bin/(.*)$", UNIT, re.MULTILINE)
    assert [line.split()[1] for line in commands] == ["warm-up", "serve"]
    for line in commands:
        check(shlex.split(line))


def test_commands_of_the_image_exist():
    (entry,) = re.findall(r"^ENTRYPOINT (.*)$", IMAGE, re.MULTILINE)
    check([*json.loads(entry), "--jobs", "2"])
    assert "RUN senna-py warm-up\n" in IMAGE
    # Kernels are used only by the user who compiles them.
    assert IMAGE.index("\nUSER ") < IMAGE.index("\nRUN senna-py warm-up")
    (port,) = (option.default for option in command.params if option.name == "port")
    assert f"\nEXPOSE {port}\n" in IMAGE
    assert f"http://127.0.0.1:{port}/health" in IMAGE


def test_the_image_has_what_a_wheel_is_made_of():
    lines = (ROOT / ".dockerignore").read_text("utf-8").splitlines()
    for name in (line[1:] for line in lines if line.startswith("!")):
        assert (ROOT / name).exists()
    for name in ("senna_py", "models/en", "pyproject.toml", "README.md", "LICENSE"):
        assert f"!{name}" in lines
