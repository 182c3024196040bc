"""Dependency trees: the best heads of the words of a sentence, of which exactly one is
the root.

By Chu and Liu (1965) and Edmonds (1967), in quadratic time, as by Tarjan (1977): each
word takes its best head, and a circle becomes one node. Most sentences have no circle
and one root at once.
"""

from typing import NamedTuple

import numpy as np

from senna_py.kernels.nn.linear import linear_of_rows, panels_of
from senna_py.kernels.runtime.jit import borrowing_kernel, kernel

_MOST = (
    1e6  # scores are taken to be within these limits, so that sums keep their digits
)


@kernel
def score_heads(dependents, keys, near, starts, scores):
    """Scores of the heads of each word, in the order that `best_trees` takes.

    dependents: float32[n_tokens, n]; keys: float32[n_tokens + 1, n + 1], for each word
    as a head, and last the root, what multiplies them and what is added; near:
    float32[n_tokens, 2 * m + 1], added for heads at distances from -m to m and farther;
    starts, scores (out): as of `best_trees`.
    """
    n_units, m, done = keys.shape[1] - 1, near.shape[1] // 2, np.int64(0)
    for s in range(len(starts) - 1):
        a, n = np.int64(starts[s]), np.int64(starts[s + 1] - starts[s])
        weight, bias = (
            np.empty((n_units, n + 1), np.float32),
            np.empty(n + 1, np.float32),
        )
        for j in range(n + 1):
            key = keys[a + j - 1 if j > 0 else len(keys) - 1]
            bias[j] = key[n_units]
            for k in range(n_units):
                weight[k, j] = key[k]
        own = scores[done : done + n * (n + 1)].reshape(n, n + 1)
        done += n * (n + 1)
        own_rows, panels = dependents[a : a + n], panels_of(weight)
        linear_of_rows(own_rows, np.arange(n), weight, panels, bias, own)
        for i in range(n):
            for j in range(n):
                own[i, 1 + j] += near[a + i, min(max(j - i, -m), m) + m]


@borrowing_kernel
def _best_of(row):
    """Index of the largest score of a row, the first of equal ones; what is no number
    is none.
    """
    best, value = np.int64(0), -np.inf
    for j in range(len(row)):
        if row[j] > value:
            best, value = np.int64(j), row[j]
    return best


@borrowing_kernel
def _take_better(row, sources, lost, other, other_sources):
    """Put the scores of another row, less `lost`, in place of lower ones, and their
    sources.
    """
    for j in range(len(row)):
        value = other[j] - lost
        if value > row[j]:
            row[j] = value
            sources[j] = other_sources[j]


@kernel
def _is_tree(head):
    """Whether heads, int64[n], 0 for the root and j + 1 for word j, are a tree with one
    root.
    """
    n, n_roots = len(head), 0
    seen = np.zeros(n, np.int64)  # by which walk
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
def _nodes(score):
    """Scores of heads by dependent, the root first: float64[n + 1, n + 1], -inf for no
    arc.
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
    found[1:, 0] -= 1 + 2 * m * largest  # no tree gains by a second root
    return found


class _Graph(NamedTuple):
    """Nodes at their places, the root at place 0: words, or circles in the place of
    their first.

    arcs: float64[m, m], scores of heads, in columns, by dependent; by_head: the same by
    head.
    sources: int64[m, m], the arc between words that a score is of, as dependent * m +
    head, and sources_by_head. node: int64[m], the number of the node at a place; state:
    int64[m], 0 new, 1 on the path, 2 below the root or gone. By number of the node:
    parent: int64[2 * m], the circle that it is in, or -1; chosen: int64[2 * m], the arc
    to its head.
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
def _contract(graph, circle, number):
    """Make one node, with a number, of the places of a circle, in that of the first."""
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
def _grow(graph, start, path, n_nodes):
    """Grow a path by best heads until it is below the root, contract circles; returns
    n_nodes.
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
def _best_tree(score, head):
    """Heads of the best tree with one root; score: float32[n, n + 1]; head: int64[n],
    out.
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
    # From the last circle on: the node that an arc goes to takes that in place of the
    # circle's.
    for circle in range(n_nodes - 1, m - 1, -1):
        inner = graph.chosen[circle] // m
        while graph.parent[inner] != circle:
            inner = graph.parent[inner]
        graph.chosen[inner] = graph.chosen[circle]
    for i in range(1, m):
        head[i - 1] = graph.chosen[i] % m


@kernel
def best_trees(score, begin, starts, head):
    """The best tree of each sentence: the one with exactly one root whose sum of scores
    is largest.

    score: float32[n_scores], for each sentence, from begin[s] on, float32[n, n + 1]:
    for each word its heads, first the root, then the words; begin: int64[n_sentences];
    starts: int32[n_sentences + 1]; head: int32[n_tokens], out, counted within the
    sentence, -1 for the root. Scores that are no numbers count as the lowest. Ties go
    to the first head where words do not form a circle.
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
