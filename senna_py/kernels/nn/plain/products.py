"""Fallbacks for the kernels of `kernels.nn.products` that are used in tagging."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from senna_py.kernels.nn.plain.linear import hardtanh, linear
from senna_py.kernels.nn.plain.max_over_time import max_over_predicates

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from senna_py.kernels.arrays import Floats, Ints


def add_products(
    first: Ints,
    bias: Floats,
    where: Ints,
    kept: Floats,
    fresh: Floats,
    more_where: Ints,
    more_kept: Floats,
    more_fresh: Floats,
    out: Floats,
) -> None:
    groups = [(where, kept, fresh), (more_where, more_kept, more_fresh)]
    if not len(more_where):
        groups.pop()
    # The slots of fresh products count from the end.
    parts = [
        (slots, np.concatenate((kept, fresh[::-1]))) for slots, kept, fresh in groups
    ]
    out[:] = bias
    for k in range(kept.shape[1]):
        for slots, products in parts:
            out += products[slots[first + k], k]


def score_predicates(
    words: Floats,
    sequences: tuple[Ints, ...],
    biases: tuple[Floats, ...],
    hidden_layer: tuple[NDArray, ...],
    output_layer: tuple[NDArray, ...],
    rooms: tuple[Floats, ...],
    scores: Floats,
) -> None:
    starts, sentence, predicate = sequences
    (weight, _, bias), (output_weight, _, output_bias) = hidden_layer, output_layer
    pooled = np.empty((len(scores), words.shape[1]), np.float32)
    max_over_predicates(
        words, starts, sentence, predicate, biases[0], biases[1], pooled
    )
    hidden = np.empty((len(scores), len(bias)), np.float32)
    linear(pooled, weight, bias, hidden)
    hardtanh(hidden)
    linear(hidden, output_weight, output_bias, scores)
