"""Interpolated n-grams: frequencies mixed by weights that depend on how often the
context occurred.

Bengio et al. (2003), section 4.1: unigram, bigram and trigram frequencies and the
uniform distribution are mixed; there is a set of weights for each bin of how often the
context occurred in training, l(x) = ceil(-log((1 + x) / T)) (footnote 4); EM on
validation text estimates them.
"""

import numpy as np

from senna_py.errors import SennaError
from senna_py.kernels.lm.ngrams import mixture_components
from senna_py.lm.language_model import NO_WORDS, LanguageModel
from senna_py.lm.ngram.backoff import read_trie
from senna_py.lm.ngram.counts import count_ngrams, make_trie

_MOST_ROUNDS = 100
_LEAST_GAIN = 1e-6  # of the mean log probability, for another round of EM
_PIECE = 1 << 16  # words at a time, so that their components need little memory


class InterpolatedModel(LanguageModel):
    """P(w | h) = sum_i weights[l(frequency of h), i] p_i(w | the last i - 1 words of
    h).

    p_0 is uniform. trie: Trie; starts: int64[order + 2], the first node of each order;
    prob: float32[n_nodes], relative frequencies; total: int32[n_contexts], how often a
    context was continued; weights: float32[n_bins, order + 1], rows sum to 1; size: T,
    the length of the training text; info: a dict.
    """

    kind, title = "interpolated", "interpolated n-grams"

    def __init__(self, word_list, trie, starts, prob, total, weights, info):
        self.word_list, self.trie, self.starts = word_list, trie, starts
        self.prob, self.total, self.weights, self.info = prob, total, weights, info
        self.order = len(starts) - 2
        self.size = int(total[0])

    def components(self, ids, before=NO_WORDS):
        """Each p_i of each word: float32[n, order + 1], and the bin of its context:
        int64[n].

        ids, before: as for `log10_probabilities`; the rows of `<s>` mean nothing.
        """
        frequency = np.empty(len(ids), np.int32)
        out = np.empty((len(ids), self.order + 1), np.float32)
        out[:, 0] = 1 / (len(self.word_list) - self.word_list.marks)
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

    def bins(self, ids, before=NO_WORDS):
        """Bin of the frequency of each word's context: int64[n]."""
        return self.components(ids, before)[1]

    def log10_probabilities(self, ids, before=NO_WORDS):
        joined, n = np.concatenate([before, ids]), len(before)
        out = np.empty(len(ids))
        for begin in range(0, len(ids), _PIECE):
            piece = slice(begin, min(begin + _PIECE, len(ids)))
            context = joined[max(n + begin - self.order + 1, 0) : n + begin]
            parts, bins = self.components(ids[piece], context)
            p = np.einsum("ij,ij->i", parts, self.weights[bins], dtype=float)
            with np.errstate(
                divide="ignore"
            ):  # of a word that none of the parts expects
                out[piece] = np.log10(p)
        out[ids == self.word_list.begin] = 0
        return out

    def describe(self):
        return super().describe() + [
            (f"weights of bin {i}", " ".join(f"{weight:.3f}" for weight in row))
            for i, row in enumerate(self.weights)
        ]

    def facts(self):
        sizes = np.diff(self.starts)[1:].tolist()
        return [(f"{k}-grams", f"{n:,}") for k, n in enumerate(sizes, 1)]

    def tensors(self):
        return {
            "word": self.trie.word,
            "begin": self.trie.begin,
            "prob": self.prob,
            "total": self.total,
            "weights": self.weights,
            "starts": self.starts.astype(np.int32),
        }


def frequency_bins(frequency, size):
    """l(x) = ceil(-log((1 + x) / T)) for frequencies x: int[n] and T = `size`:
    int64[n], 0 or more.

    The bins end with that of frequency 0, `frequency_bins(0, size)`.
    """
    values = np.ceil(np.log(size) - np.log1p(np.asarray(frequency, float)))
    return np.maximum(values, 0).astype(np.int64)


def train_interpolated(ids, held_out, order, word_list, note=None):
    """InterpolatedModel of `ids`, weighted on `held_out`, int32[n]; raises SennaError
    if empty.
    """
    if not len(held_out):
        raise SennaError(
            "interpolated n-grams need validation text for their weights: give --valid"
        )
    levels = count_ngrams(ids, order, word_list)
    trie, starts = make_trie(levels)
    counts = [
        np.where(levels[0].initial, 0, levels[0].count),
        *(x.count for x in levels[1:]),
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


def learn_weights(parts, bins, n_bins):
    """Weights of a mixture for each bin by EM: float64[n_bins, n_parts], and its
    course.

    parts: float[n, n_parts], the probability that each part gives to each word; bins:
    int64[n].
    course: mean log probability of the words before each round. Each bin has a word's
    worth of the weights of all bins added, so that one without words has those.
    """
    n_parts = parts.shape[1]
    weights, course = np.full((n_bins, n_parts), 1 / n_parts), []
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


def take_mixture_weights(arrays, shape):
    """The array `weights` of a file's Arrays, whose rows sum to 1: float32[shape]."""
    weights = arrays.take_within("weights", shape, 0, 1)
    if not np.allclose(weights.sum(1), 1, atol=1e-3):
        raise SennaError("array 'weights': a row that does not sum to 1")
    return weights


def read_interpolated(word_list, found, arrays, info):
    """InterpolatedModel of a file; see `model_files.open_model`."""
    trie, starts = read_trie(arrays, len(word_list))
    prob = arrays.take_within("prob", trie.word.shape, 0, 1)
    total = arrays.take("total", np.int32, (len(trie.begin) - 1,))
    if total[0] < 1 or total.min() < 0:
        raise SennaError("array 'total': frequencies that cannot be")
    n_bins = 1 + int(frequency_bins(0, total[0]))
    weights = take_mixture_weights(arrays, (n_bins, len(starts) - 1))
    return InterpolatedModel(word_list, trie, starts, prob, total, weights, info)
