"""Decoding of one level of constituents over those found below it.

Labels are O = 0 and, for constituent type c, B = 1 + 4c, I = 2 + 4c, E = 3 + 4c, S = 4 + 4c.
"""

import numpy as np

from senna_py.kernels.jit import kernel

__all__ = ["decode_levels"]


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
def _best_source(score, transition, length, target, target_first, out):
    """Source unit label of the best path into a unit label; ties go to the lowest index."""
    kind = target % 4
    if target == 0 or kind in (1, 0):  # O, B, S follow O, E, S
        best = 0
        value = score[0] + transition[0, target_first]
        for label in range(3, len(score)):
            if label % 4 in (3, 0):
                candidate = score[label] + transition[label, target_first]
                if candidate > value:
                    best, value = label, candidate
    else:  # I, E follow B, I of their type
        begin = target - (kind - 1)
        best = begin
        value = score[begin] + transition[_last_label(begin, length), target_first]
        candidate = score[begin + 1] + transition[begin + 1, target_first]
        if candidate > value:
            best, value = begin + 1, candidate
    out[0] = value
    return best


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
def _decode_units(emission, initial, transition, unit_begin, unit_free, n_units, back, labels):
    """Best valid sequence of unit labels, written to `labels`: int32[n_units]."""
    n_labels = len(initial)
    score = np.empty(n_labels, np.float32)
    new_score = np.empty(n_labels, np.float32)
    value = np.empty(1, np.float32)
    for u in range(n_units):
        begin, end = unit_begin[u], unit_begin[u + 1]
        length = end - begin
        source_length = begin - unit_begin[u - 1] if u > 0 else 0
        for label in range(n_labels):
            kind = label % 4
            new_score[label] = -np.inf
            back[u, label] = 0
            if label > 0 and kind == 0 and not unit_free[u]:
                continue  # S would not be longer than the constituent below
            first = _first_label(label, length)
            if u == 0:
                if label > 0 and kind in (2, 3):
                    continue
                value[0] = initial[first]
            else:
                back[u, label] = _best_source(score, transition, source_length, label, first, value)
            entered = value[0] + emission[begin, first]
            new_score[label] = _inside(emission, transition, begin, end, label, entered)
        for label in range(n_labels):
            score[label] = new_score[label]
    best = 0
    for label in range(3, n_labels):
        if label % 4 in (3, 0) and score[label] > score[best]:
            best = label
    for u in range(n_units - 1, -1, -1):
        labels[u] = best
        best = back[u, best]


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
    back = np.empty((longest, n_labels), np.int16)
    for s in range(len(starts) - 1):
        n = _units(span, starts[s], starts[s + 1], unit_begin, unit_free)
        _decode_units(emission, initial, transition, unit_begin, unit_free, n, back, unit_labels)
        found[s], whole[s] = _write_level(unit_begin, n, unit_labels, span, labels, latest)
