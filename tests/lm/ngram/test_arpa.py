"""ARPA files: round trips, KenLM, files made elsewhere, and what can be wrong with
them.
"""

import gzip

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_kneser_ney import large_stream, streams

from senna_py.errors import SennaError
from senna_py.lm.model_files import open_model, write_model
from senna_py.lm.ngram.kneser_ney import train_kneser_ney
from senna_py.lm.word_list import WordList
from tests.helpers.plain_ngrams import word_list

SMALL = r"""made elsewhere
ngram 1=99

\data\
ngram 1=5
ngram  2 = 4
ngram 3=2

\1-grams:
-1.5 <s> -0.5
-0.7	</s>
-2	<unk>	0
-1	a	-0.25
-0.9	b	-0.125

\2-grams:
-0.3	<s> a	-0.1
-0.4	a b	0.0625
-0.5	b b
-inf	b </s>

\3-grams:
-0.05	<s> a b
-0.15	b b </s>

\end\
"""


def opened(tmp_path, text, name="m.arpa"):
    (tmp_path / name).write_bytes(text.encode("utf-8", "surrogateescape"))
    return open_model(tmp_path / name)


def scores(model, text):
    """log10 of the words of a sentence and of its end."""
    ids = model.word_list.indices(_sentence(text))
    return model.log10_probabilities(ids)[1:]


def _sentence(text):
    return [word.encode() for word in ("<s>", *text.split(), "</s>")]


def test_probabilities_by_hand(tmp_path):
    model = opened(tmp_path, SMALL)
    assert model.order == 3
    expected = [
        -0.3,  # <s> a
        -0.05,  # <s> a b
        -0.5 + 0.0625,  # a b b backs off to b b
        -0.15,  # b b </s>
    ]
    np.testing.assert_allclose(scores(model, "a b b"), expected, rtol=1e-6)
    # b has no bigram <unk> b; <unk> after <s> backs off twice; </s> after a: no bigram
    np.testing.assert_allclose(
        scores(model, "x b a"), [-2.5, -0.9, -1.125, -0.95], rtol=1e-6
    )
    assert scores(model, "b")[1] == -99.0


@pytest.mark.parametrize("change", ["\r\n", "#", "spaces"])
def test_other_line_ends_comments_and_spaces(tmp_path, change):
    text = {
        "\r\n": SMALL.replace("\n", "\r\n"),
        "#": SMALL.replace("made elsewhere", "# a comment\n\n# another \\end\\"),
        "spaces": SMALL.replace("\t", "   ") + "\n\n",
    }[change]
    assert (
        scores(opened(tmp_path, text), "a b b").tolist()
        == scores(opened(tmp_path, SMALL), "a b b").tolist()
    )


def test_without_unknown_and_with_unused_marks(tmp_path):
    text = "\\data\\\nngram 1=4\n\\1-grams:\n-99 <s>\n-99 </s>\n-0.3 a\n-0.3 b\n\\end\\"
    model = opened(tmp_path, text)
    assert model.order == 1
    assert not model.word_list.marks
    assert model.log10_probabilities(
        np.array([0, 2], np.int32)
    ).tolist() == pytest.approx([-0.3, -100])
    model = opened(tmp_path, text.replace(" b", " <UNK>"))
    assert model.word_list.words == ["a", "<unk>"]


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"<s>": "x"}, r"no <s>; a model"),
        ({"</s>": "x"}, r"no </s>; a model"),
        ({"<s>": "x", "</s>": "y"}, r"no <s> and no </s>; a model"),
        (
            {"<s>": "<S>", "</s>": "</S>"},
            r"no <s> and no </s>, but <S> and </S>; a model",
        ),
    ],
)
def test_a_model_without_marks_of_sentences_is_refused(tmp_path, changes, problem):
    text = SMALL
    for old, new in changes.items():
        text = text.replace(old, new)
    with pytest.raises(SennaError, match=rf"m\.arpa: the 1-grams have {problem}"):
        opened(tmp_path, text)


