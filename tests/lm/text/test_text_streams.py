"""Text as word indices, against str.split; vocabularies; wrong input; batches with
weights.
"""

import gzip

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from senna_py.errors import SennaError
from senna_py.io.streaming import PAUSE, Source
from senna_py.lm.skipgram.training import WeightedSentences
from senna_py.lm.text.blocks import read_blocks
from senna_py.lm.text.corpus import Preparation, prepare
from senna_py.lm.text.streams import read_stream, read_streams, read_text
from senna_py.lm.word_list import WordList, read_word_list

LINES = st.lists(
    st.lists(st.sampled_from(["a", "b", "Ä", "the", "<unk>"]), max_size=5), max_size=6
)


def plain_stream(lines, words, marks):
    """The stream by the documentation, with lists."""
    out = []
    for line in lines:
        found = [words.index(w) if w in words else 0 for w in line]
        if found:
            out += [1, *found, 2] if marks else found
    return out


@given(
    lines=LINES,
    marks=st.booleans(),
    newline=st.booleans(),
    gap=st.sampled_from([" ", "\t ", "\r"]),
)
def test_stream_is_that_of_split_lines(tmp_path_factory, lines, marks, newline, gap):
    path = tmp_path_factory.mktemp("s") / "text"
    text = "\n".join(gap.join(line) for line in lines) + "\n" * newline
    path.write_bytes(text.encode())
    word_list = WordList.of_words(["the", "Ä", "a"], marks)
    if not any(lines):
        with pytest.raises(SennaError, match="no words in the text"):
            read_stream([path], word_list)
        return
    expected = plain_stream(lines, word_list.words, marks)
    stream = read_stream([path], word_list)
    assert stream.dtype == np.int32
    assert stream.tolist() == expected
    with Source(path) as source:
        blocks = [block for block in read_blocks(source, 8) if block is not PAUSE]
    assert (
        np.concatenate([block.stream(word_list) for block in blocks]).tolist()
        == expected
    )


def test_several_files_and_compressed_ones_make_one_stream(write):
    first, second = write("a b\n\n"), write(gzip.compress(b"b c"), "more.gz")
    word_list = WordList.of_words(["a", "b", "c"], False)
    assert read_stream([first, second], word_list).tolist() == [1, 2, 2, 3]


def test_places_and_lengths_of_a_block(write):
    path = write("a x\n\ny a a\n")
    with Source(path) as source:
        (block,) = (block for block in read_blocks(source) if block is not PAUSE)
    with_marks = WordList.of_words(["a"], True)
    assert block.stream(with_marks).tolist() == [1, 3, 0, 2, 1, 0, 3, 3, 2]
    assert block.places(with_marks).tolist() == [-1, 0, 1, -1, -1, 2, 0, 0, -1]
    assert block.places(WordList.of_words(["a"], False)).tolist() == [0, 1, 2, 0, 0]
    assert [block.words[i] for i in (0, 1, 2)] == [b"a", b"x", b"y"]
    assert block.lengths().tolist() == [2, 3]


def test_word_list_of_a_text(write):
    text = read_text([write("b a c\na b <unk> d a")])
    assert text.word_list(marks=True).words == [
        "<unk>",
        "<s>",
        "</s>",
        "a",
        "b",
        "c",
        "d",
    ]
    assert text.word_list(min_count=2, marks=False).words == ["<unk>", "a", "b"]
    assert text.word_list(size=1, marks=False).words == ["<unk>", "a"]
    assert dict(zip(text.words, text.counts.tolist(), strict=True))[b"a"] == 3


def test_streams_of_training_and_held_out_text(write):
    train, valid = write("a b a"), write("b x", "valid")
    streams = read_streams([train], [valid], False, min_count=1)
    assert streams.train.tolist() == [1, 2, 1]
    assert streams.valid.tolist() == [2, 0]
    vocabulary = write("b\t3\n\nx\n", "vocabulary")
    streams = read_streams([train], [], True, vocabulary)
    assert streams.word_list.words == ["<unk>", "<s>", "</s>", "b", "x"]
    assert streams.train.tolist() == [1, 0, 3, 0, 2]
    assert streams.valid.tolist() == []


def test_bytes_that_are_not_utf8_are_words(write):
    text = read_text([write(b"a \xff\xfe \xff\xfe")])
    word_list = text.word_list(marks=False)
    assert word_list.words == ["<unk>", "\udcff\udcfe", "a"]
    assert text.stream(word_list).tolist() == [2, 1, 1]


