"""Fallbacks for kernels of `kernels.decoding.tree`, which process all types at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from senna_py.kernels.nn.plain.linear import hardtanh, linear

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from senna_py.kernels.arrays import Floats, Ints
    from senna_py.kernels.decoding.tree import Moves


def score_words(
    pooled: Floats,
    span: Ints,
    starts: Ints,
    hidden_layer: tuple[NDArray, ...],
    output_layers: Sequence[tuple[NDArray, ...]],
    rooms: tuple[Floats, Floats],
    emission: Floats,
) -> None:
    """Compute the scores of all labels for all words at once."""
    (hidden_weight, _, hidden_bias), (weight, _, bias) = hidden_layer, output_layers[0]
    hidden = np.empty((len(pooled), len(hidden_bias)), np.float32)
    linear(pooled, hidden_weight, hidden_bias, hidden)
    hardtanh(hidden)
    linear(hidden, weight, bias, emission)


def _best_closed(outside: float, score: Floats, n_types: int) -> int:
    """Return the best label among O, E and S.

    Args:
        outside: The score of O.
        score: float32[2, at least n_types], the scores of E and S for each type.
        n_types: The number of constituent types.
    """
    values = np.append(outside, score[:, :n_types].T)  # in the order of labels
    best = int(np.where(np.isnan(values), -np.inf, values).argmax())
    return best and 3 + 4 * ((best - 1) // 2) + (best - 1) % 2


def _best_last(score: Floats, n_types: int) -> int:
    score = score.reshape(4, -1)
    return _best_closed(score[1, n_types], score[2:], n_types)


def _best_source(
    score: Floats, moves: Moves, length: int, target: int, target_length: int
) -> int:
    n_types, width = len(moves.closed) // 2, moves.inside.shape[1]
    score, (c, kind) = score.reshape(4, -1), divmod(target - 1, 4)
    if target == 0 or kind in (0, 3):
        to = n_types if target == 0 else kind // 3 * width + c
        moved = moves.closed[1:, to].reshape(2, -1)
        outside = score[1, n_types] + moves.closed[0, to]
        return _best_closed(outside, score[2:, :n_types] + moved, n_types)
    to = 1 if kind == 2 and target_length == 1 else 0
    value = score[0, c] + moves.inside[to + 2 if length > 1 else to, c]
    candidate = score[1, c] + moves.inside[to + 2, c]
    return 2 + 4 * c if candidate > value else 1 + 4 * c


def _score_unit(
    emission: Floats,
    moves: Moves,
    begin: int,
    end: int,
    free: bool,
    source_length: int,
    source_free: bool,
    source: Floats,
    opened: Floats,
    score: Floats,
) -> None:
    n_types, (_, width) = len(moves.closed) // 2, moves.inside.shape
    rows, source = emission[begin:end].reshape(-1, 4, width), source.reshape(4, width)
    b, i, e, s = score.reshape(4, width)
    score[:] = -np.inf
    opened = moves.initial
    if source_length > 0:
        outside, closed = source[1, n_types : n_types + 1], source[2:, :n_types].ravel()
        opened = (np.concatenate((outside, closed))[:, None] + moves.closed).max(axis=0)
        after = moves.inside[2 if source_length > 1 else 0 :]
        i[:] = (
            np.maximum(source[0] + after[0], source[1] + moves.inside[2]) + rows[0, 1]
        )
        if len(rows) == 1:
            e[:] = (
                np.maximum(source[0] + after[1], source[1] + moves.inside[3])
                + rows[0, 2]
            )
    b[:] = opened[:width] + rows[0, 0]
    i[n_types] = opened[n_types] + rows[0, 1, n_types]
    if free:
        s[:] = opened[width:] + rows[0, 3]
    for t in range(1, len(rows)):
        if t + 1 == len(rows):
            e[:] = (i + moves.inside[3]) + rows[t, 2]
        b[:] = (b + moves.inside[0 if t == 1 else 2]) + rows[t, 1]
        i[:] = (i + moves.inside[2]) + rows[t, 1]
