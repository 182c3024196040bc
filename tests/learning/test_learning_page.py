"""The commands of the page on learning from annotations."""

import re
from pathlib import Path

import pytest

from tests.helpers.shell import Shell

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.script
def test_the_page_on_learning(tmp_path):
    page = (ROOT / "docs/train/learn.md").read_text(encoding="utf-8")
    (block,) = re.findall("```sh\n(.*?)```", page, re.DOTALL)
    fast = ["--set", "training.epochs=1", "--no-curve"]
    shell = Shell(tmp_path, {"senna-py learn": fast})
    printed = shell.run_block(block)
    (listed,) = re.findall("```\n(1 annotation widened.*?)```", page, re.DOTALL)
    assert listed in shell.said
    assert re.search(r"Merkel\s+E-PER", printed)
