"""Which shapes the arrays of a network must have."""

import math

import numpy as np

from senna_py.errors import SennaError
from senna_py.networks.sentence import SentenceNetwork
from senna_py.networks.tree import TreeNetwork
from senna_py.networks.window import WindowNetwork

__all__ = ["MOST_TAGS", "WIDEST_WINDOW", "check_shapes", "is_optional"]

WIDEST_WINDOW = 1001  # padding takes memory; the original's windows have 5 words
MOST_TAGS = np.iinfo(np.int16).max  # what a Viterbi back pointer holds

# Sizes by name: those that are not given (`features`, `window`, `input`: the sum of the tables'
# dimensions, `tags`) are bound by the first array that has them. A `*` multiplies.
_SHAPES = {
    WindowNetwork: {
        "padding": ("features",),
        "hidden_weight": ("window*input", "hidden"),
        "hidden_bias": ("hidden",),
        "output_weight": ("hidden", "tags"),
        "output_bias": ("tags",),
        "initial": ("tags",),
        "transition": ("tags", "tags"),
        "final": ("tags",),
    },
    SentenceNetwork: {
        "padding": ("features",),
        "verb_distances": ("distances", "verb_dim"),
        "word_distances": ("distances", "word_dim"),
        "word_weight": ("window*input", "conv"),
        "verb_distance_weight": ("window*verb_dim", "conv"),
        "word_distance_weight": ("window*word_dim", "conv"),
        "conv_bias": ("conv",),
        "hidden_weight": ("conv", "hidden"),
        "hidden_bias": ("hidden",),
        "direct_word_weight": ("window*input", "hidden"),
        "direct_verb_weight": ("window*input", "hidden"),
        "direct_distance": ("distances", "hidden"),
        "output_weight": ("hidden", "tags"),
        "output_bias": ("tags",),
        "initial": ("tags",),
        "transition": ("tags", "tags"),
        "final": ("tags",),
    },
    TreeNetwork: {
        "padding": ("features",),
        "word_weight": ("input", "conv"),
        "word_bias": ("conv",),
        "position_bias": ("positions", "conv"),
        "hidden_weight": ("conv", "hidden"),
        "hidden_bias": ("hidden",),
        "output_weight": ("hidden", "tags"),
        "output_bias": ("tags",),
        "initial": ("tags",),
        "transition": ("tags", "tags"),
    },
}
# Arrays that may be None, in groups of which a network has all or none.
_OPTIONAL = {
    WindowNetwork: (("hidden_weight", "hidden_bias"), ("initial", "transition"), ("final",)),
    SentenceNetwork: (
        ("verb_distances", "verb_distance_weight"),
        ("direct_word_weight", "direct_verb_weight", "direct_distance"),
        ("initial", "transition"),
        ("final",),
    ),
    TreeNetwork: (),
}
# What only a SentenceNetwork with predicates has.
_OF_PREDICATES = ("verb_distance_weight", "direct_verb_weight", "direct_distance")
_ODD = ("distances", "positions")


def is_optional(cls, name):
    """Whether the array `name` of networks of the class `cls` may be None."""
    return any(name in group for group in _OPTIONAL[cls])


def check_shapes(network):
    """Raise SennaError, without a file's name, if sizes of a network do not fit together.

    A WindowNetwork without a hidden layer scores the window itself.
    """
    window = getattr(network, "window", 1)
    if not 1 <= window <= WIDEST_WINDOW or window % 2 == 0:
        raise SennaError(f"window size {window:,}; it must be odd and at most {WIDEST_WINDOW:,}")
    for k, table in enumerate(network.tables):
        if len(table.shape) != 2 or not all(table.shape):
            raise SennaError(f"tables/{k}: shape {list(table.shape)}")
    shapes = _SHAPES[type(network)]
    for group in _groups(network):
        given = {getattr(network, name, None) is None for name in group}
        if len(given) > 1:
            raise SennaError(f"{', '.join(group)} go together")
    n_input = sum(table.shape[1] for table in network.tables)
    sizes = {"features": len(network.tables), "window": window, "input": n_input}
    if isinstance(network, WindowNetwork) and network.hidden_weight is None:
        sizes["hidden"] = window * n_input
    for name, shape in shapes.items():
        array = getattr(network, name, None)
        if array is None and not is_optional(type(network), name):
            raise SennaError(f"{name} is missing")
        if array is not None:
            _check_shape(name, array, shape, sizes)
    _check_sizes(sizes)
    _check_indices(network, sizes["tags"])


def _groups(network):
    """Groups of arrays of which this network must have all or none."""
    groups = _OPTIONAL[type(network)]
    if not isinstance(network, SentenceNetwork) or network.has_predicates:
        return groups
    for name in _OF_PREDICATES:
        if getattr(network, name) is not None:
            raise SennaError(f"{name} without verb_distances")
    return [[name for name in group if name not in _OF_PREDICATES] for group in groups]


def _check_shape(name, array, expected, sizes):
    if array.ndim != len(expected) or not all(array.shape):
        raise SennaError(f"{name}: shape {list(array.shape)}, expected {len(expected)} sizes")
    for found, size in zip(array.shape, expected, strict=True):
        wanted = math.prod(sizes.setdefault(factor, found) for factor in size.split("*"))
        if found != wanted:
            raise SennaError(
                f"{name}: shape {list(array.shape)}, {found:,} in place of {wanted:,} ({size})"
            )


def _check_sizes(sizes):
    for name in _ODD:
        if sizes.get(name, 1) % 2 == 0:
            raise SennaError(f"{sizes[name]:,} {name}, expected an odd number")
    if sizes["tags"] > MOST_TAGS:
        raise SennaError(f"{sizes['tags']:,} labels; the limit is {MOST_TAGS:,}")


def _check_indices(network, n_tags):
    for k, (index, table) in enumerate(zip(network.padding, network.tables, strict=True)):
        if not 0 <= index < len(table):
            raise SennaError(f"padding index {index} of tables/{k}, which has {len(table):,} keys")
    if isinstance(network, TreeNetwork):
        if n_tags % 4 != 1:
            raise SennaError(f"{n_tags} tree labels, expected one (O) more than a multiple of four")
        if len(network.tables[-1]) < n_tags:
            raise SennaError(
                f"{n_tags} tree labels, their table has {len(network.tables[-1])} keys"
            )
