"""What a tree network is trained on: states while a tree grows, and the level that comes next."""

import numpy as np

from senna_py.kernels.runtime.jit import kernel

__all__ = ["grow_examples"]


@kernel
def _mark_boundaries(span, boundary):
    """Mark where units begin, and the end of the sentence: boundary: bool[n_words + 1]."""
    boundary[:] = False
    t = 0
    while t < len(span):
        boundary[t] = True
        t += max(span[t], 1)
    boundary[len(span)] = True


@kernel
def _write_constituent(begin, end, label, labels):
    """Write the tags of one constituent over those of words."""
    if end - begin == 1:
        labels[begin] = 4 + 4 * label
        return
    labels[begin] = 1 + 4 * label
    labels[begin + 1 : end - 1] = 2 + 4 * label
    labels[end - 1] = 3 + 4 * label


@kernel
def _choose_next(begin, end, span, boundary, chosen):
    """Choose the constituents of the next level: bool[n]; returns how many.

    They are those that can still be found, as they hold units whole and more than one of them or
    a word outside any, and that hold no other such. Each stands before those that it holds.
    """
    _mark_boundaries(span, boundary)
    n, waiting = 0, len(span)  # where the leftmost begins of those that can be found
    for k in range(len(begin) - 1, -1, -1):
        a, b = begin[k], end[k]
        possible = boundary[a] and boundary[b] and span[a] != b - a
        chosen[k] = possible and waiting >= b
        if possible:
            n += chosen[k]
            waiting = a
    return n


@kernel
def _enter(labels, span, latest):
    """Enter a level's constituents, by its labels, as `decode_levels` does."""
    begin = 0
    for t in range(len(labels)):
        label = labels[t]
        if label == 0:
            continue
        latest[t] = label
        kind = label % 4
        if kind == 1:
            begin = t
        elif kind == 3:
            span[begin] = t + 1 - begin
        elif kind == 0:
            span[t] = 1


@kernel
def grow_examples(starts, first, begin, end, label, own_labels, own_rows, own_levels, out):
    """Grow a tree on each sentence; each state in which decoding would score it is an example.

    starts: int32[n_sentences + 1]; first, begin, end, label: labels.constituents.Constituents;
    own_labels, own_rows: as of networks.trees.Trees, levels that are found whatever should be;
    own_levels: int32[n_sentences], how many of these there are, -1 where that is found what should.
    out: sentence: int32[n_examples], starts: int32[n_examples + 1], token, latest, span, gold:
    int32[n_rows], a row for each word of an example: its token of the batch, its state, and the
    label on the next level. Returns n_examples; the arrays may be longer.
    """
    sentence, example_starts, token, latest, span, gold = out
    longest, most = 0, 0
    for s in range(len(starts) - 1):
        longest = max(longest, starts[s + 1] - starts[s])
        most = max(most, first[s + 1] - first[s])
    boundary, chosen = np.empty(longest + 1, np.bool_), np.empty(most, np.bool_)
    now_latest, now_span = np.empty(longest, np.int32), np.empty(longest, np.int32)
    row, n = 0, 0
    example_starts[0] = 0
    for s in range(len(starts) - 1):
        a, length, step = starts[s], starts[s + 1] - starts[s], 0
        i, j = first[s], first[s + 1]
        now_latest[:length], now_span[:length] = 0, 0
        while length > 0 and now_span[0] != length:
            n_next = _choose_next(
                begin[i:j], end[i:j], now_span[:length], boundary[: length + 1], chosen[: j - i]
            )
            here = slice(row, row + length)
            gold[here] = 0
            for k in range(j - i):
                if chosen[k]:
                    _write_constituent(begin[i + k], end[i + k], label[i + k], gold[here])
            for t in range(length):
                token[row + t] = a + t
            latest[here], span[here] = now_latest[:length], now_span[:length]
            row += length
            sentence[n], example_starts[n + 1] = s, row
            n += 1
            if step == own_levels[s] or (own_levels[s] < 0 and n_next == 0):
                break
            at = own_rows[s] + step * length
            found = gold[here] if own_levels[s] < 0 else own_labels[at : at + length]
            _enter(found, now_span[:length], now_latest[:length])
            step += 1
    return n
