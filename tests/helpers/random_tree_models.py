"""Small models for trees with random weights, for tests."""

import numpy as np

from senna_py.models.native import write_model
from senna_py.text.vocabulary import Vocabulary
from tests.helpers.native_models import model_arguments, senna_parts
from tests.helpers.random_networks import chart_network, tree_network

_TYPES = ("(S", "(NP", "(VP(NP", "(ADJP")  # one of them is two phrases over the same words


def write_tree_model(path, seed, outside=0.0, chart=False):
    """Write a model with the networks for pos and psg to `path`.

    outside: added to the score of the label of words outside constituents, so that all or no words
    are; for a chart network taken from the score of each span. chart: whether psg is such.
    """
    rng = np.random.default_rng(seed)
    parts = [part for part in senna_parts(rng) if part.name in ("pos", "psg")]
    psg = parts[-1]
    tables, padding = psg.network.tables[:-1], psg.network.padding
    keys, dims = zip(*(table.shape for table in psg.network.tables), strict=True)
    if chart:
        psg.network = chart_network(rng, len(_TYPES), keys=keys[:-1], dims=dims[:-1])
        psg.network.tables, psg.network.padding = tables, padding[:-1]
        psg.network.output_bias[0] -= outside
        psg.features = psg.features[:-1]
    else:
        psg.network = tree_network(rng, keys[:-1], dims, n_types=len(_TYPES))
        psg.network.tables[:-1], psg.network.padding = tables, padding
        psg.network.output_bias[0] += outside
    left = ["", *(text for kind in _TYPES for text in (kind, "", "", kind))]
    right = ["", *(")" * kind.count("(") * i for kind in _TYPES for i in (0, 0, 1, 1))]
    psg.labels = Vocabulary.from_keys(left)
    psg.vocabularies |= {"psg": psg.labels, "psg-right": Vocabulary.from_keys(right)}
    if chart:
        del psg.vocabularies["psg"]  # it does not read its own labels
    write_model(path, *model_arguments(parts))
