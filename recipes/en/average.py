"""Average the weights of a model and of the same model after further training.

python recipes/en/average.py MODEL TRAINED NEW SHARE

The script writes to NEW the model of TRAINED, whose weights are SHARE times its own and
1 - SHARE times those of MODEL, with which its training began. The average often makes
fewer errors than both (Wortsman et al. 2022, Robust fine-tuning of zero-shot models,
section 3). Weights of labels that only TRAINED has stay as they are, and so do the
networks in KEPT. Scores of the training are left out, because they are those of TRAINED.
"""

import json

import click
import numpy as np
from without_label import AXES

from senna_py.layers.int8 import ByteColumns
from senna_py.models.native import NativeModel
from senna_py.models.tensors import read_tensors, write_tensors

KEPT = {"feats"}  # features.py trains this head again


def average(first, second, share, labels, axes):
    """Return the average of two arrays, float32.

    labels: The names of the labels of both; axes: the axes that count them.
    """
    names, new_names = labels
    new = [i for i, name in enumerate(new_names) if name in names]
    old = [names.index(new_names[i]) for i in new]
    result = second.astype(np.float32)
    places = [np.arange(size) for size in result.shape]
    sources = [np.arange(size) for size in first.shape]
    for axis in axes:
        places[axis], sources[axis] = np.array(new), np.array(old)
    part = np.ix_(*places)
    result[part] += (1 - share) * (first[np.ix_(*sources)] - result[part])
    return result


def averaged(first, second, share, labels):
    """Return the arrays of a model, given those of both by name.

    labels: The names of the labels of a network in both, by its name.
    """
    result = dict(second)
    for name, array in second.items():
        place, _, rest = name.partition("/")
        network, _, key = rest.partition("/")
        if place != "networks" or network in KEPT or name not in first:
            continue
        scales = f"{name}_scales"
        if array.dtype == np.float16:
            names, new_names = labels[network]
            axes = () if names == new_names else AXES.get(key, ())
            pair = first[name].astype(np.float32), array
            mean = average(*pair, share, labels[network], axes)
            result[name] = mean.astype(np.float16)
        elif scales in second:
            pair = (ByteColumns(each[name], each[scales]) for each in (first, second))
            mean = average(*(each.dense() for each in pair), share, ((), ()), ())
            rounded = ByteColumns.of(mean)
            result[name], result[scales] = rounded.numbers, rounded.scales
    return result


def names_of(vocabulary):
    """Return the keys of a vocabulary in their order."""
    return [vocabulary.key(i) for i in range(len(vocabulary))]


@click.command()
@click.argument("model")
@click.argument("trained")
@click.argument("new")
@click.argument("share", type=click.FloatRange(0, 1))
def main(model: str, trained: str, new: str, share: float) -> None:
    """Write the average of MODEL and TRAINED to NEW."""
    models = NativeModel(model), NativeModel(trained)
    (_, first), (metadata, second) = (read_tensors(each.path) for each in models)
    networks = [*models[1].networks]
    labels = {
        name: [names_of(each.labels(name)) for each in models] for name in networks
    }
    header = json.loads(metadata["model"])
    for entry in header["networks"]:
        if entry["name"] not in KEPT:
            entry["info"].pop("scores", None)
            entry["info"]["average"] = {
                "of": models[0].info.get("version"),
                "share": share,
            }
    metadata = metadata | {"model": json.dumps(header)}
    write_tensors(new, metadata, averaged(first, second, share, labels))
    for name in networks:
        NativeModel(new).part(name)  # which checks it


if __name__ == "__main__":
    main()
