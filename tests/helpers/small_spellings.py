"""Small spellings with random weights, and a character-aware language model."""

import numpy as np

from senna_py.lm.lstm.alphabet import MarkedAlphabet
from senna_py.lm.lstm.build import Parts, new_network
from senna_py.lm.lstm.model import LstmModel
from senna_py.lm.lstm.settings import LstmShape
from senna_py.lm.word_list import WordList
from senna_py.text.alphabet import Alphabet

__all__ = ["spelling_arrays", "write_char_model"]

_FILTERS = (2, 3, 4)  # of the widths 1, 2, 3
_WORDS = ["<unk>", "<s>", "</s>", "the", "dog", "cat", "sees", "stars", "wug", "bixy", "N"]


def spelling_arrays(characters="abcdeé", highway=1, plain=False, dim=5, seed=0):
    """Arrays of a Spelling by name, float16."""
    rng, n = np.random.default_rng(seed), sum(_FILTERS)

    def random(*shape):
        return rng.normal(0, 0.7, shape).astype(np.float16)

    arrays = {
        "characters": np.frombuffer("".join(f"{c}\n" for c in characters).encode(), np.uint8),
        "character_vectors": random(Alphabet.n_special + len(characters), 2),
    }
    arrays["character_vectors"][0] = 0
    for width, n_filters in enumerate(_FILTERS, 1):
        arrays[f"filter_weight.{width}"] = random(width, 2, n_filters)
        arrays[f"filter_bias.{width}"] = random(n_filters)
    names = ["plain"] if plain else [f"highway{k + 1}" for k in range(highway)]
    for name in names:
        both = n if plain else 2 * n
        arrays |= {f"{name}_weight": random(n, both), f"{name}_bias": random(both)}
    return arrays | {"projection_weight": random(n, dim), "projection_bias": random(dim)}


def write_char_model(path, words=_WORDS, kind="char", seed=0):
    """Write a language model of `words` that was not trained; returns it."""
    shape = LstmShape(kind, dim=4, char_dim=3, widths=3, filters=4, hidden=3)
    parts = Parts(words, MarkedAlphabet.of_words(words) if kind == "char" else None)
    network = new_network(shape, parts, 0.7, np.random.default_rng(seed))
    model = LstmModel(shape, parts, network, WordList(words), {})
    model.write(path)
    return model
