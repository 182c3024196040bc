"""Documentation: examples do what they say; one word for one thing, in American spelling."""

import ast
import doctest
import re
import shlex
import subprocess
import sys
from pathlib import Path

import click
import pytest

import senna_py
from senna_py.tagging import settings
from senna_py.tagging.config import Config, read_config
from tests.helpers.all_commands import COMMANDS, GROUPS

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


# What is not to be said, as a regular expression, and what is.
TERMS = {
    r"words of the noise|noise words": "negative samples",
    r"words that gradients go back": "BPTT length",
    r"stretches( of (the )?text)?": "parallel streams, or segments",
    r"(greatest|largest) length of a gradient|longest gradients?": "gradient-norm clipping",
    r"(share of )?words (that are )?hidden": "masking rate",
    r"names of accounts": "@-mentions",
    r"faces|smileys?": "emoticons",
    r"(plain|compiled) way|twins?": "NumPy fallback, JIT path",
    r"mean scores together": "score-averaged ensemble",
    r"(the )?middle \d+ ?%": "95% bootstrap confidence interval",
    r"times of `import numpy`": "start-up ratio",
    r"(text of )?strangers": "untrusted input",
    r"(something )?to look at": "visualization",
    r"shares? of": "fraction, proportion, probability or weight",
    r"first learning rate": "initial learning rate",
    r"seed of all random numbers": "random seed",
    r"held[ -]out text": "validation text",
    r"anew": "again",
    r"in turns": "alternately",
    r"an own": "its own",
    r"(a|one) (line|sentence|token|word|object) an? (line|sentence|token|word|object)": "per",
    # American spelling
    r"licen[c]es?": "license",
    r"(neighb|col|behavi|fav|hon|lab)our\w*": "-or",
    r"cent(re|red|res)": "center",
    r"(un)?labell(ed|ing)|modell(ed|ing)|cancell(ed|ing)": "one l",
    r"analys(e|ed|ing)|catalogue|grey|artefacts?|programmes?|learnt|spelt|whilst": "-ze, -og, gray",
    r"(un)?(capital|character|emphas|factor|general|initial|maxim|minim|normal|optim|organ|parallel|"
    r"penal|random|recogn|regular|serial|special|summar|token|visual)is(e|ed|es|er|ing|ation)s?":
        "-ize",
}  # fmt: skip
# Words that are right where they stand.
ALLOWED = [
    "labelled is ", "`labelled`", "centre: float32",  # keys of model files and checkpoints
]  # fmt: skip


def found(text):
    """Wrong words of a text, each with the right one."""
    for allowed in ALLOWED:
        text = text.replace(allowed, "")
    text = re.sub(r"```.*?```|\]\([^)]*\)|https?://\S+", " ", text, flags=re.DOTALL)
    text = " ".join(text.split())
    return [
        f"{match[0]}: {right}"
        for wrong, right in TERMS.items()
        for match in re.finditer(rf"\b({wrong})\b", text, re.IGNORECASE)
    ]


def pages():
    """Names of the pages for users and developers."""
    names = "README.md", "CONTRIBUTING.md", "SECURITY.md", "docs/**/*.md", "models/**/*.md"
    return sorted(str(page.relative_to(ROOT)) for name in names for page in ROOT.glob(name))


@pytest.mark.parametrize("page", pages())
def test_pages(page):
    assert not found((ROOT / page).read_text(encoding="utf-8"))


@pytest.mark.parametrize(("name", "command"), COMMANDS + GROUPS)
def test_help(name, command):
    context = click.Context(command, info_name=name, help_option_names=["-h", "--help"])
    assert not found(context.get_help())


def test_docstrings_and_messages():
    wrong = {}
    for path in (ROOT / "senna_py").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            text = node.value if isinstance(node, ast.Constant) else ""
            if isinstance(text, str) and " " in text and (words := found(text)):
                wrong[f"{path.relative_to(ROOT)}:{node.lineno}"] = words
    assert not wrong


def test_words_are_found_in_running_text():
    assert found("a sentence a\nline") and found("Neighbours") and found("twins")
    assert not found("`labelled` is [visual](visualise.md)\n```\ncolour\n```")
