"""The commands of the page on learning from annotations."""

import re

import pytest

from tests.helpers.pages import PAGES, blocks_of
from tests.helpers.shell import Shell


def block(kind):
    """The block of the page of a kind."""
    blocks = blocks_of(PAGES["docs/train/learn.md"])
    (found,) = (block.text for block in blocks if block.kind == kind)
    return found


@pytest.mark.script
def test_the_page_on_learning(tmp_path):
    fast = ["--set", "training.epochs=1", "--no-curve"]
    shell = Shell(tmp_path, {"senna-py learn": fast})
    printed = shell.run_block(block("sh"))
    assert block("") in shell.said
    assert re.search(r"Merkel\s+E-PER", printed)


@pytest.mark.script
def test_the_page_on_learning_in_python(old_model, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SENNA_PY_MODEL", str(old_model))  # a small one, which is fast
    names = {}
    exec(block("python"), names)
    assert "DRUG" in "".join(names["nlp"].labels("ner"))
