"""What the networks of taggers have in common: their arrays, and what is done with
their layers.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import numpy as np

from senna_py.errors import SennaError
from senna_py.layers.blocks import BLOCK
from senna_py.layers.convolution import Windows
from senna_py.layers.decoder import Decoder, Transitions
from senna_py.layers.likelihood import PathScores, likelihood_of
from senna_py.layers.lookup import Lookup, table_name
from senna_py.layers.passes import InferencePass, TrainingPass
from senna_py.layers.protocol import Array, check_new, first_values, shape_of, size_of
from senna_py.layers.window import ProductCache
from senna_py.networks.answers import ANSWERS, Answer, AnswerKind
from senna_py.networks.batch import WordBatch
from senna_py.networks.trunk import Trunk

if TYPE_CHECKING:
    from senna_py.io.settings import Settings
    from senna_py.layers.gradients import Gradients

WIDEST_WINDOW = 1001  # padding takes memory; the original's windows have 5 words
MOST_WITH_TRANSITIONS = (
    4096  # labels of a network to be trained that scores which follows which
)
MOST_TAGS = np.iinfo(np.int16).max  # a matrix of their transitions takes 4 GB
_ODD = ("distances", "positions")
_WORDS = 4 * BLOCK  # in whole sentences, computed at once in use
_NO_DROPOUTS = None, None
_N = TypeVar("_N", bound="TaggerNetwork")
Layers = Mapping[str, Any]
Planned = tuple[dict[str, Any], dict[str, Any], list[str]]  # see TaggerNetwork.plan
Cost = tuple[float, int, Any]  # see TaggerNetwork.cost


class TaggerNetwork:
    """Lookup tables, and layers that make something of their rows.

    A subclass is wiring: `declare` says which arrays its layers have, `layers` makes
    them, and `climb` and `forward` say in which order they are applied. All else walks
    these: files, checks, training and tagging. What it says in the header of a file,
    and its arrays, are attributes; those that it does without are None.

    kind: its name in files and configurations, and that of its module; approaches:
    names of settings that can make one, by default `kind`; settings: the class of its
    settings, None if it is not trained here; tasks: what networks of the class can be
    for: words, roles, trees or arcs;
    whole_sentences: 1 if what it computes of a word may depend on all of the sentence,
    or takes memory for it, 2 if its time for a word grows with the sentence, too, as
    beside each of its predicates; else 0. own_feature: whether its last feature is its
    own label.
    """

    kind: ClassVar[str] = ""
    approaches: ClassVar[tuple[str, ...]] = ()
    settings: ClassVar[type[Settings] | None] = None
    tasks: ClassVar[tuple[str, ...]] = ("words",)
    own_feature: ClassVar[bool] = False
    output_bias: np.ndarray  # float32[n_labels], which all networks have

    if TYPE_CHECKING:  # other arrays, and what headers say

        def __getattr__(self, name: str) -> Any: ...

    def __init__(
        self, tables: Sequence[Any], padding: np.ndarray, **values: Any
    ) -> None:
        """Take lookup tables, float32[n_keys, dim], one for each feature, and what is
        declared.

        padding: int32[n_features], what stands outside the sentence; values: of the
        header, and arrays, by their names.
        """
        self.tables, self.padding = tables, padding
        header = {name: values[name] for name in self.header}
        names = self.array_names(header)
        if unknown := values.keys() - {*header, *names}:
            raise TypeError(f"{self.kind} network: no {', '.join(sorted(unknown))}")
        vars(self).update(dict.fromkeys(names) | values)

    # What a subclass says.

    header: ClassVar[
        tuple[str, ...]
    ] = ()  # names of what is said in files besides arrays

    @classmethod
    def declare(cls, header: Mapping[str, Any]) -> list[Array]:
        """Arrays of all layers, see layers.protocol, in the order in which they are
        drawn.

        Sizes that are bound by nothing else are `features`, `window`, `input`: the sum
        of the dimensions of the tables, and `tags`.
        """
        raise NotImplementedError

    @classmethod
    def plan(cls, settings: Any, labels: str) -> Planned:
        """Header, sizes by name and groups of arrays of a new network.

        A size may be a text of others, see layers.protocol.size_of. settings: of the
        class `settings`; labels: one of `tasks`. Raises SennaError if it cannot label
        these.
        """
        raise NotImplementedError

    @classmethod
    def planned_sizes(cls, sizes: dict[str, Any]) -> dict[str, Any]:
        """Sizes of a new network with those that follow from them, such as from
        `tags`.
        """
        return sizes

    def layers(self, cache: Any = None) -> dict[str, Any]:
        """Layers by any names, for one pass; cache: of `cache`, or None."""
        raise NotImplementedError

    # The trunk.

    @property
    def whole_sentences(self) -> int:
        """See the class."""
        return 0

    @property
    def depth(self) -> int:
        """Layers of the trunk between which heads of other networks may begin."""
        return 1

    def states(self, run: Any, layers: Layers, batch: WordBatch) -> Any:
        """States of the words of a WordBatch, its own or made, which other heads may
        share.
        """
        if batch.states is not None:
            return batch.states
        return self.top(run, self.climb(run, layers, batch, None, 0, self.depth))

    def climb(
        self, run: Any, layers: Layers, batch: WordBatch, h: Any, done: int, depth: int
    ) -> Any:
        """What `depth` layers of the trunk make, from what `done` layers made: h, None
        for 0.
        """
        raise NotImplementedError

    def top(self, run: Any, h: Any) -> Any:
        """States, of what the last layer of the trunk made."""
        return h

    @property
    def top_key(self) -> tuple[int, ...]:
        """Equal for networks of the same trunk and depth whose `top` is the same."""
        return ()

    def forward(
        self, run: Any, layers: Layers, batch: WordBatch
    ) -> Iterator[np.ndarray]:
        """Yield scores, float32[n, n_labels or more], of rows; in training, all in one
        block.
        """
        raise NotImplementedError

    @property
    def first(self) -> tuple[str, str]:
        """Names of the weight and the bias of the first layer, which stands on the
        tables.
        """
        raise NotImplementedError

    def first_layer(self, cache: Any) -> Windows:
        """The first layer; cache: of `cache`, or None."""
        weight, bias = (getattr(self, name) for name in self.first)
        return Windows(self.first, weight, bias, self.tables, cache)

    def cache(self, n_rows: int) -> Any:
        """A place to keep `n_rows` products of the first layer, for tagging."""
        return ProductCache(self.tables, getattr(self, self.first[0]), n_rows)

    @property
    def row_bytes(self) -> int:
        """Bytes of the products that `cache` keeps of one word."""
        n_inputs, n_units = getattr(self, self.first[0]).shape
        return 4 * n_units * n_inputs // sum(table.shape[1] for table in self.tables)

    def trunk(self, depth: int | None = None) -> tuple[str, ...]:
        """Names of the arrays of the layers below the head, which networks can share.

        depth: of how many layers, without the `top`; None for all that this network
        has.
        """
        return ()

    @property
    def has_trunk(self) -> bool:
        """Whether it has layers below its head, which networks can share."""
        return bool(self.arrays().keys() & {*self.trunk()})

    @classmethod
    def labels_of(cls, names: Collection[str], entry: Mapping[str, Any]) -> str:
        """What a network with arrays of these names labels: `words`, `roles` or
        `trees`.

        entry: what a header says of it. Raises SennaError, without the file's name.
        """
        return cls.tasks[0]

    @property
    def labels(self) -> str:
        """What it labels: a name in `networks.answers`."""
        return self.labels_of(self.arrays(), self.sizes())

    @property
    def answers(self) -> AnswerKind:
        """What it answers, see `networks.answers`."""
        return ANSWERS[self.labels]

    @property
    def n_labels(self) -> int:
        """Number of the labels that its vocabulary must have."""
        return len(self.output_bias)

    @property
    def beyond_senna(self) -> str | None:
        """What of its approach SENNA's format cannot hold, or None."""
        return None

    @classmethod
    def brief(
        cls, sizes: Mapping[str, Any], shapes: Mapping[str, Sequence[int]]
    ) -> str:
        """Its sizes in a few words; sizes: as of `sizes`; shapes: of its arrays by
        name.
        """
        window = f"window {sizes['window']}, " if sizes.get("window") else ""
        biases = [
            a.name for a in cls.declare(sizes) if a.shape in (("conv",), ("hidden",))
        ]
        hidden = ", ".join(f"{shapes[name][0]:,}" for name in biases if name in shapes)
        return window + (f"{hidden} hidden units" if hidden else "no hidden layer")

    # Arrays and sizes, as files have them.

    def sizes(self) -> dict[str, Any]:
        """What a file's header says beside names: numbers, or lists of them, by
        name.
        """
        return {name: getattr(self, name) for name in self.header}

    @classmethod
    def read_sizes(cls, entry: Mapping[str, Any]) -> dict[str, Any]:
        """The sizes that a header has; raises SennaError, without the file's name."""
        for name in cls.header:
            if type(entry.get(name)) is not int:
                raise SennaError(f"{name} is {entry.get(name)!r}, not an integer")
        return {name: entry[name] for name in cls.header}

    @classmethod
    def array_names(cls, sizes: Mapping[str, Any]) -> list[str]:
        """Names of all arrays that a network of these sizes may have, beside the
        padding.
        """
        return [array.name for array in cls.declare(sizes)]

    def members(self) -> list[tuple[TaggerNetwork, Sequence[int]]]:
        """Networks that it is made of, with the numbers of their features; none for
        most.
        """
        return []

    def arrays(self) -> dict[str, np.ndarray]:
        """Its arrays by name, without tables and padding; of files, some are
        ByteColumns.
        """
        found = {name: getattr(self, name) for name in self.array_names(self.sizes())}
        return {name: array for name, array in found.items() if array is not None}

    def changed(self: _N, **changes: Any) -> _N:
        """The network with other tables, padding, sizes or arrays of some names."""
        values = {
            "tables": self.tables,
            "padding": self.padding,
            **self.sizes(),
            **self.arrays(),
        }
        return type(self)(**values | changes)

    def parameters(self, fixed: Collection[str] = ()) -> dict[str, np.ndarray]:
        """Arrays that training changes, by their names in files; fixed: names of
        tables.
        """
        tables = Lookup.numbered(self.tables).parameters()
        own = {name: array for name, array in self.arrays().items() if name != "final"}
        return {
            name: array for name, array in tables.items() if name not in fixed
        } | own

    def fan_in(self) -> dict[str, int]:
        """Inputs of a unit, by the parameters' names."""
        sizes = self._known_sizes()
        self._check_arrays(sizes)
        declared = {array.name: array for array in self.declare(self.sizes())}
        own = {name: declared[name].inputs(sizes) for name in self.arrays()}
        return dict.fromkeys(map(table_name, range(len(self.tables))), 1) | own

    # A new network.

    @classmethod
    def initialize(
        cls: type[_N],
        settings: Any,
        tables: Sequence[Any],
        padding: np.ndarray,
        sizes: dict[str, Any],
        rng: np.random.Generator,
        labels: str = "words",
        sentence_level: bool = True,
    ) -> _N:
        """A new network with the paper's initialization (Remark 7).

        settings: of the class `settings`; tables, padding: of the network; sizes:
        `tags`; rng: numpy.random.Generator; labels: what it is to label, one of
        `tasks`; sentence_level: whether it has scores of transitions. Raises SennaError
        for more than memory holds.
        """
        header, own, groups = cls.plan(settings, labels)
        wanted = {"", *groups, *["sentence"] * sentence_level}
        n_input = sum(table.shape[1] for table in tables)
        sizes = {"input": n_input} | header | own | cls.planned_sizes(sizes)
        sizes |= {n: size_of(s, sizes) for n, s in sizes.items() if isinstance(s, str)}
        declared = [array for array in cls.declare(header) if array.group in wanted]
        check_new(shape_of(array, sizes) for array in declared)
        arrays = {array.name: first_values(array, sizes, rng) for array in declared}
        return cls(tables, padding, **header, **arrays)

    # What networks share: their tables, and the layers below their heads.

    def share(self: _N, other: TaggerNetwork, depth: int | None = None) -> _N:
        """The network with tables, padding and `trunk(depth)` of a deeper one: the same
        objects.
        """
        depth = depth or (None if self.depth == other.depth else self.depth)
        arrays = other.arrays()
        trunk = {name: arrays[name] for name in other.trunk(depth) if name in arrays}
        return self.changed(
            **{"tables": list(other.tables), "padding": other.padding, **trunk}
        )

    def _in_files(self) -> dict[str, Any]:
        """Its tables and arrays by their names in files; of an ensemble, without its
        members'.
        """
        tables = () if self.members() else enumerate(self.tables)
        return {table_name(k): table for k, table in tables} | self.arrays()

    def shared_names(self, other: TaggerNetwork) -> list[str]:
        """Names in files of tables and arrays that are the same objects as another
        network's.
        """
        mine, theirs = self._in_files(), other._in_files()
        return [name for name, array in mine.items() if array is theirs.get(name)]

    def common_depth(self, other: TaggerNetwork) -> int:
        """How many layers of the trunk, from the first one on, are another network's,
        too.
        """
        if not (
            self.has_trunk
            and [*map(id, self.tables)] == [*map(id, other.tables)]
            and np.array_equal(self.padding, other.padding)
        ):
            return 0
        mine, theirs, depth = self.arrays(), other.arrays(), 0
        while depth < min(self.depth, other.depth):
            names = self.trunk(depth + 1)
            if not (
                names == other.trunk(depth + 1)
                and all(mine.get(name) is theirs.get(name) for name in names)
                and self.below(depth + 1) == other.below(depth + 1)
            ):
                break
            depth += 1
        return depth

    def below(self, depth: int) -> Any:
        """What `depth` layers of the trunk depend on besides arrays."""
        return self.sizes()

    # Tagging.

    def pieces(self, batch: WordBatch) -> Iterator[WordBatch]:
        """Yield a WordBatch in pieces that have words, and take some memory each."""
        return (piece for piece in batch.pieces(_WORDS) if len(piece.features))

    def used_layers(self, cache: Any) -> dict[str, Any]:
        """The `layers` for a cache, made once for it if it keeps them; see `tag`."""
        return (
            cache.layers_of(self)
            if isinstance(cache, ProductCache)
            else self.layers(cache)
        )

    def batch_states(self, batch: WordBatch, cache: Any = None) -> np.ndarray:
        """States of all words of a batch: float32[n_tokens, n]; cache: see `tag`."""
        return Trunk({self.kind: self}).states(batch, cache)[self.kind]

    def _score(self, batch: WordBatch, cache: Any) -> Iterator[np.ndarray]:
        """Yield scores of all rows in use, in blocks, float32[n, n_labels or more]."""
        run, layers = InferencePass(), self.used_layers(cache)
        for piece in self.pieces(batch):
            yield from self.forward(run, layers, piece)

    def tag(self, batch: WordBatch, cache: Any = None, scored: bool = False) -> Answer:
        """Best labels of a WordBatch.

        cache: made by `cache` since the arrays last changed, or None; scored: whether
        to tell how likely the labels are; trees do not say.
        """
        kept: list[np.ndarray] | None = [] if scored else None
        begin, layers = batch.begin, self.used_layers(cache)
        if "transitions" not in layers:  # kept with the layers, where these are
            layers["transitions"] = Transitions(self)
        decoder = Decoder(
            begin.astype(np.int32),
            layers["transitions"],
            kept,
            batch.constraints,
            batch.kinds,
            batch.permitted,
        )
        for scores in self._score(batch, cache):
            decoder.add(scores)
        found = None if kept is None else self._path_scores(kept, begin, decoder.tags)
        return self.answers.made.of(batch, decoder.tags, scores=found)

    def _path_scores(
        self, kept: list[np.ndarray], begin: np.ndarray, labels: np.ndarray
    ) -> PathScores:
        none = np.empty((0, self.n_labels), np.float32)
        return likelihood_of(self).path_scores(
            np.concatenate([none, *kept]), begin, labels
        )

    def probabilities(self, batch: WordBatch, cache: Any = None) -> Answer:
        """Probabilities of all labels in place of the best ones."""
        return self.answers.made.of(batch, probabilities=self.posteriors(batch, cache))

    def scores(self, batch: WordBatch, cache: Any = None) -> np.ndarray:
        """Scores of each row's labels without those of transitions: float32[n_rows,
        n_labels].
        """
        n = self.n_labels
        none = np.empty((0, n), np.float32)
        return np.concatenate(
            [none, *(block[:, :n] for block in self._score(batch, cache))]
        )

    def posteriors(self, batch: WordBatch, cache: Any = None) -> Any:
        """Probability of each label of each row: float32[n_rows, n_labels]; or
        SpanShares.
        """
        return likelihood_of(self).posteriors(self.scores(batch, cache), batch.begin)

    # Training.

    def cost(
        self, words: WordBatch, targets: Any, dropouts: Any = _NO_DROPOUTS
    ) -> Cost:
        """Cost of a batch in training, its number of rows, and a trace for
        `cost_backward`.

        words: if it has states, the cost is of the head alone; targets: labels to
        learn, of a class in `tagging.kinds`; dropouts: as of TrainingPass.
        """
        run = TrainingPass(dropouts)
        (scores,) = self.forward(run, self.layers(), words)
        soft, likelihood = targets.is_soft, likelihood_of(self, targets.is_soft)
        labels = targets.shares(self.n_labels) if soft else (targets.gold,)
        cost, found = likelihood.forward(scores, *labels, targets.row_starts)
        return cost, len(targets.gold), (run, likelihood, found)

    def cost_backward(self, trace: Any, gradients: Gradients) -> Any:
        """Fill `gradients`; returns d(cost)/d(states): float32[n_tokens, n], if there
        are any.
        """
        run, likelihood, found = trace
        return run.backward(likelihood.backward(found, gradients), gradients)

    # Checks.

    def check(self) -> None:
        """Raise SennaError, without a file's name, if sizes do not fit together."""
        sizes = self._known_sizes()
        _check_shape("padding", self.padding, ("features",), sizes)
        self._check_arrays(sizes)
        for k, (index, table) in enumerate(zip(self.padding, self.tables, strict=True)):
            if not 0 <= index < len(table):
                raise SennaError(
                    f"padding index {index} of tables/{k}, which has {len(table):,} keys"
                )

    def _check_arrays(self, sizes: dict[str, int]) -> None:
        """Raise SennaError if arrays do not fit together; sizes: by name, as far as
        known.
        """
        declared = self.declare(self.sizes())
        groups: dict[str, list[str]] = {}
        for array in declared:
            groups.setdefault(array.group, []).append(array.name)
        for group, names in groups.items():
            if group and len({getattr(self, name) is None for name in names}) > 1:
                raise SennaError(f"{', '.join(names)} go together")
        for array in declared:
            found = getattr(self, array.name)
            if found is None and not array.group:
                raise SennaError(f"{array.name} is missing")
            if found is not None:
                _check_shape(array.name, found, array.shape, sizes)
        for name in _ODD:
            if sizes.get(name, 1) % 2 == 0:
                raise SennaError(f"{sizes[name]:,} {name}, expected an odd number")
        if sizes.get("tags", 1) > MOST_TAGS:
            raise SennaError(f"{sizes['tags']:,} labels; the limit is {MOST_TAGS:,}")

    def _known_sizes(self) -> dict[str, int]:
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


def _check_shape(
    name: str, array: np.ndarray, expected: Sequence[str], sizes: dict[str, int]
) -> None:
    if len(array.shape) != len(expected) or not all(array.shape):
        raise SennaError(
            f"{name}: shape {list(array.shape)}, expected {len(expected)} sizes"
        )
    for found, size in zip(array.shape, expected, strict=True):
        for factor in size.split("*"):
            sizes.setdefault(factor, found)
        if found != (wanted := size_of(size, sizes)):
            raise SennaError(
                f"{name}: shape {list(array.shape)}, {found:,} in place of {wanted:,} ({size})"
            )
