"""Every command and every option that a user can give is on a page that describes its command."""

import re
from pathlib import Path

import click
import pytest

from senna_py.cli.eval import command as evaluate
from senna_py.cli.lm import command as lm
from senna_py.cli.model import command as model
from senna_py.cli.root import command as root
from senna_py.cli.tag import command as tag
from senna_py.cli.train import command as train
from senna_py.io.settings import table_rows
from senna_py.lm.lstm.settings import LstmSettings
from senna_py.lm.nplm.settings import NplmSettings
from senna_py.lm.ranking.settings import RankingSettings
from senna_py.lm.skipgram.settings import SkipGramSettings

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
# Where a reader looks for a command; the others are on the pages that name them, and those about
# language models and vectors also on the page about what all runs have in common.
OWN_PAGE = {
    "senna-tag": "guide/tagging.md",
    "senna-py tag": "guide/tagging.md",
    "senna-py tokenize": "guide/tagging.md",
    "senna-eval": "guide/evaluate.md",
    "senna-train": "reference/config.md",
}
# Pages whose tables have a row for each setting with an option.
SETTINGS = {
    LstmSettings: "train/character-models.md",
    NplmSettings: "train/nplm.md",
    RankingSettings: "train/word-vectors.md",
    SkipGramSettings: "train/word-vectors.md",
}


def commands(name, command):
    """Yield (full name, command) of each command that does something."""
    if isinstance(command, click.Group):
        for part, inner in sorted(command.commands.items()):
            yield from commands(f"{name} {part}", inner)
    else:
        yield name, command


PROGRAMS = {
    "senna-eval": evaluate, "senna-lm": lm, "senna-model": model, "senna-tag": tag,
    "senna-train": train,
}  # fmt: skip
CONTEXT = click.Context(root)
VERBS = {
    f"senna-py {name}": root.get_command(CONTEXT, name) for name in root.list_commands(CONTEXT)
}
OWN_VERBS = {name: verb for name, verb in VERBS.items() if verb not in PROGRAMS.values()}
COMMANDS = [
    found for name, command in (PROGRAMS | OWN_VERBS).items() for found in commands(name, command)
]


def code(text):
    """Pieces of code in a text, blocks and those in lines."""
    return re.findall(r"```.*?```|`[^`]+`", text, re.DOTALL)


def said(text):
    """Words of the code in a text: options with nothing else around them."""
    return {word for part in code(text) for word in re.split(r"[\s`,;|/=()\[\]'\"]+", part)}


def pages_of(name):
    """Pages that describe a command."""
    own = OWN_PAGE.get(name) or OWN_PAGE.get(name.split()[0])
    if own:
        return [ROOT / "docs" / own]
    # Pages also name a command without its program.
    program, short = name.replace("senna-py vectors", "vectors").split(" ", 1)
    named = re.compile(rf"(?<![\w-]){re.escape(short)}(?![\w-])")
    found = [page for page in PAGES if any(map(named.search, code(page.read_text("utf-8"))))]
    common = ROOT / "docs" / "train" / "language-models.md"
    return [*found, common] if program in ("senna-lm", "vectors") and common not in found else found


def options_of(command):
    """Options of a command as they are written: of a switch, both ways."""
    return [
        option
        for parameter in command.params
        if isinstance(parameter, click.Option) and not parameter.hidden
        for option in (*parameter.opts, *parameter.secondary_opts)
    ]


@pytest.mark.parametrize(("name", "command"), COMMANDS, ids=[name for name, _ in COMMANDS])
def test_every_option_is_documented(name, command):
    pages = pages_of(name)
    assert pages, f"no page names {name}"
    words = set().union(*(said(page.read_text(encoding="utf-8")) for page in pages))
    missing = [option for option in options_of(command) if option not in words]
    if name.startswith("senna-py"):  # whose options have two dashes where those of SENNA have one
        missing = [option for option in missing if option[1:] not in words]
    names = ", ".join(page.name for page in pages)
    assert not missing, f"{name}: {', '.join(missing)}: not in {names}"


@pytest.mark.parametrize(
    ("settings", "page"), SETTINGS.items(), ids=[each.__name__ for each in SETTINGS]
)
def test_tables_say_what_settings_say(settings, page):
    pages = [ROOT / "docs" / page, ROOT / "docs" / "train" / "language-models.md"]
    lines = {line for each in pages for line in each.read_text(encoding="utf-8").splitlines()}
    missing = [row for row in table_rows(settings).values() if row not in lines]
    assert not missing, f"{page} lacks these rows of {settings.__name__}:\n" + "\n".join(missing)


def test_a_longer_option_does_not_document_a_shorter_one():
    text = "`-posvbs` and `--output-dir DIR`\n```sh\nsenna-tag --format=conll -o out\n```\n -pos"
    words = said(text)
    assert {"-posvbs", "--output-dir", "--format", "-o"} <= words
    assert not {"-pos", "--output", "--form"} & words
