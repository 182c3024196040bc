"""Commands of the documentation and of help: all can be given, and pages run as they
stand.

Pages on training are in tests/cli/test_train.py, recipes in tests/test_recipes.py.
"""

import re
import shutil
from pathlib import Path

import click
import pytest

from senna_py.tagging.run import Run
from tests.helpers.all_commands import COMMANDS, GROUPS
from tests.helpers.commands import GOLDEN
from tests.helpers.shell import PROGRAMS, Shell, commands_of, files_of, pipes_of
from tests.helpers.small_corpora import (
    conllu,
    corpus,
    settings,
    write_columns,
    write_corpora,
)
from tests.helpers.small_text import sentences

ROOT = Path(__file__).resolve().parent.parent
PAGES = [
    *ROOT.glob("*.md"),
    *ROOT.glob("docs/**/*.md"),
    *ROOT.glob("models/*/*.md"),
    ROOT / "recipes/README.md",
]
SHOWN = [
    (page.relative_to(ROOT).as_posix(), line)
    for page in PAGES
    for line in commands_of(page)
]
SHOWN += [
    (name, line) for name, command in COMMANDS + GROUPS for line in command.examples
]
INSTALLERS = "git", "cd", "pip", "pipx", "uv", "python", "docker"
TOP = {name: command for name, command in COMMANDS + GROUPS if " " not in name}


def check(words):
    """Parse the arguments of a command of this project; raises click's errors."""
    name, *rest = words
    command = TOP[name]
    # A command keeps the option of its help, whose names are those of the first
    # context.
    parent = click.Context(command, help_option_names=["-h", "--help"])
    while isinstance(command, click.Group):
        name, command, rest = command.resolve_command(parent, rest)
    command.make_context(name, rest, parent)


@pytest.mark.parametrize(
    ("place", "line"), SHOWN, ids=[f"{p}: {line[:60]}" for p, line in SHOWN]
)
def test_arguments_are_those_of_the_command(place, line):
    for part in line.replace("$seed", "1").split("&&"):
        for words, *_ in pipes_of(part):
            numbers = [n for n, word in enumerate(words) if word in PROGRAMS]
            if (
                numbers
                and words[0] not in INSTALLERS
                and not {"-h", "--help"} & {*words}
            ):
                check(words[numbers[0] :])  # before it stand mpirun, time or a variable


LONG = pytest.mark.script  # of pages that take the longest
# Pages whose commands are run in order, but for those of other programs and these.
RUN = [
    pytest.param("docs/guide/dependencies.md", marks=LONG),
    pytest.param("docs/guide/evaluate.md", marks=LONG),
    "docs/guide/formats.md",
    "docs/guide/from-allennlp.md",
    "docs/guide/install.md",
    pytest.param("docs/guide/models.md", marks=LONG),
    "docs/guide/records.md",
    pytest.param("docs/guide/rules.md", marks=LONG),
    "docs/guide/search.md",
    "docs/guide/tagging.md",
    "docs/guide/tokens.md",
    "docs/guide/triples.md",
    "docs/guide/visualize.md",
    "docs/index.md",
    "docs/models/index.md",
    "docs/reference/files.md",
    "docs/train/character-models.md",
    "docs/train/clusters.md",
    "docs/train/language-models.md",
    "docs/train/nplm.md",
    pytest.param("docs/train/word-vectors.md", marks=LONG),
    pytest.param("models/characters/MODEL_CARD.md", marks=LONG),
]
OTHERS = "git", "pip", "uv", "python", "recipes/", "mpirun", "curl", "awk"
# They need what is not here, or write into the checkout.
NOT_RUN = "senna-py serve", "senna-py learn", "senna-py train", "senna-py warm-up"
NOT_RUN += (
    "senna-py search --format csv",  # it reads Parquet, which needs an extra
    "senna-train pos.toml corpora runs/pos --resume",
    "senna-py vectors cluster paths.tsv corpus/",
    "senna-py vectors train ranking",
)
NOT_RUN += (
    "senna-model sentences",
    "senna-model build model.safetensors runs/tagger",
    "senna-train tokens.toml",
    "senna-model export DIR",
    "senna-eval model chk dev.tsv",
)
OPTIONS = {
    "senna-train": ["--set", "training.epochs=1"],
    "senna-lm train char": ["--epochs", "1", "--hidden", "8"],
    "senna-lm train nplm": ["--epochs", "1"],
    "senna-py vectors train skipgram": ["--epochs", "1", "--dim", "4"],
    "senna-py vectors cluster": ["--clusters", "3"],
}


COLUMNS = {"dev.tsv": (0, 1, 2, 5, 6), "gold.tsv": (0, 1), "train.pos.tsv": (0, 1)}


