"""senna-model explain, senna-lm plot vectors, and the recipe of Figure 4."""

import runpy
import sys
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from senna_py.cli.lm import command as lm
from senna_py.cli.model import command
from senna_py.cli.model_explain import explain
from senna_py.errors import SennaError, UsageError
from senna_py.lm.vector_map import draw_map
from senna_py.model import Model
from senna_py.models.embeddings import read_embeddings
from tests.helpers.commands import MODEL
from tests.helpers.small_corpora import run, settings, write_corpora, write_vectors

RECIPE = Path(__file__).resolve().parent.parent.parent / "recipes/paper/hidden_units.py"
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
        (TEXT, "srl", "nothing", "no word 'nothing'; it has allow"),
        ("", "srl", None, "found no word"),
        ("of", "srl", None, "no predicate"),
        (TEXT, "pos", None, "the network pos has no max layer: its approach is window"),
        (TEXT, "none", None, "has no network none; it has "),
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
def test_the_command_prints_a_column_for_each_predicate(tmp_path, capfd):
    command.main(["explain", "-path", str(MODEL), TEXT], standalone_mode=False)
    head, *rows = capfd.readouterr().out.splitlines()
    assert [row.split("\t")[0].strip() for row in rows] == TEXT.split()
    assert {line.count("\t") for line in rows} == {head.count("\t")} != {0}
    pytest.importorskip("matplotlib")
    picture = tmp_path / "units.svg"
    run = ["explain", "-path", str(MODEL), f"{TEXT} $x$", "--plot", str(picture)]
    command.main(run, standalone_mode=False)
    assert "later" in picture.read_text()
    result = CliRunner().invoke(command, ["explain", TEXT, "--plot", "x.nothing"])
    assert isinstance(result.exception, UsageError)


VECTORS = "the 1 2 3\ndog 3 2 1\n$cat$ 0 1 0\nAnna 5 5 1\n"


@pytest.mark.extra
@pytest.mark.parametrize(
    ("more", "count"), [([], 4), (["--top", "3"], 3), (["DOG", "$cat$", "dog"], 2)]
)
def test_vectors_are_drawn_as_a_map(tmp_path, more, count):
    pytest.importorskip("matplotlib")
    (tmp_path / "v.txt").write_text(VECTORS)
    picture = tmp_path / "map.svg"
    result = CliRunner().invoke(
        lm, ["plot", "vectors", str(tmp_path / "v.txt"), str(picture), *more]
    )
    assert result.output == f"{picture}: {count} words\n"
    shown = picture.read_text()
    assert [word in shown for word in ("<!-- dog -->", "<!-- Anna -->")] == [True, not more]


@pytest.mark.extra
def test_maps_that_cannot_be_drawn(tmp_path):
    pytest.importorskip("matplotlib")
    (tmp_path / "v.txt").write_text(VECTORS)
    run = ["plot", "vectors", str(tmp_path / "v.txt"), str(tmp_path / "x.png"), "dog", "none"]
    result = CliRunner().invoke(lm, run)
    assert "not in the dictionary: none" in str(result.exception)
    embeddings = read_embeddings(tmp_path / "v.txt")
    with pytest.raises(SennaError, match="found 1 of 3"):
        draw_map(embeddings, [0], tmp_path / "x.png")


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
    runpy.run_path(str(RECIPE), run_name="__main__")
    lines = [line.split("\t") for line in capsys.readouterr().out.splitlines()]
    assert lines == [
        ["chk", f"{n} hidden units", f"F1 {np.mean(best[n]):.2f}", f"{len(best[n])} runs"]
        for n in (4, 8)
    ]
    assert "hidden units" in picture.read_text()
