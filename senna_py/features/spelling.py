"""Words that the dictionary lacks, with vectors computed from their spelling: `spelling.NAME`."""

import re
from itertools import islice
from typing import NamedTuple

import numpy as np

from senna_py.errors import SennaError
from senna_py.kernels.cold_start.jit import runs_plain

__all__ = ["NewWords", "SpelledWords", "spelling_feature", "stack"]

_NAME = re.compile(r"spelling\.([A-Za-z0-9_-]+)")
_MOST_KEPT = 1 << 14


def spelling_feature(name):
    """The NAME of the spelling behind a feature, a str, or None for a feature of another kind.

    Raises SennaError if `name` begins like one of these but means nothing.
    """
    if not name.startswith("spelling."):
        return None
    match = _NAME.fullmatch(name)
    if not match:
        raise SennaError(f"no such feature: {name!r}")
    return match[1]


class NewWords(NamedTuple):
    """The new words of a batch.

    index: int32[n_tokens], the row of each, 0 for words of the dictionary; rows: float32[n, dim],
    the first of which is zero.
    """

    index: np.ndarray
    rows: np.ndarray


def stack(columns):
    """Input of a network out of its features, and rows of its tables that belong to the batch.

    columns: list of int32[n_tokens] or NewWords. Returns int32[n_tokens, n_features], and
    float32[n, dim] by the number of the column (see `layers.lookup.with_rows`).
    """
    rows = {f: column.rows for f, column in enumerate(columns) if isinstance(column, NewWords)}
    index = [column.index if f in rows else column for f, column in enumerate(columns)]
    return np.stack(index, axis=1), rows


class SpelledWords:
    """Finds new words and their vectors, and keeps those of some; shared by threads."""

    def __init__(self, spelling, unknown):
        """Take a `networks.character_network.Spelling` and the index of UNKNOWN among the words."""
        self._spelling, self._unknown, self._kept = spelling, unknown, {}

    def __call__(self, tokens):
        """NewWords of Tokens."""
        index, row_of = np.zeros(len(tokens), np.int32), {}
        for t in np.flatnonzero(tokens.word == self._unknown).tolist():
            word = tokens.data[tokens.begin[t] : tokens.end[t]]
            index[t] = row_of.setdefault(word, len(row_of) + 1)
        rows = np.zeros((len(row_of) + 1, self._spelling.dim), np.float32)
        # What the plain way computes may differ in its last bits, and is not for later batches.
        kept = {} if runs_plain() else self._kept
        found = [kept.get(word) for word in row_of]
        missing = [word for word, row in zip(row_of, found, strict=True) if row is None]
        made = self._spelling.vectors([word.decode("utf-8", "surrogateescape") for word in missing])
        if len(kept) + len(missing) > _MOST_KEPT:
            kept.clear()
        fresh = dict(zip(missing, made, strict=True))
        for k, (word, row) in enumerate(zip(row_of, found, strict=True), 1):
            rows[k] = fresh[word] if row is None else row
        kept.update((word, row.copy()) for word, row in islice(fresh.items(), _MOST_KEPT))
        return NewWords(index, rows)
