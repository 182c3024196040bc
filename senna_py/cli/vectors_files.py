"""`senna-py vectors export` and `import`: vectors in the formats of other programs."""

import click

from senna_py.cli.help import Command
from senna_py.cli.options import check_output, choice, flag, number
from senna_py.errors import SennaError, UsageError, WriteError, counted
from senna_py.io.progress import say

FORMATS = ("word2vec", "word2vec-binary", "glove", "npy", "senna")
source = click.argument("source", type=click.Path())
_target = click.argument("target", type=click.Path())
_half = flag("--half", "Store float16, which halves the size (npy).")
_UNUSABLE = "empty or with white space"


def form_option(*others):
    """Make the option --from; others: formats of this command besides those of
    vectors.
    """
    return choice(
        "--from",
        "form",
        (*FORMATS, "checkpoint", "model", *others),
        "Format of SOURCE; default: by its name and first line.",
    )


@click.command(
    cls=Command, examples=("senna-py vectors export --to word2vec run/ vectors.txt",)
)
@source
@_target
@form_option()
@choice("--to", FORMATS, "Format of TARGET.", required=True)
@_half
@number("--top", "Only the first N words.")
def export(source, target, form, to, half, top):
    """Convert word vectors to the format of another program.

    SOURCE: vectors in any of these formats, or the directory of a training run. Words
    that are empty or have white space are left out, and their number is printed.
    """
    from senna_py.models.embeddings import read_embeddings, without_unwritable

    target = _checked(source, target, to, half)
    kept, n_unusable = without_unwritable(read_embeddings(source, form), top)
    if not kept.words:
        raise SennaError(
            f"{source}: no word without white space: there is nothing to export"
        )
    _write(target, kept, to, half, {_UNUSABLE: n_unusable})


@click.command(
    "import", cls=Command, examples=("senna-py vectors import glove.6B.100d.txt glove",)
)
@source
@_target
@form_option()
@_half
def import_(source, target, form, half):
    """Convert word vectors of other programs to TARGET.npy and TARGET.words, to train
    taggers with.

    Words are lower-cased and numbers read as 0; PADDING and UNKNOWN are added if they
    are missing. The number of words left out is printed.
    """
    from senna_py.models.embeddings import read_embeddings
    from senna_py.models.vector_import import import_vectors

    target = _checked(source, target, "npy", half)
    imported, n_merged, n_unusable = import_vectors(
        read_embeddings(source, form), source
    )
    left_out = {"read like an earlier one": n_merged, _UNUSABLE: n_unusable}
    _write(target, imported, "npy", half, left_out)


def _checked(source, target, form, half):
    """The target, by the name that it will have; raises SennaError before anything is
    read.
    """
    from senna_py.io.overwriting import check_paths
    from senna_py.models.embeddings import files_of

    check_output(target, live=False)
    if half and form != "npy":
        raise UsageError("--half is for the format npy")
    first, *_ = files = files_of(target, form)
    check_paths(files_of(source), files)
    if first.is_dir():
        raise WriteError(f"{first}: not written: Is a directory")
    return str(first) if form == "npy" else target


def _write(target, embeddings, form, half, left_out):
    """Write embeddings; left_out: how many were not, by the reason."""
    import numpy as np

    from senna_py.models.embeddings import write_embeddings

    if half:
        with np.errstate(over="ignore"):
            embeddings.vectors = embeddings.vectors.astype(np.float16)
        if not np.isfinite(embeddings.vectors).all():
            raise SennaError(f"{target}: values beyond 65,504 do not fit into float16")
    write_embeddings(target, embeddings, form)
    n_words, dim = embeddings.vectors.shape
    click.echo(f"{target}: {counted(n_words, 'word')} of {counted(dim, 'dimension')}")
    for why, n in left_out.items():
        if n:
            say(f"{target}: left out: {counted(n, 'word')}, {why}")
