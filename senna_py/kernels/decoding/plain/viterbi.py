"""The fallback for `kernels.decoding.viterbi.viterbi`, for all sentences at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from senna_py.kernels.arrays import Floats, Ints

    Longs = NDArray[np.int64]

_ROWS = 16  # whose sums with all transitions are computed at once, to stay in the cache


def best_ways(score: Floats, steps: tuple[NDArray, ...]) -> Floats:
    """Return the scores of the best paths to each tag: float32[n, width].

    Args:
        score: float32[n, n_tags], the scores of the best paths to the previous tags.
        steps: See `kernels.decoding.viterbi.best_ways`.
    """
    group, sources, transitions, others, columns, transition, *_ = steps
    n, n_tags = len(others), score.shape[1]
    n_paths = n + (len(columns) or transition.shape[1])
    paths = np.empty((len(score), n_paths), np.float32)
    if n:
        near, far = score.take(sources[0], axis=1), score.take(sources[1], axis=1)
        near += transitions[0]
        far += transitions[1]
        rest = score.max(axis=1, keepdims=True) + others
        np.maximum(np.maximum(near, far), rest, out=paths[:, :n])
    for k, column in enumerate(columns[:, :n_tags]):
        (score + column).max(axis=1, out=paths[:, n + k])
    if not len(columns):
        for k in range(0, len(score), _ROWS):
            sums = score[k : k + _ROWS, :, None] + transition
            sums.max(axis=1, out=paths[k : k + _ROWS, n:])
    return paths.take(group, axis=1)


def longest_first(begin: Longs, end: Longs) -> Iterator[tuple[Longs, Longs]]:
    """Yield the k-th position of each range that has more than k, for k = 0, 1, ...

    Args:
        begin, end: int64[n], the ranges.

    Yields:
        The indices of the ranges, with the longest one first, and the positions.
    """
    lengths = (end - begin).astype(np.intp)
    order = np.argsort(-lengths, kind="stable")
    first, n_shorter = begin[order], np.cumsum(np.bincount(lengths))
    for k, n in enumerate((len(lengths) - n_shorter[:-1]).tolist()):
        yield order[:n], first[:n] + k


def viterbi(
    emission: Floats,
    first: int,
    starts: Ints,
    initial: Floats,
    steps: tuple[NDArray, ...],
    incoming: Floats,
    final: Floats,
    score: Floats,
    tags: Ints,
) -> None:
    last = first + len(emission)
    sentences = slice(
        int(np.searchsorted(starts, first, side="right")) - 1,
        int(np.searchsorted(starts, last)),
    )
    begin = starts[:-1][sentences].astype(np.int64)
    end = starts[1:][sentences].astype(np.int64)
    begin, end = begin[begin < end], end[begin < end]
    if not len(emission):
        return
    # The scores of the sentences from their beginnings on, the first of which may be in
    # a previous block.
    origin = int(begin[0])
    rows = np.concatenate((score[: first - origin], emission))
    n_tags = len(incoming)
    pieces = np.maximum(begin, first) - origin, np.minimum(end, last) - origin
    for k, (_, at) in enumerate(longest_first(*pieces)):
        if k:
            rows[at] += best_ways(rows[at - 1, :n_tags], steps)
            continue
        rows[begin[begin >= first] - origin] += initial
        if origin < first:
            before = rows[first - origin - 1 : first - origin, :n_tags]
            rows[first - origin] += best_ways(before, steps)[0]
    if end[-1] > last:
        score[: last - begin[-1]] = rows[begin[-1] - origin :]
    begin, end = begin[end <= last], end[end <= last]
    best = np.empty(len(begin), np.int64)
    for k, (which, distance) in enumerate(longest_first(-end, -begin)):
        at = -1 - distance  # from the last word back
        added = incoming[best[which]] if k else final
        best[which] = (rows[at - origin, :n_tags] + added[..., :n_tags]).argmax(axis=1)
        tags[at] = best[which]
