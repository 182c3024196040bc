"""Preparation of text: indices, dictionary, coverage, and files that cannot be read."""

import bz2
import gzip
import lzma
import os
import shutil

import numpy as np
import pytest

from senna_py.errors import SennaError
from senna_py.lm.text.corpus import Preparation, open_corpus, prepare
from senna_py.lm.text.dictionary import PADDING, UNKNOWN, coverage, dictionary_of
from senna_py.lm.text.streams import read_text


def read(corpus, part="train"):
    return " ".join(
        "|" if i == PADDING else corpus.words[i] for i in getattr(corpus, part)
    )


def test_indices_spell_the_text(corpus):
    assert read(corpus).split(" | ")[:4] == [
        "we visit paris today .",
        'he said : " i visit it ( today ) " , 0 times .',
        # Every second paragraph has the Treebank's quotes and brackets.
        "we visit paris tomorrow .",
        "he said : `` i visit it -lrb- tomorrow -rrb- '' , 0 times .",
    ]
    assert corpus.train[-1] == PADDING


def test_words_stand_by_count(corpus):
    assert corpus.words[:2] == ["PADDING", "UNKNOWN"]
    assert (np.diff(corpus.counts[2:]) <= 0).all()
    both = np.concatenate([corpus.train, corpus.valid])
    assert np.array_equal(np.bincount(both)[2:], corpus.counts[2:])


@pytest.fixture
def prepared(write, tmp_path):
    """A function that gives the corpus of a text."""

    def prepared(text, name="t.txt", processes=1, **options):
        return prepare(
            [write(text, name)], tmp_path / "c", Preparation(**options), processes
        )

    return prepared


def test_rare_words_become_unknown(prepared):
    corpus = prepared("common common common rare.\n", min_count=2)
    assert corpus.words == ["PADDING", "UNKNOWN", "common"]
    assert corpus.train.tolist() == [2, 2, 2, UNKNOWN, UNKNOWN, PADDING]


def test_covered_words_come_into_the_dictionary(prepared, write):
    labelled = write("D\tX\n\nE\tX\nzzz\tX\nd Y\n", "labelled")
    corpus = prepared("a a a a b b b c c d d e\n" * 2, cover=[labelled], size=5)
    assert corpus.words == ["PADDING", "UNKNOWN", "a", "b", "d", "c"]
    assert coverage(labelled, set(corpus.words)) == (
        (4, 0.5),
        (3, pytest.approx(1 / 3)),
    )


COMPRESSED = {".gz": gzip.compress, ".xz": lzma.compress, ".bz2": bz2.compress}


@pytest.mark.parametrize("ending", [*COMPRESSED, ".txt"])
def test_compressed_files_and_directories(ending, tmp_path):
    (tmp_path / "in" / "deep").mkdir(parents=True)
    data = COMPRESSED.get(ending, bytes)(b"x x x\n" * 5)
    (tmp_path / "in" / "deep" / f"t{ending}").write_bytes(data)
    (tmp_path / "in" / "README.md").write_text("not text\n" * 9)
    corpus = prepare([tmp_path / "in"], tmp_path / "c", processes=1)
    assert corpus.words == ["PADDING", "UNKNOWN", "x"]


def test_text_with_a_byte_order_mark(prepared):
    found = []
    for encoding in ("utf-8", "utf-8-sig", "utf-16", "utf-32"):
        corpus = prepared(("é ist é da\n" * 3000).encode(encoding))
        found.append((corpus.words, corpus.train.tolist()))
    assert found == found[:1] * 4


def test_a_binary_file_is_refused_by_its_first_bytes(prepared):
    with pytest.raises(SennaError, match=r"t\.txt: a binary file: byte 6 is zero"):
        prepared(b"a a\nb \x00 b\n")
    assert "a" in prepared(b"a a a\n" * 20_000 + b"b \x00 b\n").words


@pytest.mark.parametrize("ending", COMPRESSED)
def test_failed_preparation_leaves_the_old_corpus(prepared, ending, tmp_path):
    old = prepared("a a a b b b\n")
    files = set((tmp_path / "c").iterdir())
    for data in (COMPRESSED[ending](b"word word word\n" * 99)[:-9], b"no archive"):
        with pytest.raises(SennaError, match=f"t{ending}: damaged compressed file"):
            prepared(data, f"t{ending}")
    assert open_corpus(tmp_path / "c").words == old.words
    assert set((tmp_path / "c").iterdir()) == files


def test_new_corpus_leaves_the_mapped_files_of_the_old_one(prepared):
    old = prepared("a a a b b b\n")
    before = old.train.tolist()
    assert prepared("c c c\n").words[2:] == ["c"]
    assert old.train.tolist() == before


