"""A stack of dilated gated convolutions over the sentence, for labels of words or for roles.

This project's addition to the networks of the paper.
"""

from dataclasses import dataclass, field, fields, replace
from typing import ClassVar, NamedTuple

import numpy as np

from senna_py.errors import SennaError
from senna_py.kernels.nn.lookup import add_to_rows
from senna_py.kernels.text.phrases import N_STEPS, path_rows
from senna_py.layers.activations import Rectifier
from senna_py.layers.bfloat16 import RoundedWeight
from senna_py.layers.blocks import BLOCK, Decoder, Output, sentence_blocks
from senna_py.layers.convolution import WindowConvolution
from senna_py.layers.distance import distance_rows, rows_of_predicates
from senna_py.layers.gated_convolution import GatedBlock, PackedBlock, initial_convolution
from senna_py.layers.layer_norm import LayerNorm, initial_norm
from senna_py.layers.linear import Linear, blas, initial_linear, initial_uniform, initial_weight
from senna_py.layers.lookup import Lookup
from senna_py.layers.pairs import OF_PATHS, PairLayer
from senna_py.layers.window import ProductCache, WindowLayer
from senna_py.networks.base import (
    WIDEST_WINDOW,
    TaggerNetwork,
    check_least,
    initial_scores,
)

__all__ = ["OF_PAIRS", "DilatedNetwork", "DilatedSettings"]

# Computed at once when tagging: words in whole sentences, and whole predicates' rows.
_WORDS, _ROWS = 4 * BLOCK, 2 * BLOCK
_MOST_BLOCKS, _FARTHEST = 64, 1024
_OF_BLOCK = ("gain", "shift", "weight", "bias")
OF_PAIRS = ("predicate_weight", "word_factor", "predicate_factor", "distances")
_NOT_ARRAYS = ("dilations", "tables", "padding", "blocks")


class DilatedSettings:
    """Settings of the dilated approach.

    width: units of each block; dilations: for each block, how many words apart those are that its
    convolution sees; kernel: how many words it sees, odd, one number for all blocks or a list of
    one for each; hidden: units of the layer after the blocks, 0 for none (but roles need it);
    reach, for roles: the largest distance to the predicate that has its own weights; paths, for
    roles: whether what stands between a word and the predicate in the tree has weights.
    """

    hidden: int = 300
    reach: int = 20
    paths: bool = False
    width: int = 192
    kernel: int | list = 3
    dilations: list = field(default_factory=lambda: [1, 2, 4, 8, 1, 2])

    def check(self):
        """Raise SennaError for a number that is out of range."""
        check_least(self, width=1, reach=1)
        _check_dilations("network.dilations", self.dilations)
        kernels = DilatedSettings.kernels(self)
        if len(kernels) != len(self.dilations):
            raise SennaError(
                f"network.kernel: {len(kernels)} sizes for {len(self.dilations)} dilations"
            )
        for size in kernels:
            if type(size) is not int or not 1 <= size <= WIDEST_WINDOW or size % 2 == 0:
                most = f"{WIDEST_WINDOW:,} at most"
                raise SennaError(
                    f"network.kernel: expected odd numbers, {most}, found {self.kernel}"
                )

    def kernels(self):
        """Size of each block's convolution, a list."""
        one = type(self.kernel) is int
        return [self.kernel] * len(self.dilations) if one else self.kernel


def _check_dilations(what, dilations):
    right = type(dilations) is list and 1 <= len(dilations) <= _MOST_BLOCKS
    if not right or not all(type(d) is int and 1 <= d <= _FARTHEST for d in dilations):
        raise SennaError(
            f"{what}: expected 1 to {_MOST_BLOCKS} numbers from 1 to {_FARTHEST:,}, "
            f"found {dilations}"
        )


class _EncoderTrace(NamedTuple):
    """What computing the states in training leaves for the backward pass: traces of layers."""

    features: np.ndarray
    dropouts: tuple
    x_factors: np.ndarray | None
    first: tuple
    blocks: list
    norm: tuple
    state_factors: np.ndarray | None


