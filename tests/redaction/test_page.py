"""The commands of the page about redaction print what it shows."""

import re
from pathlib import Path

import pytest

from tests.helpers.commands import run_program

PAGE = Path(__file__).resolve().parents[2] / "docs" / "guide" / "redact.md"


@pytest.mark.process
def test_commands_print_what_the_page_shows(shipped_model, tmp_path):
    blocks = re.findall(r"^```console\n(.*?)^```", PAGE.read_text("utf-8"), re.M | re.S)
    commands = [
        each for block in blocks for each in re.split(r"^\$ ", block, flags=re.M)
    ]
    for command in filter(None, commands):
        line, _, output = command.partition("\n")
        result = run_program("sh", "-c", line, cwd=tmp_path)
        assert (result.stdout, result.stderr) == (output, ""), line


@pytest.mark.script
def test_figures_are_those_of_the_script(shipped_model, tmp_path):
    script = PAGE.parents[2] / "benchmarks" / "redaction.py"
    result = run_program("python", script, cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    *table, last = result.stdout.splitlines()
    page = PAGE.read_text("utf-8")
    assert "\n".join(table) in page
    wrong, _, n_findings, *_ = last.split()
    assert f"Of {n_findings} replacements, {wrong} are not marked" in page
