"""The way of a text: the order of batches, what is counted in it, and pauses."""

import sys
import time

import pytest

from senna_py.corpora.places import BatchPlace
from senna_py.errors import SennaError
from senna_py.formats.columns import ColumnPrinter
from senna_py.formats.token_text import TokenPrinter
from senna_py.io.parallel import ordered_map
from senna_py.io.streaming import PAUSE, InputError, Source, arriving_batches
from senna_py.kernels.runtime.switch import fixed_kernels
from senna_py.pipeline.advice import MARKUP, SEVERAL
from senna_py.pipeline.batch import TextBatch
from senna_py.pipeline.options import TextOptions
from senna_py.pipeline.run import Pipeline
from senna_py.tagger import Tagger
from tests.helpers.commands import MODEL

TEXT = b"He sleeps .\n\nShe reads a book in Rome .\n" * 4


@pytest.fixture(scope="module")
def tagger():
    with fixed_kernels(plain=False):
        yield Tagger(MODEL, ["pos"])


def pipeline(tagger, form=ColumnPrinter, note=print, **options):
    return Pipeline(tagger, TextOptions(**options), form(tagger), note)


def batches(n_bytes):
    """The text in batches of whole lines, with a pause before each."""
    place, lines = BatchPlace("text"), TEXT.splitlines(keepends=True)
    while lines:
        yield PAUSE
        batch = b""
        while lines and len(batch) < n_bytes:
            batch += lines.pop(0)
        yield TextBatch("text", place, batch)
        place = place.after(batch, lambda line: not line.strip())


@pytest.mark.parametrize("jobs", [1, 3])
@pytest.mark.parametrize("n_bytes", [1, 30, 10_000])
def test_batches_and_threads_do_not_change_what_is_printed(tagger, n_bytes, jobs):
    whole = b"".join(
        bytes(batch.data) for batch in pipeline(tagger).format_all(batches(10_000))
    )
    found = [*pipeline(tagger).format_all(batches(n_bytes), jobs)]
    assert b"".join(bytes(batch.data) for batch in found) == whole
    assert sum(batch.n_sentences for batch in found) == 8
    assert sum(batch.n_tokens for batch in found) == TEXT.count(b" ") + 8


def test_a_limit_ends_the_text_within_a_batch(tagger):
    for n_bytes in (1, 30, 10_000):
        run = pipeline(tagger, TokenPrinter, limit=3)
        printed = b"".join(batch.data for batch in run.format_all(batches(n_bytes)))
        assert printed == b"He sleeps .\nShe reads a book in Rome .\nHe sleeps .\n"


def test_results_before_a_pause_do_not_wait_for_what_follows():
    asked = []

    def source():
        yield from range(3)
        yield PAUSE
        asked.append(len(results))
        yield 3

    def work(number):
        time.sleep(0.01)
        return number

    results = []
    for result in ordered_map(work, source(), 2):
        results.append(result)
    assert results == [0, 1, 2, 3]
    assert asked == [3]


def test_results_before_an_error_come_first():
    def source():
        yield 1
        raise ValueError("damaged")

    results = ordered_map(str, source(), 2)
    assert next(results) == "1"
    with pytest.raises(ValueError, match="damaged"):
        next(results)


def test_how_often_threads_give_way_is_as_before_afterwards():
    before = sys.getswitchinterval()
    during = {*ordered_map(lambda _: sys.getswitchinterval(), range(3), 2)}
    assert max(during) < before == sys.getswitchinterval()


class Slow(Source):
    """A source that gives a few bytes at a time, and is never ready."""

    def __init__(self, pieces):
        self.name, self.begins, self.size = "slow", True, None
        self._pieces = iter(pieces)

    def __del__(self):
        pass

    def ready(self):
        return False

    def read(self, size=0):
        return next(self._pieces, b"")


def test_whole_lines_are_not_kept_until_the_next_one_is_whole():
    source = Slow([b"\xef\xbb\xbfa li", b"ne\nand an", b"other\nthe end"])
    lines = [batch for batch in arriving_batches(source) if batch is not PAUSE]
    assert lines == [b"a line\n", b"and another\n", b"the end"]


def test_pauses_stand_before_reads_and_after_whole_lines():
    found = [*arriving_batches(Slow([b"one\n", b"two"]))]
    assert found == [PAUSE, b"one\n", PAUSE, PAUSE, b"two"]