def test_killed_tokenizer(prepared, monkeypatch):
    monkeypatch.setattr("senna_py.lm.text.raw.tokenize", lambda line: os._exit(9))
    with pytest.raises(SennaError, match="a tokenizing process was killed"):
        prepared("a a a b b b\n", processes=2)


@pytest.mark.parametrize("text", ["", "\n\n", "one of each word\n"])
def test_empty_corpus(text, prepared):
    with pytest.raises(SennaError, match=r"t\.txt: .*the corpus is empty"):
        prepared(text)


def test_missing_input(tmp_path):
    (tmp_path / "in").mkdir()
    with pytest.raises(SennaError, match=r"in: no \.gz"):
        prepare([tmp_path / "in"], tmp_path / "c")
    with pytest.raises(SennaError, match=r"corpus\.json: No such file"):
        open_corpus(tmp_path / "in")


def test_long_words_and_lines(prepared, monkeypatch):
    long = "x" * 3000
    corpus = prepared(f"{long}a a {long}b\n" * 3)
    assert corpus.words[2:] == ["x" * 1000, "a"]
    monkeypatch.setattr("senna_py.io.streaming.LONGEST_LINE", 1 << 13)
    assert prepared(f"{long} a\n" * 9).words[2:] == ["a", "x" * 1000]
    with pytest.raises(SennaError, match=r"t\.txt: a line has more than 8,192 bytes"):
        prepared(f"a a a\n{long * 9} a\n")


def test_bytes_outside_utf8_are_kept(prepared):
    corpus = prepared(b"caf\xe9 caf\xe9 caf\xe9 \n")
    assert "caf" in corpus.words[2]
    assert open_corpus(corpus.path).words == corpus.words


