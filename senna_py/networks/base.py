"""What the networks of taggers have in common: their arrays, shapes and settings."""

import math
from dataclasses import fields, replace

import numpy as np

from senna_py.errors import SennaError
from senna_py.layers.blocks import Decoder, Output, Scores
from senna_py.layers.likelihood import likelihood_of
from senna_py.layers.lookup import Lookup, table_name
from senna_py.layers.soft_likelihood import soft_likelihood_of

__all__ = ["MOST_TAGS", "WIDEST_WINDOW", "TaggerNetwork", "check_least", "initial_scores"]

WIDEST_WINDOW = 1001  # padding takes memory; the original's windows have 5 words
MOST_TAGS = np.iinfo(np.int16).max  # what a Viterbi back pointer holds
_ODD = ("distances", "positions")


class TaggerNetwork:
    """A network of lookup tables and what is computed from their rows.

    A subclass is a dataclass of `tables`, `padding`, sizes (int) and float32 arrays, among them
    `output_bias`, `initial`, `transition` and `final`; it has `feed` (or for others than words
    `tag`), `cache` and `row_bytes` for the tagger, and `batch_states` if it has a trunk; for
    training it has `settings`, `initialise`, `forward`, `backward` and `fan_in`; one whose cost is
    another than a SentenceLikelihood of tags has `cost` and `cost_backward` instead.

    kind: its name in files and configurations, and that of its module; settings: the class of its
    settings, which `tagging.config` makes a dataclass and merges with those of the other
    networks (one of the same name has the same default in all, and `check` of each is always
    called), None if it is not trained here;
    for_roles, for_trees: whether it can label words for predicates, or trees; for_paths: whether it
    can look at paths in trees for the former, and has_paths whether it does; reads_own_labels:
    whether its last feature is the label that it gave before; has_members: whether it is made of
    networks; whole_sentences: whether what it computes of a word may depend on all of the sentence,
    or takes memory for it;
    layers_shown: biases whose lengths tell people how large its hidden layers are; trunk: names of
    arrays below its head, which it can share with networks that have the same names there (see
    `trunk_arrays`), none if it can share nothing; trunk_settings: names of the settings that these
    arrays depend on; shapes: sizes of the arrays by name: those that are not given (`features`,
    `window`, `input`: the sum of the tables' dimensions, `tags`) are bound by the first array that
    has them, and a `*` multiplies; optional: arrays that may be None, in groups of which a network
    has all or none.
    """

    kind = ""
    settings = None
    for_roles = for_paths = for_trees = reads_own_labels = has_members = False
    has_paths = False
    whole_sentences = False
    layers_shown = ("hidden_bias",)
    trunk = trunk_settings = ()
    shapes, optional = {}, ()

    @classmethod
    def check_settings(cls, settings, roles):
        """Raise SennaError for settings that do not suit this approach; roles: what it is for."""

    @classmethod
    def planned_sizes(cls, settings, roles):
        """Sizes that are the same in all networks of these settings, by the names in `shapes`."""
        return {"window": settings.window, "hidden": settings.hidden}

    @classmethod
    def planned_shapes(cls, settings, sizes, roles):
        """Shapes of the arrays of a new network, and perhaps of some that it has no need of.

        Nothing is made: this is to tell how much memory they take. sizes: by the names in `shapes`,
        what the settings do not say: `input` and `tags`. Arrays of other sizes are left out.
        """
        known = cls.planned_sizes(settings, roles) | sizes
        return {
            name: tuple(math.prod(known[each] for each in size.split("*")) for size in shape)
            for name, shape in cls.planned_arrays(settings).items()
            if known.keys() >= {each for size in shape for each in size.split("*")}
        }

    @classmethod
    def planned_arrays(cls, settings):
        """`shapes` of a new network."""
        return cls.shapes

    @classmethod
    def labels_of(cls, names):
        """What a network with arrays of these names labels: `words`, `roles` or `trees`."""
        return "words"

    @property
    def labels(self):
        """What it labels: `words`, `roles` or `trees`."""
        return self.labels_of(self.arrays())

    @property
    def has_predicates(self):
        """Whether it scores roles, not words."""
        return self.labels == "roles"

    @property
    def n_labels(self):
        """Number of the labels that its vocabulary must have."""
        return len(self.output_bias)

    def beyond_senna(self):
        """What of its approach SENNA's format cannot hold, or None."""

    @classmethod
    def brief(cls, sizes, shapes):
        """Its sizes in a few words; sizes: as of `sizes`; shapes: of its arrays by name."""
        window = f"window {sizes['window']}, " if sizes.get("window") else ""
        hidden = ", ".join(f"{shapes[name][0]:,}" for name in cls.layers_shown if name in shapes)
        return window + (f"{hidden} hidden units" if hidden else "no hidden layer")

    # Arrays and sizes, as files have them.

    def sizes(self):
        """What a file's header says beside names: numbers, or lists of them, by name."""
        return {f.name: int(getattr(self, f.name)) for f in fields(self) if f.type is int}

    @classmethod
    def read_sizes(cls, entry):
        """The sizes that a header has; raises SennaError, without the file's name."""
        names = [f.name for f in fields(cls) if f.type is int]
        for name in names:
            if type(entry.get(name)) is not int:
                raise SennaError(f"{name} is {entry.get(name)!r}, not an integer")
        return {name: entry[name] for name in names}

    @classmethod
    def array_names(cls, sizes):
        """Names of all arrays that a network of these sizes may have, beside the padding."""
        return [f.name for f in fields(cls) if f.type is not int and f.name not in _TABLES]

    @classmethod
    def is_optional(cls, name):
        """Whether there may be no array `name`."""
        return any(name in group for group in cls.optional)

    @classmethod
    def of_arrays(cls, sizes, tables, padding, arrays):
        """The network of sizes, lookup tables, and arrays by name, not yet checked."""
        return cls(tables=tables, padding=padding, **sizes, **arrays)

    def arrays(self):
        """Its arrays by name, without tables and padding."""
        found = {name: getattr(self, name) for name in self.array_names(self.sizes())}
        return {name: array for name, array in found.items() if array is not None}

    def with_arrays(self, tables, arrays):
        """The network with other tables, and other arrays of some names."""
        return replace(self, tables=tables, **arrays)

    def parameters(self, fixed=()):
        """Arrays that training changes, by their names in files; fixed: numbers of tables."""
        tables = Lookup.numbered(self.tables).parameters()
        for k in fixed:
            tables.pop(table_name(k), None)
        own = {name: array for name, array in self.arrays().items() if name != "final"}
        return tables | own

    # What networks share: their tables, and the layers below their heads.

    def trunk_arrays(self):
        """Arrays of the layers below its head, by name; see `batch_states` of the networks."""
        arrays = self.arrays()
        return {name: arrays[name] for name in self.trunk if name in arrays}

    def share(self, other):
        """The network with tables, padding and trunk of another, as the same objects."""
        shared = {"padding": other.padding, **other.trunk_arrays()}
        return self.with_arrays(list(other.tables), shared)

    def _in_files(self):
        """Its tables and arrays by their names in files; of an ensemble, without its members'."""
        tables = () if self.has_members else enumerate(self.tables)
        return {table_name(k): table for k, table in tables} | self.arrays()

    def shared_names(self, other):
        """Names in files of tables and arrays that are the same objects as another network's."""
        mine, theirs = self._in_files(), other._in_files()
        return [name for name, array in mine.items() if array is theirs.get(name)]

    def has_states_of(self, other):
        """Whether what its trunk computes of a batch is what that of another network does."""
        names = {*map(table_name, range(len(self.tables))), *self.trunk_arrays()}
        return (
            bool(self.trunk_arrays())
            and self.trunk == other.trunk
            and self.sizes() == other.sizes()
            and len(self.tables) == len(other.tables)
            and np.array_equal(self.padding, other.padding)
            and names <= set(self.shared_names(other))
        )

    # Tagging.

    def feed(self, sink, features, starts, cache=None, states=None):
        """Give the scores of words to `sink`, a Decoder or Scores, in blocks: see `tag`."""
        raise NotImplementedError

    def tag(self, features, starts, cache=None, states=None, kept=None):
        """Best tag of each word: int32[n_tokens].

        features: int32[n_tokens, n_features]; starts: int32[n_sentences + 1]; cache: made by
        `cache` since the parameters last changed, or None; states: the `batch_states`, from this
        network or one that it shares them with, or None; kept: of a Decoder.
        """
        decoder = Decoder(starts, Output(self), kept)
        self.feed(decoder, features, starts, cache, states)
        return decoder.tags

    def scores(self, features, starts, cache=None, states=None):
        """Scores of each word's tags without those of transitions: float32[n_tokens, n_tags]."""
        found = Scores(starts, Output(self))
        self.feed(found, features, starts, cache, states)
        return found.scores

    def posteriors(self, features, starts, cache=None, states=None):
        """Probability of each tag of each word: float32[n_tokens, n_tags]; arguments: of `tag`."""
        scores = self.scores(features, starts, cache, states)
        return likelihood_of(self).posteriors(scores, starts)

    def path_scores(self, kept, starts, tags):
        """Probabilities of what `tag` found, as layers.likelihood.PathScores.

        kept: what it left in that list; starts: int[n_sentences + 1], where sentences begin among
        the rows of `tags`, or where predicates do; tags: int32[n_rows].
        """
        none = np.empty((0, self.n_labels), np.float32)
        return likelihood_of(self).path_scores(np.concatenate([none, *kept]), starts, tags)

    # Training.

    def cost(self, inputs, dropouts, rng):
        """Cost of a batch in training, its number of rows, and a trace for `cost_backward`.

        inputs: `tagging.inputs.Inputs` with features, starts and gold labels, or trees;
        dropouts: two layers.dropout.Dropout: for looked-up vectors and for what comes after; rng:
        numpy.random.Generator, for a network that draws its examples.
        """
        batch = inputs.features, inputs.starts, dropouts
        if inputs.sentence is not None:
            batch += inputs.sentence, inputs.predicate
        if inputs.above is not None:
            batch += (inputs.above,)
        scores, trace = self.forward(*batch)
        if inputs.is_soft:
            likelihood, labels = soft_likelihood_of(self), inputs.targets(self.n_labels)
        else:
            likelihood, labels = likelihood_of(self), (inputs.gold,)
        cost, found = likelihood.forward(scores, *labels, inputs.row_starts)
        return cost, len(inputs.gold), (likelihood, found, trace)

    def cost_backward(self, trace, gradients, fixed=()):
        """Give `gradients` those of all parameters but the tables whose numbers are in `fixed`."""
        likelihood, found, trace = trace
        d_scores = likelihood.backward(found, gradients)
        self.backward(d_scores, trace, gradients, fixed)

    # Checks.

    def check(self):
        """Raise SennaError, without a file's name, if sizes do not fit together."""
        sizes = self._known_sizes()
        _check_shape("padding", self.padding, ("features",), sizes)
        self._check_arrays(sizes)
        for k, (index, table) in enumerate(zip(self.padding, self.tables, strict=True)):
            if not 0 <= index < len(table):
                raise SennaError(
                    f"padding index {index} of tables/{k}, which has {len(table):,} keys"
                )

    def _check_arrays(self, sizes):
        """Raise SennaError if arrays do not fit together; sizes: by name, as far as known."""
        for group in self.groups():
            given = {getattr(self, name, None) is None for name in group}
            if len(given) > 1:
                raise SennaError(f"{', '.join(group)} go together")
        arrays = self.arrays()
        for name, shape in self.all_shapes().items():
            array = arrays.get(name)
            if array is None and not self.is_optional(name):
                raise SennaError(f"{name} is missing")
            if array is not None:
                _check_shape(name, array, shape, sizes)
        self._check_sizes(sizes)

    def all_shapes(self):
        """Shapes of the arrays that a network of these sizes may have."""
        return self.shapes

    def groups(self):
        """Groups of arrays of which this network must have all or none."""
        return self.optional

    def _known_sizes(self):
        """Sizes by name, as far as they are known before any array is looked at."""
        window = getattr(self, "window", 1)
        if not 1 <= window <= WIDEST_WINDOW or window % 2 == 0:
            raise SennaError(
                f"window size {window:,}; it must be odd and at most {WIDEST_WINDOW:,}"
            )
        for k, table in enumerate(self.tables):
            if len(table.shape) != 2 or not all(table.shape):
                raise SennaError(f"tables/{k}: shape {list(table.shape)}")
        n_input = sum(table.shape[1] for table in self.tables)
        return {"features": len(self.tables), "window": window, "input": n_input}

    def _check_sizes(self, sizes):
        for name in _ODD:
            if sizes.get(name, 1) % 2 == 0:
                raise SennaError(f"{sizes[name]:,} {name}, expected an odd number")
        if sizes["tags"] > MOST_TAGS:
            raise SennaError(f"{sizes['tags']:,} labels; the limit is {MOST_TAGS:,}")


_TABLES = ("tables", "padding")


def _check_shape(name, array, expected, sizes):
    if array.ndim != len(expected) or not all(array.shape):
        raise SennaError(f"{name}: shape {list(array.shape)}, expected {len(expected)} sizes")
    for found, size in zip(array.shape, expected, strict=True):
        wanted = math.prod(sizes.setdefault(factor, found) for factor in size.split("*"))
        if found != wanted:
            raise SennaError(
                f"{name}: shape {list(array.shape)}, {found:,} in place of {wanted:,} ({size})"
            )


def check_least(settings, **least):
    """Raise SennaError if a setting of a network is less than the number given under its name."""
    for name, number in least.items():
        if (value := getattr(settings, name)) < number:
            raise SennaError(f"network.{name}: expected {number} at least, found {value}")


def initial_scores(settings, n_tags):
    """`initial` and `transition` of a new network: zero, or None at word level."""
    if settings.criterion == "word":
        return None, None
    return np.zeros(n_tags, np.float32), np.zeros((n_tags, n_tags), np.float32)
