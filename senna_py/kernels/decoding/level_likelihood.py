"""Likelihood of the labels of a level among all that decoding allows; see `kernels.decoding.tree`.

Labels stand by kind: O, then all B, all I, all E and all S, each in the order of types. A unit, a
constituent found before or a word outside any, has one label as a whole: a longer one is entered
from B as B I..I, from I as I..I, from E as I..I E.
"""

import numpy as np

from senna_py.kernels.decoding.tree import split_units
from senna_py.kernels.runtime.jit import reordering_kernel

__all__ = ["level_likelihood"]


@reordering_kernel
def _add_logs(x, y):
    """log(exp(x) + exp(y))."""
    larger, smaller = max(x, y), min(x, y)
    return larger if smaller == -np.inf else larger + np.log1p(np.exp(smaller - larger))


@reordering_kernel
def _score_unit(emission, within, begin, end, free, score):
    """Scores of the labels of a unit: float64[n_labels], with the transitions inside it."""
    n, types, between = end - begin, len(within[0]), end - begin - 2
    b, i, e, s = 1, 1 + types, 1 + 2 * types, 1 + 3 * types
    score[0] = (n - 1) * within[4, 0]
    for t in range(begin, end):
        score[0] += emission[t, 0]
    for c in range(types):
        all_i = 0.0
        for t in range(begin, end):
            all_i += emission[t, i + c]
        score[b + c] = all_i - emission[begin, i + c] + emission[begin, b + c]
        score[i + c] = all_i + (n - 1) * within[2, c]
        score[e + c] = all_i - emission[end - 1, i + c] + emission[end - 1, e + c]
        if n > 1:
            score[b + c] += within[0, c] + between * within[2, c]
            score[e + c] += within[3, c] + between * within[2, c]
        score[s + c] = emission[begin, s + c] if free else -np.inf


@reordering_kernel
def _exponentiate(score, left_out, types, out):
    """Exponentials of three kinds, O and two of types, relative to the largest, which is returned.

    left_out: the kind, in the order of B, I, E, S, that is not taken, beside I; out:
    float64[1 + 2 * types], in the order of what is taken.
    """
    second = 1 if left_out == 2 else 1 + 2 * types
    third = 1 + 3 * types
    largest = score[0]
    for c in range(types):
        largest = max(largest, score[second + c], score[third + c])
    out[0] = np.exp(score[0] - largest)
    for c in range(types):
        out[1 + c] = np.exp(score[second + c] - largest)
        out[1 + types + c] = np.exp(score[third + c] - largest)
    return largest


@reordering_kernel
def _step(before, score, closed, within, rows, closed_scale, room, alpha):
    """Log forward variables of a unit from those of the one before it.

    rows: those of `within` from B to I, B to E, I to I and I to E between these units; room:
    float64[2, 1 + 2 * types], scratch.
    """
    types = len(within[0])
    b, i, e, s = 1, 1 + types, 1 + 2 * types, 1 + 3 * types
    scale = _exponentiate(before, 0, types, room[0]) + closed_scale
    to = room[1]
    to[:] = 0
    for source in range(len(closed)):
        share, row = room[0, source], closed[source]
        if share > 0:
            for target in range(len(row)):
                to[target] += share * row[target]
    alpha[0] = np.log(to[0]) + scale + score[0]
    for c in range(types):
        alpha[b + c] = np.log(to[1 + c]) + scale + score[b + c]
        alpha[s + c] = np.log(to[1 + types + c]) + scale + score[s + c]
        from_b, from_i = before[b + c], before[i + c]
        alpha[i + c] = score[i + c] + _add_logs(
            from_b + within[rows[0], c], from_i + within[rows[2], c]
        )
        alpha[e + c] = score[e + c] + _add_logs(
            from_b + within[rows[1], c], from_i + within[rows[3], c]
        )


@reordering_kernel
def _step_back(
    before, ahead, closed, within, rows, closed_scale, log_z, room, beta, joint, d_within
):
    """Log backward variables of the unit before, of `ahead`: scores and backward variables added.

    Adds marginals of pairs to `joint`, without the factor `closed`, and to `d_within`.
    """
    types = len(within[0])
    b, i, e = 1, 1 + types, 1 + 2 * types
    to, source_share = room[1], room[0]
    to_scale = _exponentiate(ahead, 2, types, to) + closed_scale
    factor = np.exp(_exponentiate(before, 0, types, source_share) + to_scale - log_z)
    for source in range(len(closed)):
        row, joint_row, share, total = closed[source], joint[source], source_share[source], 0.0
        share *= factor
        for target in range(len(row)):
            total += row[target] * to[target]
            joint_row[target] += share * to[target]
        place = 0 if source == 0 else e - 1 + source  # all E, then all S
        beta[place] = np.log(total) + to_scale
    for c in range(types):
        for k in range(2):
            source = b + c if k == 0 else i + c
            to_i = within[rows[2 * k], c] + ahead[i + c]
            to_e = within[rows[2 * k + 1], c] + ahead[e + c]
            beta[source] = _add_logs(to_i, to_e)
            d_within[rows[2 * k], c] += np.exp(before[source] + to_i - log_z)
            d_within[rows[2 * k + 1], c] += np.exp(before[source] + to_e - log_z)