def test_a_model_of_fasttext_is_no_language_model(tmp_path):
    (tmp_path / "cc.bin").write_bytes(b"\xba\x16\x4f\x2f\x0c" + bytes(40))
    with pytest.raises(SennaError, match=r"cc.bin: a fastText model"):
        open_model(tmp_path / "cc.bin")


def test_contexts_that_were_pruned_are_backed_off_to(tmp_path):
    text = SMALL.replace("-0.5	b b\n", "").replace("ngram  2 = 4", "ngram 2=3")
    model = opened(tmp_path, text)
    np.testing.assert_allclose(
        scores(model, "a b b"), [-0.3, -0.05, 0.0625 - 0.125 - 0.9, -0.15], rtol=1e-6
    )
    assert np.diff(model.starts).tolist() == [1, 5, 4, 2]


@given(data=st.data(), marks=st.booleans(), order=st.integers(2, 5))
def test_round_trip(tmp_path_factory, data, marks, order):
    suffix = data.draw(st.sampled_from([".arpa", ".arpa.gz", ".arpa.xz", ".arpa.bz2"]))
    train, test = (np.array(data.draw(streams(marks)), np.int32) for _ in range(2))
    model = train_kneser_ney(train, order, word_list(8, marks))
    path = tmp_path_factory.mktemp("m") / f"m{suffix}"
    write_model(path, model, True)
    again = open_model(path)
    assert again.word_list.marks == marks
    assert again.order <= order  # n-grams of an order that did not occur are none
    ids = again.word_list.indices([model.word_list.words[i].encode() for i in test])
    expected = model.log10_probabilities(test)
    assert again.log10_probabilities(ids).tolist() == pytest.approx(
        expected.tolist(), abs=1e-12
    )
    write_model(path.with_suffix(".lm"), again, False)
    native = open_model(path.with_suffix(".lm"))
    assert (
        native.log10_probabilities(ids).tolist()
        == again.log10_probabilities(ids).tolist()
    )
    if suffix == ".arpa.gz":
        assert gzip.decompress(path.read_bytes()).startswith(b"\\data\\\n")


def test_words_of_any_bytes(tmp_path):
    words = WordList.of_words(["\udcff", "Ä", "-1", "#", "\\data\\", "0.5"], True)
    ids = np.array([1, 3, 4, 5, 2, 1, 6, 7, 8, 2], np.int32)
    model = train_kneser_ney(ids, 2, words)
    write_model(tmp_path / "m.arpa", model, True)
    again = open_model(tmp_path / "m.arpa")
    assert again.word_list.words == words.words
    assert (
        again.log10_probabilities(ids).tolist()
        == model.log10_probabilities(ids).tolist()
    )


@pytest.mark.parametrize(
    "space", ["\v", "\f", "\v\f\v", "\x1c", "\x85", "\u2028", "\xa0"]
)
def test_white_space_that_separates_no_columns(tmp_path, space):
    model = opened(tmp_path, SMALL.replace("b", f"b{space}b"))
    assert f"b{space}b" in model.word_list.words
    write_model(tmp_path / "again.arpa", model, True)
    again = open_model(tmp_path / "again.arpa")
    assert again.word_list.words == model.word_list.words
    assert again.prob.tolist() == model.prob.tolist()


@pytest.mark.parametrize("word", ["a b", "a\tb", "\r", ""])
def test_words_that_a_line_cannot_hold(tmp_path, word):
    model = train_kneser_ney(
        np.array([1, 3, 2], np.int32), 2, WordList.of_words([word], True)
    )
    with pytest.raises(SennaError, match="cannot stand in an ARPA file"):
        write_model(tmp_path / "m.arpa", model, True)
    assert not (tmp_path / "m.arpa").exists()


