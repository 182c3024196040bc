"""The files that commands of pages read, of a few sentences each."""

import re
import shutil
from pathlib import Path

from tests.helpers.commands import GOLDEN
from tests.helpers.recipe_corpora import write_corpora as write_recipe_corpora
from tests.helpers.shell import Shell
from tests.helpers.small_corpora import (
    conllu,
    corpus,
    write_columns,
)
from tests.helpers.small_entities import write_model
from tests.helpers.small_text import sentences
from tests.helpers.small_treebank import small_entities, small_treebank

__all__ = ["write_page_files"]

ROOT = Path(__file__).resolve().parents[2]
ESPERANTO = ROOT / "tests" / "data" / "esperanto"
TEXT = "The big dog sees a cat. Anna gives Rome stars.\n" * 3
NEWS = "Anna saw a big dog in Rome. Taxes were raised by Ann.\n"
PAGE = "<!doctype html><title>Page</title><h1>Maria</h1><p>Maria vidas.</p>"
ROWS = corpus(8)
COLUMNS = {
    "corpora/dev.tsv": (0, 1),
    "corpora/train.tsv": (0, 1),
    "gold.tsv": (0, 1),
    "test.tsv": (0, 3),
    "train.pos.tsv": (0, 1),
}


def write_page_files(shell: Shell) -> None:
    """Write them to the directory of a shell, with links to what is in the checkout."""
    _write_texts(shell)
    _write_records(shell)
    _write_columns(shell)
    _write_treebanks(shell)
    _write_models(shell)
    shell.run("senna-py tag -o tagged.jsonl notes.txt")
    shell.run("senna-lm train ngram model.lm train.txt")


def _write_texts(shell):
    names = "text.txt text.txt.gz in.txt a.txt b.txt.gz TEXT"
    for name in names.split():
        shell.write(name, TEXT)
    for name in ("news.txt", "notes.txt"):
        shell.write(name, NEWS)
    words = "".join(f"{line}\n" for line in sentences(200))
    words += "france jesus xbox while his\n" * 20
    names = "train.txt valid.txt new.txt held-out.txt letter.txt text/a.txt CORPUS "
    names += "news.txt.xz web.txt.xz more.txt.xz RUN/train.txt RUN/valid.txt"
    for name in names.split():
        shell.write(name, words)
    dev = (ESPERANTO / "dev.conllu").read_text("utf-8").splitlines()
    tokens = (line.split()[1] for line in dev if line[:1].isdigit())
    shell.write("dev.txt", " ".join(tokens) + "\n")
    lines = (" ".join(row[0] for row in rows) + "\n" for rows in ROWS)
    shell.write("sentences.txt", "".join(lines))
    shell.write("corpus/a.txt", "Mary left Paris.\nShe lives in Rome.\n")
    shell.write("wiki.txt", "Maria amas la urbon. Petro vidas.\n" * 9)
    shell.write("page.html", PAGE)
    shell.write("drugs.txt", "ibuprofen\n")


def _write_records(shell):
    records = (ROOT / "docs/guide/records.md").read_text("utf-8")
    shell.write("reviews.csv", re.search("```\n(id,text.*?)```", records, re.S)[1])
    shell.write("posts.jsonl", '{"id": 17, "text": "Mary left Paris."}\n')
    shell.write("corpus/b.jsonl.gz", '{"id": 17, "text": "Mary left Paris."}\n')
    shell.write(
        "annotated.jsonl",
        '{"text": "Anna sees Rome .", "label": [[0, 4, "NAME"]]}\n' * 6,
    )


def _write_columns(shell):
    for name, columns in COLUMNS.items():
        rows = [[[row[c] for c in columns] for row in s] for s in ROWS]
        write_columns(shell.directory / name, rows)
    shell.write("pos.toml", POS)
    tree = "(S1 (S (NP (NNP Anna)) (VP (VBZ sees) (NP (NNP Rome))) (. .)))\n"
    for name in ("gold.mrg", "predicted.mrg", "dev.mrg"):
        shell.write(name, tree)
    shell.write("glove.6B.50d.txt", "the 0.1 0.2\ncat 0.3 0.4\n")
    (shell.directory / "CORPORA").mkdir()
    write_recipe_corpora(shell.directory / "CORPORA", ROWS)
    for path in (shell.directory / "CORPORA").iterdir():
        (shell.directory / path.name).symlink_to(f"CORPORA/{path.name}")


def _write_treebanks(shell):
    shell.write("in.conllu", conllu(ROWS))
    for name in ("test", "dev", "train"):
        source = "train" if name == "train" else "dev"
        for place in (".", "TREEBANK", "tr_imst"):
            shell.write(
                f"{place}/{name}.conllu",
                (ESPERANTO / f"{source}.conllu").read_text("utf-8"),
            )
    names = "UD_Welsh-CCG/cy_ccg-ud fr_sequoia/fr_sequoia-ud pt_bosque/ pt_gsd/ es/ nl/"
    for name in names.split():
        separator = "" if name.endswith("/") else "-"
        shell.write(f"{name}{separator}train.conllu", small_treebank(40))
        shell.write(f"{name}{separator}dev.conllu", small_treebank(8, 2))
    shell.write("cy_ccg-ud-test.conllu", small_treebank(8, 3))
    shell.write("CORPORA/gsd.dev.conllu", small_treebank(8, 2))
    for name in ("es", "nl", "pt_bosque"):
        shell.write(f"{name}/ner.train", small_entities(20))
        shell.write(f"{name}/ner.dev", small_entities(8, 2))


def _write_models(shell):
    """Write small models, and link to those of the checkout."""
    place = shell.directory
    write_model(place / "small")
    shutil.move(place / "small/old.safetensors", place / "small.safetensors")
    for name in ("pos", "ner", "upos", "tagger", "pos1", "pos2"):
        source = "ner" if name == "ner" else "pos"
        shutil.copytree(place / "small" / source, place / "runs" / name)
    shutil.rmtree(place / "small")
    for name in ("models", "recipes", "benchmarks"):
        (place / name).symlink_to(ROOT / name)
    for link in ("MODEL", "PATH", "runs/a", "runs/b"):
        (place / link).symlink_to(ROOT / "models" / "en")
    for link in ("SENNA_DIR", "senna"):
        (place / link).symlink_to(GOLDEN / "model")
    shell.write("info.toml", 'language = "en"\n')
    rules = (ROOT / "docs/guide/rules.md").read_text("utf-8")
    shell.write("my.toml", re.search(r"```toml\n(.*?)```", rules, re.DOTALL)[1])


POS = """task = "pos"
train = [{files = ["train.tsv"], columns = ["word", "pos"]}]
dev = [{files = ["dev.tsv"], columns = ["word", "pos"]}]
"""
