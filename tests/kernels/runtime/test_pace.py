"""What is tagged the plain way, and what with compiled kernels."""

import subprocess
import sys
import threading
import time

import pytest

from senna_py.cli.tag_inputs import Lines, Sentences
from senna_py.corpora.places import Place
from senna_py.kernels.runtime import cold_start
from senna_py.kernels.runtime.cold_start import ColdStart
from senna_py.kernels.runtime.jit import plain_way, runs_plain
from senna_py.kernels.runtime.pace import one_way, text_pace, warm_up, way_of_text
from senna_py.tagger import Tagger
from tests.helpers.tagging import tag_paths

TEXT = "He reads a book in Chicago .\n"


@pytest.fixture
def begun(monkeypatch):
    """No text goes plain but while kernels are compiled, for which nobody waits."""
    monkeypatch.setattr(cold_start, "_PATIENCE", (0, 0))
    with text_pace(0, in_background=True):
        yield


@pytest.fixture
def ways(monkeypatch):
    """A list that receives, for each batch that a tagger annotates, whether it went plain."""
    found, annotate = [], Tagger.annotate

    def note(self, *arguments):
        found.append(runs_plain())
        return annotate(self, *arguments)

    monkeypatch.setattr(Tagger, "annotate", note)
    return found


def way(context):
    with context:
        return runs_plain()


def way_of(n_bytes):
    return way(way_of_text(n_bytes))


def test_bytes_are_counted():
    with text_pace(10):
        assert [way_of(n) for n in (4, 6, 1, 0)] == [True, True, False, False]


def test_one_way():
    with text_pace(5):
        with one_way(plain=True):
            assert way_of(1 << 40)
            with one_way(plain=False):
                assert not way_of(0)
            assert way_of(1)
        assert [way_of(n) for n in (5, 1)] == [True, False]


def test_texts_go_plain_while_kernels_warm_up():
    ways = []
    with text_pace():
        warm_up(lambda: ways.extend([runs_plain(), way_of(1)]))
        assert ways == [False, True]
        assert not way_of(0)


def test_the_way_belongs_to_a_context():
    plain = plain_way()
    assert not runs_plain()
    with plain, plain:
        assert runs_plain()
        with plain_way(False):
            assert not runs_plain()
        assert runs_plain()
        threads = []
        thread = threading.Thread(target=lambda: threads.extend([runs_plain(), way(plain)]))
        thread.start()
        thread.join()
        assert threads == [False, True]
    assert not runs_plain()


def test_a_tagger_goes_over_to_compiled_kernels(tagger, ways):
    with text_pace(2 * len(TEXT)):
        found = [tagger(TEXT), tagger(TEXT.split()), tagger(TEXT), *tagger.document(TEXT)]
    assert ways == [True, True, False, False]
    assert len({sentence.tree for sentence in found}) == 1


def lines(text):
    return Lines("a", Place("a"), text)


def test_pieces_go_plain_until_kernels_are_ready(begun):
    ready, samples = threading.Event(), []
    cold = ColdStart(lambda batch: samples.append((runs_plain(), batch.text)) or ready.wait(60))
    text, pieces = TEXT.encode() * 1000, []
    for piece in cold.batches([None, lines(text), lines(b"a")]):
        pieces.append(piece)
        if len(pieces) == 7:
            ready.set()
            cold._compiling.join()
    ways = [piece and way(piece.way) for piece in pieces]
    assert ways == [None, None, True, None, True, True, True, False, False]
    texts = [piece.text for piece in pieces if piece]
    assert b"".join(texts) == text + b"a" and all(each.endswith(b"\n") for each in texts[:-1])
    ((plain, sample),) = samples
    assert not plain and text.startswith(sample) and len(sample) < 1 << 13


@pytest.mark.parametrize("text", [TEXT.encode() * 10, TEXT.encode().replace(b"\n", b" ") * 1000])
def test_who_waits_for_kernels(begun, text):
    samples = []
    cold = ColdStart(samples.append, waits=len(text) < 1 << 14)  # a long line always does
    (found,) = filter(None, cold.batches([lines(text)]))
    assert found.text == text and not way(found.way)
    assert len(samples) == 1 and len(samples[0].text) <= 1 << 14


def test_without_a_thread_no_sample_is_needed():
    with text_pace(4):
        batches = ColdStart(pytest.fail).batches(map(lines, (b"text", b"more")))
        assert [way(batch.way) for batch in batches] == [True, False]


def test_sentences_are_not_cut(tagger):
    sentences = Sentences("a", Place("a"), tagger.tokenizer.lines(TEXT.encode()))
    with text_pace(len(TEXT), in_background=True):
        batches = [*ColdStart(pytest.fail).batches([sentences] * 2)]
    assert [(len(batch.tokens), way(batch.way)) for batch in batches] == [(7, True), (7, False)]


def test_a_file_begins_plain_and_goes_on_compiled(begun, golden, tmp_path, monkeypatch, ways):
    compile_kernels = ColdStart._compile

    # Kernels that an earlier test has compiled would be ready before the first piece.
    def slow(self, sample):
        while True not in ways:
            time.sleep(0.01)
        compile_kernels(self, sample)

    monkeypatch.setattr(ColdStart, "_compile", slow)
    monkeypatch.setattr(cold_start, "_PATIENCE", (0, 2))
    tag_paths([golden / "random.txt"], output=tmp_path / "out")
    expected = (golden / "expected" / "random.pos.txt").read_bytes()
    assert (tmp_path / "out").read_bytes() == expected
    assert {True, False} <= set(ways)  # the first piece, and the sample that is thrown away


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
