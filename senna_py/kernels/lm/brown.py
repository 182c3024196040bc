"""Brown clustering: repeatedly merge the two classes whose merger loses the least.

The loss is the decrease of the average mutual information of adjacent classes (Brown et
al. 1992). Times the number of bigrams N, this information is the sum of F(n_ab) over
all pairs of classes, minus the sum of F over the row sums, minus the sum of F over the
column sums, plus F(N). F(x) is x log x. Let g(x, y) = F(x) + F(y) - F(x + y), which is
0 if x or y is 0. Then the loss of merging a and b, times N, is the sum of

    g(n_ac, n_bc) + g(n_ca, n_cb)

over all classes c, with a correction where c is a or b, minus g of the row sums of a
and b, minus g of their column sums.

So a class changes the loss of merging two others only if it is adjacent to both. A rare
word costs a few rows of the table instead of the whole table (O(C^2) per word in Liang
2005).

F is rounded to an integer multiple of 1 / SCALE. Sums of these numbers are exact in any
order, so the table of losses has the same bits whether it is updated or recomputed.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from senna_py.kernels.runtime.jit import kernel

if TYPE_CHECKING:
    from senna_py.kernels.arrays import Ints, Longs

SCALE = float(1 << 24)  # for 2^31 bigrams, F * SCALE is below 2^60


class Classes(NamedTuple):
    """The counts and losses of classes, which occupy slots 0 to size - 1 of n.

    Attributes:
        after: int32[n, n], the number of times that a word of the second class follows
            a word of the first class.
        before: int32[n, n], the transpose of `after`.
        n_first, n_second: int64[n], the row and column sums of `after`.
        loss: int64[n, n]; below the diagonal, the loss of merging two classes, times N
            * SCALE.
        logs: int64[m], F of the numbers from 0 to m - 1, times SCALE.
        acc, work: int64[n], scratch.
        listed: int32[2, n], scratch.
    """

    after: np.ndarray
    before: np.ndarray
    n_first: np.ndarray
    n_second: np.ndarray
    loss: np.ndarray
    logs: np.ndarray
    acc: np.ndarray
    work: np.ndarray
    listed: np.ndarray


class Bigrams(NamedTuple):
    """The words before and after each word, with their counts.

    Attributes:
        next_start, previous_start: int64[n_words + 1]; the words after word v are at
            `next_start[v]:next_start[v + 1]`.
        next_word, previous_word: int32[n_bigrams].
        next_count, previous_count: int32[n_bigrams].
    """

    next_start: np.ndarray
    next_word: np.ndarray
    next_count: np.ndarray
    previous_start: np.ndarray
    previous_word: np.ndarray
    previous_count: np.ndarray


@kernel
def fill_logs(logs: Longs) -> None:
    """Write F(x) * SCALE, rounded, to element x of `logs`: int64[n]."""
    logs[0] = 0
    for x in range(1, len(logs)):
        logs[x] = np.int64(np.rint(x * math.log(x) * SCALE))


@kernel
def _f(logs: Longs, x: int) -> int:
    if x < len(logs):
        return logs[x]
    return np.int64(np.rint(x * math.log(x) * SCALE))


@kernel
def _add(loss: Longs, a: int, b: int, value: int) -> None:
    if a > b:
        loss[a, b] += value
    else:
        loss[b, a] += value


@kernel
def _own_part(classes: Classes, a: int, b: int) -> int:
    """Return the terms of a loss for c = a and c = b, and for row and column sums."""
    logs, after, first, second = (
        classes.logs,
        classes.after,
        classes.n_first,
        classes.n_second,
    )
    aa, ab = np.int64(after[a, a]), np.int64(after[a, b])
    ba, bb = np.int64(after[b, a]), np.int64(after[b, b])
    return (
        _f(logs, aa + ba)
        + _f(logs, ab + bb)
        + _f(logs, aa + ab)
        + _f(logs, ba + bb)
        - _f(logs, aa)
        - _f(logs, ab)
        - _f(logs, ba)
        - _f(logs, bb)
        - _f(logs, aa + ab + ba + bb)
        + _f(logs, first[a] + first[b])
        - _f(logs, first[a])
        - _f(logs, first[b])
        + _f(logs, second[a] + second[b])
        - _f(logs, second[a])
        - _f(logs, second[b])
    )


@kernel
def _shared_part(logs: Longs, x: Ints, y: Ints, size: int) -> int:
    """Return the sum over the first `size` classes c of g(x[c], y[c]), for int32[n]."""
    total = np.int64(0)
    for c in range(size):
        if x[c] > 0 and y[c] > 0:
            p, q = np.int64(x[c]), np.int64(y[c])
            total += _f(logs, p) + _f(logs, q) - _f(logs, p + q)
    return total


@kernel
def all_losses(classes: Classes, size: int) -> None:
    """Compute `loss` for all pairs of classes from the other arrays.

    Args:
        classes: The Classes, whose `loss` is written.
        size: The number of classes.
    """
    for a in range(size):
        for b in range(a):
            classes.loss[a, b] = (
                _shared_part(classes.logs, classes.after[a], classes.after[b], size)
                + _shared_part(classes.logs, classes.before[a], classes.before[b], size)
                + _own_part(classes, a, b)
            )


@kernel
def best_pair(loss: Longs, size: int) -> tuple[int, int]:
    """Return the pair of classes (a, b), with a > b, that has the smallest loss.

    Ties are resolved in favor of the largest a, and then of the largest b.

    Args:
        loss: int64[n, n]; see Classes.
        size: The number of classes, at least 2.
    """
    least = np.int64(np.iinfo(np.int64).max)
    best = np.int64(0)
    for a in range(1, size):
        row = loss[a, :a]
        value = row[0]
        for b in range(1, a):
            value = min(value, row[b])
        if value <= least:
            least = value
            best = np.int64(a)
    for b in range(best - 1, -1, -1):
        if loss[best, b] == least:
            return best, np.int64(b)
    return best, np.int64(0)


@kernel
def _list_positive(x: Ints, size: int, out: Ints) -> int:
    """Write the indices below `size` where x is positive, and return their number."""
    n = np.int64(0)
    for a in range(size):
        if x[a] > 0:
            out[n] = a
            n += 1
    return n


@kernel
def _count_word(
    classes: Classes, slot: int, bigrams: Bigrams, word: int, class_of: Ints
) -> None:
    """Fill row and column `slot` with the bigrams of a word.

    Only the bigrams with the word itself and with earlier words count. class_of is
    int32[n_words], the slots of earlier words.
    """
    after, before = classes.after, classes.before
    for a in range(slot + 1):
        after[slot, a] = after[a, slot] = before[slot, a] = before[a, slot] = 0
    for e in range(bigrams.next_start[word], bigrams.next_start[word + 1]):
        other = bigrams.next_word[e]
        if other <= word:
            a = slot if other == word else np.int64(class_of[other])
            after[slot, a] += bigrams.next_count[e]
            before[a, slot] += bigrams.next_count[e]
    for e in range(bigrams.previous_start[word], bigrams.previous_start[word + 1]):
        other = bigrams.previous_word[e]
        if other < word:
            a = np.int64(class_of[other])
            after[a, slot] += bigrams.previous_count[e]
            before[slot, a] += bigrams.previous_count[e]


@kernel
def _add_column(classes: Classes, x: Ints, listed: Ints, n: int) -> None:
    """Add g(x[a], x[b]) to the losses of all pairs (a, b) among `n` listed classes."""
    logs = classes.logs
    for i in range(n):
        p = np.int64(x[listed[i]])
        for j in range(i):
            q = np.int64(x[listed[j]])
            classes.loss[listed[i], listed[j]] += (
                _f(logs, p) + _f(logs, q) - _f(logs, p + q)
            )


@kernel
def _add_to_sums(classes: Classes, size: int, slot: int) -> None:
    """Add the counts of the class in `slot` to the sums of other classes.

    Losses of pairs of other classes change accordingly.
    """
    logs, change, changed = classes.logs, classes.work, classes.listed[0]
    first, second, loss = classes.n_first, classes.n_second, classes.loss
    more_first, more_second = classes.before[slot], classes.after[slot]
    n_changed = np.int64(0)
    for a in range(size):
        change[a] = 0
        if more_first[a] > 0 or more_second[a] > 0:
            changed[n_changed] = a
            n_changed += 1
            change[a] = (
                _f(logs, first[a])
                - _f(logs, first[a] + more_first[a])
                + _f(logs, second[a])
                - _f(logs, second[a] + more_second[a])
            )
    for a in range(size):
        is_changed = more_first[a] > 0 or more_second[a] > 0
        for k in range(a if is_changed else n_changed):
            b = k if is_changed else np.int64(changed[k])
            if b >= a:
                break
            value = change[a] + change[b]
            if more_first[a] > 0 or more_first[b] > 0:
                x = first[a] + first[b]
                value += _f(logs, x + more_first[a] + more_first[b]) - _f(logs, x)
            if more_second[a] > 0 or more_second[b] > 0:
                x = second[a] + second[b]
                value += _f(logs, x + more_second[a] + more_second[b]) - _f(logs, x)
            loss[a, b] += value
    for a in range(size):
        first[a] += more_first[a]
        second[a] += more_second[a]


@kernel
def _add_row(classes: Classes, x: Ints, others: Ints, size: int) -> None:
    """Add the sum over c of g(x[c], others[c, b]) to acc[b] for all b.

    x is int32[n], and others is int32[n, n].
    """
    logs, acc = classes.logs, classes.acc
    for c in range(size):
        if x[c] > 0:
            p, column = np.int64(x[c]), others[c]
            for b in range(size):
                if column[b] > 0:
                    q = np.int64(column[b])
                    acc[b] += _f(logs, p) + _f(logs, q) - _f(logs, p + q)


@kernel
def _insert(
    classes: Classes, size: int, bigrams: Bigrams, word: int, class_of: Ints
) -> None:
    """Insert a word as a class of its own in slot `size`.

    class_of is int32[n_words], the slots of earlier words, and receives the slot of the
    word.
    """
    after, before, slot = classes.after, classes.before, np.int64(size)
    _count_word(classes, slot, bigrams, word, class_of)
    _add_to_sums(classes, size, slot)
    classes.n_first[slot] = classes.n_second[slot] = 0
    for a in range(size + 1):
        classes.n_first[slot] += after[slot, a]
        classes.n_second[slot] += before[slot, a]
    listed = classes.listed[0]
    _add_column(
        classes, before[slot], listed, _list_positive(before[slot], size, listed)
    )
    _add_column(classes, after[slot], listed, _list_positive(after[slot], size, listed))
    classes.acc[: size + 1] = 0
    _add_row(classes, after[slot], before, size + 1)
    _add_row(classes, before[slot], after, size + 1)
    for b in range(size):
        classes.loss[slot, b] = classes.acc[b] + _own_part(classes, slot, np.int64(b))
    class_of[word] = slot


@kernel
def _merge_columns(classes: Classes, size: int, x: Ints, y: Ints, gone: int) -> None:
    """Update the losses when columns x and y are merged, except for pairs with `gone`.

    x and y are int32[n]. This is fast if most elements of y are 0.
    """
    logs, change, loss = classes.logs, classes.work, classes.loss
    both, few = classes.listed[0], classes.listed[1]
    n_both = n_few = np.int64(0)
    for a in range(size):
        if a != gone and (x[a] > 0 or y[a] > 0):
            both[n_both] = a
            n_both += 1
            p, q = np.int64(x[a]), np.int64(y[a])
            change[a] = _f(logs, p + q) - _f(logs, p) - _f(logs, q)
            if q > 0:
                few[n_few] = a
                n_few += 1
    for i in range(n_both):
        a = np.int64(both[i])
        p, q = np.int64(x[a]), np.int64(y[a])
        for k in range(i if q > 0 else n_few):
            b = np.int64(both[k] if q > 0 else few[k])
            if b >= a:
                break
            s, t = np.int64(x[b]), np.int64(y[b])
            loss[a, b] += (
                change[a]
                + change[b]
                - _f(logs, p + q + s + t)
                + _f(logs, p + s)
                + _f(logs, q + t)
            )


@kernel
def _merge_rows(
    classes: Classes, size: int, rows: Ints, others: Ints, kept: int, gone: int
) -> None:
    """Add to acc[b] the growth of the sum over c of g(rows[kept, c], rows[b, c]).

    The sum grows because row `gone` is merged into row `kept`. rows is int32[n, n], and
    others is its transpose. The columns `kept` and `gone` count as one column.
    """
    logs, acc = classes.logs, classes.acc
    for c in range(size):
        if c == gone:
            continue
        p, q = np.int64(rows[kept, c]), np.int64(rows[gone, c])
        if c == kept:
            p += rows[kept, gone]
            q += rows[gone, gone]
        if q == 0:
            continue
        change = _f(logs, p + q) - _f(logs, p)
        for b in range(size):
            v = np.int64(others[c, b])
            if c == kept:
                v += others[gone, b]
            if v > 0:
                acc[b] += change - _f(logs, p + q + v) + _f(logs, p + v)


@kernel
def _join_counts(classes: Classes, size: int, kept: int, gone: int) -> None:
    """Add the counts of class `gone` to the counts of class `kept`."""
    for counts in (classes.after, classes.before):
        for a in range(size):
            counts[kept, a] += counts[gone, a]
        for a in range(size):
            counts[a, kept] += counts[a, gone]
    classes.n_first[kept] += classes.n_first[gone]
    classes.n_second[kept] += classes.n_second[gone]


@kernel
def _move_class(classes: Classes, size: int, source: int, target: int) -> None:
    """Move the class in the last slot, `source`, to the slot `target`."""
    for counts in (classes.after, classes.before):
        for a in range(size):
            counts[target, a] = counts[source, a]
        for a in range(size):
            counts[a, target] = counts[a, source]
    classes.n_first[target] = classes.n_first[source]
    classes.n_second[target] = classes.n_second[source]
    for b in range(size):
        if b < target:
            classes.loss[target, b] = classes.loss[source, b]
        elif target < b < source:
            classes.loss[b, target] = classes.loss[source, b]


@kernel
def merge(classes: Classes, size: int, a: int, b: int) -> tuple[int, int]:
    """Merge classes a and b, and return the slot of the result and the freed slot.

    Then the class in the last slot, size - 1, moves to the freed slot. If it is the
    result of the merger, both returned slots are equal.
    """
    after, before = classes.after, classes.before
    adjoin_a = adjoin_b = 0
    for c in range(size):
        adjoin_a += (after[a, c] > 0) + (before[a, c] > 0)
        adjoin_b += (after[b, c] > 0) + (before[b, c] > 0)
    kept, gone = (b, a) if adjoin_b >= adjoin_a else (a, b)
    for c in range(size):
        if c not in (kept, gone):
            _add(classes.loss, kept, c, -_own_part(classes, kept, np.int64(c)))
    _merge_columns(classes, size, before[kept], before[gone], gone)
    _merge_columns(classes, size, after[kept], after[gone], gone)
    classes.acc[:size] = 0
    _merge_rows(classes, size, after, before, kept, gone)
    _merge_rows(classes, size, before, after, kept, gone)
    _join_counts(classes, size, kept, gone)
    for c in range(size):
        if c not in (kept, gone):
            _add(
                classes.loss,
                kept,
                c,
                classes.acc[c] + _own_part(classes, kept, np.int64(c)),
            )
    last = np.int64(size - 1)
    if gone != last:
        _move_class(classes, size, last, gone)
    return gone if kept == last else kept, gone


@kernel
def _rename(class_of: Ints, n_words: int, last: int, kept: int, gone: int) -> None:
    for word in range(n_words):
        if class_of[word] == gone:
            class_of[word] = kept
        elif class_of[word] == last:
            class_of[word] = gone


@kernel
def sort_in(
    classes: Classes, size: int, bigrams: Bigrams, first: int, stop: int, class_of: Ints
) -> None:
    """Sort the words from `first` to `stop` into `size` classes (Liang 2005).

    Each word in turn becomes a class, and then the two classes with the smallest loss
    are merged.

    Args:
        classes: The Classes.
        size: The number of classes.
        bigrams: The Bigrams.
        first, stop: The range of words.
        class_of: int32[n_words], the slot of each word before `first`. The slots of the
            words from `first` to `stop` are added, and the slots of earlier words are
            updated.
    """
    for word in range(first, stop):
        _insert(classes, size, bigrams, np.int64(word), class_of)
        a, b = best_pair(classes.loss, size + 1)
        kept, gone = merge(classes, np.int64(size + 1), a, b)
        if gone == size:
            class_of[word] = kept
        else:
            _rename(class_of, word + 1, size, kept, gone)


@kernel
def merge_all(classes: Classes, size: int, merges: Ints) -> None:
    """Merge classes until one is left.

    Initially, the number of a class is its slot. Merge k creates the class with the
    number size + k.

    Args:
        classes: The Classes.
        size: The number of classes.
        merges: int32[size - 1, 2], which receives the numbers of the classes of each
            merge, the smaller number first.
    """
    number = np.arange(size)
    for k in range(size - 1):
        n = np.int64(size - k)
        a, b = best_pair(classes.loss, n)
        merges[k, 0] = min(number[a], number[b])
        merges[k, 1] = max(number[a], number[b])
        kept, gone = merge(classes, n, a, b)
        number[gone] = number[n - 1]
        number[kept] = size + k
