"""N-gram probabilities of a stream of words, from a trie stored in sorted arrays.

A node is an n-gram, and node 0 is the empty n-gram. Lower orders come first. The
n-grams of an order are sorted by context (all words but the last) and then by last
word, so that the continuations of a context are adjacent.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from senna_py.kernels.runtime.jit import kernel

if TYPE_CHECKING:
    from senna_py.kernels.arrays import Doubles, Floats, Ints, Longs


class Trie(NamedTuple):
    """The arrays of a trie of n-grams, where every word w has the node 1 + w.

    Attributes:
        word: int32[n_nodes], the last word of each n-gram, -1 for the empty n-gram.
        begin: int32[n_contexts + 1]; the nodes that continue node i are
            `begin[i]:begin[i + 1]`. Nodes of the highest order, which have no
            continuations, are beyond its end.
    """

    word: np.ndarray
    begin: np.ndarray


@kernel
def find_child(trie: Trie, node: int, word: int) -> int:
    """Return the node that continues `node` with `word`, or -1 if there is none.

    If `node` is -1, the result is -1.
    """
    if node <= 0:
        return np.int64(-1) if node < 0 else np.int64(1 + word)
    if node >= len(trie.begin) - 1:
        return np.int64(-1)
    low, high = np.int64(trie.begin[node]), np.int64(trie.begin[node + 1])
    end = high
    while low < high:
        middle = (low + high) >> 1
        if trie.word[middle] < word:
            low = middle + 1
        else:
            high = middle
    return low if low < end and trie.word[low] == word else np.int64(-1)


@kernel
def _begin_sentence(word: int, context: Longs) -> None:
    context[1:] = -1
    if len(context) > 1:
        context[1] = 1 + word


@kernel
def backoff_scores(
    trie: Trie,
    prob: Floats,
    backoff: Floats,
    ids: Ints,
    mark: int,
    first: int,
    context: Longs,
    out: Doubles,
) -> None:
    """Compute the log10 probabilities of a stream of words under a back-off model.

    Args:
        trie: The Trie.
        prob: float32[n_nodes], log10 of the probability of a node's last word in its
            context.
        backoff: float32[n_contexts], log10 of the weight of the shorter context.
        ids: int32[n], the words.
        mark: The word that begins a sentence, or -1.
        first: The index of the first word to score; earlier words are only context.
        context: int64[order], scratch.
        out: float64[n - first], which is written; 0 for marks.
    """
    order = len(context)
    context[0] = 0
    context[1:] = -1
    for t in range(len(ids)):
        word = np.int64(ids[t])
        if word == mark:
            _begin_sentence(word, context)
            if t >= first:
                out[t - first] = 0.0
            continue
        total, found = 0.0, False
        for k in range(order - 1, -1, -1):
            node = context[k]
            child = find_child(trie, node, word)
            if node >= 0 and not found:
                found = child >= 0
                total += prob[child] if found else backoff[node]
            if k + 1 < order:
                context[k + 1] = child
        if t >= first:
            out[t - first] = total


@kernel
def mixture_components(
    trie: Trie,
    prob: Floats,
    total: Ints,
    ids: Ints,
    mark: int,
    first: int,
    context: Longs,
    out: Floats,
    frequency: Ints,
) -> None:
    """Compute relative frequencies of words after 0, 1, ... words of context.

    If a context was never continued, the relative frequency for the next shorter
    context is used. For a mark, all relative frequencies are 1.

    Args:
        trie, ids, mark, first, context: See `backoff_scores`.
        prob: float32[n_nodes], the relative frequency of a node among the continuations
            of its context.
        total: int32[n_contexts], the number of times that each context was continued.
        out: float32[n - first, order], which is written.
        frequency: int32[n - first], which receives the total of the whole context, or 0
            if the context is unknown or the word is a mark. The whole context is the
            words from the last mark or the beginning of the stream on, at most the last
            order - 1 of them.
    """
    order = len(context)
    context[0] = 0
    context[1:] = -1
    length = 0
    for t in range(len(ids)):
        word = np.int64(ids[t])
        if word == mark:
            _begin_sentence(word, context)
            length = min(1, order - 1)
            if t >= first:
                out[t - first] = 1.0
                frequency[t - first] = 0
            continue
        if t >= first:
            node = context[length]
            frequency[t - first] = total[node] if node >= 0 else 0
            for k in range(order):
                node = context[k]
                if node >= 0 and total[node] > 0:
                    child = find_child(trie, node, word)
                    out[t - first, k] = prob[child] if child >= 0 else 0.0
                else:
                    out[t - first, k] = out[t - first, k - 1]
        for k in range(order - 1, 0, -1):
            context[k] = find_child(trie, context[k - 1], word)
        length = min(length + 1, order - 1)