@pytest.mark.extra
@pytest.mark.parametrize("marks", [True, False])
@pytest.mark.parametrize("order", [2, 3, 5])
def test_kenlm_gives_the_same_probabilities(tmp_path, order, marks):
    kenlm = pytest.importorskip("kenlm")
    train = np.array(large_stream(marks), np.int32)
    model = train_kneser_ney(train, order, word_list(30, marks))
    write_model(tmp_path / "m.arpa", model, True)
    theirs = kenlm.Model(str(tmp_path / "m.arpa"))
    of_train = " ".join(model.word_list.words[i] for i in train[:30])
    texts = ["w0 w1 w2 w0", "w5 what w1 w1 w1", "w3", "w26 w25 w24 w0 w0 w1"]
    for text in texts if marks else [of_train]:
        expected = [
            log10 for log10, _, _ in theirs.full_scores(text, bos=marks, eos=marks)
        ]
        words = _sentence(text) if marks else text.split()
        found = model.log10_probabilities(model.word_list.indices(words))
        np.testing.assert_allclose(found[1:] if marks else found, expected, atol=2e-6)


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("\\data\\", "data", r"\\data\\ is missing: not an ARPA file"),
        ("\\end\\\n", "", r"line 26: the file ends before \\end\\"),
        ("ngram 1=5", "ngram 1=6", r"line 16: 5 1-grams before this line; .* has 6"),
        ("ngram 1=5", "ngrams 1=5", r"line 5: 'ngrams 1=5', expected ngram 1=<count>"),
        ("ngram 3=2", "ngram 4=2", r"line 7: 'ngram 4=2', expected ngram 3=<count>"),
        ("ngram 3=2\n", "", r"line 21: .*3-grams:', expected .*end"),
        ("\\2-grams:", "\\3-grams:", r"line 16: .*3-grams:', expected .*2-grams:"),
        (
            "-0.7	</s>",
            "0.7	</s>",
            r"line 11: a log10 probability of 0.7, more than 0",
        ),
        ("-0.4	a", "x	a", r"line 18: 'x' is not a log10 probability"),
        ("-0.4	a", "nan	a", r"line 18: 'nan' is not a log10 probability"),
        ("0.0625", "inf", r"line 18: 'inf' is not a log10 weight"),
        (
            "0.0625",
            "1 2",
            r"line 18: 5 fields, expected a probability, 2 words and perhaps",
        ),
        (
            "-0.5	b b",
            "-0.5	b",
            r"line 19: 2 fields, expected a probability, 2 words",
        ),
        ("b b </s>", "b c </s>", r"line 24: the word 'c' is not among the 1-grams"),
        ("-0.9	b", "-0.9	a", r"line 14: the 1-gram 'a' occurs twice"),
        ("-0.5	b b", "-0.5	a b", r"line 19: the same 2-gram as in line 18"),
        ("\\end\\\n", "\\end\\\nmore\n", r"line 27: text follows \\end\\"),
        ("\\end\\\n", "\\end\\\n\\1-grams:\n", r"line 27: .*1-grams:' follows"),
    ],
)
def test_bad_files(tmp_path, old, new, problem):
    assert old in SMALL
    with pytest.raises(SennaError, match=r"m\.arpa: line \d+: .*") as caught:
        opened(tmp_path, SMALL.replace(old, new, 1))
    assert caught.match(problem)


def test_a_damaged_archive(tmp_path):
    (tmp_path / "m.arpa.gz").write_bytes(gzip.compress(SMALL.encode())[:-9])
    with pytest.raises(SennaError, match=r"m.arpa.gz: damaged compressed file"):
        open_model(tmp_path / "m.arpa.gz")


def test_marks_that_longer_ngrams_have_are_words(tmp_path):
    text = SMALL.replace("-0.7\t</s>", "-99 </s>").replace("-1.5 <s>", "-99 <s>")
    model = opened(tmp_path, text)
    assert not model.word_list.marks and {"<s>", "</s>"} < set(model.word_list.words)
