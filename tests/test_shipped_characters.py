"""The English character model that lies beside the package."""

from pathlib import Path

import numpy as np
import pytest

from senna_py.lm.lstm.word_vectors import Speller
from senna_py.lm.model_files import open_model
from senna_py.lm.scoring import score_stream

PATH = Path(__file__).resolve().parent.parent / "models" / "characters" / "english.lm"
TEXT = "</s> The bank raised its interest rates on Thursday , and the shares of two others fell ."


@pytest.fixture(scope="module")
def model():
    return open_model(PATH)


def test_it_is_small_and_has_a_card():
    assert PATH.stat().st_size <= 8e6
    assert (PATH.parent / "MODEL_CARD.md").is_file()


def test_sentences_are_likelier_than_their_words_in_another_order(model):
    words = TEXT.split()
    mixed = [words[0], *np.random.default_rng(1).permutation(words[1:]).tolist()]
    found, other = (score_stream(model, model.word_list.indices(w)) for w in (words, mixed))
    assert found.unknown == 0 and 5 * found.perplexity < other.perplexity < np.inf


def test_what_a_new_word_looks_like_changes_what_may_come_next(model):
    verb, noun = (
        model.probabilities(model.word_list.indices(["</s>", "She", "is", word]))
        for word in ("frobnicating", "unfrobnicatable")
    )
    the = model.word_list.index[b"the"]
    assert verb[the] > 2 * noun[the]


def test_new_words_have_neighbours_of_their_spelling(model):
    columns = Speller(model).table(["looooook", "reinforcements"], 3, "cosine")
    near = columns[3:]  # below the words themselves
    assert any("look" in row for row in near) and any("reinforce" in row for row in near)
