"""The learned tokenizer: a network of a model that labels the units of a text.

The features of a unit depend only on its text and on the white space around it. They
are computed once for all units of a block that agree in both.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from senna_py.errors import SennaError
from senna_py.features.assembly import Assembly
from senna_py.features.gap import GAP, gap_codes
from senna_py.features.multiword_forms import ALWAYS, NEVER, MultiwordForms
from senna_py.features.protocol import Batch, positions
from senna_py.features.registry import find_feature
from senna_py.kernels.text.dictionary import enter_words
from senna_py.labels.tasks import TOKENS
from senna_py.layers.blocks import BLOCK, aligned
from senna_py.layers.passes import InferencePass
from senna_py.networks.batch import WordBatch
from senna_py.networks.dilated import DilatedNetwork
from senna_py.text.learned_tokens import LearnedTokens
from senna_py.text.tokenizer import Tokenizer
from senna_py.text.tokens import sentence_blocks
from senna_py.text.units import LabelMeanings, Units, find_units
from senna_py.text.vocabulary import Vocabulary

if TYPE_CHECKING:
    from typing import Any

    from numpy.typing import NDArray

    from senna_py.models.storage import Storage
    from senna_py.text.tokens import Ints, Tokens

_CACHED_ROWS = 1 << 14  # the size of the cache of the input layer, in rows
_N_GAPS = 4  # the number of values of `gap_codes`
# A longer range is labeled in pieces, to limit the memory for states. Where they end
# depends only on the range.
_LONGEST = 1 << 12
_UNITS_AT_ONCE = 1 << 15
_UNITS_OF_STATES = 4 * BLOCK  # the states of this many units fit into a core's cache


class _DistinctUnits(NamedTuple):
    """The units of a block that differ in their text or in the gaps around them.

    Attributes:
        first: int64[n_forms], the first unit with each text.
        form: int64[n_distinct], the index in `first` of the text of each distinct unit.
        gap: int64[n_distinct], the gap code of each distinct unit.
        place: int64[n_units], the index of the distinct unit that equals each unit.
    """

    first: NDArray[np.int64]
    form: NDArray[np.int64]
    gap: NDArray[np.int64]
    place: NDArray[np.int64]


class UnitNetwork:
    """Finds tokens with the network TOKENS of a model (see `TokenFinder`)."""

    def __init__(self, storage: Storage) -> None:
        """Read the network, its labels and its features.

        Raises:
            SennaError: If a tokenizer cannot have a network of this class or with these
                features.
        """
        features = storage.features(TOKENS)
        if not isinstance(storage.network(TOKENS), DilatedNetwork) or not all(
            find_feature(name).of_form or name == GAP.name for name in features
        ):
            raise SennaError(f"{storage.path}: {TOKENS}: not a network of a tokenizer")
        self._network = storage.network(TOKENS)
        self._assembly = Assembly.of_network(storage, TOKENS)
        self._cache = self._network.cache(_CACHED_ROWS)
        self._meanings = LabelMeanings.of(storage.labels(TOKENS).keys())
        self._tokenizer = Tokenizer(Vocabulary.from_keys(["PADDING", "UNKNOWN"]))
        self._forms: dict[str, Any] = {
            name: storage.resource(MultiwordForms.place, name)
            for name in storage.resources(MultiwordForms.place)
        }
        self._gap_keys: dict[int, Ints] = {}  # by the column of the feature
        if GAP.name in features:
            keys = storage.feature_vocabulary(TOKENS, GAP.name)
            self._gap_keys = {features.index(GAP.name): positions(keys, *GAP.keys[1:])}

    def find(self, data: bytes, range_begin: Ints, range_end: Ints) -> LearnedTokens:
        """Return the tokens of ranges of a text; see `TokenFinder.find`."""
        units = find_units(data, range_begin, range_end)
        if not len(units.begin):
            none = np.empty(0, bool)
            return LearnedTokens(units.begin, units.end, none, none)
        labels = self._labels(data, units)
        is_last = self._meanings.ends_token[labels]
        ends_sentence = self._meanings.ends_sentence[labels]
        lasts = np.cumsum(units.counts)[units.counts > 0] - 1
        is_last[lasts] = ends_sentence[lasts] = True
        last = np.flatnonzero(is_last)
        first = np.append(0, last[:-1] + 1)
        return LearnedTokens(
            units.begin[first],
            units.end[last],
            self._meanings.is_multiword[labels[last]],
            ends_sentence[last],
        )

    def multiwords(
        self, tokens: Tokens, is_multiword: NDArray[np.bool_]
    ) -> NDArray[np.bool_]:
        """Return which tokens consist of several words; see `TokenFinder`."""
        if {*self._forms} != {ALWAYS, NEVER}:
            return is_multiword
        return self._forms[ALWAYS].has(tokens) | (
            is_multiword & ~self._forms[NEVER].has(tokens)
        )

    def _labels(self, data: bytes, units: Units) -> NDArray[np.int32]:
        """Return the label of each unit: int32[n_units]."""
        counts = units.counts[units.counts > 0]
        starts = np.append(0, np.cumsum(counts)).astype(np.int32)
        gaps = gap_codes(units.begin, units.end, starts)
        labels = np.empty(len(gaps), np.int32)
        starts = pieces(starts)
        for first, last in sentence_blocks(starts, _UNITS_AT_ONCE):
            begin, end = int(starts[first]), int(starts[last])
            # Only this part of the text is searched, because the whole may be long.
            offset = units.begin[begin]
            text = data[offset : units.end[end - 1]]
            places = units.begin[begin:end] - offset, units.end[begin:end] - offset
            distinct = _distinct_units(text, *places, gaps[begin:end])
            features = self._features(text, *places, distinct)
            batch = WordBatch(
                np.empty((end - begin, 0), np.int32),
                starts[first : last + 1] - starts[first],
                states=self._states(features, distinct.place, starts[first : last + 1]),
            )
            labels[begin:end] = self._network.decode(batch, self._cache).tags
        return labels

    def _states(
        self, features: Ints, place: NDArray[np.int64], starts: Ints
    ) -> NDArray[np.float32]:
        """Return the states of the units of a block: float32[n_units, n].

        Args:
            features: int32[n_distinct, n_features], the features of distinct units.
            place: int64[n_units], the distinct unit that equals each unit.
            starts: int32[n_pieces + 1], the first unit of each piece, and the index
                after the last unit.
        """
        network, forward_pass = self._network, InferencePass()
        layers = network.inference_layers(self._cache)
        every = np.arange(len(features), dtype=np.int32)
        inputs = forward_pass(layers["input"], features, every, None)
        states = aligned(len(place), inputs.shape[1])
        for first, last in sentence_blocks(starts, _UNITS_OF_STATES):
            rows = slice(starts[first] - starts[0], starts[last] - starts[0])
            batch = WordBatch(None, starts[first : last + 1] - starts[first])
            hidden = aligned(rows.stop - rows.start, inputs.shape[1])
            np.take(inputs, place[rows], axis=0, out=hidden)
            hidden = network.encode(
                forward_pass, layers, batch, hidden, 0, network.depth
            )
            states[rows] = network.normalize(forward_pass, hidden)
        return states

    def _features(
        self, data: bytes, begin: Ints, end: Ints, distinct: _DistinctUnits
    ) -> Ints:
        """Return the features of distinct units: int32[n_distinct, n_features].

        Args:
            data: The text.
            begin: int32[n_units], the first byte of each unit.
            end: int32[n_units], the byte after each unit.
            distinct: The distinct units.
        """
        n_forms = np.array([len(distinct.first)], np.int32)
        text = np.zeros(1, np.int32), np.array([len(data)], np.int32)
        forms = self._tokenizer.placed(
            data, begin[distinct.first], end[distinct.first], n_forms, *text
        )
        features = self._assembly(Batch(forms))[distinct.form]
        for column, keys in self._gap_keys.items():
            features[:, column] = keys[distinct.gap]
        return features


def _distinct_units(
    data: bytes, begin: Ints, end: Ints, gaps: NDArray[np.int64]
) -> _DistinctUnits:
    """Return the distinct units of a block.

    Args:
        data: The text.
        begin: int32[n_units], the first byte of each unit.
        end: int32[n_units], the byte after each unit.
        gaps: int64[n_units], the gap code of each unit.
    """
    slots = np.full(1 << (2 * len(begin)).bit_length(), -1, np.int32)
    same = np.empty(len(begin), np.int32)
    enter_words(np.frombuffer(data, np.uint8), begin, end, slots, same)
    is_first = same == np.arange(len(same), dtype=np.int32)
    number = np.cumsum(is_first) - 1
    code = number[same] * _N_GAPS + gaps
    is_used = np.zeros(_N_GAPS * (int(number[-1]) + 1), bool)
    is_used[code] = True
    used = np.flatnonzero(is_used)
    place = (np.cumsum(is_used) - 1)[code]
    return _DistinctUnits(
        np.flatnonzero(is_first), used // _N_GAPS, used % _N_GAPS, place
    )


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
