"""Look-up forms of words: how they are spelled in dictionaries."""

import numpy as np

from senna_py.kernels.text import tokens as kernels
from senna_py.text.characters import KIND, LOWER, cover_characters

__all__ = ["fold_words"]


def fold_words(words, numbers=True):
    """Look-up forms of `words`: lower case, numbers as `0` (compatibility note, section 2).

    words: a list of str without newlines; numbers: whether these become `0`. Returns a list of str
    of the same length. Folding twice is wrong: `50-50` becomes `00`, and that `0`.
    """
    if not words:
        return []
    data = "\n".join(words).encode("utf-8", "surrogateescape")
    cover_characters(data)
    folded, kind = np.empty(2 * len(data) + 1, np.uint8), np.empty(2 * len(data) + 1, np.uint8)
    n = kernels.fold(
        np.frombuffer(data, np.uint8), 0, len(data), numbers, KIND, LOWER,
        folded, kind, np.empty(len(folded), np.int32), 0,
    )  # fmt: skip
    return folded[:n].tobytes().decode("utf-8", "surrogateescape").split("\n")