DAMAGE = [
    ("train.i32", lambda data: data[:-2], r"train\.i32: [\d,]+ bytes, expected"),
    (
        "words.tsv",
        lambda data: data[: len(data) // 2],
        "not a prepared corpus|words, expected",
    ),
    ("words.tsv", lambda data: data.replace(b"\t", b" "), "not a prepared corpus"),
    ("corpus.json", lambda data: data[:-9], "not a prepared corpus"),
    ("corpus.json", lambda data: b"[]", "not a prepared corpus"),
]


@pytest.mark.parametrize(("name", "damage", "message"), DAMAGE)
def test_damaged_corpus(corpus, name, damage, message, tmp_path):
    path = shutil.copytree(corpus.path, tmp_path / "c")
    (path / name).write_bytes(damage((path / name).read_bytes()))
    with pytest.raises(SennaError, match=message):
        open_corpus(path)


def test_whether_a_corpus_is_of_a_text(corpus, text_file, tmp_path):
    assert corpus.is_of([text_file], Preparation())
    for other in (
        {"min_count": 4},
        {"cover": ["x"]},
        {"tokenized": True},
        {"unit": "form"},
    ):
        assert not corpus.is_of([text_file], Preparation(**other))
    assert not corpus.is_of(
        [shutil.copy(text_file, tmp_path / "other.txt")], Preparation()
    )


def test_forms_keep_their_case_and_digits(write, tmp_path):
    first = write('Mary sleeps (well). John runs 21 miles.\n\n\nNo "way".\n', "one.txt")
    two_files = [first, write("He said: Mary runs!\n", "two.txt")]
    corpus = prepare(two_files, tmp_path / "forms", Preparation("form"), 1)
    assert read(corpus) == (
        "Mary sleeps ( well ) . | John runs 21 miles . | No `` way '' . | He said : Mary runs ! |"
    )
    assert corpus.words[2:4] == ["Mary", "sleeps"]
    assert corpus.counts[corpus.words.index("Mary")] == 2
    begin, length, file = corpus.sentences("train", 5, 6)
    assert length.tolist() == [6, 5, 5, 6] and file.tolist() == [0, 0, 0, 1]
    assert [corpus.words[corpus.train[i]] for i in begin] == [
        "Mary",
        "John",
        "No",
        "He",
    ]
    assert len(corpus.sentences("valid", 1)[0]) == 0
    # All forms are kept.
    assert corpus.is_of(two_files, Preparation("form", min_count=9))
    two_files[1].write_text("Another text.\n")
    assert not corpus.is_of(two_files, Preparation("form"))


def test_a_paragraph_in_200_is_held_out(prepared):
    corpus = prepared(
        "".join(f"This is number {i}.\n" for i in range(400)), unit="form"
    )
    assert read(corpus, "valid") == "This is number 100 . | This is number 300 . |"
    assert (corpus.train == PADDING).sum() == 398


def test_a_corpus_of_another_unit_is_refused(prepared):
    corpus = prepared("He said: Mary runs!\n", unit="form")
    with pytest.raises(
        SennaError, match=r"c: a corpus of forms, expected one of words"
    ):
        open_corpus(corpus.path, "word")


def test_tokenized_lines_are_taken_as_they_are(prepared):
    corpus = prepared(
        "l' homme n' est (pas) .\nOui . Non\n", unit="form", tokenized=True
    )
    assert read(corpus) == "l' homme n' est (pas) . | Oui . Non |"
    text = read_text([corpus.path])  # language models read forms as well
    assert text.word_list(marks=False).words[:3] == ["<unk>", ".", "(pas)"]
    corpus = prepared("a b\n" * 3 + "c </s>\n", unit="form", tokenized=True)
    with pytest.raises(SennaError, match=r"c: line 4: </s> is a mark"):
        read_text([corpus.path])


@pytest.fixture(scope="module")
def forms(tmp_path_factory):
    """A corpus of two files, nothing of which is held out."""
    directory = tmp_path_factory.mktemp("text")
    (directory / "a.txt").write_text("Dogs eat 12 bones\n" * 4 + "dogs eat fish\n" * 2)
    (directory / "b.txt").write_text("cats eat fish\n" * 3)
    files = [directory / "a.txt", directory / "b.txt"]
    corpus = prepare(files, directory / "forms", Preparation("form"), 1)
    assert not len(corpus.valid)
    return corpus


def counts_of(found):
    return dict(zip(found.words, found.counts.tolist(), strict=True))


def test_words_are_counted_as_often_as_a_pass_reads_them(forms):
    found = dictionary_of(forms, [1, 2.5])
    assert counts_of(found) == {
        "PADDING": 0,
        "UNKNOWN": 0,
        "eat": 13.5,
        "fish": 9.5,
        "cats": 7.5,
        "dogs": 6,
        "0": 4,
        "bones": 4,
    }
    assert found.words[2:4] == ["eat", "fish"]
    assert found.place[:2].tolist() == [0, 1]
    for form, place in zip(forms.words[2:], found.place[2:], strict=True):
        assert found.words[place] == ("0" if form == "12" else form.lower())


def test_rare_words_are_unknown_whatever_their_weight(forms):
    found = dictionary_of(forms, [0.5, 100], min_count=4)
    assert counts_of(found) == {
        "PADDING": 0,
        "UNKNOWN": 300,
        "eat": 303,
        "fish": 301,
        "dogs": 3,
        "0": 2,
        "bones": 2,
    }
    assert found.place[forms.words.index("cats")] == 1


def test_wanted_words_come_before_more_frequent_ones(forms):
    words = dictionary_of(forms, [1, 1], {"bones", "cats", "mice"}, 5).words
    assert words == ["PADDING", "UNKNOWN", "eat", "bones", "cats"]
    words = dictionary_of(forms, [1, 1], {"bones", "cats"}, 5, min_count=4).words
    assert words == ["PADDING", "UNKNOWN", "eat", "dogs", "bones"]


def test_counts_of_files(forms):
    counts = np.array([*forms.file_counts()])
    assert counts.shape == (2, len(forms.words))
    assert np.array_equal(counts.sum(axis=0), forms.counts)
    assert counts[:, forms.words.index("fish")].tolist() == [2, 3]


def test_the_unknown_words_of_a_corpus_of_words_are_counted(forms, tmp_path):
    files = [path for path, *_ in forms.info["files"]]
    words = prepare(files, tmp_path / "words", Preparation(min_count=6), 1)
    assert words.words == ["PADDING", "UNKNOWN", "eat", "dogs"]
    of_words, of_forms = (
        dictionary_of(c, [1, 2.5], min_count=6) for c in (words, forms)
    )
    assert counts_of(of_words) == counts_of(of_forms)
    assert of_words.place.tolist() == [0, 1, 2, 3]


@pytest.mark.parametrize(
    ("name", "error"),
    [
        ("threading.Thread.start", RuntimeError("can't start new thread")),
        (
            "senna_py.lm.text.raw.ProcessPoolExecutor",
            OSError(30, "Read-only file system"),
        ),
    ],
)
def test_processes_that_cannot_be_started(prepared, monkeypatch, name, error):
    """As by `ulimit -u`, or where the system's shared memory cannot be written."""

    def fail(*_, **__):
        raise error

    monkeypatch.setattr(name, fail)
    with pytest.raises(
        SennaError, match=r"^2 processes that tokenize .*try --jobs 1$"
    ) as found:
        prepared("a a a\n", processes=2)
    assert (getattr(error, "strerror", None) or str(error)) in str(found.value)
    assert "a" in prepared("a a a\n", processes=1).words
