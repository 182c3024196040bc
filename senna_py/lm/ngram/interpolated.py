"""Interpolated n-gram models (Bengio et al. 2003, section 4.1).

An interpolated model is a mixture of the uniform distribution and the relative
frequencies of n-grams of all orders. The weights depend on the frequency x of the
context in the training text: there is a set of weights for each bin

    l(x) = ceil(-log((1 + x) / T)),

where T is the length of the training text (footnote 4 of the paper). The weights are
estimated by EM on validation text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from senna_py.errors import SennaError
from senna_py.kernels.lm.ngrams import mixture_components
from senna_py.lm.language_model import NO_WORDS, LanguageModel
from senna_py.lm.ngram.backoff import read_trie
from senna_py.lm.ngram.counts import count_ngrams, make_trie

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import ArrayLike, NDArray

    from senna_py.kernels.lm.ngrams import Trie
    from senna_py.lm.arrays import Arrays
    from senna_py.lm.word_list import WordList

_MOST_ROUNDS = 100
_LEAST_GAIN = 1e-6  # EM ends if the mean log probability improves by less
_PIECE = 1 << 16  # the number of words scored at a time, to limit memory


class InterpolatedModel(LanguageModel):
    """A mixture of the relative frequencies of n-grams of several orders.

    The probability of a word w after a context h is
    P(w | h) = sum_i weights[l(frequency of h), i] p_i(w | the last i - 1 words of h),
    where p_0 is the uniform distribution.

    Attributes:
        trie: The n-grams.
        starts: int64[order + 2], the first node of each order, and the number of nodes.
        prob: float32[n_nodes], the relative frequency of each n-gram after its context.
        total: int32[n_contexts], the number of times that each context was continued.
        weights: float32[n_bins, order + 1], the weights, whose rows sum to 1.
        size: T, the length of the training text.
        info: Facts about the training as JSON values.
    """

    kind, title = "interpolated", "interpolated n-grams"

    def __init__(
        self,
        word_list: WordList,
        trie: Trie,
        starts: NDArray[np.int64],
        prob: NDArray[np.float32],
        total: NDArray[np.int32],
        weights: NDArray[np.float32],
        info: dict[str, Any],
    ) -> None:
        self.word_list = word_list
        self.trie = trie
        self.starts = starts
        self.prob = prob
        self.total = total
        self.weights = weights
        self.info = info
        self.order: int = len(starts) - 2
        self.size = int(total[0])

    def components(
        self, ids: NDArray[np.int32], before: NDArray[np.int32] = NO_WORDS
    ) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
        """Return the components p_i of each word, and the bin of its context.

        p_i is the probability of the word according to the relative frequencies of
        i-grams, and p_0 is uniform. The rows of `<s>` are meaningless.

        Args:
            ids: int32[n], a stream of words.
            before: int32[m], the words before the stream.

        Returns:
            The components, float32[n, order + 1], and the bins, int64[n].
        """
        frequency = np.empty(len(ids), np.int32)
        out = np.empty((len(ids), self.order + 1), np.float32)
        out[:, 0] = 1 / self.word_list.n_predicted
        mixture_components(
            self.trie,
            self.prob,
            self.total,
            np.concatenate([before, ids]),
            np.int64(self.word_list.begin),
            len(before),
            np.empty(self.order, np.int64),
            out[:, 1:],
            frequency,
        )
        return out, frequency_bins(frequency, self.size)

    def bins(
        self, ids: NDArray[np.int32], before: NDArray[np.int32] = NO_WORDS
    ) -> NDArray[np.int64]:
        """Return the bin of each word's context: int64[n].

        See `components` for the arguments.
        """
        return self.components(ids, before)[1]

    def log10_probabilities(
        self, ids: NDArray[np.int32], before: NDArray[np.int32] = NO_WORDS
    ) -> NDArray[np.float64]:
        joined, n = np.concatenate([before, ids]), len(before)
        out = np.empty(len(ids))
        for begin in range(0, len(ids), _PIECE):
            piece = slice(begin, min(begin + _PIECE, len(ids)))
            context = joined[max(n + begin - self.order + 1, 0) : n + begin]
            parts, bins = self.components(ids[piece], context)
            p = np.einsum("ij,ij->i", parts, self.weights[bins], dtype=float)
            with np.errstate(divide="ignore"):  # p may be 0
                out[piece] = np.log10(p)
        out[ids == self.word_list.begin] = 0
        return out

    def describe(self) -> list[tuple[str, str]]:
        return super().describe() + [
            (f"weights of bin {i}", " ".join(f"{weight:.3f}" for weight in row))
            for i, row in enumerate(self.weights)
        ]

    def facts(self) -> list[tuple[str, str]]:
        sizes = np.diff(self.starts)[1:].tolist()
        return [(f"{k}-grams", f"{n:,}") for k, n in enumerate(sizes, 1)]

    def tensors(self) -> dict[str, NDArray[Any]]:
        return {
            "word": self.trie.word,
            "begin": self.trie.begin,
            "prob": self.prob,
            "total": self.total,
            "weights": self.weights,
            "starts": self.starts.astype(np.int32),
        }


def frequency_bins(frequency: ArrayLike, size: int) -> NDArray[np.int64]:
    """Return the bin of each frequency: int64[n].

    The bin of x is max(0, ceil(-log((1 + x) / T))). The frequency 0 has the highest
    bin.

    Args:
        frequency: int[n], the frequencies x.
        size: T, the length of the training text.
    """
    values = np.ceil(np.log(size) - np.log1p(np.asarray(frequency, float)))
    return np.maximum(values, 0).astype(np.int64)


def train_interpolated(
    ids: NDArray[np.int32],
    held_out: NDArray[np.int32],
    order: int,
    word_list: WordList,
    note: Callable[[str], object] | None = None,
) -> InterpolatedModel:
    """Train an interpolated n-gram model.

    Args:
        ids: int32[n], the training stream.
        held_out: int32[m], the validation stream, on which the weights are learned.
        order: The order of the model.
        word_list: The words of the streams.
        note: A callback for lines that are shown to the user, or None.

    Raises:
        SennaError: If `held_out` is empty, or if there are too many n-grams for int32.
    """
    if not len(held_out):
        raise SennaError(
            "interpolated n-grams need validation text for their weights: give --valid"
        )
    levels = count_ngrams(ids, order, word_list)
    trie, starts = make_trie(levels)
    counts = [
        np.where(levels[0].initial, 0, levels[0].count),
        *(level.count for level in levels[1:]),
    ]
    sizes = [1, *map(len, levels)]
    totals = [
        np.bincount(level.context, count, n)
        for level, count, n in zip(levels, counts, sizes, strict=False)
    ]
    shares = [
        count / np.maximum(total, 1)[level.context]
        for level, count, total in zip(levels, counts, totals, strict=True)
    ]
    prob = np.concatenate([[1.0], *shares]).astype(np.float32)
    total = np.concatenate(totals).astype(np.int32)
    weights = np.zeros((1 + int(frequency_bins(0, total[0])), order + 1), np.float32)
    model = InterpolatedModel(word_list, trie, starts, prob, total, weights, {})
    parts, bins = model.components(held_out)
    predicted = held_out != word_list.begin
    learned, course = learn_weights(
        parts[predicted], bins[predicted], len(model.weights)
    )
    model.weights[:] = learned
    if note:
        note(
            f"weights by {len(course)} rounds of EM: held-out perplexity "
            f"{np.exp(-course[0]):.2f}, then {np.exp(-course[-1]):.2f}"
        )
    model.info |= {
        "training positions": len(ids),
        "held-out perplexity": round(float(np.exp(-course[-1])), 3),
    }
    return model


def learn_weights(
    parts: NDArray[np.floating], bins: NDArray[np.int64], n_bins: int
) -> tuple[NDArray[np.float64], list[float]]:
    """Learn the weights of a mixture for each bin by EM.

    Weights are smoothed: in each iteration, the mean posterior over all words is added
    to each bin as one more word. A bin without words gets this mean as its weights.

    Args:
        parts: float[n, n_parts], the probability of each word according to each part.
        bins: int64[n], the bin of each word.
        n_bins: The number of bins.

    Returns:
        The weights, float64[n_bins, n_parts], and the mean log probability before each
        iteration.
    """
    n_parts = parts.shape[1]
    weights = np.full((n_bins, n_parts), 1 / n_parts)
    course: list[float] = []
    n_words = np.bincount(bins, minlength=n_bins)[:, None]
    while len(course) < _MOST_ROUNDS:
        shares = parts * weights[bins]
        mixed = shares.sum(1, keepdims=True)
        course.append(float(np.log(mixed).mean()))
        if len(course) > 1 and course[-1] - course[-2] < _LEAST_GAIN:
            break
        shares /= mixed
        sums = np.stack([np.bincount(bins, column, n_bins) for column in shares.T], 1)
        weights = (sums + sums.sum(0) / len(parts)) / (n_words + 1)
    return weights, course


def take_mixture_weights(arrays: Arrays, shape: tuple[int, int]) -> NDArray[np.float32]:
    """Return the weights of a mixture from its file: float32[n_bins, n_parts].

    Args:
        arrays: The arrays of the file.
        shape: The expected shape.

    Raises:
        KeyError: If the array is missing.
        SennaError: If the array has another shape, or if a row does not sum to 1.
    """
    weights = arrays.take_within("weights", shape, 0, 1)
    if not np.allclose(weights.sum(1), 1, atol=1e-3):
        raise SennaError("array 'weights': a row that does not sum to 1")
    return weights


def read_interpolated(
    word_list: WordList,
    _fields: Mapping[str, str],
    arrays: Arrays,
    info: dict[str, Any],
) -> InterpolatedModel:
    """Create an interpolated model from the contents of its file.

    Args:
        word_list: The vocabulary.
        _fields: The metadata of the file, which is not used.
        arrays: The arrays of the file.
        info: Facts about the training as JSON values.

    Raises:
        KeyError: If an array is missing.
        SennaError: If an array is not valid.
    """
    trie, starts = read_trie(arrays, len(word_list))
    prob = arrays.take_within("prob", trie.word.shape, 0, 1)
    total = arrays.take("total", np.int32, (len(trie.begin) - 1,))
    if total[0] < 1 or total.min() < 0:
        raise SennaError("array 'total': impossible frequencies")
    n_bins = 1 + int(frequency_bins(0, total[0]))
    weights = take_mixture_weights(arrays, (n_bins, len(starts) - 1))
    return InterpolatedModel(word_list, trie, starts, prob, total, weights, info)
