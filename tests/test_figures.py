"""Scripts of recipes and benchmarks: what they import, and figures of recipes/paper."""

import ast
import importlib
import runpy
import sys
from pathlib import Path

import numpy as np
import pytest

from senna_py.errors import SennaError
from senna_py.lm.lstm.lexicon import Alphabet
from senna_py.model import Model
from tests.helpers.commands import MODEL
from tests.helpers.small_corpora import run, settings, write_corpora, write_vectors

RECIPES = Path(__file__).resolve().parent.parent / "recipes/paper"
explain = runpy.run_path(str(RECIPES / "max_layer.py"))["explain"]
CHARACTERS = RECIPES.parent.parent / "models/characters/english.lm"
TEXT = "allow executives to report exercises of options later"


@pytest.fixture(scope="module")
def model():
    return Model(MODEL)


def test_all_units_listen_to_some_word(model):
    words, columns = explain(model, "srl", TEXT)
    assert words == TEXT.split()
    assert columns
    n_units = len(model.storage.network("srl").conv_bias)
    for name, units in columns.items():
        assert name.split()[0] in words
        assert len(units) == len(words)
        assert units.sum() == pytest.approx(n_units)
    _, of_word = explain(model, "srl", TEXT, "later")
    assert all((units == units.astype(int)).all() for units in of_word.values())
    assert any((of_word[name] != columns[name]).any() for name in columns)


def test_what_cannot_be_explained(model):
    for text, task, word, said in (
        (TEXT, "srl", "nothing", "no word nothing; it has allow"),
        ("", "srl", None, "the sentence has no word"),
        ("of", "srl", None, "no predicate"),
        (TEXT, "pos", None, "no network pos of the sentence approach"),
        (TEXT, "none", None, "no network none of the sentence approach"),
    ):
        with pytest.raises(SennaError, match=said):
            explain(model, task, text, word)


def test_a_network_for_words_is_explained(tmp_path):
    corpora = write_corpora(tmp_path)
    write_vectors(tmp_path / "vectors.txt")
    config = settings("chk", network={"approach": "sentence"}, training={"epochs": 1})
    assert run(tmp_path / "run", config, corpora).trainer().run()
    words, columns = explain(Model(tmp_path / "run"), "chk", "the dog sees Anna .")
    assert list(columns) == ["chk"]
    assert columns["chk"].sum() == pytest.approx(14)
    assert len(words) == 5


@pytest.mark.extra
def test_a_column_for_each_predicate_is_printed_and_drawn(tmp_path, monkeypatch, capsys):
    pytest.importorskip("matplotlib")
    picture = tmp_path / "units.svg"
    given = ["max_layer.py", str(MODEL), f"{TEXT} $x$", "--plot", str(picture)]
    monkeypatch.setattr(sys, "argv", given)
    runpy.run_path(str(RECIPES / "max_layer.py"), run_name="__main__")
    head, *rows = capsys.readouterr().out.splitlines()
    assert [row.split("\t")[0].strip() for row in rows] == [*TEXT.split(), "$", "x", "$"]
    assert {line.count("\t") for line in rows} == {head.count("\t")} != {0}
    assert "later" in picture.read_text()


@pytest.mark.extra
def test_hidden_units_are_drawn_from_the_logs_of_runs(tmp_path, monkeypatch, capsys):
    pytest.importorskip("matplotlib")
    corpora = write_corpora(tmp_path)
    write_vectors(tmp_path / "vectors.txt")
    best = {}
    for hidden, seed in ((4, 1), (4, 2), (8, 1)):
        config = settings("chk", network={"hidden": hidden}, training={"epochs": 2, "seed": seed})
        trainer = run(tmp_path / f"r{hidden}-{seed}", config, corpora).trainer()
        assert trainer.run()
        best.setdefault(hidden, []).append(trainer.best[0])
    runs = [str(path) for path in sorted(tmp_path.glob("r*-*"))]
    picture = tmp_path / "units.svg"
    monkeypatch.setattr(sys, "argv", ["hidden_units.py", str(picture), *runs])
    runpy.run_path(str(RECIPES / "hidden_units.py"), run_name="__main__")
    lines = [line.split("\t") for line in capsys.readouterr().out.splitlines()]
    assert lines == [
        ["chk", f"{n} hidden units", f"F1 {np.mean(best[n]):.2f}", f"{len(best[n])} runs"]
        for n in (4, 8)
    ]
    assert "hidden units" in picture.read_text()


@pytest.mark.extra
def test_ngrams_of_characters_are_drawn(tmp_path, monkeypatch, capsys):
    pytest.importorskip("matplotlib")
    picture = tmp_path / "ngrams.png"
    monkeypatch.setattr(sys, "argv", ["ngrams.py", str(CHARACTERS), str(picture)])
    runpy.run_path(str(RECIPES / "ngrams.py"), run_name="__main__")
    assert "prefix" in capsys.readouterr().out
    assert picture.stat().st_size > 1000


def test_ngrams_of_two_words_and_their_kinds():
    script = runpy.run_path(str(RECIPES / "ngrams.py"))
    alphabet = Alphabet(["-", "a", "b"])
    hyphen, a, b = 6, 7, 8
    found = script["ngrams_of"](alphabet, ["<unk>", "ab", "a-b", "aa"], 3)
    # Of "ab" = ^ab$, "a-b" = ^a-b$ and "aa" = ^aa$; ^ is 1, $ is 2. A hyphen is in one word only.
    assert found == [(1, a), (a,), (b,), (b, 2)]
    kinds = [script["kind_of"](ngram, alphabet) for ngram in ((1, a), (a,), (b, 2), (a, hyphen))]
    assert kinds == ["prefix", "other", "suffix", "hyphenated"]


ROOT = Path(__file__).resolve().parent.parent
SCRIPTS = [path for folder in ("benchmarks", "recipes") for path in (ROOT / folder).rglob("*.py")]


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_what_is_imported_from_the_package_is_there(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module.startswith("senna_py"):
            module = importlib.import_module(node.module)
            for name in node.names:
                assert hasattr(module, name.name), f"line {node.lineno}: {node.module} {name.name}"
