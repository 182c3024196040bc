"""One word for one thing, the field's own, in American spelling: docs, docstrings, messages."""

import ast
import re
from pathlib import Path

import click
import pytest

from tests.helpers.all_commands import COMMANDS, GROUPS

ROOT = Path(__file__).resolve().parent.parent
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
