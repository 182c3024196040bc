"""The ranking language model of Collobert et al. (2011), section 4: parameters and validation."""

import numpy as np

from senna_py.kernels.lm import ranking as kernels
from senna_py.layers.protocol import initial_uniform, initial_weight
from senna_py.lm.text.counts import words_by_count
from senna_py.lm.text.dictionary import UNKNOWN

_FIRST_WORD = UNKNOWN + 1
_PAIRS = 50_000  # of windows, for validation


def new_model(n_words, window, dim, hidden, spread, rng):
    """Random `kernels.Ranking`.

    Vectors are uniform in [-spread, spread]; layers have the variance 1 / fan-in, so that sums
    begin in the linear part of HardTanh (with Remark 7's 1 / sqrt(fan-in) they do not).
    """
    fan_in = window * dim
    return kernels.Ranking(
        initial_uniform(rng, spread, n_words, dim),
        initial_weight(rng, fan_in, (window - 1) * dim, hidden),
        initial_weight(rng, fan_in, dim, hidden),
        np.zeros(hidden, np.float32),
        initial_weight(rng, hidden, hidden),
    )


def new_scratch(model, state):
    """`kernels.Scratch` of one thread; state: uint64, its random state, not 0."""
    context, hidden = model.context.shape
    dim = model.vectors.shape[1]

    def zeros(*shape):
        return np.zeros(shape, np.float32)

    return kernels.Scratch(
        np.array([state], np.uint64), np.zeros((4, context // dim), np.int64),
        np.zeros(4, np.int64), np.zeros(4, np.int64),
        zeros(4, context), zeros(4, dim), zeros(4, dim), zeros(context),
        zeros(4, hidden), zeros(4, hidden), zeros(hidden),
        *(kernels.Layers(*map(np.zeros_like, model[1:])) for _ in range(2)),
    )  # fmt: skip


def noise_words(counts, n_words, power):
    """Words to replace the center word by: int32[m], to draw from uniformly.

    power: in proportion to counts ** power; with 0 each word is as frequent (equation 17).
    """
    if power == 0:
        return np.arange(_FIRST_WORD, n_words, dtype=np.int32)
    return _FIRST_WORD + words_by_count(counts[_FIRST_WORD:n_words], power, 1 << 22)


class Validation:
    """A fixed sample of held-out windows, each with a fixed uniform replacement of its center."""

    def __init__(self, text, n_words):
        """Sample text: int32[n], PADDING between sentences; n_words: size of the dictionary."""
        rng = np.random.default_rng([0, n_words])
        self.text = np.ascontiguousarray(text)
        known = np.flatnonzero((self.text >= _FIRST_WORD) & (self.text < n_words))
        n_pairs = min(_PAIRS, len(known))
        self.position = np.sort(rng.choice(known, n_pairs, replace=False)) if n_pairs else known
        self.noise = rng.integers(_FIRST_WORD, n_words, n_pairs, dtype=np.int32)
        keep = self.noise != self.text[self.position]
        self.position, self.noise = self.position[keep], self.noise[keep]

    def errors(self, model):
        """Fractions of pairs inside the margin (f(x) < f(x^w) + 1) and in the wrong order."""
        if not len(self.position):
            return float("nan"), float("nan")
        out = np.empty(len(self.position), np.float32)
        scratch = new_scratch(model, 1)
        kernels.margins(model, self.text, UNKNOWN, self.position, self.noise, scratch, out)
        return float((out < 1).mean()), float((out <= 0).mean())