@reordering_kernel
def _spread(share, begin, end, d_emission, d_within):
    """Give the marginals of a unit's labels to its words and the transitions inside it."""
    n, types, between = end - begin, len(d_within[0]), end - begin - 2
    b, i, e, s = 1, 1 + types, 1 + 2 * types, 1 + 3 * types
    d_within[4, 0] += (n - 1) * share[0]
    for c in range(types):
        in_b, in_i, in_e = share[b + c], share[i + c], share[e + c]
        d_within[2, c] += (n - 1) * in_i
        if n > 1:
            d_within[0, c] += in_b
            d_within[3, c] += in_e
            d_within[2, c] += between * (in_b + in_e)
    for t in range(begin, end):
        row = d_emission[t]
        row[:] = 0
        row[0] = share[0]
        for c in range(types):
            row[i + c] = share[i + c]
            if t > begin:
                row[i + c] += share[b + c]
            if t + 1 < end:
                row[i + c] += share[e + c]
    for c in range(types):
        d_emission[begin, b + c] = share[b + c]
        d_emission[end - 1, e + c] = share[e + c]
        d_emission[begin, s + c] = share[s + c]


@reordering_kernel
def _choose_rows(length_before, length, rows):
    """Rows of `within` for the step from one unit to the next, from B and I to I and E."""
    from_b = 2 if length_before > 1 else 0  # B is left as I
    to_e = 0 if length > 1 else 1  # E is entered as I
    rows[0], rows[1], rows[2], rows[3] = from_b, from_b + to_e, 2, 2 + to_e


@reordering_kernel
def _end(score, types):
    """Log of the sum over O, E and S, which may stand last."""
    total = score[0]
    for k in range(1 + 2 * types, 1 + 4 * types):
        total = _add_logs(total, score[k])
    return total


@reordering_kernel
def _forward(emission, initial, units, n, moves, room, score, alpha):
    """Scores of the labels of n units, and their log forward variables; returns log Z.

    units: where each begins, and whether it is a free word; moves: exp(closed - its largest), that
    largest, and `within`; score, alpha: float64[at least n, n_labels], out.
    """
    (unit_begin, unit_free), (closed, closed_scale, within) = units, moves
    types, rows = len(within[0]), np.empty(4, np.int64)
    for u in range(n):
        _score_unit(emission, within, unit_begin[u], unit_begin[u + 1], unit_free[u], score[u])
        if u == 0:
            for k in range(len(initial)):
                alpha[0, k] = initial[k] + score[0, k]
            alpha[0, 1 + types : 1 + 3 * types] = -np.inf  # nothing to go on with
        else:
            length = unit_begin[u + 1] - unit_begin[u]
            _choose_rows(unit_begin[u] - unit_begin[u - 1], length, rows)
            _step(alpha[u - 1], score[u], closed, within, rows, closed_scale, room, alpha[u])
    return _end(alpha[n - 1], types)


@reordering_kernel
def _backward(units, n, moves, log_z, room, score, alpha, d_emission, d_initial, joint, d_within):
    """Marginals of what `_forward` has scored, into d_emission, and added to the other three."""
    (unit_begin, _), (closed, closed_scale, within) = units, moves
    n_labels, types, rows = score.shape[1], len(within[0]), np.empty(4, np.int64)
    beta, ahead, share = np.zeros(n_labels), np.empty(n_labels), np.empty(n_labels)
    beta[1 : 1 + 2 * types] = -np.inf
    for u in range(n - 1, -1, -1):
        for k in range(n_labels):
            share[k] = np.exp(alpha[u, k] + beta[k] - log_z)
            ahead[k] = score[u, k] + beta[k]
        _spread(share, unit_begin[u], unit_begin[u + 1], d_emission, d_within)
        if u == 0:
            d_initial += share
        else:
            length = unit_begin[u + 1] - unit_begin[u]
            _choose_rows(unit_begin[u] - unit_begin[u - 1], length, rows)
            _step_back(
                alpha[u - 1], ahead, closed, within, rows, closed_scale, log_z, room, beta, joint,
                d_within,
            )  # fmt: skip


@reordering_kernel
def level_likelihood(
    emission, starts, span, initial, closed, within, d_emission, d_initial, d_closed, d_within
):
    """Sum over sentences of the log of the sum over paths of exp(score), and its gradients.

    emission: float32[n_words, 1 + 4 * types], by kind; starts: int32[n_sentences + 1]; span:
    int32[n_words], see `decode_levels`; initial: float32[1 + 4 * types], where I and E
    are not used; closed: float32[1 + 2 * types, 1 + 2 * types], transitions from O, E and S to O, B
    and S; within: float32[5, types], transitions B to I, B to E, I to I and I to E of each type,
    and O to O in the first column of the last row. The others receive the gradients, as large.
    Forward and backward variables are logarithms in float64, as units may have any length.
    """
    n_labels, longest = emission.shape[1], 0
    for s in range(len(starts) - 1):
        longest = max(longest, starts[s + 1] - starts[s])
    units = np.empty(longest + 1, np.int32), np.empty(longest, np.bool_)
    score, alpha = np.empty((longest, n_labels)), np.empty((longest, n_labels))
    room, joint = np.empty((2, len(closed))), np.zeros(closed.shape)
    scale = np.float64(closed.max())
    moves = np.exp(closed.astype(np.float64) - scale), scale, within.astype(np.float64)
    first, inside, cost = np.zeros(n_labels), np.zeros(within.shape), 0.0
    for s in range(len(starts) - 1):
        if starts[s] == starts[s + 1]:
            continue
        n = split_units(span, starts[s], starts[s + 1], units[0], units[1])
        log_z = _forward(emission, initial, units, n, moves, room, score, alpha)
        cost += log_z
        _backward(
            units, n, moves, log_z, room, score, alpha, d_emission, first, joint, inside
        )  # fmt: skip
    d_initial[:], d_within[:], d_closed[:] = first, inside, joint * moves[0]
    return cost
