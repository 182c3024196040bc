"""The twin of the kernel of `kernels.dictionary` that opening a model calls."""

import numpy as np

__all__ = ["first_disorder"]

_STEP = 8  # bytes compared at once


def first_disorder(blob, begin, end):
    """See `kernels.dictionary.first_disorder`."""
    padded = np.append(blob, np.zeros(_STEP, np.uint8))
    words = np.ndarray(len(blob) + 1, ">u8", padded, 0, (1,))
    # Keys that agree on all bytes so far with the key before, and are not ordered yet.
    left, offset = np.arange(1, len(begin)), 0
    disorder = []
    while len(left):
        before, after = (_part(words, begin, end, left + side, offset) for side in (-1, 0))
        disorder += left[(before > after)][:1].tolist()
        ended = (end - begin)[left] <= offset + _STEP
        same = before == after
        longer = (end - begin)[left - 1] >= (end - begin)[left]
        disorder += left[same & ended & longer][:1].tolist()
        left = left[same & ~ended]
        offset += _STEP
    return min(disorder, default=-1)


def _part(words, begin, end, index, offset):
    """Bytes `offset` to `offset + _STEP` of some keys as one number each, zeros behind the end."""
    size = np.clip(end[index] - begin[index] - offset, 0, _STEP)
    at = np.minimum(begin[index] + offset, end[index])
    unused = 8 * (_STEP - size).astype(np.uint64)
    part = words[at].astype(np.uint64)
    return np.where(size > 0, part >> unused << unused, 0)
