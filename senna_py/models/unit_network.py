"""The learned tokenizer: a network of a model that labels the units of a text."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from senna_py.features.assembly import Assembly
from senna_py.features.protocol import Batch
from senna_py.labels.tasks import TOKENS
from senna_py.networks.batch import WordBatch
from senna_py.text.learned_tokens import LearnedTokens
from senna_py.text.tokenizer import Tokenizer
from senna_py.text.units import LabelMeanings, find_units
from senna_py.text.vocabulary import Vocabulary

if TYPE_CHECKING:
    from typing import Any

    from numpy.typing import NDArray

    from senna_py.models.storage import Storage
    from senna_py.text.tokens import Ints

_CACHED_ROWS = 1 << 14  # the size of the cache of the input layer, in rows
# A longer range is labeled in pieces, to limit the memory for states. The pieces depend
# only on the range.
_LONGEST = 1 << 12


class UnitNetwork:
    """Finds tokens with the network TOKENS of a model (see `TokenFinder`)."""

    def __init__(self, storage: Storage) -> None:
        """Read the network, its labels and its features."""
        self._network = storage.network(TOKENS)
        self._assembly = Assembly.of_network(storage, TOKENS)
        self._cache = self._network.cache(_CACHED_ROWS)
        labels = storage.labels(TOKENS).keys()
        self._meanings = LabelMeanings.of(labels)
        words = Vocabulary.from_keys(["PADDING", "UNKNOWN"])
        self._tokenizer = Tokenizer(words)

    def find(self, data: bytes, range_begin: Ints, range_end: Ints) -> LearnedTokens:
        """Return the tokens of ranges of a text; see `TokenFinder.find`."""
        begin, end, counts = find_units(data, range_begin, range_end)
        if not len(begin):
            none = np.empty(0, bool)
            return LearnedTokens(begin, end, none, none)
        labels = self._labels(data, begin, end, counts)
        is_last = self._meanings.ends_token[labels]
        ends_sentence = self._meanings.ends_sentence[labels]
        lasts = np.cumsum(counts)[counts > 0] - 1
        is_last[lasts] = ends_sentence[lasts] = True
        last = np.flatnonzero(is_last)
        first = np.append(0, last[:-1] + 1)
        return LearnedTokens(
            begin[first],
            end[last],
            self._meanings.is_multiword[labels[last]],
            ends_sentence[last],
        )

    def _labels(
        self, data: bytes, begin: Ints, end: Ints, counts: Ints
    ) -> NDArray[np.int32]:
        """Return the label of each unit, int32[n_units]; see Units."""
        units = self._tokenizer.placed(data, begin, end, counts, counts, counts)
        batch = WordBatch(self._assembly(Batch(units)), pieces(units.starts))
        decoded: Any = self._network.decode(batch, self._cache)
        labels: NDArray[np.int32] = decoded.tags
        return labels


def pieces(starts: Ints) -> Ints:
    """Return the bounds of ranges, cut into pieces of at most _LONGEST units."""
    lengths = np.diff(starts)
    if lengths.max(initial=0) <= _LONGEST:
        return starts
    bounds = [
        np.arange(begin, end, _LONGEST, dtype=np.int32)
        for begin, end in zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True)
    ]
    return np.append(np.concatenate(bounds), starts[-1:])