class _Trace(NamedTuple):
    """What a forward pass in training leaves for the backward pass."""

    encoder: _EncoderTrace
    predicate: np.ndarray | None
    head: tuple | None  # trace of the layer after the blocks, its slopes and factors of dropout
    hidden: np.ndarray  # what the output layer takes


@dataclass
class DilatedNetwork(TaggerNetwork):
    """Scores tags from states of words, which a stack of GatedBlocks makes of the whole sentence.

    The rows of the lookup tables go through a linear layer, the blocks and a layer norm: these are
    the states, made once a sentence. Tags of words: linear, rectifier, linear; or one linear layer.
    Roles: the same from each pair of a word and a predicate, by a PairLayer.

    dilations: list of int, of each block. tables: one float32[n_keys, dim] per input feature;
    padding: int32[n_features], kept for the file format: beyond a sentence are zeros.
    input_weight: float32[sum of dims, width]; input_bias: float32[width]. blocks: for each K from
    1 on, blockK_gain, blockK_shift: float32[width]; blockK_weight: float32[kernel * width,
    2 * width], kernel odd; blockK_bias: float32[2 * width], see GatedBlock. norm_gain, norm_shift:
    float32[width]. hidden_weight: float32[width, n_hidden] and hidden_bias: float32[n_hidden], or
    None; output_weight: float32[n_hidden, n_tags], or width in place of n_hidden; output_bias,
    initial, transition and final: as of a WindowNetwork. For roles, else None: predicate_weight,
    word_factor, predicate_factor: float32[width, n_hidden] and distances: float32[2 * m + 1,
    n_hidden]. For roles by paths in trees, else None: constituents, ancestors: float32[n_keys,
    n_hidden], for labels of the network for trees, and steps: float32[N_STEPS, n_hidden]; see
    kernels.text.phrases.path_rows.
    """

    dilations: list[int]
    tables: list[np.ndarray]
    padding: np.ndarray
    input_weight: np.ndarray
    input_bias: np.ndarray
    blocks: dict[str, np.ndarray]
    norm_gain: np.ndarray
    norm_shift: np.ndarray
    hidden_weight: np.ndarray | None
    hidden_bias: np.ndarray | None
    output_weight: np.ndarray
    output_bias: np.ndarray
    initial: np.ndarray | None = None
    transition: np.ndarray | None = None
    final: np.ndarray | None = None
    predicate_weight: np.ndarray | None = None
    word_factor: np.ndarray | None = None
    predicate_factor: np.ndarray | None = None
    distances: np.ndarray | None = None
    constituents: np.ndarray | None = None
    ancestors: np.ndarray | None = None
    steps: np.ndarray | None = None

    kind, settings = "dilated", DilatedSettings
    for_roles = for_paths = whole_sentences = True
    trunk: ClassVar = ("input_weight", "input_bias", "norm_gain", "norm_shift")  # and the blocks
    trunk_settings: ClassVar = ("width", "kernel", "dilations")
    shapes: ClassVar = {
        "input_weight": ("input", "width"),
        "input_bias": ("width",),
        "norm_gain": ("width",),
        "norm_shift": ("width",),
        "hidden_weight": ("width", "hidden"),
        "hidden_bias": ("hidden",),
        **dict.fromkeys(OF_PAIRS[:3], ("width", "hidden")),
        "distances": ("distances", "hidden"),
        **dict.fromkeys(OF_PATHS[:2], ("labels_of_trees", "hidden")),
        "steps": ("steps", "hidden"),
        "output_weight": ("hidden", "tags"),
        "output_bias": ("tags",),
        "initial": ("tags",),
        "transition": ("tags", "tags"),
        "final": ("tags",),
    }
    optional = (
        ("hidden_weight", "hidden_bias"), ("initial", "transition"), ("final",), OF_PAIRS, OF_PATHS,
    )  # fmt: skip

    @classmethod
    def check_settings(cls, settings, roles):
        if roles and not settings.hidden:
            raise SennaError("roles need hidden units: network.hidden is 0")

    @classmethod
    def planned_sizes(cls, settings, roles):
        kernels = enumerate(DilatedSettings.kernels(settings), 1)
        sizes = {"width": settings.width, "gates": 2 * settings.width, "hidden": settings.hidden}
        sizes |= {f"kernel{k}": size for k, size in kernels}
        return sizes | ({"distances": 2 * settings.reach + 1} if roles else {})

    @classmethod
    def planned_arrays(cls, settings):
        return cls.shapes | _block_shapes(len(settings.dilations))

    @classmethod
    def initialise(cls, settings, tables, padding, n_tags, rng, roles=False):
        """A new network; weights have the variance 1 / fan-in.

        settings: DilatedSettings with the criterion; tables, padding: of the network; rng:
        numpy.random.Generator; roles: whether it scores words for predicates.
        """
        width, n_hidden = settings.width, settings.hidden
        first = initial_linear(rng, sum(table.shape[1] for table in tables), width)
        blocks = {}
        for k, size in enumerate(DilatedSettings.kernels(settings), 1):
            arrays = *initial_norm(width), *initial_convolution(rng, size, width)
            blocks |= dict(zip(_block_names(k), arrays, strict=True))
        hidden = initial_linear(rng, width, n_hidden) if n_hidden else (None, None)
        pairs = ()
        if roles:
            pairs = [initial_weight(rng, width, width, n_hidden) for _ in OF_PAIRS[:3]]
            pairs.append(initial_uniform(rng, 0.5, 2 * settings.reach + 1, n_hidden))
        return cls(
            list(settings.dilations), tables, padding, *first, blocks, *initial_norm(width),
            *hidden, *initial_linear(rng, n_hidden or width, n_tags),
            *initial_scores(settings, n_tags), None, *pairs,
        )  # fmt: skip

    def add_paths(self, n_labels):
        """Make the tables for paths, of zeros; n_labels: that stand above words in trees."""
        for name, n in zip(OF_PATHS, (n_labels, n_labels, N_STEPS), strict=True):
            setattr(self, name, np.zeros((n, len(self.hidden_bias)), np.float32))

    @property
    def has_paths(self):
        """Whether it looks at paths in trees: its methods then need an `above`."""
        return self.steps is not None

    @classmethod
    def brief(cls, sizes, shapes):
        (width,), hidden = shapes["input_bias"], super().brief(sizes, shapes)
        dilations = " ".join(map(str, sizes["dilations"]))
        paths = ", paths in trees" if OF_PATHS[-1] in shapes else ""
        return f"blocks of {width:,} units, dilations {dilations}, {hidden}{paths}"

    # What files have.

    @classmethod
    def labels_of(cls, names):
        return "roles" if "distances" in names else "words"

    def beyond_senna(self):
        return "it has window and sentence networks"

    def sizes(self):
        return {"dilations": [int(d) for d in self.dilations]}

    @classmethod
    def read_sizes(cls, entry):
        _check_dilations("dilations", entry.get("dilations"))
        return {"dilations": entry["dilations"]}

    @classmethod
    def array_names(cls, sizes):
        blocks = [n for k in range(len(sizes["dilations"])) for n in _block_names(k + 1)]
        return [f.name for f in fields(cls) if f.name not in _NOT_ARRAYS] + blocks

    @classmethod
    def of_arrays(cls, sizes, tables, padding, arrays):
        own = {f.name for f in fields(cls)}
        blocks = {name: array for name, array in arrays.items() if name not in own}
        arrays = {name: array for name, array in arrays.items() if name in own}
        return cls(tables=tables, padding=padding, blocks=blocks, **sizes, **arrays)

    def arrays(self):
        own = {f.name: getattr(self, f.name) for f in fields(self) if f.name not in _NOT_ARRAYS}
        return {name: array for name, array in own.items() if array is not None} | self.blocks

    def with_arrays(self, tables, arrays):
        blocks = {name: arrays.get(name, array) for name, array in self.blocks.items()}
        own = {name: array for name, array in arrays.items() if name not in blocks}
        return replace(self, tables=tables, blocks=blocks, **own)

    def trunk_arrays(self):
        return super().trunk_arrays() | self.blocks

    def all_shapes(self):
        return self.shapes | _block_shapes(len(self.dilations))

    def _known_sizes(self):
        sizes, width = super()._known_sizes(), max(self.input_bias.size, 1)
        sizes |= {"width": width, "gates": 2 * width, "steps": N_STEPS}
        if self.has_paths and not self.has_predicates:
            raise SennaError(f"{OF_PATHS[-1]} without {OF_PAIRS[-1]}")
        if self.hidden_weight is None:
            sizes["hidden"] = width
            if self.has_predicates:
                raise SennaError("hidden_weight is missing")
        for k in range(1, len(self.dilations) + 1):
            weight = self.blocks.get(f"block{k}_weight")
            size = sizes[f"kernel{k}"] = 0 if weight is None else weight.size // (2 * width**2)
            if weight is not None and (size % 2 == 0 or size > WIDEST_WINDOW):
                raise SennaError(
                    f"block{k}_weight: a window of {size:,} words; it must be odd and at most "
                    f"{WIDEST_WINDOW:,}"
                )
        return sizes

    # Layers, for tagging and training alike.

    def _first_layer(self):
        names = "input_weight", "input_bias"
        return WindowConvolution(names, self.input_weight, self.input_bias, self.tables)

    def _blocks(self):
        """The blocks as training has them."""
        arrays = self._block_arrays()
        return [GatedBlock(f"block{k}", *a) for k, a in enumerate(arrays, 1)]

    def _block_arrays(self):
        """Arrays and dilation of each block."""
        for k, dilation in enumerate(self.dilations, 1):
            yield *(self.blocks[name] for name in _block_names(k)), dilation

    def _norm(self):
        return LayerNorm("norm", self.norm_gain, self.norm_shift)

    def head(self):
        """The layer after the blocks, as training has it: None, Linear or PairLayer."""
        if self.hidden_weight is None:
            return None
        if self.has_predicates:
            return self.pair_layer()
        return Linear("hidden", self.hidden_weight, self.hidden_bias, blas)

    def pair_layer(self):
        """The PairLayer of a network that scores pairs of words."""
        arrays = (getattr(self, name) for name in OF_PAIRS)
        paths = [getattr(self, name) for name in OF_PATHS] if self.has_paths else ()
        return PairLayer(self.hidden_weight, self.hidden_bias, *arrays, paths)

    def fan_in(self):
        """Inputs of a unit, by the parameters' names."""
        layers = [
            Lookup.numbered(self.tables), self._first_layer(), *self._blocks(), self._norm(),
            Linear("output", self.output_weight, self.output_bias),
        ]  # fmt: skip
        found = {"initial": 1, "transition": 1}
        for layer in [*layers, *([head] if (head := self.head()) else [])]:
            found |= layer.fan_in()
        return found

    # Tagging.

    def cache(self, n_rows):
        """A place to keep `n_rows` products of the first layer, for `tag`."""
        return ProductCache(self.tables, self.input_weight, n_rows)

    @property
    def row_bytes(self):
        """Bytes of each product that `cache` keeps."""
        return 4 * len(self.input_bias)

    def tag(self, features, starts, sentence=None, predicate=None, cache=None, states=None,
            above=None, kept=None):  # fmt: skip
        """Best tag of each word, int32[n_tokens], or roles; see `SentenceNetwork.tag`.

        above: features.phrase.Above of the words, for a network that `has_paths`.
        """
        if not self.has_predicates:
            return super().tag(features, starts, cache, states, kept)
        if states is None:
            features, starts, sentence, predicate, above = _with_predicates(
                features, starts, sentence, predicate, above
            )
        states_of = self._states_of(features, starts, cache, states)
        head, output = self._packed_head(), Output(self)
        begin = np.append(0, np.cumsum(np.diff(starts)[sentence], dtype=np.int64))
        tags = np.empty(begin[-1], np.int32)
        for s, e in sentence_blocks(starts, _WORDS):
            p, q = np.searchsorted(sentence, (s, e))
            if p < q:
                a = starts[s]
                batch = starts[s : e + 1] - a, sentence[p:q] - np.int32(s), predicate[p:q] - a
                some = above and above.take(slice(a, starts[e]))
                found = self._tag_roles(states_of(s, e), batch, some, head, output, kept)
                tags[begin[p] : begin[q]] = found
        return tags, begin

    def feed(self, sink, features, starts, cache=None, states=None):
        states_of = self._states_of(features, starts, cache, states)
        head = self._packed_head()
        for s, e in sentence_blocks(starts, _WORDS):
            if starts[s] < starts[e]:
                hidden = states_of(s, e)
                sink.add(sink.output.layer(hidden if head is None else head(hidden)))

    def encoder_layers(self, cache=None):
        """What `states` computes with: the first layer, its cache as of `tag`, and the blocks."""
        first = WindowLayer(self.tables, self.input_weight, self.input_bias, cache)
        return first, [PackedBlock(*arrays) for arrays in self._block_arrays()]

    def _packed_head(self):
        """The layer after the blocks, with its rectifier, for `tag`: None or a function."""
        if self.hidden_weight is None:
            return None
        if self.has_predicates:
            return self.pair_layer().packed()
        layer = RoundedWeight(self.hidden_weight, self.hidden_bias)
        return lambda states: np.maximum(hidden := layer(states), 0, out=hidden)

    def states(self, features, starts, layers):
        """States of words: float32[n_tokens, width]; layers: as of `encoder_layers`."""
        h = layers[0](features, np.arange(len(features), dtype=np.int32))
        for block in layers[1]:
            h = block(h, starts)
        return self._norm().outputs(h)

    def batch_states(self, features, starts, cache=None):
        """States of all words of a batch: float32[n_tokens, width]; arguments as for `tag`."""
        found = np.empty((len(features), len(self.input_bias)), np.float32)
        states_of = self._states_of(features, starts, cache)
        for s, e in sentence_blocks(starts, _WORDS):
            if starts[s] < starts[e]:
                found[starts[s] : starts[e]] = states_of(s, e)
        return found

    def _states_of(self, features, starts, cache=None, states=None):
        """A function of the first and the last sentence, exclusive, that gives states of words.

        states: of the whole batch, if they are known.
        """
        layers = None if states is not None else self.encoder_layers(cache)

        def states_of(s, e):
            a, b = starts[s], starts[e]
            if layers is None:
                return states[a:b]
            return self.states(features[a:b], starts[s : e + 1] - a, layers)

        return states_of

    def _tag_roles(self, states, batch, above, head, output, kept):
        starts, sentence, predicate = batch
        parts = head.parts(states, states[predicate])
        begin = np.append(0, np.cumsum(np.diff(starts)[sentence], dtype=np.int64))
        decoder, p = Decoder(begin.astype(np.int32), output, kept), 0
        while p < len(predicate):
            q = max(p + 1, int(np.searchsorted(begin, begin[p] + _ROWS, side="right")) - 1)
            word, owner, rows = self._pairs(starts, sentence[p:q], predicate[p:q], above)
            hidden = head.join(parts, (word, owner + np.int32(p), head.table_rows(rows)))
            decoder.add(output.layer(hidden))
            p = q
        return decoder.tags

    def _pairs(self, starts, sentence, predicate, above=None):
        """Word and predicate of each row, int32[n_rows] both, and what `table_rows` takes."""
        word, owner = rows_of_predicates(starts, sentence, predicate)
        rows = [distance_rows(self.distances, word, predicate[owner])]
        if self.has_paths:
            paths = np.empty((len(word), len(OF_PATHS)), np.int32)
            path_rows(above.labels, above.shared, starts, sentence, predicate, paths)
            rows.append(paths)
        return word, owner, rows

    # Training.

    def forward(self, features, starts, dropouts, sentence=None, predicate=None, above=None):
        """Tag scores float32[n_rows, n_tags] in training, and a trace for `backward`.

        dropouts: two layers.dropout.Dropout: one for the looked-up vectors, one for the outputs of
        the blocks' convolutions, the states and the hidden layer; the other arguments are those of
        `tag`. Without dropout these are the scores that `tag` decodes, but for the last bits: here
        BLAS computes the products.
        """
        states, encoder = self.encode(features, starts, dropouts)
        hidden, head, layer = states, None, self.head()
        if layer is not None:
            given = ()
            if self.has_predicates:
                word, owner, rows = self._pairs(starts, sentence, predicate, above)
                given = states[predicate], (word, owner, layer.table_rows(rows))
            hidden, trace = layer.forward(states, *given)
            hidden, slope = Rectifier().forward(hidden)
            hidden, factors = dropouts[1].forward(hidden)
            head = trace, slope, factors
        scores = blas(hidden, self.output_weight, self.output_bias)
        return scores, _Trace(encoder, predicate, head, hidden)

    def backward(self, d_scores, trace, gradients, fixed=()):
        """Give `gradients` those of all parameters but the tables whose numbers are in `fixed`.

        d_scores: d(cost)/d(scores): float32[n_rows, n_tags].
        """
        output = Linear("output", self.output_weight, self.output_bias)
        d_h = output.backward(d_scores, trace.hidden, gradients)
        if trace.head is not None:
            d_h = self._head_backward(d_h, trace, gradients)
        self.encode_backward(d_h, trace.encoder, gradients, fixed)

    def encode(self, features, starts, dropouts):
        """States of words in training: float32[n_tokens, width], and a trace; see `forward`."""
        x, x_factors = dropouts[0].forward(Lookup.numbered(self.tables).forward(features)[0])
        every = np.arange(len(x), dtype=np.int32)
        h, first = self._first_layer().forward(x, every)
        blocks = []
        for block in self._blocks():
            h, trace = block.forward(h, starts, dropouts[1])
            blocks.append(trace)
        states, norm = self._norm().forward(h)
        states, state_factors = dropouts[1].forward(states)
        return states, _EncoderTrace(
            features, dropouts, x_factors, first, blocks, norm, state_factors
        )

    def encode_backward(self, d_states, trace, gradients, fixed=()):
        """Give `gradients` those of all parameters below the states; see `backward`."""
        d_h = trace.dropouts[1].backward(d_states, trace.state_factors)
        d_h = self._norm().backward(d_h, trace.norm, gradients)
        for block, kept in zip(reversed(self._blocks()), reversed(trace.blocks), strict=True):
            d_h = block.backward(d_h, kept, gradients)
        d_x = self._first_layer().backward(d_h, trace.first, gradients)
        d_x = trace.dropouts[0].backward(d_x, trace.x_factors)
        Lookup.numbered(self.tables).backward(d_x, trace.features, gradients, fixed)

    def _head_backward(self, d_hidden, trace, gradients):
        """d(cost)/d(states) through the layer after the blocks."""
        head, slope, factors = trace.head
        dropout = trace.encoder.dropouts[1]
        d_hidden = Rectifier().backward(dropout.backward(d_hidden, factors), slope)
        found = self.head().backward(d_hidden, head, gradients)
        if not self.has_predicates:
            return found
        d_states, d_predicates = found
        add_to_rows(d_predicates, trace.predicate, d_states)
        return d_states


def _with_predicates(features, starts, sentence, predicate, above):
    """What `tag` takes, without the sentences that have no predicate: there is nothing to tag."""
    kept = np.zeros(len(starts) - 1, bool)
    kept[sentence] = True
    if kept.all():
        return features, starts, sentence, predicate, above
    lengths = np.diff(starts)
    dropped = np.cumsum(np.where(kept, 0, lengths))  # words before what follows a sentence
    number, words = np.cumsum(kept) - 1, np.repeat(kept, lengths)
    return (
        features[words],
        np.append(0, np.cumsum(lengths[kept])).astype(np.int32),
        number[sentence].astype(np.int32),
        (predicate - dropped[sentence]).astype(np.int32),
        above and above.take(words),
    )


def _block_names(k):
    """Names of the arrays of block k, from 1 on, as GatedBlock takes them."""
    return [f"block{k}_{part}" for part in _OF_BLOCK]


def _block_shapes(n):
    """Shapes of the arrays of n blocks, as `TaggerNetwork.shapes` has them."""
    found = {}
    for k in range(1, n + 1):
        sizes = ("width",), ("width",), (f"kernel{k}*width", "gates"), ("gates",)
        found |= dict(zip(_block_names(k), sizes, strict=True))
    return found
