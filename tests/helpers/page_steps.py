"""What comes before commands of pages, and the options that keep their work small."""

import re

from tests.helpers.commands import GOLDEN
from tests.helpers.pages import PAGES, ROOT, blocks_of
from tests.helpers.preparing import link, remove, rename, write_table
from tests.helpers.small_corpora import corpus, toml, write_columns, write_corpora
from tests.helpers.small_treebank import QUICK

__all__ = ["BEFORE", "NAMES", "OPTIONS"]

ONE_EPOCH = ["--set", "training.epochs=1"]
# Options that keep the work small, by the beginnings of commands.
OPTIONS = {
    "mpirun": ["--epochs", "1"],
    "python -m tests.fuzz --minutes": ["--minutes", "0.01"],
    "python -m tests.fuzz --target": ["--cases", "1"],
    "senna-lm train char": ["--epochs", "1", "--hidden", "8"],
    "senna-lm train nplm": ["--epochs", "1"],
    "senna-py corpus": ["--jobs", "2"],
    "senna-py learn": ["--path", "small.safetensors", "--no-curve", *ONE_EPOCH],
    "senna-py train": [word for each in QUICK for word in ("--set", each)],
    "senna-py vectors cluster": ["--clusters", "3"],
    "senna-py vectors train ranking": ["--duration", "0.1s", "--stages", "8,12"],
    "senna-py vectors train skipgram": ["--epochs", "1", "--dim", "4"],
    "senna-train": ONE_EPOCH,
}
NAMES = {"/opt/senna": "senna"}


def prepare_corpus(shell):
    """Write a corpus of tokens, as a page before tells to."""
    for name in ("corpus", "CORPUS"):
        remove(name)(shell)
        shell.run(f"senna-py vectors prepare {name} text/")


def write_dev(shell, columns):
    """Write the corpus with some columns of `corpus`."""
    rows = [[[row[c] for c in columns] for row in s] for s in corpus(8)]
    write_columns(shell.directory / "dev.tsv", rows)


def train_entities(shell):
    """Replace the run for entities by one with the words of the English model."""
    remove("runs/ner")(shell)
    write_corpora(shell.directory / "names")
    shell.write("ner.toml", toml("ner", training={"epochs": 1}))
    shell.run("senna-train ner.toml names runs/ner --vectors models/en")


def write_configuration(shell):
    """Write the configuration of a page."""
    blocks = blocks_of(PAGES["docs/guide/models.md"])
    (config,) = (block.text for block in blocks if block.kind == "toml")
    shell.write("tokens.toml", config)


def write_news(shell):
    """Write the text that the page about search speaks of."""
    page = PAGES["docs/guide/search.md"].read_text("utf-8")
    quoted = re.findall("^> (.*)$", page, re.MULTILINE)
    shell.write("news.txt", " ".join(quoted) + "\n")


def write_run(shell):
    """Write vectors in place of those of a recipe, and not into the checkout."""
    for name in ("RUN", "models", "runs/vectors"):
        remove(name)(shell)
    (shell.directory / "models/embeddings").mkdir(parents=True)
    for name in ("RUN", "runs/vectors"):
        shell.run(f"senna-py vectors train skipgram {name} text/ --epochs 1 --dim 4")


def train_again(shell):
    """Replace the run by one of the configuration."""
    remove("runs/pos")(shell)
    shell.run("senna-train pos.toml corpora runs/pos --set training.epochs=1")


SENNA = GOLDEN / "model"
# What comes before a command, by its beginning.
BEFORE = {
    "senna-eval model chk dev.tsv": lambda shell: write_dev(shell, (0, 1, 2)),
    "senna-eval model srl dev.tsv": lambda shell: write_dev(shell, (0, 1, 2, 5, 6)),
    "senna-model build OUT models/en": train_entities,
    "senna-model drop-in DIR": remove("DIR"),
    "senna-model export": link("MODEL", SENNA),
    "senna-model import /opt/senna": link("senna", SENNA),
    "senna-model drop-in /opt/senna": remove("senna"),
    "senna-py corpus --pos": rename("tagged", "tagged.1"),
    "senna-py corpus --format": rename("tagged", "tagged.2"),
    "senna-py search --format csv": write_table,
    "senna-py tag --pos --upos --lemma --dep --ner -o news.conllu": write_news,
    "senna-py train UD_Welsh-CCG/ run": remove("run"),
    "senna-py train --text": remove("runs/cy"),
    "senna-py train --set": remove("runs/cy"),
    "mpirun": remove("run"),
    "senna-py vectors cluster paths.tsv corpus/": prepare_corpus,
    "senna-py vectors cluster CORPORA": prepare_corpus,
    "senna-py vectors export RUN": write_run,
    "senna-py vectors export runs/vectors": write_run,
    "senna-py vectors neighbors models": link("models", ROOT / "models"),
    "senna-py vectors train ranking": remove("run"),
    "senna-train tokens.toml": write_configuration,
    "senna-train pos.toml corpora runs/pos --set": remove("runs/pos"),
    "senna-train pos.toml corpora runs/pos --resume": train_again,
}
