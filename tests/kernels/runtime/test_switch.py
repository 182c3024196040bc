"""What is tagged by NumPy fallbacks, and what with compiled kernels."""

import subprocess
import sys
import threading
import time

import pytest

from senna_py.kernels.runtime import switch
from senna_py.kernels.runtime.switch import (
    bytes_at_once,
    fixed_kernels,
    is_preparing,
    kernels_for_text,
    prepare_kernels,
    runs_fallbacks,
)
from senna_py.pipeline.run import Pipeline
from senna_py.tagger import Tagger
from tests.helpers.counting import counting
from tests.helpers.tagging import tag_paths

TEXT = "He reads a book in Chicago .\n"


@pytest.fixture
def begun(monkeypatch):
    """No text goes plain but while kernels are compiled, for which nobody waits."""
    monkeypatch.setattr(switch, "_PATIENCE", 0)
    with counting(0, in_background=True):
        yield


@pytest.fixture
def ways(monkeypatch):
    """A list that receives, for each batch that a tagger annotates, whether it went
    plain.
    """
    found, annotate = [], Tagger.annotate

    def note(self, *arguments):
        found.append(runs_fallbacks())
        return annotate(self, *arguments)

    monkeypatch.setattr(Tagger, "annotate", note)
    return found


def is_plain(context):
    with context:
        return runs_fallbacks()


def way_of(n_bytes):
    return is_plain(kernels_for_text(n_bytes))


def test_bytes_are_counted():
    with counting(10):
        assert [way_of(n) for n in (4, 6, 1, 0)] == [True, True, False, False]


def test_kernels_are_fixed_within_a_block():
    with counting(5):
        with fixed_kernels(plain=True):
            assert way_of(1 << 40)
            with fixed_kernels(plain=False):
                assert not way_of(0)
            assert way_of(1)
        assert [way_of(n) for n in (5, 1)] == [True, False]


def test_texts_go_plain_while_kernels_are_loaded():
    ways, ready = [], threading.Event()
    with counting():
        prepare_kernels(lambda: ways.append(runs_fallbacks()) or ready.wait(60))
        assert way_of(1 << 20)
        ready.set()
        wait_for(lambda: not is_preparing())
        assert ways == [False]
        assert not way_of(0)


def in_a_thread(function):
    found = []
    thread = threading.Thread(target=lambda: found.append(function()))
    thread.start()
    thread.join()
    return found[0]


def test_the_way_belongs_to_a_thread():
    with fixed_kernels(plain=True):
        assert runs_fallbacks()
        with fixed_kernels(plain=False):
            assert not runs_fallbacks()
        assert runs_fallbacks()
        # Other threads choose for themselves, but do not count either.
        assert in_a_thread(lambda: (runs_fallbacks(), way_of(1 << 40))) == (False, True)
    assert not runs_fallbacks()


def test_a_tagger_goes_over_to_compiled_kernels(tagger, ways):
    with counting(2 * len(TEXT)):
        found = [
            tagger(TEXT),
            tagger(TEXT.split()),
            tagger(TEXT),
            *tagger.document(TEXT).sentences,
        ]
    assert ways == [True, True, False, False]
    assert len({str(sentence.tree) for sentence in found}) == 1


def wait_for(condition):
    until = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.01)


def test_pieces_go_plain_until_kernels_are_ready(begun):
    ready, text = threading.Event(), TEXT.encode() * 1000
    sizes = [
        bytes_at_once(text[n:], ready.wait) for n in (0, 50 * len(TEXT), len(text) - 10)
    ]
    assert all(
        1 << 10 <= size <= 1100 and text[:size].endswith(b"\n") for size in sizes[:2]
    )
    assert sizes[2] == 10 and is_plain(kernels_for_text())
    ready.set()
    wait_for(lambda: not is_preparing())
    assert bytes_at_once(text, pytest.fail) == len(text) and not is_plain(
        kernels_for_text()
    )


def test_the_first_piece_waits_a_little(begun, monkeypatch):
    monkeypatch.setattr(switch, "_PATIENCE", 60)
    called, text = [], TEXT.encode() * 1000
    size = bytes_at_once(text, lambda: called.append(1))
    assert size == len(text) and not is_plain(kernels_for_text()) and called == [1]


def test_numpy_tags_more_where_kernels_cannot_be_kept(monkeypatch):
    told = []
    monkeypatch.setattr(switch, "has_cache", lambda: False)
    monkeypatch.setattr(switch, "tell", lambda: told.append(1))
    with counting(10, asks_for_cache=True):
        many = switch._MANY_BYTES
        assert [way_of(n) for n in (4, many, 6, 1)] == [True, True, True, False]
    assert told == [1]


def test_numpy_tags_everything_where_numba_cannot_be_used(monkeypatch):
    monkeypatch.setattr(switch, "_numba_works", lambda: False)
    with fixed_kernels(plain=False):
        assert way_of(1 << 30)
        assert bytes_at_once(TEXT.encode() * 1000, pytest.fail) == 1000 * len(TEXT)


def test_little_text_needs_no_kernels():
    with counting(4, in_background=True):
        assert bytes_at_once(b"text", pytest.fail) == 4 and is_plain(kernels_for_text())
    with counting(4):
        assert bytes_at_once(TEXT.encode(), pytest.fail) == len(TEXT) and not is_plain(
            kernels_for_text()
        )


def test_a_file_begins_plain_and_goes_on_compiled(
    begun, golden, tmp_path, monkeypatch, ways
):
    run_kernels = Pipeline.run_kernels

    # Kernels that an earlier test has compiled would be ready before the first piece.
    def slow(self):
        wait_for(lambda: True in ways)
        run_kernels(self)

    monkeypatch.setattr(Pipeline, "run_kernels", slow)
    tag_paths([golden / "random.txt"], output=tmp_path / "out")
    expected = (golden / "expected" / "random.pos.txt").read_bytes()
    assert (tmp_path / "out").read_bytes() == expected
    # The first piece, and the sample that is thrown away.
    assert {True, False} <= set(ways)


def test_fallbacks_do_not_wait_for_a_table(tagger):
    vocabulary = tagger.model.storage.words

    def search():
        with fixed_kernels(plain=True):
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
    subprocess.run(
        [sys.executable, "-c", code, str(golden / "model")], check=True, timeout=60
    )
