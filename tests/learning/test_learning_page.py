"""The commands of the page on learning from annotations."""

import re
import sys
from pathlib import Path

import pytest

from tests.helpers.commands import run_program

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.slow
def test_the_page_on_learning(tmp_path):
    page = (ROOT / "docs/train/learn.md").read_text(encoding="utf-8")
    (shell,) = re.findall("```sh\n(.*?)```", page, re.DOTALL)
    fast = "--set training.epochs=2 --no-curve"
    program = f"{sys.executable} -m senna_py"
    shell = shell.replace("senna-py learn", f"senna-py learn {fast}")
    shell = shell.replace("senna-py ", f"{program} ")
    result = run_program(
        "sh", "-ec", shell, cwd=tmp_path, PYTHONPATH=str(ROOT), SENNA_PY_BACKGROUND="0"
    )
    assert result.returncode == 0, result.stderr
    (listed,) = re.findall("```\n(1 annotation widened.*?)```", page, re.DOTALL)
    assert listed in result.stderr
    assert re.search(r"Merkel\s+E-PER", result.stdout)