def test_vocabulary_with_a_word_twice(write):
    path = write("a\nb\na\n")
    with pytest.raises(
        SennaError, match=r"line 3: the word 'a' occurs twice, first in line 1"
    ):
        read_word_list(path, False)
    with pytest.raises(SennaError, match="there is no word in this file"):
        read_word_list(write("\n"), False)


def test_word_lists_need_unknown_and_both_marks():
    assert not WordList(["a", "<unk>", "<s>"]).marks
    assert WordList(["a", "</s>", "<unk>", "<s>"]).marks
    with pytest.raises(SennaError, match="<unk> is missing"):
        WordList(["a"])
    with pytest.raises(SennaError, match="</s> is missing"):
        WordList(["<unk>", "<s>"], marks=True)


@pytest.fixture
def same_text(write):
    """One text in both forms: a raw file, and what it has to train and hold out,
    tokenised.
    """
    rng = np.random.default_rng(1)
    words = ["rome", "sees", "it", "today", "0", *(f"rare{'x' * n}" for n in range(30))]
    lines = [" ".join([*rng.choice(words, 4), "."]) for _ in range(250)]
    raw = write("".join(f"{line[0].upper()}{line[1:]}\n" for line in lines), "raw.txt")
    held_out = write(lines.pop(100) + "\n", "valid")  # of every 200
    return raw, write("\n".join(lines), "train"), held_out


@pytest.mark.parametrize("marks", [True, False])
def test_a_prepared_corpus_agrees_with_a_stream_of_the_same_text(
    marks, same_text, tmp_path
):
    raw, train, held_out = same_text
    prepare([raw], tmp_path / "corpus", Preparation(min_count=1), 1)
    of_text = read_streams([train], [held_out], marks)
    of_corpus = read_streams([tmp_path / "corpus"], [], marks)
    assert of_corpus.word_list.words == of_text.word_list.words
    assert of_corpus.train.tolist() == of_text.train.tolist()
    assert of_corpus.valid.tolist() == of_text.valid.tolist()


def test_rare_words_of_a_prepared_corpus_are_unknown(same_text, tmp_path):
    raw, train, _ = same_text
    corpus = prepare([raw], tmp_path / "corpus", Preparation(min_count=30), 1)
    kept = WordList.of_words(corpus.words[2:], True)
    stream = read_text([tmp_path / "corpus"]).stream(kept)
    assert (stream == kept.unknown).any()
    assert stream.tolist() == read_text([train]).stream(kept).tolist()


def test_index_beyond_the_words_of_a_prepared_corpus(same_text, tmp_path):
    corpus = prepare([same_text[0]], tmp_path / "corpus", processes=1)
    indices = np.array(corpus.train)
    for wrong in (len(corpus.words), -1):
        indices[7] = wrong
        indices.tofile(tmp_path / "corpus" / "train.i32")
        with pytest.raises(
            SennaError, match=r"corpus: train\.i32: an index beyond the words"
        ):
            read_text([tmp_path / "corpus"])
        with pytest.raises(
            SennaError, match=r"corpus: train\.i32: an index beyond the words"
        ):
            corpus.sentences("train", 1)  # of the same file, mapped


def test_weights_say_how_often_a_file_is_read(tmp_path):
    files = []
    for name in "abc":
        files.append(tmp_path / f"{name}.txt")
        files[-1].write_text(
            "".join(f"{name} {name} {name} x{i} .\n" for i in range(100))
        )
    corpus = prepare(files, tmp_path / "forms", Preparation("form"), 1)
    sentences = WeightedSentences(corpus, "train", [2.5, 1.0, 0.25], 4, 50, 1)
    assert sentences.n_words == 5 * (250 + 100 + 25)
    batches = [sentences.batch(k) for k in range(2 * sentences.n_batches)]
    words = np.concatenate([forms for forms, _ in batches[: sentences.n_batches]])
    n = {name: int((words == corpus.words.index(name)).sum()) / 3 for name in "abc"}
    assert n == {"a": 250, "b": 100, "c": 25}
    again = WeightedSentences(corpus, "train", [2.5, 1.0, 0.25], 4, 50, 1)
    last = len(batches) - 1
    assert np.array_equal(again.batch(last)[0], batches[last][0])
    assert not np.array_equal(batches[0][0], batches[sentences.n_batches][0])
    with pytest.raises(
        SennaError, match="no sentence of 6 or more words in the train text"
    ):
        WeightedSentences(corpus, "train", [1.0] * 3, 6, 50, 1)
