"""The examples in the documentation do what they say."""

import doctest
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import senna_py
from senna_py.tagging import settings
from senna_py.tagging.config import Config, read_config

ROOT = Path(__file__).resolve().parent.parent


PAGES = sorted((ROOT / "docs").rglob("*.md"))


def test_configurations_of_the_documentation_can_be_read(tmp_path):
    blocks = [b for page in PAGES for b in page.read_text(encoding="utf-8").split("```")[1::2]]
    whole = [block for block in blocks if block.startswith("toml\ntask = ") and "[[dev]]" in block]
    assert whole
    for block in whole:
        (tmp_path / "run.toml").write_text(block.removeprefix("toml\n"), encoding="utf-8")
        read_config(tmp_path / "run.toml")


def test_every_setting_of_training_is_in_a_table():
    page = (ROOT / "docs" / "reference" / "config.md").read_text(encoding="utf-8")
    classes = [Config, settings.DataSet, settings.NetworkSettings, settings.TrainingSettings]
    classes += settings.SETTINGS.values()
    names = {f"{cls.__module__}.{cls.__qualname__}" for cls in classes}
    assert set(re.findall("^::: settings (.*)$", page, re.MULTILINE)) == names


def headings(path):
    """Anchors of a page."""
    lines = [line for line in path.read_text(encoding="utf-8").split("\n") if line[:1] == "#"]
    return {re.sub(r"[^\w -]", "", line.lstrip("# ").lower()).replace(" ", "-") for line in lines}


def test_links_lead_somewhere():
    folders = (".", "docs/**", "research", "recipes", "models/*")
    for page in (page for folder in folders for page in ROOT.glob(f"{folder}/*.md")):
        for target in re.findall(r"\]\(([^)\s]+)\)", page.read_text(encoding="utf-8")):
            name, _, anchor = target.partition("#")
            if not name.startswith("http"):
                path = page.parent / name if name else page
                assert path.exists(), f"{page}: {target}"
                assert not anchor or anchor in headings(path), f"{page}: {target}"


@pytest.fixture
def english(shipped_model, monkeypatch):
    """Let what needs the English model find it, and no other."""
    monkeypatch.delenv("SENNA_PY_MODEL", raising=False)


@pytest.mark.parametrize(
    "name", ["README.md", "docs/index.md", "docs/guide/python.md", "docs/guide/evaluate.md"]
)
def test_python_examples(name, english, monkeypatch):
    monkeypatch.chdir(ROOT)
    result = doctest.testfile(str(ROOT / name), module_relative=False, encoding="utf-8")
    assert result.attempted > 2
    assert result.failed == 0


def test_the_example_that_help_shows(english):
    result = doctest.testmod(senna_py)
    assert result.attempted > 2
    assert result.failed == 0


@pytest.mark.process
@pytest.mark.parametrize(
    ("page", "line"),
    [("README.md", "| senna-tag --pos"), ("docs/guide/tagging.md", "-pos --probabilities\n")],
)
def test_examples_in_the_shell_print_what_they_show(english, page, line):
    blocks = (ROOT / page).read_text(encoding="utf-8").split("```")
    install = next(i for i, block in enumerate(blocks) if line in block)
    command = blocks[install].strip().splitlines()[-1]
    program = shlex.quote(str(Path(sys.executable).with_name("senna-tag")))
    command = command.replace("senna-tag", program)
    result = subprocess.run(
        ["sh", "-c", command], capture_output=True, text=True, cwd=ROOT, check=True
    )
    assert result.stdout == blocks[install + 2].removeprefix("\n") + "\n"
