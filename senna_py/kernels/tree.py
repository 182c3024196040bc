"""Decoding of one level of constituents over those found below it.

Labels are O = 0 and, for constituent type c, B = 1 + 4c, I = 2 + 4c, E = 3 + 4c, S = 4 + 4c.
"""

import numpy as np

from senna_py.kernels.jit import kernel
from senna_py.kernels.viterbi import largest_sums

__all__ = ["decode_levels"]


@kernel
def _is_closed(label):
    """Whether no constituent goes on after a unit with `label`: O, E or S."""
    return label == 0 or label % 4 in (3, 0)


@kernel
def _is_opened(label):
    """Whether none goes on into a unit with `label`: O, B or S."""
    return label == 0 or label % 4 in (1, 0)


@kernel
def _first_label(label, length):
    """Label of the first word of a unit that has `label` as a whole."""
    return label - 1 if length > 1 and label % 4 == 3 else label  # E, entered as I


@kernel
def _last_label(label, length):
    """Label of the last word of a unit that has `label` as a whole."""
    return label + 1 if length > 1 and label % 4 == 1 else label  # B, left as I


@kernel
def _units(span, a, b, unit_begin, unit_free):
    """Split words a to b into units: a constituent found before, or a word outside any.

    Writes where each begins and whether it is a free word; returns their number.
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
def _best_source(score, transition, length, target, target_first):
    """Source unit label of the best path into a unit label; ties go to the lowest index."""
    if _is_opened(target):
        best = 0
        value = score[0] + transition[0, target_first]
        for label in range(3, len(score)):
            if _is_closed(label):
                candidate = score[label] + transition[label, target_first]
                if candidate > value:
                    best, value = label, candidate
        return best
    # I, E follow B, I of their type
    begin = target - (target % 4 - 1)
    value = score[begin] + transition[_last_label(begin, length), target_first]
    candidate = score[begin + 1] + transition[begin + 1, target_first]
    return begin + 1 if candidate > value else begin


@kernel
def _inside(emission, transition, begin, end, label, score):
    """Add to `score` what the words after the first of a unit with `label` contribute."""
    previous = _first_label(label, end - begin)
    for t in range(begin + 1, end):
        if label == 0:
            current = 0
        elif label % 4 == 1:
            current = label + 1
        elif label % 4 == 3 and t + 1 < end:
            current = label - 1
        else:
            current = label
        score = score + transition[previous, current] + emission[t, current]
        previous = current
    return score


@kernel
def _boundaries(transition):
    """Transitions between closed and opened labels, which are most: as for `largest_sums`.

    Returns closed: int32[n_closed], the sources; place: int32[n_labels], the column of each opened
    label; float32[n_closed, width].
    """
    n_labels = len(transition)
    closed, place = np.empty(n_labels, np.int32), np.empty(n_labels, np.int32)
    n_closed = n_opened = 0
    for label in range(n_labels):
        if _is_closed(label):
            closed[n_closed] = label
            n_closed += 1
        place[label] = n_opened
        n_opened += _is_opened(label)
    table = np.zeros((n_closed, (n_opened + 15) // 16 * 16), np.float32)
    for i in range(n_closed):
        for label in range(n_labels):
            if _is_opened(label):
                table[i, place[label]] = transition[closed[i], label]
    return closed[:n_closed].copy(), place, table


@kernel
def _score_unit(
    emission, initial, transition, boundaries, begin, end, free, source_length, source, score
):
    """Scores of the best ways to each label of the unit of the words begin to end.

    boundaries: see `_boundaries`; source: float32[n_labels], scores of the unit before, which has
    source_length words, 0 if there is none; score: float32[n_labels], out.
    """
    closed, place, table = boundaries
    length = end - begin
    opened = np.empty(table.shape[1], np.float32)
    if source_length > 0:
        largest_sums(source[closed], table, len(closed), opened)
    for label in range(len(score)):
        kind = label % 4
        score[label] = -np.inf
        if label > 0 and kind == 0 and not free:
            continue  # S would not be longer than the constituent below
        first = _first_label(label, length)
        if _is_opened(label):
            value = opened[place[label]] if source_length > 0 else initial[first]
        elif source_length > 0:  # I, E follow B, I of their type
            b = label - (kind - 1)
            value = source[b] + transition[_last_label(b, source_length), first]
            other = source[b + 1] + transition[b + 1, first]
            value = other if other > value else value
        else:
            continue
        entered = value + emission[begin, first]
        score[label] = _inside(emission, transition, begin, end, label, entered)


@kernel
def _decode_units(
    emission, initial, transition, boundaries, unit_begin, unit_free, n_units, score, labels
):
    """Best valid sequence of unit labels, written to `labels`: int32[n_units].

    score: float32[at least n_units, n_labels], scratch.
    """
    for u in range(n_units):
        begin, end = unit_begin[u], unit_begin[u + 1]
        before = max(u - 1, 0)
        _score_unit(
            emission, initial, transition, boundaries, begin, end, unit_free[u],
            begin - unit_begin[before], score[before], score[u],
        )  # fmt: skip
    best, last = 0, score[n_units - 1]
    for label in range(3, len(initial)):
        if _is_closed(label) and last[label] > last[best]:
            best = label
    for u in range(n_units - 1, 0, -1):
        labels[u] = best
        first = _first_label(best, unit_begin[u + 1] - unit_begin[u])
        length = unit_begin[u] - unit_begin[u - 1]
        best = _best_source(score[u - 1], transition, length, best, first)
    labels[0] = best


@kernel
def _write_level(unit_begin, n_units, unit_labels, span, labels, latest):
    """Give words their labels and enter new constituents; returns (any found, spans all)."""
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
def decode_levels(emission, starts, initial, transition, span, latest, labels, found, whole):
    """One level of every sentence: the best BIES-valid labels that respect the levels below.

    A new constituent contains an old one entirely or does not touch it, and is longer than it.
    emission: float32[n_tokens, n_labels]; starts: int32[n_sentences + 1]; initial:
    float32[n_labels]; transition: float32[n_labels, n_labels], source to destination;
    span: int32[n_tokens], words of the outermost constituent that begins at a word, 0 for none
    (updated); latest: int32[n_tokens], last label other than O (updated); labels:
    int32[n_tokens], out; found, whole: bool[n_sentences], out: any new constituent, and whether
    one spans the sentence. Spec, section 3.
    """
    n_labels = len(initial)
    longest = 0
    for s in range(len(starts) - 1):
        longest = max(longest, starts[s + 1] - starts[s])
    unit_begin = np.empty(longest + 1, np.int32)
    unit_free = np.empty(longest, np.bool_)
    unit_labels = np.empty(longest, np.int32)
    score = np.empty((longest, n_labels), np.float32)
    boundaries = _boundaries(transition)
    for s in range(len(starts) - 1):
        n = _units(span, starts[s], starts[s + 1], unit_begin, unit_free)
        _decode_units(
            emission, initial, transition, boundaries, unit_begin, unit_free, n, score, unit_labels
        )
        found[s], whole[s] = _write_level(unit_begin, n, unit_labels, span, labels, latest)
