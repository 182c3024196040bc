"""The learned tokenizer: a network of a model that labels the units of a text.

The features of a unit depend only on its text, on the white space around it and on the
rules. They are computed once for all units of a block that agree in these.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from senna_py.errors import SennaError
from senna_py.features.assembly import Assembly, find_resources
from senna_py.features.form_inputs import FormSums
from senna_py.features.forms import FormTable
from senna_py.features.gap import gap_codes
from senna_py.features.multiword_forms import ALWAYS, NEVER, MultiwordForms
from senna_py.features.protocol import ValuesOfTokens, positions
from senna_py.features.registry import describes_units, find_feature
from senna_py.features.rule_ends import RuleEnds
from senna_py.labels.tasks import TOKENS
from senna_py.layers.blocks import BLOCK, aligned
from senna_py.layers.passes import InferencePass
from senna_py.networks.batch import WordBatch
from senna_py.networks.dilated import DilatedNetwork
from senna_py.text.equal_texts import group_texts
from senna_py.text.learned_tokens import LearnedTokens
from senna_py.text.rule_tokens import rule_ends
from senna_py.text.tokenizer import Tokenizer
from senna_py.text.tokenizer_kinds import OTHER_LANGUAGES
from senna_py.text.tokens import sentence_blocks
from senna_py.text.units import LabelMeanings, Units, find_units
from senna_py.text.vocabulary import Vocabulary

if TYPE_CHECKING:
    from typing import Any

    from numpy.typing import NDArray

    from senna_py.layers.first_layer import InputRows
    from senna_py.models.storage import Storage
    from senna_py.text.tokens import Ints, Tokens

_MOST_FORMS = 1 << 14  # the maximum number of forms whose first layers are kept
_GAP_BITS = 2  # the number of bits of `gap_codes`
# A longer range is labeled in pieces, to limit the memory for states. Where they end
# depends only on the range.
_LONGEST = 1 << 12
_UNITS_AT_ONCE = 1 << 15
_UNITS_OF_STATES = 4 * BLOCK  # the states of this many units fit into a core's cache


class _DistinctUnits(NamedTuple):
    """The units of a block that differ in their text or in their setting.

    Attributes:
        first: int64[n_forms], the first unit with each text.
        form: int64[n_distinct], the index in `first` of the text of each distinct unit.
        setting: int64[n_distinct], the setting of each distinct unit: its code of
            `gap_codes`, followed by a bit for each feature of rules.
        place: int64[n_units], the index of the distinct unit that equals each unit.
    """

    first: NDArray[np.int64]
    form: NDArray[np.int64]
    setting: NDArray[np.int64]
    place: NDArray[np.int64]


class UnitNetwork:
    """Finds tokens with the network TOKENS of a model (see `TokenFinder`).

    Attributes:
        rules: The name of the first rules that the network considers, or
            OTHER_LANGUAGES.
    """

    def __init__(self, storage: Storage) -> None:
        """Read the network, its labels and its features.

        Raises:
            SennaError: If a tokenizer cannot have a network of this class or with these
                features.
        """
        features = storage.features(TOKENS)
        if not isinstance(storage.network(TOKENS), DilatedNetwork) or not all(
            describes_units(find_feature(name)) for name in features
        ):
            raise SennaError(f"{storage.path}: {TOKENS}: not a network of a tokenizer")
        self._network = storage.network(TOKENS)
        forms = [name for name in features if find_feature(name).of_form]
        vocabularies = {
            name: storage.feature_vocabulary(TOKENS, name) for name in forms
        }
        resources = find_resources(storage, forms)
        self._cache = self._network.cache(_MOST_FORMS)
        self._meanings = LabelMeanings.of(storage.labels(TOKENS).keys())
        self._tokenizer = Tokenizer(Vocabulary.from_keys(["PADDING", "UNKNOWN"]))
        self._forms: dict[str, Any] = {
            name: storage.resource(MultiwordForms.place, name)
            for name in storage.resources(MultiwordForms.place)
        }
        self._rules: list[str] = []  # the names of the rules, by their bit of a setting
        self._keys: dict[int, Ints] = {}  # by column: the key of each setting
        self._read_settings(storage, features)
        self._sums = FormSums(
            self._network,
            self._cache,
            [*map(features.index, forms)],
            [*self._keys],
            Assembly(forms, vocabularies, resources),
        )
        self._table = FormTable({TOKENS: self._sums.value}, _MOST_FORMS)
        self.rules = next(iter(self._rules), OTHER_LANGUAGES)

    def _read_settings(self, storage: Storage, features: tuple[str, ...]) -> None:
        """Set `_rules` and `_keys`."""
        all_features = [*map(find_feature, features)]
        self._rules = [each.kind for each in all_features if isinstance(each, RuleEnds)]
        settings = np.arange(1 << (_GAP_BITS + len(self._rules)))
        for column, feature in enumerate(all_features):
            if feature.of_form:
                continue
            keys = storage.feature_vocabulary(TOKENS, feature.name)
            values = settings & ((1 << _GAP_BITS) - 1)
            if isinstance(feature, RuleEnds):
                values = settings >> (_GAP_BITS + self._rules.index(feature.kind)) & 1
            self._keys[column] = positions(keys, *feature.keys[1:])[values]

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
        settings = self._settings(data, units, starts)
        labels = np.empty(len(settings), np.int32)
        starts = pieces(starts)
        for first, last in sentence_blocks(starts, _UNITS_AT_ONCE):
            begin, end = int(starts[first]), int(starts[last])
            # Only this part of the text is searched, because the whole may be long.
            offset = units.begin[begin]
            text = data[offset : units.end[end - 1]]
            places = units.begin[begin:end] - offset, units.end[begin:end] - offset
            distinct = _distinct_units(text, *places, settings[begin:end])
            features = self._features(text, *places, distinct)
            batch = WordBatch(
                np.empty((end - begin, 0), np.int32),
                starts[first : last + 1] - starts[first],
                states=self._states(features, distinct.place, starts[first : last + 1]),
            )
            labels[begin:end] = self._network.decode(batch, self._cache).tags
        return labels

    def _settings(self, data: bytes, units: Units, starts: Ints) -> NDArray[np.int64]:
        """Return the setting of each unit, as in `_DistinctUnits`: int64[n_units].

        starts: int32[n_ranges + 1], where each range that is not empty begins.
        """
        gaps = gap_codes(units.begin, units.end, starts)
        settings = gaps.copy()
        for bit, kind in enumerate(self._rules, _GAP_BITS):
            settings |= rule_ends(data, units.begin, units.end, gaps, kind) << bit
        return settings

    def _states(
        self, features: InputRows, place: NDArray[np.int64], starts: Ints
    ) -> NDArray[np.float32]:
        """Return the states of the units of a block: float32[n_units, n].

        Args:
            features: The input of the network for the distinct units.
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
    ) -> InputRows:
        """Return the input of the network for distinct units.

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
        place, kept, new = self._table.find(forms)[TOKENS]
        others = np.empty((len(distinct.form), len(self._keys)), np.int32)
        for k, keys in enumerate(self._keys.values()):
            others[:, k] = keys[distinct.setting]
        values = ValuesOfTokens(place[distinct.form], kept, new)
        return self._sums.inputs(values, others)


def _distinct_units(
    data: bytes, begin: Ints, end: Ints, settings: NDArray[np.int64]
) -> _DistinctUnits:
    """Return the distinct units of a block.

    Args:
        data: The text.
        begin: int32[n_units], the first byte of each unit.
        end: int32[n_units], the byte after each unit.
        settings: int64[n_units], the setting of each unit.
    """
    first, group = group_texts(data, begin, end)
    n_settings = int(settings.max()) + 1
    code = group * n_settings + settings
    is_used = np.zeros(n_settings * len(first), bool)
    is_used[code] = True
    used = np.flatnonzero(is_used)
    place = (np.cumsum(is_used) - 1)[code]
    return _DistinctUnits(first, used // n_settings, used % n_settings, place)


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
