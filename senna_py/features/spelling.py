"""Words that the dictionary lacks, with vectors computed from their spelling: `spelling.NAME`."""

import re
from itertools import islice
from pathlib import Path

import numpy as np

from senna_py.features.protocol import Feature, NewRows, ResourceKind, Table
from senna_py.kernels.runtime.jit import runs_plain
from senna_py.layers.lookup import SpelledTable

__all__ = ["Spelled", "SpelledWords"]

_MOST_KEPT = 1 << 14


class _Spellings(ResourceKind):
    """Spellings out of character-aware language models."""

    place, setting = "spellings", "spelling"
    settings = {"spelling": {}}  # noqa: RUF012 - never changed
    expected = "a model's path"
    noun = "spelling"

    def read(self, given):
        """See ResourceKind: only the spellings of features are read, whose sizes are theirs."""
        found = {}
        for name, dim in given.features.items():
            if feature := Spelled.parse(name):
                path = Path(given.directory) / given.settings[self.setting][feature.resource]
                read = given.readers[self.place]
                found[feature.resource] = read(path, dim, given.words, given.vectors)
        return found

    def is_array(self, name):
        from senna_py.networks.character_network import Spelling  # noqa: PLC0415 - a short start

        return Spelling.is_array(name)

    def dtype(self, name):
        return np.uint8 if name == "characters" else np.float16

    def from_arrays(self, arrays, name):
        from senna_py.networks.character_network import Spelling  # noqa: PLC0415 - a short start

        return Spelling(arrays)

    def describe(self, resource):
        """Number of characters, and length of vectors."""
        return {"characters": resource.n_characters, "dim": resource.dim}

    def lines(self, found):
        return [
            f"spelling {name}: {n['dim']} numbers, of {n['characters']:,} characters"
            for name, n in found.items()
        ]


class Spelled(Feature):
    """`spelling.NAME`: a vector for words that the dictionary lacks, zero for any other."""

    pattern = re.compile(r"spelling\.(?P<resource>[A-Za-z0-9_-]+)")
    begins = "spelling."
    resource_kind = _Spellings()
    table = Table.COMPUTED

    def column(self, vocabulary, resource, words):
        unknown = words.position("UNKNOWN")
        spelled = SpelledWords(resource, unknown)

        def compute(batch):
            if batch.row is None:
                return spelled(batch.tokens)
            return np.where(batch.tokens.word == unknown, batch.row, np.int32(0))

        return compute

    def empty_table(self, resource):
        return SpelledTable(resource.dim)

    def rows(self, resource, words):
        return resource.vectors(words)


class SpelledWords:
    """Finds new words and their vectors, some of which it keeps; shared by threads."""

    def __init__(self, spelling, unknown):
        """Start with no vectors kept.

        spelling: a `networks.character_network.Spelling`; unknown: the index of UNKNOWN among the
        words.
        """
        self._spelling, self._unknown, self._kept = spelling, unknown, {}

    def __call__(self, tokens):
        """The row of each token and the rows, as NewRows."""
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
        return NewRows(index, rows)
