"""Layers of trees in tests."""

from itertools import pairwise

import numpy as np

from senna_py.labels.tasks import find_task
from senna_py.labels.trees import SENTENCE, Phrase
from senna_py.networks.decoding import TreeSpans, tree_layer


def phrases_of(layer, starts):
    """Phrases of each sentence of a layer of trees, counted from its first token."""
    roots = np.flatnonzero(layer.label == layer.names.index(SENTENCE)).tolist()
    rows = [row[:3] for row in layer.rows()]
    return [
        [Phrase(label, i - first, j - first) for label, i, j in rows[a:b]]
        for first, (a, b) in zip(starts, pairwise([*roots, len(layer)]), strict=False)
    ]


def layer_of_spans(rows, brackets, starts):
    """A layer of constituents: begin, end, type and level of each, in a batch."""
    columns = np.array(rows, np.int32).reshape(-1, 4).T.copy()
    starts = np.asarray(starts, np.int32)
    return tree_layer(find_task("psg"), brackets, TreeSpans(*columns), starts)