def train_runs(place):
    """Write small models with the words of the English one, which pages build others
    of.
    """
    corpora = write_corpora(place / "corpora")
    for name in ("pos", "ner"):
        config = settings(name, training={"epochs": 1})
        run = Run.load(
            config, corpora, place / "runs" / name, "models/en", lambda line: None
        )
        run.trainer().run()
    for name in ("pos1", "pos2"):
        shutil.copytree(place / "runs" / "pos", place / "runs" / name)


@pytest.fixture
def shell(tmp_path, shipped_model, monkeypatch):
    """A Shell in a directory with the files that pages name, of a few sentences."""
    monkeypatch.delenv("SENNA_PY_MODEL", raising=False)
    shell = Shell(tmp_path, OPTIONS)
    words = (
        "".join(f"{line}\n" for line in sentences(200))
        + "france jesus xbox while his\n" * 20
    )
    for name in [
        "text.txt",
        "text.txt.gz",
        "in.txt",
        "a.txt",
        "b.txt.gz",
        "sentences.txt",
        "dev.txt",
    ]:
        shell.write(name, "The big dog sees a cat. Anna gives Rome stars.\n" * 3)
    for name in [
        "train.txt",
        "valid.txt",
        "new.txt",
        "held-out.txt",
        "letter.txt",
        "text/a.txt",
    ]:
        shell.write(name, words)
    for name in [
        "news.txt.xz",
        "web.txt.xz",
        "more.txt.xz",
        "RUN/train.txt",
        "RUN/valid.txt",
    ]:
        shell.write(name, words)
    dev = (ROOT / "tests/data/esperanto/dev.conllu").read_text("utf-8").splitlines()
    shell.write(
        "dev.txt",
        " ".join(line.split()[1] for line in dev if line[:1].isdigit()) + "\n",
    )
    rows = corpus(8)
    shell.write(
        "sentences.txt", "".join(" ".join(r[0] for r in s) + "\n" for s in rows)
    )
    shell.write("in.conllu", conllu(rows))
    shell.write("reviews.csv", "id,text\n1,Anna sees Rome.\n2,\n")
    shell.write("posts.jsonl", '{"id": 1, "text": "Anna sees Rome."}\n')
    for name, source in (("test", "dev"), ("dev", "dev"), ("train", "train")):
        shutil.copy(
            ROOT / f"tests/data/esperanto/{source}.conllu", tmp_path / f"{name}.conllu"
        )
    for name, columns in COLUMNS.items():
        write_columns(
            tmp_path / name, [[[row[c] for c in columns] for row in s] for s in rows]
        )
    shell.write(
        "gold.mrg", "(S1 (S (NP (NNP Anna)) (VP (VBZ sees) (NP (NNP Rome))) (. .)))\n"
    )
    for name in ("predicted.mrg", "dev.mrg"):
        shutil.copy(tmp_path / "gold.mrg", tmp_path / name)
    shell.write("glove.6B.50d.txt", "the 0.1 0.2\ncat 0.3 0.4\n")
    for link in ("models", "MODEL", "PATH", "runs/a", "runs/b"):
        (tmp_path / link).parent.mkdir(exist_ok=True)
        (tmp_path / link).symlink_to(
            ROOT / "models" / ("" if link == "models" else "en")
        )
    (tmp_path / "SENNA_DIR").symlink_to(GOLDEN / "model")
    shell.write("info.toml", 'language = "en"\n')
    rules = (ROOT / "docs/guide/rules.md").read_text("utf-8")
    shell.write("my.toml", re.search(r"```toml\n(.*?)```", rules, re.DOTALL)[1])
    shell.write("drugs.txt", "ibuprofen\n")
    for name in ("news.txt", "notes.txt"):
        shell.write(name, "Anna saw a big dog in Rome. Taxes were raised by Ann.\n")
    shell.run("senna-py tag -o tagged.jsonl notes.txt")
    shell.run("senna-lm train ngram model.lm train.txt")
    return shell


@pytest.mark.slow
@pytest.mark.parametrize("page", RUN)
def test_pages_run_as_they_stand(page, shell):
    if page == "docs/guide/models.md":
        train_runs(shell.directory)
    if page == "docs/index.md":
        (shell.directory / "run").symlink_to(ROOT / "models/en")
    no_portuguese = not (ROOT / "models/pt/model.safetensors").exists()
    for name, text in files_of(ROOT / page):
        shell.write(name, text)
    for line in commands_of(ROOT / page):
        if line.startswith((*OTHERS, *NOT_RUN)) or (no_portuguese and " pt " in line):
            continue
        for part in line.split(" && "):
            shell.run(part)
