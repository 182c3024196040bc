"""Constituents above words, from labels as text."""

import numpy as np

from senna_py.features.phrase import MOST_ABOVE, Above, labels_going_on
from senna_py.kernels.text.phrases import shared_with_previous


def above_of(paths, keys, starts):
    """Above of words with these labels, each word's in one str, the innermost first."""
    labels = np.zeros((len(paths), MOST_ABOVE), np.int32)
    for row, path in zip(labels, paths, strict=True):
        tags = path.split()
        row[: len(tags)] = [keys.index(tag) for tag in tags]
    shared = np.empty(len(labels), np.int32)
    shared_with_previous(labels, labels_going_on(keys), starts, shared)
    return Above(labels, shared)
