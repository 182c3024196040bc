"""The input of a network out of its features, and what networks share of it."""

import numpy as np
import pytest

from senna_py.errors import SennaError
from senna_py.features.assembly import Assembly
from senna_py.features.caps import CAPS_KEYS
from senna_py.features.protocol import Batch
from senna_py.features.word_class import WordClasses, class_lines
from senna_py.networks.answers import WordLabels
from senna_py.text.tokens import Tokenizer
from senna_py.text.vocabulary import Vocabulary

WORDS = Vocabulary.from_keys(["PADDING", "UNKNOWN", "he", "in"])
CAPS = Vocabulary.from_keys(CAPS_KEYS)
POS = Vocabulary.from_keys(["NN", "VB", "PADDING", "UNAVAILABLE"])
KINDS = Vocabulary.from_keys(["NOCLASS", "0", "01"])
TOKENS = Tokenizer(WORDS).pretokenized([["He", "IN"], ["x"]])
LISTS = {
    "word": WORDS, "caps": CAPS, "pos": POS, "class.kinds": KINDS, "class.kinds.1": KINDS,
}  # fmt: skip


class Counting(WordClasses):
    """WordClasses that count how often they are searched."""

    calls = 0

    def find(self, tokens):
        self.calls += 1
        return super().find(tokens)


def assembly(*names, resources=None):
    return Assembly(names, LISTS, resources)


def test_labels_are_predicted_or_columns():
    network = assembly("word", "caps", "pos")
    answer = WordLabels(np.array([1, 0, 1], np.int32), TOKENS.starts)
    index = network(Batch(TOKENS, {"pos": answer}))
    assert index.dtype == np.int32
    assert index.T.tolist() == [[2, 3, 1], [3, 1, 4], [1, 0, 1]]
    index = network(Batch(TOKENS, columns={"pos": ["NN", "other", "VB"]}))
    assert index[:, 2].tolist() == [0, 3, 1]
    with pytest.raises(SennaError, match="there are no labels pos"):
        network(Batch(TOKENS))


def test_what_several_networks_need_is_computed_once():
    classes = Counting(class_lines([("01", "he", 1), ("00", "x", 1)]))
    resources, batch = {"classes": {"kinds": classes}}, Batch(TOKENS)
    both = assembly("word", "class.kinds", "class.kinds.1", resources=resources)
    assert both(batch).T.tolist() == [[2, 3, 1], [2, 0, 0], [1, 0, 1]]
    one = assembly("class.kinds", "word", resources=resources)
    assert one(batch).T.tolist() == [[2, 0, 0], [2, 3, 1]]
    assert classes.calls == 1
    one(Batch(TOKENS))
    assert classes.calls == 2
