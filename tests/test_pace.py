"""What is tagged the plain way, and what with compiled kernels."""

import subprocess
import sys

import pytest

from senna_py.kernels.jit import plain_way, runs_plain
from senna_py.pace import Pace
from senna_py.tagger import Tagger
from senna_py.tagging import tag_files

TEXT = "He reads a book in Chicago .\n"


@pytest.fixture
def room(monkeypatch):
    """A function that sets how many bytes are still tagged the plain way."""

    def give(n_bytes):
        monkeypatch.setattr(Pace, "_left", n_bytes)

    return give


def ways_of(monkeypatch, tagger):
    """A list that receives, for each batch that `tagger` annotates, whether it went plain."""
    ways, annotate = [], Tagger.annotate

    def note(self, *arguments):
        ways.append(runs_plain())
        return annotate(self, *arguments)

    monkeypatch.setattr(Tagger, "annotate", note)
    return ways


def test_bytes_are_counted(room):
    room(10)
    assert [Pace.takes_plain(n) for n in (4, 6, 1, 0)] == [True, True, False, False]


def test_use_only(room, monkeypatch):
    room(0)
    monkeypatch.setattr(Pace, "in_background", True)
    Pace.use_only(plain=True)
    assert Pace.takes_plain(1 << 40)
    Pace.use_only(plain=False)
    assert not Pace.takes_plain(0)


def test_the_way_belongs_to_a_context():
    assert not runs_plain()
    with plain_way():
        assert runs_plain()
        with plain_way(False):
            assert not runs_plain()
        assert runs_plain()
    assert not runs_plain()


def test_a_tagger_goes_over_to_compiled_kernels(room, tagger, monkeypatch):
    ways = ways_of(monkeypatch, tagger)
    room(2 * len(TEXT))
    found = [tagger(TEXT), tagger(TEXT.split()), tagger(TEXT), *tagger.document(TEXT)]
    assert ways == [True, True, False, False]
    assert len({sentence.tree for sentence in found}) == 1


def test_pieces_go_plain_until_kernels_are_compiled(room, golden, tmp_path, monkeypatch):
    ways, path = ways_of(monkeypatch, None), tmp_path / "in"
    path.write_bytes((golden / "random.txt").read_bytes())
    room(0)
    model = golden / "model"
    tag_files([str(path)], ["pos"], path=model, output=str(tmp_path / "out"))
    expected = (golden / "expected" / "random.pos.txt").read_bytes()
    assert (tmp_path / "out").read_bytes() == expected
    assert {True, False} <= set(ways)  # the first piece, and the sample that is thrown away


def test_a_sentence_is_tagged_without_numba(golden):
    code = (
        "import sys; from senna_py import load\n"
        "for sentence in load(sys.argv[1]).pipe(['He reads .', ['In', 'Chicago', '.']]):\n"
        "    assert sentence.tree, sentence\n"
        "assert 'numba' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code, str(golden / "model")], check=True, timeout=60)
