"""Characters of words, and words outside the list that are read by them
(`--spell-unknown`).
"""

import sys
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from senna_py.errors import SennaError
from senna_py.lm.arrays import Arrays, as_lines
from senna_py.lm.lstm.lexicon import PADDING, UNKNOWN_CHARACTER, Alphabet
from senna_py.lm.mixture import learn_mixture
from senna_py.lm.model_files import open_model
from senna_py.lm.ngram.kneser_ney import train_kneser_ney
from senna_py.lm.scoring import BlockScorer, score_stream
from senna_py.lm.text.blocks import split_block
from senna_py.lm.text.corpus import Preparation, prepare
from senna_py.lm.text.streams import read_stream, read_streams
from senna_py.lm.word_list import BEGIN, END, UNKNOWN, OpenWordList, WordList
from tests.helpers.small_trainers import lstm_run


def sentences(n, seed):
    """Names, each another one, of which the last letter tells the word that comes
    next.
    """
    rng = np.random.default_rng(seed)
    for _ in range(n):
        end = "ao"[rng.integers(2)]
        stem = "".join(rng.choice([*"bdgklmnprst"], 5))
        yield f"{stem}{end} {'sings' if end == 'a' else 'works'}"


@pytest.fixture(scope="module")
def texts(tmp_path_factory):
    """Directory of the files `train` and `valid`."""
    directory = tmp_path_factory.mktemp("texts")
    for name, n, seed in (("train", 300, 1), ("valid", 40, 2)):
        (directory / name).write_text("\n".join(sentences(n, seed)) + "\n")
    return directory


def new_run(texts, directory, opened=True, train="train", valid="valid", **changes):
    streams = read_streams(
        [texts / train], [texts / valid], True, size=2, opened=opened
    )
    return lstm_run(texts / directory, streams, dropout=0.0, epochs=6, **changes)


@pytest.fixture(scope="module")
def trained(texts):
    """A finished run."""
    run = new_run(texts, "spelled")
    assert run.run()
    return run


@pytest.mark.slow
def test_a_run_goes_on_with_the_same_unknown_words_only(texts, trained):
    valid = (texts / "valid").read_text()
    (texts / "other").write_text(valid.translate(str.maketrans("bd", "BD")))
    with pytest.raises(SennaError, match="made with other unknown words"):
        new_run(texts, "spelled", valid="other").resume()


def test_an_open_list_tells_unknown_words_from_each_other():
    known = WordList.of_words(["a", "b"], True)
    words = OpenWordList(known)
    ids = words.indices(["b", "neu", "a", b"neu", "<unk>", b"\xff", "b"])
    assert ids.tolist() == [4, 5, 3, 5, 0, 6, 4] and ids.dtype == np.int32
    assert words.indices([b"\xff", "neu"]).tolist() == [6, 5]
    assert words.are_unknown(ids).tolist() == [
        False,
        True,
        False,
        True,
        True,
        True,
        False,
    ]
    assert words.closed(ids).tolist() == [4, 0, 3, 0, 0, 0, 4]
    assert words.words_at(ids) == ["b", "neu", "a", "neu", "<unk>", "\udcff", "b"]
    assert known.closed(ids) is ids and not known.more and len(words) == len(known) == 5
    assert OpenWordList(known, 9).indices(["x", "y"]).tolist() == [9, 10]


def test_threads_give_each_word_its_own_index():
    words = OpenWordList(WordList.of_words(["a"], False))
    texts = [[f"w{i % 5000}" for i in range(k, 20_000 + k)] for k in range(4)]
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(4) as pool:
            found = [*pool.map(words.indices, texts)]
    finally:
        sys.setswitchinterval(interval)
    for text, ids in zip(texts, found, strict=True):
        assert words.words_at(ids) == text
    assert len(set(words.more)) == len(words.more) == 5000


