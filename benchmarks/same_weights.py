"""Check whether two checkouts train the same models, to the bit.

python benchmarks/same_weights.py BASE NEW --corpora CORPORA [--only NAME]...

BASE and NEW are directories with senna_py in them. Small models are trained with both,
with fixed seeds and on one thread, and all arrays are compared: those of the models, and
those of the checkpoints, which have all bits of the weights and the states of the
optimizers. An array of another name is the same if its bits are the same, whatever its
shape. small_trainings.py has the trainings, and says which public corpora CORPORA has
and how they are laid out. Recipes and word vectors come from the checkout of this
script.

A line is printed for each training. The exit code is 1 if anything differs. The first
run of a checkout compiles its code, which takes minutes. Commits before 308f194 have
other last bits in the process that compiles, so whatever differs from them has to be
trained again.
"""

import sys
import tempfile
from collections import Counter
from pathlib import Path

import click
import numpy as np
from common.checkouts import Checkout
from common.small_trainings import TRAININGS, fill_in, write_inputs

from senna_py.models.tensors import read_tensors

# In checkpoints: settings and progress, of random numbers.
BOOKKEEPING = {
    "meta",
    "states",
}


@click.command()
@click.argument("base", type=click.Path(exists=True, file_okay=False))
@click.argument("new", type=click.Path(exists=True, file_okay=False))
@click.option("--corpora", required=True, help="Directory of the corpora.")
@click.option(
    "--python",
    nargs=2,
    default=(None, None),
    metavar="PATH PATH",
    help="Interpreters for both.",
)
@click.option(
    "--only", multiple=True, type=click.Choice(TRAININGS), help="Train only these."
)
def main(base, new, corpora, python, only):
    """Train with both checkouts and compare."""
    checkouts = {"base": Checkout(base, python[0]), "new": Checkout(new, python[1])}
    different = False
    with tempfile.TemporaryDirectory() as directory:
        places = write_inputs(Path(directory), Path(corpora))
        for name in only or TRAININGS:
            arrays = []
            for side, checkout in checkouts.items():
                run = Path(directory) / f"{name}.{side}"
                checkout(*fill_in(name, places, run))
                arrays.append(read_arrays(run))
            found = differences(*arrays)
            print(f"{name}: {describe(found, len(arrays[0]))}", flush=True)
            different |= bool(found)
    sys.exit(different)


def read_arrays(run: Path) -> dict[str, np.ndarray]:
    """Return the arrays in the directory of a training, by the file and their names."""
    arrays = {}
    for path in sorted(run.iterdir()):
        if path.suffix in (".safetensors", ".lm"):
            found = read_tensors(path)[1]
        elif path.suffix == ".npz":
            with np.load(path) as file:
                found = {name: file[name] for name in set(file.files) - BOOKKEEPING}
        else:
            continue
        arrays.update({f"{path.name}: {name}": array for name, array in found.items()})
    return arrays


def differences(
    base: dict[str, np.ndarray], new: dict[str, np.ndarray]
) -> dict[str, float | str]:
    """Return the largest difference of each array that differs, or what else differs."""
    found = {
        name: _difference(base[name], new[name])
        for name in base.keys() & new.keys()
        if base[name].shape != new[name].shape or _bits(base[name]) != _bits(new[name])
    }
    only_base = {name: _bits(base[name]) for name in base.keys() - new.keys()}
    only_new = {name: _bits(new[name]) for name in new.keys() - base.keys()}
    for names, others, where in (
        (only_base, only_new, "BASE"),
        (only_new, only_base, "NEW"),
    ):
        renamed = Counter(others.values())
        for name, bits in names.items():
            if not renamed[bits]:
                found[name] = f"only in {where}"
            renamed[bits] -= 1
    return dict(sorted(found.items()))


def _bits(array):
    return array.dtype.str, array.tobytes()


def _difference(base, new):
    if (base.dtype, base.shape) != (new.dtype, new.shape):
        return f"{base.dtype} {base.shape} and {new.dtype} {new.shape}"
    return float(np.abs(base.astype(float) - new.astype(float)).max())


def describe(found: dict[str, float | str], n_arrays: int) -> str:
    """Return a line that says what `differences` found among the arrays of BASE."""
    if not found:
        return f"same, {n_arrays} arrays"
    names = [
        name if isinstance(how, float) else f"{name} ({how})"
        for name, how in found.items()
    ]
    largest = max(
        (how for how in found.values() if isinstance(how, float)), default=None
    )
    by = "" if largest is None else f" by {largest:.2g} at most"
    return f"{len(found)} of {n_arrays} arrays differ{by}: {', '.join(names)}"


if __name__ == "__main__":
    main()
