"""Remove a label of a network from a model, so that it is never predicted.

python recipes/en/without_label.py MODEL NETWORK LABEL NEW

The script writes to NEW the model of MODEL, in whose NETWORK (`pos`) the label LABEL
has neither weights nor transitions. model.sh removes SU from the parts of speech:
transcripts of telephone calls in MASC end their lines with it, and no other text should
have it.
"""

import click
import numpy as np

from senna_py.models.native import NativeModel
from senna_py.models.tensors import read_tensors, write_tensors

AXES = {  # of the arrays of a network, if it has them, those that count its labels
    "output_weight": (1,),
    "output_bias": (0,),
    "initial": (0,),
    "final": (0,),
    "transition": (0, 1),
}


def drop_label(tensors: dict[str, np.ndarray], network: str, label: str) -> None:
    """Remove a label from a network of a model, whose arrays are `tensors`."""
    place = f"networks/{network}/"
    labels = tensors[f"{place}labels"].tobytes().split(b"\n")[:-1]
    index = labels.index(label.encode())
    del labels[index]
    tensors[f"{place}labels"] = np.frombuffer(
        b"".join(each + b"\n" for each in labels), np.uint8
    )
    for name, axes in AXES.items():
        for axis in axes if place + name in tensors else ():
            tensors[place + name] = np.delete(tensors[place + name], index, axis)


@click.command()
@click.argument("model")
@click.argument("network")
@click.argument("label")
@click.argument("new")
def main(model: str, network: str, label: str, new: str) -> None:
    """Write MODEL without LABEL of NETWORK to NEW."""
    found = NativeModel(model)
    if label not in found.labels(network):
        raise click.ClickException(
            f"{found.path}: network {network} has no label {label}"
        )
    metadata, tensors = read_tensors(found.path)
    drop_label(tensors, network, label)
    write_tensors(new, metadata, tensors)
    NativeModel(new).part(network)  # which checks it


if __name__ == "__main__":
    main()