def test_what_unknown_words_are_spelled_like_tells_the_next_word(texts, trained):
    closed = new_run(texts, "closed", opened=False)
    assert closed.run()
    # Of a name, a word of two and the end, only the second is uncertain: 2 ** (1 / 3)
    # is 1.26.
    assert closed.best[0] > 1.25
    assert trained.best[0] < 1.05
    model = open_model(texts / "spelled")
    assert ("unknown words", "read by their characters") in model.describe()
    assert len(model.word_list) == 5 and isinstance(model.word_list, OpenWordList)
    text = [
        "rmrbo",
        "sings",
        "</s>",
        "rmrbo",
        "works",
        "</s>",
        "ddtda",
        "works",
        "</s>",
    ]
    p = 10 ** model.log10_probabilities(model.word_list.indices(text))
    assert p[1] < 0.3 and p[4] > 0.7 and p[7] < 0.3
    after = model.probabilities(model.word_list.indices(["rtrtra"]))
    assert after.shape == (5,)
    assert after[model.word_list.index[b"sings"]] > 0.7


def test_the_model_scores_as_it_was_validated(texts, trained):
    model = open_model(texts / "spelled")
    scorer, data = BlockScorer(model), (texts / "valid").read_bytes()
    found = [
        scorer.score(part).totals() for part in scorer.parts([split_block(data, 1)])
    ]
    assert found[0].perplexity == pytest.approx(trained.best[0], rel=1e-4)
    assert found[0].unknown == 40 and found[0].ends == 40
    ids = model.word_list.indices((texts / "valid").read_bytes().split())
    whole, parts = model.log10_probabilities(ids), model.scorer()
    pieces = np.concatenate([parts.take(part) for part in np.split(ids, [1, 2, 7])])
    np.testing.assert_allclose(pieces, whole, atol=1e-5)


def test_characters_of_few_unknown_words_have_no_vectors_of_their_own(texts):
    lines = [f"k{'ä' * (i < 20)}{'é' * (i < 19)}{i} sings" for i in range(100)]
    (texts / "few").write_text("\n".join(lines) + "\n")
    characters = new_run(texts, "x", train="few").trainable.lexicon.alphabet.characters
    assert "ä" in characters and "é" not in characters
    assert {*"kings"} <= {*characters}


def test_the_words_of_the_validation_text_are_not_part_of_the_training(texts):
    training = new_run(texts, "x").trainable
    names = {line.split()[0] for line in sentences(300, 1)}
    assert set(training.lexicon.more) == names


def test_words_of_a_prepared_corpus_that_do_not_occur_are_not_read(texts):
    prepare([texts / "train"], texts / "corpus", Preparation(min_count=1), 1)
    streams = read_streams([texts / "corpus"], [], True, size=2, opened=True)
    training = lstm_run(texts / "run", streams).trainable
    met = {*streams.word_list.words_at(streams.train)} - {*streams.word_list.words}
    assert len(met) > 200 and met == {*training.lexicon.more}


@pytest.mark.slow
def test_weights_of_mixtures_are_learned_on_text_that_each_part_reads_its_own_way(
    texts, trained
):
    closed = read_streams([texts / "train"], [texts / "valid"], True, size=2)
    turned = WordList.of_words(closed.word_list.words[:2:-1], True)
    words = np.array([turned.indices([word])[0] for word in closed.word_list.words])
    train_kneser_ney(words[closed.train].astype(np.int32), 2, turned).write(
        texts / "kn.lm"
    )
    paths = [texts / "kn.lm", texts / "spelled"]
    for order in (paths, paths[::-1]):
        notes, parts = [], [open_model(path) for path in order]
        read = partial(read_stream, [texts / "valid"])
        mixed = learn_mixture(parts, [*map(str, order)], "learned", read, notes.append)
        weight = mixed.weights[0][order.index(texts / "spelled")]
        assert weight > 0.9
        assert mixed.info["held-out perplexity"] < 1.05
        assert (
            f"{texts / 'spelled'}: held-out perplexity {trained.best[0]:.2f}" in notes
        )
        assert score_stream(mixed, read(mixed.word_list)).perplexity < 1.05


