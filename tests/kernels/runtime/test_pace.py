"""What is tagged the plain way, and what with compiled kernels."""

import subprocess
import sys
import threading

import pytest

from senna_py.cli import cold_start
from senna_py.cli.cold_start import ColdStart
from senna_py.cli.tag_inputs import Lines
from senna_py.corpora.places import Place
from senna_py.kernels.runtime.jit import plain_way, runs_plain
from senna_py.kernels.runtime.pace import Pace
from senna_py.tagger import Tagger
from tests.helpers.tagging import tag_paths

TEXT = "He reads a book in Chicago .\n"


@pytest.fixture
def room(monkeypatch):
    """A function that sets how many bytes are still tagged the plain way."""

    def give(n_bytes):
        monkeypatch.setattr(Pace, "_left", n_bytes)
        monkeypatch.setattr(Pace, "in_background", True)  # whatever tests before have left

    return give


def ways_of(monkeypatch, began_plain=None):
    """A list that receives, for each batch that a tagger annotates, whether it went plain.

    began_plain: threading.Event that is set when the first goes plain, or None.
    """
    ways, annotate = [], Tagger.annotate

    def note(self, *arguments):
        ways.append(runs_plain())
        if began_plain and ways[-1]:
            began_plain.set()
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
    ways = ways_of(monkeypatch)
    room(2 * len(TEXT))
    found = [tagger(TEXT), tagger(TEXT.split()), tagger(TEXT), *tagger.document(TEXT)]
    assert ways == [True, True, False, False]
    assert len({sentence.tree for sentence in found}) == 1


def test_pieces_go_plain_until_kernels_are_compiled(room, golden, tmp_path, monkeypatch):
    began, compile_kernels, path = threading.Event(), ColdStart._compile, tmp_path / "in"
    ways = ways_of(monkeypatch, began)
    # Kernels that an earlier test has compiled would be ready before the first piece.
    monkeypatch.setattr(
        ColdStart,
        "_compile",
        lambda self, sample: began.wait(60) and compile_kernels(self, sample),
    )
    path.write_bytes((golden / "random.txt").read_bytes())
    monkeypatch.setattr(cold_start, "_PATIENCE", (0, 2))
    room(0)
    tag_paths([path], output=tmp_path / "out")
    expected = (golden / "expected" / "random.pos.txt").read_bytes()
    assert (tmp_path / "out").read_bytes() == expected
    assert {True, False} <= set(ways)  # the first piece, and the sample that is thrown away


def test_a_piece_comes_before_the_wait_for_kernels(room, monkeypatch):
    ready, text = threading.Event(), TEXT.encode() * 400
    monkeypatch.setattr(cold_start, "_PATIENCE", (0, 0))
    room(0)
    pieces = ColdStart(lambda sample: ready.wait(60)).batches([Lines("a", Place("a"), text)])
    try:
        found = [next(pieces) for _ in range(4)]
        assert [piece and piece.plain for piece in found] == [None, True, None, True]
    finally:
        ready.set()
        found += pieces
    assert b"".join(piece.data for piece in found if piece) == text


def test_a_long_line_waits_for_kernels(room, golden, tmp_path, monkeypatch):
    path, sizes, annotate = tmp_path / "in", [], Tagger.annotate

    def note(self, tokens, *marks):
        sizes.append((runs_plain(), len(tokens)))
        return annotate(self, tokens, *marks)

    monkeypatch.setattr(Tagger, "annotate", note)
    path.write_text(TEXT.replace("\n", " ") * (2 * cold_start._LONGEST_PIECE // len(TEXT)))
    room(0)
    tag_paths([path], output=tmp_path / "out")
    (sample_plain, sample), (line_plain, line) = sizes
    assert not sample_plain and not line_plain
    assert sample < 0.6 * line  # what is thrown away is not as long as a line may be


def test_the_plain_way_does_not_wait_for_a_table(tagger):
    vocabulary = tagger.model.storage.words

    def search():
        with plain_way():
            found.append(vocabulary.table.find(b"reads"))

    found = []
    thread = threading.Thread(target=search)
    with vocabulary._table._lock:  # another thread compiles what fills the hash table
        thread.start()
        thread.join(30)
        assert len(found) == 1
    thread.join()


@pytest.mark.process
def test_a_sentence_is_tagged_without_numba(golden):
    code = (
        "import sys; from senna_py import load\n"
        "for sentence in load(sys.argv[1]).pipe(['He reads .', ['In', 'Chicago', '.']]):\n"
        "    assert sentence.tree, sentence\n"
        "assert 'numba' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code, str(golden / "model")], check=True, timeout=60)
