"""Back-off n-gram models: a probability for each n-gram that was seen, a weight for the
others.
"""

import numpy as np

from senna_py.errors import SennaError
from senna_py.kernels.lm.ngrams import Trie, backoff_scores
from senna_py.lm.language_model import NO_WORDS, ROUNDING, LanguageModel

_OF_TRIE = ("word", "begin", "starts")
NEVER = (
    -99.0
)  # log10 of the probability of what is not predicted, as ARPA files have it


class BackoffModel(LanguageModel):
    """P(w | h) is that of the n-gram h w, or else the weight of h times P(w | h without
    a word).

    trie: Trie; starts: int64[order + 2], the first node of each order; prob:
    float32[n_nodes] and backoff: float32[n_contexts], log10; info: how it was made, a
    dict for JSON.
    """

    kind, title = "ngram", "back-off n-grams"

    def __init__(self, word_list, trie, starts, prob, backoff, info):
        self.word_list, self.trie, self.starts = word_list, trie, starts
        self.prob, self.backoff, self.info = prob, backoff, info
        self.order = len(starts) - 2

    def log10_probabilities(self, ids, before=NO_WORDS):
        out = np.empty(len(ids))
        backoff_scores(
            self.trie,
            self.prob,
            self.backoff,
            np.concatenate([before, ids]),
            np.int64(self.word_list.begin),
            len(before),
            np.empty(self.order, np.int64),
            out,
        )
        return out

    def facts(self):
        sizes = np.diff(self.starts)[1:].tolist()
        return [(f"{k}-grams", f"{n:,}") for k, n in enumerate(sizes, 1)]

    def tensors(self):
        return {
            "word": self.trie.word,
            "begin": self.trie.begin,
            "prob": self.prob,
            "backoff": self.backoff,
            "starts": self.starts.astype(np.int32),
        }


def read_trie(arrays, n_words):
    """Trie of a file's Arrays, and the first node of each order: int64[order + 2].

    Raises SennaError unless kernels can walk the trie with any word below `n_words`.
    """
    word, begin, starts = (arrays.take(name, np.int32, (None,)) for name in _OF_TRIE)
    starts = starts.astype(np.int64)
    if (
        len(starts) < 3
        or len(begin) < 2
        or len(word) < 2
        or (np.diff(starts) < 0).any()
    ):
        raise SennaError("n-grams: damaged: no trie")
    whole = starts[0] == 0 and starts[1] == 1 and starts[-1] == len(word)
    whole = whole and len(begin) == starts[-2] + 1 and starts[2] == 1 + n_words
    whole = (
        whole
        and begin[0] == 1
        and begin[-1] == len(word)
        and (np.diff(begin) >= 0).all()
    )
    whole = whole and np.array_equal(begin[starts[:-1]], starts[1:])
    whole = whole and np.array_equal(word[1 : 1 + n_words], np.arange(n_words))
    if not whole or word[0] != -1 or word[1:].min() < 0 or word.max() >= n_words:
        raise SennaError("n-grams: damaged: a trie that does not fit together")
    ascends = np.append(np.diff(word) > 0, True)
    ascends[begin[1:] - 1] = True  # the last child of a context
    if not ascends[1:].all():
        raise SennaError("n-grams: damaged: not in the order of their words")
    return Trie(word, begin), starts


def read_backoff(word_list, found, arrays, info):
    """BackoffModel of a file; see `model_files.open_model`."""
    trie, starts = read_trie(arrays, len(word_list))
    prob = arrays.take_within("prob", trie.word.shape, -np.inf, ROUNDING)
    # Above 0 where what is left for other words is more than they have in the shorter
    # context.
    backoff = arrays.take("backoff", np.float32, (len(trie.begin) - 1,))
    return BackoffModel(word_list, trie, starts, prob, backoff, info)