@pytest.mark.slow
def test_mixtures_read_unknown_words_as_their_parts_do(texts, trained):
    new_run(texts, "second", seed=2).run()
    closed = read_streams([texts / "train"], [texts / "valid"], True, size=2)
    train_kneser_ney(closed.train, 2, closed.word_list).write(texts / "kn.lm")
    paths = [texts / "kn.lm", texts / "spelled", texts / "second"]
    mixed = learn_mixture(
        [open_model(path) for path in paths], [*map(str, paths)], "fixed"
    )
    mixed.write(texts / "mixed.lm")
    text = (texts / "valid").read_bytes().split()
    expected, before = [], []
    for path in paths:
        part = open_model(path)
        expected.append(10 ** part.log10_probabilities(part.word_list.indices(text)))
        after = part.probabilities(part.word_list.indices(["rtrtra"]))
        before.append(
            [after[part.word_list.index[w]] for w in (b"<unk>", b"sings", b"works")]
        )
    for model in (mixed, open_model(texts / "mixed.lm")):
        ids = model.word_list.indices(text)
        found = 10 ** model.log10_probabilities(ids)
        np.testing.assert_allclose(found, np.mean(expected, 0), rtol=1e-5)
        after = model.probabilities(model.word_list.indices(["rtrtra"]))
        places = [
            model.word_list.index[word] for word in (b"<unk>", b"sings", b"works")
        ]
        np.testing.assert_allclose(after[places], np.mean(before, 0), rtol=1e-5)


# Words as text has them: bytes outside UTF-8 are lone surrogates, white space is
# between them.
TEXT_WORDS = st.binary(min_size=1, max_size=12).map(
    lambda b: "".join(b.decode("utf-8", "surrogateescape").split())
)


@given(st.lists(TEXT_WORDS.filter(lambda w: w and "\n" not in w)))
def test_an_alphabet_spells_what_it_is_made_of_and_survives_a_file(words):
    alphabet = Alphabet(sorted(set("".join(words))))
    again = Alphabet(Arrays({"x": as_lines(alphabet.characters)}).take_lines("x"))
    assert again.characters == alphabet.characters
    assert len(again) == len(alphabet) == Alphabet.n_special + len(alphabet.characters)
    characters, starts = again.spell(words, 5)
    assert (characters.dtype, starts.dtype) == (np.int32, np.int64)
    assert len(starts) == len(words) + 1 and starts[-1] == len(characters)
    for word, a, b in zip(words, starts[:-1], starts[1:], strict=True):
        spelled = characters[a:b].tolist()
        assert len(spelled) == len(word) + 2 + 5
        assert spelled[0] == 1 and spelled[len(word) + 1] == 2
        assert set(spelled[len(word) + 2 :]) <= {PADDING}
        inner = "".join(
            alphabet.characters[c - Alphabet.n_special]
            for c in spelled[1 : len(word) + 1]
        )
        assert inner == word


def test_damaged_alphabets():
    for text in (b"a\na\n", b"ab\n", b"\n"):
        with pytest.raises(SennaError, match="different single characters"):
            Alphabet(Arrays({"x": np.frombuffer(text, np.uint8)}).take_lines("x"))


def test_unknown_characters_and_marks():
    alphabet = Alphabet.of_words([UNKNOWN, BEGIN, END, "cat"])
    assert alphabet.characters == ["a", "c", "t"]
    characters, starts = alphabet.spell(["cöt", UNKNOWN, END, BEGIN], 1)
    parts = [characters[a:b].tolist() for a, b in pairwise(starts)]
    assert parts[0] == [1, 7, UNKNOWN_CHARACTER, 8, 2, 0]
    assert parts[1] == [1, 4, 2, 0] and parts[2] == parts[3] == [1, 5, 2, 0]
