"""Dependency trees: the best head of each word, with one word attached to the root.

The algorithm is by Chu and Liu (1965) and Edmonds (1967), in the quadratic time of
Tarjan (1977): each word chooses its best head, and each cycle is contracted into one
node. For most sentences, the best heads already form a tree with one root.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from senna_py.kernels.nn.int8 import linear_of_words, pack_rows, words_for_rows
from senna_py.kernels.runtime.jit import (
    borrowing_kernel,
    kernel,
    uncontracted_kernel,
)

if TYPE_CHECKING:
    from senna_py.kernels.arrays import Doubles, Floats, Ints, Longs

_MOST = 1e6  # the limit to which scores are clipped, so that sums stay accurate


@kernel
def score_heads(
    dependents: Ints,
    scales: Floats,
    keys: Floats,
    near: Floats,
    starts: Ints,
    way: int,
    scores: Floats,
) -> None:
    """Compute the scores of all heads of each word, as `best_trees` expects them.

    The vectors are rounded to 8 bits; see `kernels.nn.int8`.

    Args:
        dependents: int32[n_tokens, width], the vector of each word as a dependent; see
            `linear_of_words`.
        scales: float32[n_tokens], the scales of these vectors.
        keys: float32[n_tokens + 1, n + 1], a row for each word as a head, followed by a
            row for the root. A row contains the vector by which the vectors of
            dependents are multiplied, followed by a bias.
        near: float32[n_tokens, 2 * m + 1], the terms that are added for heads at the
            distances -m to m from each word. Larger distances are clipped.
        starts: int32[n_sentences + 1], where each sentence begins.
        way: The index of an implementation of 8-bit products, the last of `ways_here`.
        scores: float32[n_scores], which is written; see `score` in `best_trees`.
    """
    n_units, m, done = keys.shape[1] - 1, near.shape[1] // 2, np.int64(0)
    for s in range(len(starts) - 1):
        a, n = np.int64(starts[s]), np.int64(starts[s + 1] - starts[s])
        heads = np.empty((n + 1, n_units), np.float32)
        bias = np.empty(n + 1, np.float32)
        for j in range(n + 1):
            key = keys[a + j - 1 if j > 0 else len(keys) - 1]
            bias[j] = key[n_units]
            for k in range(n_units):
                heads[j, k] = key[k]
        own = scores[done : done + n * (n + 1)].reshape(n, n + 1)
        done += n * (n + 1)
        words, by = words_for_rows(dependents[a : a + n], n_units, way)
        weight = pack_rows(heads, bias, by)
        linear_of_words(words, scales[a : a + n], weight, own)
        for i in range(n):
            for j in range(n):
                own[i, 1 + j] += near[a + i, min(max(j - i, -m), m) + m]


@uncontracted_kernel
def relation_units(
    dependents: Floats,
    heads: Floats,
    distances: Floats,
    words: Longs,
    head: Longs,
    units: Floats,
) -> None:
    """Compute the units of arcs from which relations are scored; see `layers.arcs`.

    Args:
        dependents: float32[n_tokens, rank], the units of each word as a dependent.
        heads: float32[n_tokens + 1, rank], the units of each word as a head, and of the
            root in the last row.
        distances: float32[2 * m + 1, rank], the terms that are added for heads at the
            distances -m to m. Larger distances are clipped, and the root has none.
        words: int64[n_arcs], the dependent of each arc.
        head: int64[n_arcs], its head, or -1 for the root.
        units: float32[n_arcs, rank], which is written.
    """
    m = len(distances) // 2
    for k in range(len(words)):
        i, j = words[k], head[k]
        distance = min(max(j - i, -m), m) if j >= 0 else 0
        one, other = dependents[i], heads[j if j >= 0 else len(heads) - 1]
        near, to = distances[m + distance], units[k]
        for d in range(len(to)):
            to[d] = one[d] * other[d] + near[d]


@borrowing_kernel
def _best_of(row: Doubles) -> int:
    """Return the index of the largest score in a row, the first one if there are ties.

    NaN is ignored.
    """
    best, value = np.int64(0), -np.inf
    for j in range(len(row)):
        if row[j] > value:
            best, value = np.int64(j), row[j]
    return best


@borrowing_kernel
def _take_better(
    row: Doubles, sources: Longs, lost: float, other: Doubles, other_sources: Longs
) -> None:
    """Replace scores, and their sources, where another row minus `lost` is larger."""
    for j in range(len(row)):
        value = other[j] - lost
        if value > row[j]:
            row[j] = value
            sources[j] = other_sources[j]


@kernel
def _is_tree(head: Longs) -> bool:
    """Return whether heads form a tree with one root.

    Heads are int64[n], 0 for the root and j + 1 for word j.
    """
    n, n_roots = len(head), 0
    seen = np.zeros(n, np.int64)  # the walk that first reached each word, from 1, or 0
    for i in range(n):
        n_roots += head[i] == 0
        j = i
        while j >= 0 and seen[j] == 0:
            seen[j] = i + 1
            j = head[j] - 1
        if j >= 0 and seen[j] == i + 1:
            return False
    return n_roots == 1


@kernel
def _nodes(score: Floats) -> Doubles:
    """Return the scores of heads for each dependent, with the root as node 0.

    Args:
        score: float32[n, n + 1]; see `best_trees`.

    Returns:
        float64[n + 1, n + 1]; row i has the scores of each node as the head of node i.
        Scores are clipped to [-1e6, 1e6], and impossible arcs have the score -inf. Arcs
        from the root have a penalty that makes any tree with a second root worse.
    """
    m = len(score) + 1
    found = np.full((m, m), -np.inf)
    largest = 0.0
    for i in range(1, m):
        for j in range(m):
            value = np.float64(score[i - 1, j])
            value = value if value > -_MOST else -_MOST
            value = value if value < _MOST else _MOST
            if i != j:
                found[i, j] = value
                largest = max(largest, abs(value))
    penalty = 1 + 2 * m * largest  # so that a second root makes any tree worse
    for i in range(1, m):
        found[i, 0] -= penalty
    return found


class _Graph(NamedTuple):
    """A graph whose nodes are words or contracted cycles; the root is at place 0.

    A cycle takes the place of one of its words.

    Attributes:
        arcs: float64[m, m]; row i has the scores of each place as the head of place i.
        by_head: The transpose of `arcs`.
        sources: int64[m, m], the arc between words to which each score belongs, as
            dependent * m + head.
        sources_by_head: The transpose of `sources`.
        node: int64[m], the index of the node at each place.
        state: int64[m], the state of each place: 0 if it is new, 1 if it is on the
            path, 2 if it is connected to the root or has been contracted.
        parent: int64[2 * m], the cycle that contains each node, or -1.
        chosen: int64[2 * m], the arc from each node to its head.
    """

    arcs: np.ndarray
    by_head: np.ndarray
    sources: np.ndarray
    sources_by_head: np.ndarray
    node: np.ndarray
    state: np.ndarray
    parent: np.ndarray
    chosen: np.ndarray


@kernel
def _contract(graph: _Graph, circle: Longs, number: int) -> None:
    """Contract the places of a cycle into node `number`, at the first of its places."""
    m, to = len(graph.arcs), circle[0]
    arcs, sources = graph.arcs, graph.sources
    by_head, sources_by_head = graph.by_head, graph.sources_by_head
    own = arcs[to, _best_of(arcs[to])]
    for j in range(m):
        arcs[to, j] -= own
    for k in range(len(circle)):
        p = circle[k]
        graph.parent[graph.node[p]] = number
        if k > 0:
            own = arcs[p, _best_of(arcs[p])]
            _take_better(arcs[to], sources[to], own, arcs[p], sources[p])
            _take_better(
                by_head[to], sources_by_head[to], 0.0, by_head[p], sources_by_head[p]
            )
            graph.state[p] = 2
    for j in range(m):
        arcs[j, to], sources[j, to] = by_head[to, j], sources_by_head[to, j]
        by_head[j, to], sources_by_head[j, to] = arcs[to, j], sources[to, j]
    for k in range(len(circle)):
        p = circle[k]
        arcs[to, p] = by_head[to, p] = arcs[p, to] = by_head[p, to] = -np.inf
        for j in range(m if k > 0 else 0):
            arcs[j, p] = arcs[p, j] = by_head[j, p] = by_head[p, j] = -np.inf
    graph.node[to] = number


@kernel
def _grow(graph: _Graph, start: int, path: Longs, n_nodes: int) -> int:
    """Grow a path by best heads until it reaches the root, and contract cycles.

    The result is the new number of nodes.
    """
    path[0], length = start, 1
    graph.state[start] = 1
    while True:
        place = path[length - 1]
        to = _best_of(graph.arcs[place])
        graph.chosen[graph.node[place]] = graph.sources[place, to]
        if graph.state[to] == 2:
            break
        if graph.state[to] == 0:
            path[length] = to
            graph.state[to] = 1
            length += 1
            continue
        first = length - 1
        while path[first] != to:
            first -= 1
        _contract(graph, path[first:length], n_nodes)
        n_nodes += 1
        length = first + 1
    for k in range(length):
        graph.state[path[k]] = 2
    return n_nodes


@kernel
def _best_tree(score: Floats, head: Longs) -> None:
    """Find the best tree with one root by Edmonds' algorithm.

    Args:
        score: float32[n, n + 1]; see `best_trees`.
        head: int64[n], which receives 0 for the root and j + 1 for word j.
    """
    arcs = _nodes(score)
    m = len(arcs)
    sources = np.arange(m * m).reshape(m, m)
    graph = _Graph(
        arcs,
        arcs.T.copy(),
        sources,
        sources.T.copy(),
        np.arange(m),
        np.zeros(m, np.int64),
        np.full(2 * m, -1),
        np.full(2 * m, -1),
    )
    graph.state[0] = 2
    path, n_nodes = np.empty(m, np.int64), m
    for place in range(1, m):
        if graph.state[place] == 0:
            n_nodes = _grow(graph, place, path, n_nodes)
    # Expand the cycles, the last one first. The arc from a cycle to its head replaces
    # the arc of the node inside the cycle at which it begins.
    for circle in range(n_nodes - 1, m - 1, -1):
        inner = graph.chosen[circle] // m
        while graph.parent[inner] != circle:
            inner = graph.parent[inner]
        graph.chosen[inner] = graph.chosen[circle]
    for i in range(1, m):
        head[i - 1] = graph.chosen[i] % m


@kernel
def best_trees(score: Floats, begin: Longs, starts: Ints, head: Ints) -> None:
    """Find the tree of each sentence with the largest sum of scores and one root.

    Scores that are NaN count as the lowest. If the best heads already form a tree with
    one root, ties are resolved in favor of the first head.

    Args:
        score: float32[n_scores], the scores of all sentences. The scores of sentence s,
            with n words, begin at begin[s] and form a float32[n, n + 1]. Row i has the
            scores of the heads of word i: the root, followed by the words. The score of
            a word as its own head is overwritten.
        begin: int64[n_sentences], the offset of each sentence in `score`.
        starts: int32[n_sentences + 1], where each sentence begins.
        head: int32[n_tokens], which receives the index of each head in its sentence, or
            -1 for the root.
    """
    for s in range(len(begin)):
        a, n = starts[s], np.int64(starts[s + 1] - starts[s])
        own = score[begin[s] : begin[s] + n * (n + 1)].reshape(n, n + 1)
        found = np.empty(n, np.int64)
        for i in range(n):
            own[i, i + 1] = -np.inf  # no word is its own head
            found[i] = _best_of(own[i])
        if n > 0 and not _is_tree(found):
            _best_tree(own, found)
        for i in range(n):
            head[a + i] = found[i] - 1
