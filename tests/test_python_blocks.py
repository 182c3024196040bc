"""Python of pages that is not a session: each block runs as it stands, with what the text
before it gives a name.
"""

import gzip
from pathlib import Path

import numpy as np
import pytest

import senna_py
from tests.helpers.commands import run
from tests.helpers.pages import PAGES, blocks_of
from tests.helpers.pages_elsewhere import CODE


def run_blocks(page, names):
    """Run the blocks of a page one after the other; return all names at the end."""
    found = [block.text for block in blocks_of(PAGES[page]) if block.kind == "python"]
    blocks = [text for text in found if not text.startswith((">>> ", *CODE))]
    assert blocks
    for block in blocks:
        exec(block, names)
    return names


@pytest.fixture
def nlp(shipped_model, tmp_path, monkeypatch):
    """The English model, in an empty working directory."""
    monkeypatch.delenv("SENNA_PY_MODEL", raising=False)
    monkeypatch.chdir(tmp_path)
    return senna_py.load()


def tagged(name, *options):
    """Write a file of two tagged sentences."""
    text = b"She left.\nAnna saw NA.\n"
    Path(name).write_bytes(run("senna-tag", *options, stdin=text).stdout)


def test_the_home_page(nlp):
    names = {"nlp": nlp, "text": "Anna left Rome."}
    doc = run_blocks("docs/index.md", names)["doc"]
    assert [entity.text for entity in doc.entities] == ["Anna", "Rome"]


def test_search(nlp, capsys):
    run_blocks("docs/guide/search.md", {"senna_py": senna_py})
    assert capsys.readouterr().out == "committee gave prize\n"


def test_visualize(nlp):
    names = run_blocks("docs/guide/visualize.md", {})
    assert names["html"].startswith("<div")
    assert names["page"].startswith("<!DOCTYPE html>")


def test_dependencies(nlp, capsys):
    pytest.importorskip("nltk")
    tagged("tagged.conllu", "--format", "conllu", "--dep")
    names = run_blocks("docs/guide/dependencies.md", {})
    assert capsys.readouterr().out.splitlines()[0] == "(left She .)"
    assert names["sentence"].root.text == "gave"


def test_formats(nlp):
    pandas = pytest.importorskip("pandas")
    tagged("tagged.tsv", "--format", "conll", "--header", "--pos")
    run_blocks("docs/guide/formats.md", {"pandas": pandas})


def test_records(nlp):
    rows = [{"text": "Anna left."}, {"text": None}]
    run_blocks("docs/guide/records.md", {"nlp": nlp, "rows": rows})
    assert [row["names"] for row in rows] == [["Anna"], []]


@pytest.mark.extra
def test_tables(nlp):
    pandas = pytest.importorskip("pandas")
    pyarrow = pytest.importorskip("pyarrow")
    text = "Anna left. It rained in Rome."
    reviews = pandas.DataFrame({"id": [7], "text": [text]})
    names = {"pandas": pandas, "pyarrow": pyarrow, "senna_py": senna_py, "nlp": nlp}
    names |= {"doc": nlp.document(text), "texts": [text], "reviews": reviews}
    assert len(run_blocks("docs/guide/save.md", names)["joined"]) == 2


def test_language_models(nlp, tmp_path):
    Path("text.txt").write_text("the cat sees the cat\n" * 5)
    result = run("senna-lm", "train", "ngram", "model.arpa", "text.txt", cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    Path("model.arpa.gz").write_bytes(gzip.compress(Path("model.arpa").read_bytes()))
    run_blocks("docs/train/language-models.md", {})


def test_fallbacks(nlp):
    names = {"x": np.ones((2, 3), np.float32), "weight": np.ones((3, 4), np.float32)}
    names |= {"bias": np.ones(4, np.float32), "out": np.zeros((2, 4), np.float32)}
    run_blocks("docs/develop/jit-and-fallback.md", names)
    assert (names["out"] == 4).all()
