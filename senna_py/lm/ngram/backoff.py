"""Back-off n-gram models."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from senna_py.errors import SennaError
from senna_py.kernels.lm.ngrams import Trie, backoff_scores
from senna_py.lm.language_model import NO_WORDS, ROUNDING, LanguageModel

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from senna_py.lm.arrays import Arrays
    from senna_py.lm.word_list import WordList

_OF_TRIE = ("word", "begin", "starts")
# The log10 probability of a word that is never predicted, as in ARPA files.
NEVER = -99.0


class BackoffModel(LanguageModel):
    """A back-off n-gram model.

    P(w | h) is the probability of the n-gram h w if the model contains it. Otherwise it
    is the back-off weight of h times P(w | h'), where h' is h without its first word.

    Attributes:
        trie: The n-grams.
        starts: int64[order + 2], the first node of each order, from the empty n-gram
            on, and the number of nodes.
        prob: float32[n_nodes], the log10 probability of each n-gram.
        backoff: float32[n_contexts], the log10 back-off weight of each context.
        info: Facts about the training as JSON values.
    """

    kind, title = "ngram", "back-off n-grams"

    def __init__(
        self,
        word_list: WordList,
        trie: Trie,
        starts: NDArray[np.int64],
        prob: NDArray[np.float32],
        backoff: NDArray[np.float32],
        info: dict[str, Any],
    ) -> None:
        self.word_list = word_list
        self.trie = trie
        self.starts = starts
        self.prob = prob
        self.backoff = backoff
        self.info = info
        self.order: int = len(starts) - 2

    def log10_probabilities(
        self, ids: NDArray[np.int32], before: NDArray[np.int32] = NO_WORDS
    ) -> NDArray[np.float64]:
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

    def facts(self) -> list[tuple[str, str]]:
        sizes = np.diff(self.starts)[1:].tolist()
        return [(f"{k}-grams", f"{n:,}") for k, n in enumerate(sizes, 1)]

    def tensors(self) -> dict[str, NDArray[Any]]:
        return {
            "word": self.trie.word,
            "begin": self.trie.begin,
            "prob": self.prob,
            "backoff": self.backoff,
            "starts": self.starts.astype(np.int32),
        }


def read_trie(arrays: Arrays, n_words: int) -> tuple[Trie, NDArray[np.int64]]:
    """Read the trie of a file.

    Args:
        arrays: The arrays of the file.
        n_words: The number of words.

    Returns:
        The trie, and the first node of each order, int64[order + 2].

    Raises:
        KeyError: If an array is missing.
        SennaError: If the arrays are not a valid trie, which kernels rely on.
    """
    word, begin, starts = (arrays.take(name, np.int32, (None,)) for name in _OF_TRIE)
    starts = starts.astype(np.int64)
    is_long = len(starts) > 2 and len(begin) > 1 and len(word) > 1
    if not is_long or (np.diff(starts) < 0).any():
        raise SennaError("n-grams: damaged: no trie")
    if not _fits_together(word, begin, starts, n_words):
        raise SennaError("n-grams: damaged: a trie that does not fit together")
    ascends = np.append(np.diff(word) > 0, True)
    ascends[begin[1:] - 1] = True  # the last child of a context
    if not ascends[1:].all():
        raise SennaError("n-grams: damaged: not in the order of their words")
    return Trie(word, begin), starts


def _fits_together(
    word: NDArray[np.int32],
    begin: NDArray[np.int32],
    starts: NDArray[np.int64],
    n_words: int,
) -> bool:
    """Return whether arrays are consistent with each other, as kernels require.

    Args:
        word: int32[n_nodes], the last word of each n-gram.
        begin: int32[n_contexts + 1], the first child of each context.
        starts: int64[order + 2], the first node of each order.
        n_words: The number of words.
    """
    n_nodes = len(word)
    return bool(
        starts[0] == 0
        and starts[1] == 1
        and starts[2] == 1 + n_words
        and starts[-1] == n_nodes
        and len(begin) == starts[-2] + 1
        and begin[0] == 1
        and begin[-1] == n_nodes
        and (np.diff(begin) >= 0).all()
        and np.array_equal(begin[starts[:-1]], starts[1:])
        and np.array_equal(word[1 : 1 + n_words], np.arange(n_words))
        and word[0] == -1
        and word[1:].min() >= 0
        and word.max() < n_words
    )


def read_backoff(
    word_list: WordList,
    _fields: Mapping[str, str],
    arrays: Arrays,
    info: dict[str, Any],
) -> BackoffModel:
    """Create a back-off model from the contents of its file.

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
    prob = arrays.take_within("prob", trie.word.shape, -np.inf, ROUNDING)
    # A log10 weight may be above 0: words that do not continue the context explicitly may
    # be more probable after it than after the shorter context.
    backoff = arrays.take("backoff", np.float32, (len(trie.begin) - 1,))
    return BackoffModel(word_list, trie, starts, prob, backoff, info)