def test_a_long_sentence_is_noted_and_cut():
    notes = []
    tagger = Tagger(MODEL, ["pos", "psg"])
    tagger.cut_sentences(3)
    run = pipeline(tagger, note=notes.append)
    (batch,) = run.format_all([TextBatch("a.txt", BatchPlace("a"), b"a b c\n")])
    assert (batch.n_sentences, notes) == (1, [])
    (batch,) = run.format_all([TextBatch("a.txt", BatchPlace("a"), b"a b c d\n")])
    assert (batch.n_sentences, batch.n_tokens) == (2, 4)
    assert notes == [
        f"a.txt: a line of 4 tokens is cut into sentences of at most 3 for "
        f"{', '.join(tagger.limiting)}"
    ]


def test_pieces_come_out_while_kernels_are_loaded(tagger, monkeypatch):
    sizes = iter([12, 12, 10_000])

    def bytes_at_once(text, run):
        return min(next(sizes), len(text))

    monkeypatch.setattr("senna_py.pipeline.run.bytes_at_once", bytes_at_once)
    batch = TextBatch("a.txt", BatchPlace("a"), b"He sleeps .\n" * 2 + b"No .\n")
    found = [*pipeline(tagger).in_order([batch])]
    assert [each if each is PAUSE else each.text for each in found] == [
        b"He sleeps .\n",
        PAUSE,
        b"He sleeps .\n",
        PAUSE,
        b"No .\n",
    ]


def test_a_batch_with_predicates_of_a_file_is_not_cut(tagger, tmp_path, monkeypatch):
    monkeypatch.setattr("senna_py.pipeline.run.bytes_at_once", lambda text, run: 12)
    (tmp_path / "verbs").write_text("-\nsleeps\n-\n\n" * 2)
    batch = TextBatch("a.txt", BatchPlace("a"), b"He sleeps .\n" * 2)
    run = pipeline(tagger, usrvbs=str(tmp_path / "verbs"), usrtokens=True)
    (whole,) = run.in_order([batch])
    assert whole.is_predicate.tolist() == [False, True, False] * 2


def test_predicates_of_a_file_end_with_an_input_that_cannot_be_read(tagger, tmp_path):
    path = str(tmp_path / "none.txt")
    with pytest.raises(InputError, match=r"none\.txt"):
        [*pipeline(tagger).format_file(path, "a")]
    (tmp_path / "verbs").write_text("-\n\n")
    run = pipeline(tagger, usrvbs=str(tmp_path / "verbs"))
    with pytest.raises(SennaError, match=r"none\.txt") as caught:
        [*run.format_file(path, "a")]
    assert not isinstance(caught.value, InputError)


def test_sentences_without_predicates_in_the_file_are_not_annotated(tagger, tmp_path):
    (tmp_path / "verbs").write_text("-\nsleeps\n-\n\n")
    batch = TextBatch("a.txt", BatchPlace("a"), b"He sleeps .\n" * 2)
    run = pipeline(tagger, usrvbs=str(tmp_path / "verbs"), usrtokens=True)
    batches = run.in_order([batch])
    first = next(batches)
    assert (first.tokens.n_sentences, len(first.tokens)) == (1, 3)
    assert first.is_predicate.tolist() == [False, True, False]
    with pytest.raises(SennaError, match="verbs"):
        next(batches)


def test_sentences_of_column_files_stay_as_they_are(tagger, tmp_path):
    words = ["He", "sleeps", ".", "She", "runs", "."]
    rows = [f"{i}\t{word}" + "\t_" * 8 for i, word in enumerate(words, 1)]
    (tmp_path / "a.conllu").write_text("\n".join(rows) + "\n\n")
    run = pipeline(tagger, split_sentences=True)
    (batch,) = run.format_file(str(tmp_path / "a.conllu"), "a")
    assert (batch.n_sentences, batch.n_tokens) == (1, 6)


def test_advice_is_given_once_for_a_file(tagger, tmp_path):
    (tmp_path / "a.txt").write_text("<p>He sleeps. She reads.</p>\n" * 5000)
    notes = []
    run = pipeline(tagger, TokenPrinter, lambda *note: notes.append(note))
    assert sum(1 for _ in run.format_file(str(tmp_path / "a.txt"), "a")) > 1
    assert [topic for _, topic in notes] == [SEVERAL, MARKUP]
    assert all(line.startswith(f"{tmp_path}/a.txt: ") for line, _ in notes)
