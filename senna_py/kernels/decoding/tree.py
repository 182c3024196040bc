"""Decoding of one level of constituents, given the levels below it.

Labels are O = 0 and, for constituent type c, B = 1 + 4c, I = 2 + 4c, E = 3 + 4c and S =
4 + 4c. Rows of scores have another order, in four parts of equal size: all B, I, E and
S, each in the order of types, with O after the last I. So neighbors have the same
transitions, and labels that a word cannot have are not scored.

A unit is an outermost constituent of the levels below, or a free word, which is in no
constituent.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from senna_py.kernels.decoding.viterbi import largest_sums
from senna_py.kernels.nn.linear import linear_of_rows, score_units
from senna_py.kernels.runtime.jit import kernel

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from senna_py.kernels.arrays import Bools, Floats, Ints, Longs


class Moves(NamedTuple):
    """Initial scores and transition scores, in the layout of `decode_levels`.

    There are C constituent types, and each of the four parts of a row has `width`
    elements.

    Attributes:
        closed: float32[1 + 2 * C, 2 * width], transitions from O, all E and all S to B
            and O (in column C), and to S.
        initial: float32[2 * width], the initial scores of the same destinations.
        inside: float32[4, width], the transitions from B to I, B to E, I to I and I to
            E for each type; column C of the third row is from O to O.
    """

    closed: np.ndarray
    initial: np.ndarray
    inside: np.ndarray


@kernel
def split_units(span: Ints, a: int, b: int, unit_begin: Longs, unit_free: Bools) -> int:
    """Split the words from a to b into units, and return the number of units.

    Args:
        span: int32[n_tokens]; see `decode_levels`.
        a, b: The range of words.
        unit_begin: int64[at least n_units + 1], which receives the first word of each
            unit, and b after the last unit.
        unit_free: bool[at least n_units], which receives whether a unit is a free word.
    """
    n = 0
    t = a
    while t < b:
        unit_begin[n] = t
        unit_free[n] = span[t] == 0
        t += max(span[t], 1)
        n += 1
    unit_begin[n] = b
    return n


@kernel
def _places(span: Ints, starts: Ints) -> Ints:
    """Return the place of each word in its unit: int32[n_tokens].

    The place is 0 for a free word, 1 for the only word of a constituent, and in a
    longer constituent 2 for the first word, 3 for inner words and 4 for the last word.
    """
    place = np.empty(len(span), np.int32)
    for s in range(len(starts) - 1):
        t = np.int64(starts[s])
        while t < starts[s + 1]:
            length = span[t]
            if length <= 1:
                place[t] = length
                t += 1
                continue
            place[t] = 2
            place[t + 1 : t + length - 1] = 3
            place[t + length - 1] = 4
            t += length
    return place


@kernel
def score_words(
    pooled: Floats,
    span: Ints,
    starts: Ints,
    hidden_layer: tuple[NDArray, ...],
    output_layers: Sequence[tuple[NDArray, ...]],
    rooms: tuple[Floats, Floats],
    emission: Floats,
) -> None:
    """Compute the scores of the labels that the place of each word in its unit allows.

    The layers are the hidden layer, HardTanh and the output layer.

    Args:
        pooled: float32[n_tokens, n_conv], the input of the hidden layer.
        span, starts: See `decode_levels`.
        hidden_layer: The weight, panels and bias for `linear_of_rows`.
        output_layers: The same arrays for each place of a word, with some columns of
            the output layer: all 4 * width columns for a free word, all but S for a
            constituent of one word, and for a longer constituent B and I at its first
            word, I at inner words, and I and E at its last word.
        rooms: float32[n_block, n_hidden] and float32[n_block, 4 * width], scratch.
        emission: float32[n_tokens, 4 * width]; only the scores of allowed labels are
            written.
    """
    weight, panels, bias = hidden_layer
    hidden_room, room = rooms[0], rooms[1].ravel()
    n_block, width = len(hidden_room), emission.shape[1] // 4
    place = _places(span, starts)
    for p in range(len(output_layers)):
        n_out, begin = len(output_layers[p][2]), width if p >= 3 else 0
        rows = np.flatnonzero(place == p)
        for block in range(0, len(rows), n_block):
            some = rows[block : block + n_block]
            n = len(some)
            hidden, out = hidden_room[:n], room[: n * n_out].reshape(n, n_out)
            linear_of_rows(pooled, some, weight, panels, bias, hidden)
            score_units(hidden, output_layers[p], out)
            for i in range(n):
                emission[some[i], begin : begin + n_out] = out[i]


@kernel
def _best_last(score: Floats, n_types: int) -> int:
    """Return the best label of the last unit: O, E or S.

    Ties are resolved in favor of the lowest label.
    """
    width = len(score) // 4
    best, value = 0, score[width + n_types]
    for c in range(n_types):
        if score[2 * width + c] > value:
            best, value = 3 + 4 * c, score[2 * width + c]
        if score[3 * width + c] > value:
            best, value = 4 + 4 * c, score[3 * width + c]
    return best


@kernel
def _best_source(
    score: Floats, moves: Moves, length: int, target: int, target_length: int
) -> int:
    """Return the label before `target` on the best path to it.

    Ties are resolved in favor of the lowest label.

    Args:
        score: float32[4 * width], the scores of the previous unit.
        moves: The Moves.
        length: The number of words of the previous unit.
        target: The label of the unit.
        target_length: The number of words of the unit.
    """
    n_types, width = len(moves.closed) // 2, moves.inside.shape[1]
    c, kind = (target - 1) // 4, target % 4
    if target == 0 or kind < 2:  # The target is O, B or S.
        to = n_types if target == 0 else c if kind == 1 else width + c
        best = 0
        value = score[width + n_types] + moves.closed[0, to]
        for c in range(n_types):
            candidate = score[2 * width + c] + moves.closed[1 + c, to]
            if candidate > value:
                best, value = 3 + 4 * c, candidate
            candidate = score[3 * width + c] + moves.closed[1 + n_types + c, to]
            if candidate > value:
                best, value = 4 + 4 * c, candidate
        return best
    # I and E follow B and I of the same type.
    to = 1 if kind == 3 and target_length == 1 else 0  # a longer unit begins with I
    value = score[c] + moves.inside[to + 2 if length > 1 else to, c]
    candidate = score[width + c] + moves.inside[to + 2, c]
    return 2 + 4 * c if candidate > value else 1 + 4 * c


@kernel
def _open(source: Floats, source_free: bool, moves: Moves, opened: Floats) -> None:
    """Compute the scores of the best paths from `source` to B, O and S.

    Args:
        source: float32[4 * width], the scores of the previous unit.
        source_free: Whether that unit is a free word, which may have S.
        moves: The Moves.
        opened: float32[width] or float32[2 * width], which is written. An array of
            `width` elements has no scores of S.
    """
    n_types, width = len(moves.closed) // 2, moves.inside.shape[1]
    closed = np.empty(len(moves.closed), np.float32)
    closed[0] = source[width + n_types]
    for c in range(n_types):
        closed[1 + c] = source[2 * width + c]
        closed[1 + n_types + c] = source[3 * width + c]
    largest_sums(
        closed, moves.closed, len(closed) if source_free else 1 + n_types, opened
    )


@kernel
def _go_on(
    source: Floats, first: Floats, second: Floats, emission: Floats, score: Floats
) -> None:
    """Compute the scores of I or E of each type from B and I of the same type.

    Args:
        source: float32[4 * width], the scores of the previous unit.
        first, second: float32[width], the transitions from B and from I.
        emission: float32[width], the emission scores of I or E.
        score: float32[width], which is written.
    """
    width = len(score)
    for c in range(width):
        value = source[c] + first[c]
        other = source[width + c] + second[c]
        value = other if other > value else value
        score[c] = value + emission[c]


@kernel
def _inside(
    emission: Floats, moves: Moves, begin: int, end: int, score: Floats
) -> None:
    """Add the scores of the other words of a unit to the scores of its first word."""
    width = moves.inside.shape[1]
    b, i, e = score[:width], score[width : 2 * width], score[2 * width : 3 * width]
    i_to_i, i_to_e = moves.inside[2], moves.inside[3]
    for t in range(begin + 1, end):
        b_to_i = moves.inside[0 if t == begin + 1 else 2]
        to_i, to_e = emission[t, width : 2 * width], emission[t, 2 * width : 3 * width]
        if t + 1 == end:
            for c in range(width):
                e[c] = (i[c] + i_to_e[c]) + to_e[c]
        for c in range(width):
            b[c] = (b[c] + b_to_i[c]) + to_i[c]
            i[c] = (i[c] + i_to_i[c]) + to_i[c]  # This includes O to O.


@kernel
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
    """Compute the scores of the best paths to each label of a unit.

    Args:
        emission, moves: See `decode_levels`.
        begin, end: The range of words of the unit.
        free: Whether the unit is a free word.
        source_length: The number of words of the previous unit, or 0 if there is none.
        source_free: Whether the previous unit is a free word.
        source: float32[4 * width], the scores of the previous unit.
        opened: float32[2 * width], scratch.
        score: float32[4 * width], which is written.
    """
    n_types, width = len(moves.closed) // 2, moves.inside.shape[1]
    row = emission[begin]
    if source_length == 0:
        opened[:] = moves.initial
        score[width:] = -np.inf
    else:
        _open(source, source_free, moves, opened if free else opened[:width])
        after = 2 if source_length > 1 else 0  # a longer unit with B ends with I
        to_i, to_e = row[width : 2 * width], row[2 * width : 3 * width]
        score_i, score_e = score[width : 2 * width], score[2 * width : 3 * width]
        _go_on(source, moves.inside[after], moves.inside[2], to_i, score_i)
        if end - begin == 1:
            _go_on(source, moves.inside[after + 1], moves.inside[3], to_e, score_e)
        score[3 * width :] = -np.inf  # S would repeat the constituent below
    for c in range(n_types):
        score[c] = opened[c] + row[c]
    score[width + n_types] = opened[n_types] + row[width + n_types]
    if free:
        for c in range(n_types):
            score[3 * width + c] = opened[width + c] + row[3 * width + c]
    _inside(emission, moves, begin, end, score)


@kernel
def _decode_units(
    emission: Floats,
    moves: Moves,
    unit_begin: Longs,
    unit_free: Bools,
    n_units: int,
    opened: Floats,
    score: Floats,
    labels: Ints,
) -> None:
    """Write the best valid sequence of labels of units to `labels`: int32[n_units].

    The scratch arrays are opened: float32[2 * width] and score: float32[at least
    n_units, 4 * width].
    """
    for u in range(n_units):
        before = max(u - 1, 0)
        _score_unit(
            emission,
            moves,
            unit_begin[u],
            unit_begin[u + 1],
            unit_free[u],
            unit_begin[u] - unit_begin[before],
            unit_free[before],
            score[before],
            opened,
            score[u],
        )
    best = _best_last(score[n_units - 1], len(moves.closed) // 2)
    for u in range(n_units - 1, 0, -1):
        labels[u] = best
        length, own = (
            unit_begin[u] - unit_begin[u - 1],
            unit_begin[u + 1] - unit_begin[u],
        )
        best = _best_source(score[u - 1], moves, length, best, own)
    labels[0] = best


@kernel
def _write_level(
    unit_begin: Longs,
    n_units: int,
    unit_labels: Ints,
    span: Ints,
    labels: Ints,
    latest: Ints,
) -> tuple[bool, bool]:
    """Write the labels of words, and add the new constituents to `span`.

    Returns:
        Whether there is a new constituent, and whether a constituent spans the
        sentence.
    """
    found = False
    begin = unit_begin[0]
    for u in range(n_units):
        a, b = unit_begin[u], unit_begin[u + 1]
        label = unit_labels[u]
        for t in range(a, b):
            labels[t] = label
            if label > 0 and label % 4 == 1 and t > a:
                labels[t] = label + 1
            elif label > 0 and label % 4 == 3 and t + 1 < b:
                labels[t] = label - 1
            if label > 0:
                latest[t] = labels[t]
        if label > 0:
            found = True
            if label % 4 == 1:
                begin = a
            elif label % 4 == 3:
                span[begin] = b - begin
            elif label % 4 == 0:
                span[a] = 1
    whole = span[unit_begin[0]] == unit_begin[n_units] - unit_begin[0]
    return found, whole


@kernel
def decode_levels(
    emission: Floats,
    starts: Ints,
    moves: Moves,
    span: Ints,
    latest: Ints,
    labels: Ints,
    found: Bools,
    whole: Bools,
) -> None:
    """Decode one level of constituents of every sentence, given the levels below.

    A new constituent either contains a constituent of a level below entirely, and is
    longer, or does not overlap with it.

    Args:
        emission: float32[n_tokens, 4 * width], in the order described at the top of the
            module.
        starts: int32[n_sentences + 1], where each sentence begins.
        moves: The Moves.
        span: int32[n_tokens], the number of words of the outermost constituent that
            begins at each word, or 0; it is updated.
        latest: int32[n_tokens], the latest label of each word other than O; it is
            updated.
        labels: int32[n_tokens], which is written.
        found: bool[n_sentences], which receives whether there is a new constituent.
        whole: bool[n_sentences], which receives whether a constituent spans the
            sentence.
    """
    longest = 0
    for s in range(len(starts) - 1):
        longest = max(longest, starts[s + 1] - starts[s])
    unit_begin = np.empty(longest + 1, np.int32)
    unit_free = np.empty(longest, np.bool_)
    unit_labels = np.empty(longest, np.int32)
    score = np.empty((longest, emission.shape[1]), np.float32)
    opened = np.empty(len(moves.initial), np.float32)
    for s in range(len(starts) - 1):
        n = split_units(span, starts[s], starts[s + 1], unit_begin, unit_free)
        _decode_units(
            emission, moves, unit_begin, unit_free, n, opened, score, unit_labels
        )
        found[s], whole[s] = _write_level(
            unit_begin, n, unit_labels, span, labels, latest
        )
