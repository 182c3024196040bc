"""Average the weights of two models that began with the same weights.

python recipes/en/average.py MODEL TRAINED NEW SHARE

The script writes to NEW a copy of TRAINED in which each weight is SHARE times its own
value plus 1 - SHARE times that of MODEL, with which the training of TRAINED began, or
which was trained from the same weights. The average often makes fewer errors than both
(Wortsman et al. 2022, Robust fine-tuning of zero-shot models, section 3). What stays as
it is in TRAINED: word vectors and all else that is no network, weights of labels that
only TRAINED has, the networks in KEPT, and networks that score labels word by word,
although those of MODEL have transitions. Scores of the training are left out, because
they are those of TRAINED.
"""

import json

import numpy as np
from without_label import AXES

from senna_py.cli.scripts import run_script
from senna_py.errors import SennaError
from senna_py.layers.int8 import ByteColumns
from senna_py.models.native import NativeModel
from senna_py.models.tensors import read_tensors, write_tensors

TRANSITIONS = "/initial", "/transition", "/final"
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

    Raises:
        SennaError: If the models do not have the same networks and vocabularies.
    """
    for name in {name for name in (*first, *second) if name.startswith("networks/")}:
        network = name.split("/")[1]
        if network in KEPT or name.endswith(("/labels", "/changed_scales")):
            continue
        if name not in second and name.endswith(TRANSITIONS):
            continue  # TRAINED scores these labels word by word.
        if name not in first or name not in second:
            # Models leave out weights that are zero.
            if (first if name in first else second)[name].any():
                raise SennaError(f"only one of the models has the array {name}")
            continue
        one, other = first[name], second[name]
        if one.dtype != other.dtype or (
            "/vocabularies/" in name and not np.array_equal(one, other)
        ):
            raise SennaError(f"the models differ in the array {name}")
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


def main(model, trained, new, share):
    """Write the average of MODEL and TRAINED to NEW."""
    models = NativeModel(model), NativeModel(trained)
    (_, first), (metadata, second) = (read_tensors(each.path) for each in models)
    header = json.loads(metadata["model"])
    labels = {
        name: [names_of(each.labels(name)) for each in models]
        for name in models[1].networks
        if name in models[0].networks
    }
    arrays = averaged(first, second, float(share), labels)
    for entry in header["networks"]:
        if entry["name"] not in KEPT:
            entry["info"].pop("scores", None)
            about = {"of": models[0].info.get("version"), "share": float(share)}
            entry["info"]["average"] = about
    write_tensors(new, metadata | {"model": json.dumps(header)}, arrays)
    for name in labels:
        NativeModel(new).part(name)  # which checks it


if __name__ == "__main__":
    run_script(main, __doc__)
