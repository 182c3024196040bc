"""Recipes that need no large corpora run, on a few sentences; figures then mean nothing."""

import re
import sys
from pathlib import Path

import pytest

from tests.helpers.commands import run_program
from tests.helpers.small_corpora import corpus, write_columns, write_vectors

ROOT = Path(__file__).resolve().parent.parent
RECIPES = ROOT / "recipes"
ONE_EPOCH = ["--set", "training.epochs=1"]
# Columns of `corpus`: word, tag, chunk, entity, parse bit, predicate and role.
COLUMNS = {
    "conll2000/train.txt": (0, 1, 2),
    "ewt/train.pos.tsv": (0, 1),
    "ewt/dev.pos.tsv": (0, 1),
    "ewt/train.ner.tsv": (0, 1, 3),
    "ewt/dev.ner.tsv": (0, 1, 3),
    "ewt/train.srl.tsv": (0, 1, 4, 5, 6),
    "ewt/dev.srl.tsv": (0, 1, 4, 5, 6),
    "masc/train.srl.tsv": (0, 1, 4, 5, 6),
    "ner/wikigold.tsv": (0, 1, 3),
    "conll2003/eng.train": (0, 1, 2, 3),
    "conll2003/eng.testa": (0, 1, 2, 3),
}

pytestmark = [pytest.mark.process, pytest.mark.slow]


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A directory with small corpora, text and vectors."""
    place, rows = tmp_path_factory.mktemp("recipes"), corpus(30)
    renamed = [[(*r[:3], r[3].replace("NAME", "PER"), *r[4:]) for r in s] for s in rows]
    for name, columns in COLUMNS.items():
        write_columns(place / name, [[[r[c] for c in columns] for r in s] for s in renamed])
    chunks = (place / "conll2000/train.txt").read_text().replace("\t", " ")
    (place / "conll2000/train.txt").write_text(f"{chunks}\n")
    text = "".join(" ".join(row[0] for row in sentence) + "\n" for sentence in rows)
    (place / "text.txt").write_text(text * 10)
    (place / "gazetteers").mkdir()
    for name in re.findall(r"gazetteers/([\w.*]+)", (RECIPES / "senna/ner.toml").read_text()):
        (place / "gazetteers" / name.replace("*", "x")).write_text("Rome\nAnna\n")
    write_vectors(place / "vectors.txt")
    return place


def run(place, name, *arguments):
    """Run a recipe of this checkout; returns what it prints."""
    path = RECIPES / name
    command = [sys.executable, path] if path.suffix == ".py" else [path]
    result = run_program(*command, *arguments, cwd=place, PYTHONPATH=str(ROOT))
    assert result.returncode == 0, result.stderr
    return result.stdout


def test_capitals(place):
    assert "lower\tsees\t" in run(place, "en/casing.py", "text.txt")


def test_hyphens(place):
    printed = run(place, "en/hyphens.py", "conll2000/train.txt")
    assert printed.split() == (place / "conll2000/train.txt").read_text().split()


def test_contradictions(place):
    assert "argument" in run(place, "en/contradictions.py", "text.txt", "--tokens")


def test_trees_by_length(place):
    columns = "word,pos,parse,predicate,roles"
    assert "F1" in run(place, "en/tree_lengths.py", "ewt/dev.srl.tsv", "--columns", columns)


def test_chunks_by_vectors(place):
    given = ["conll2000/train.txt", "vectors.txt", "--epochs", "1"]
    assert "random" in run(place, "paper/chunking_with_vectors.py", *given)


def test_the_networks_of_senna(place):
    run(place, "senna/train.sh", place, "vectors.txt", "senna", *ONE_EPOCH)
    assert (place / "senna/senna/data/srl.dat").exists()


@pytest.mark.parametrize("approach", ["window", "sentence"])
def test_one_network_and_several(place, approach):
    printed = run(place, "paper/joint.sh", approach, place, "vectors.txt", approach, *ONE_EPOCH)
    assert len(printed.splitlines()) == 4 + (approach == "sentence")
