"""The commands `senna-py vectors export` and `import`, which convert word vectors."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import click

from senna_py.cli.help import Command
from senna_py.cli.options import check_output, choice, flag, number
from senna_py.errors import SennaError, UsageError, WriteError, counted
from senna_py.io.progress import say

if TYPE_CHECKING:
    from senna_py.models.embeddings import Embeddings

FORMATS = ("word2vec", "word2vec-binary", "glove", "npy", "senna")
source = click.argument("source", type=click.Path())
_target = click.argument("target", type=click.Path())
_half = flag("--half", "Store float16, which halves the size (npy).")
_UNUSABLE = "empty or with white space"


def form_option(*others: str) -> Callable[..., Any]:
    """Return the option --from, for the format of the source.

    Args:
        *others: Further formats of the command, besides the formats of word vectors.
    """
    return choice(
        "--from",
        "source_format",
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
def export(
    source: str,
    target: str,
    source_format: str | None,
    to: str,
    half: bool,
    top: int | None,
) -> None:
    """Convert word vectors to the format of another program.

    SOURCE has vectors in any of these formats, or is the directory of a training run.
    Words that are empty or contain white space are left out, and their number is
    printed.
    """
    from senna_py.models.embeddings import read_embeddings, without_unwritable

    target = _checked(source, target, to, half)
    embeddings = read_embeddings(source, source_format)
    writable, n_unusable = without_unwritable(embeddings, top)
    if not writable.words:
        raise SennaError(
            f"{source}: no word without white space: there is nothing to export"
        )
    _write(target, writable, to, half, {_UNUSABLE: n_unusable})


@click.command(
    "import", cls=Command, examples=("senna-py vectors import glove.6B.100d.txt glove",)
)
@source
@_target
@form_option()
@_half
def import_(source: str, target: str, source_format: str | None, half: bool) -> None:
    """Convert word vectors of other programs to TARGET.npy and TARGET.words.

    The files are for training taggers. Words are lower-cased and numbers read as 0.
    PADDING and UNKNOWN are added if they are missing. The number of words that are left
    out is printed.
    """
    from senna_py.models.embeddings import read_embeddings
    from senna_py.models.vector_import import import_vectors

    target = _checked(source, target, "npy", half)
    embeddings = read_embeddings(source, source_format)
    imported, n_merged, n_unusable = import_vectors(embeddings, source)
    left_out = {"read like an earlier one": n_merged, _UNUSABLE: n_unusable}
    _write(target, imported, "npy", half, left_out)


def _checked(source: str, target: str, target_format: str, half: bool) -> str:
    """Check the target of a conversion before the source is read.

    Args:
        source: The path of the source.
        target: The path of the target.
        target_format: The format of the target.
        half: Whether the option --half is given.

    Returns:
        The path of the (first) file that will be written.

    Raises:
        UsageError: If options contradict each other, or the target is also a source.
        SennaError: If the target is a directory.
    """
    from senna_py.io.overwriting import check_paths
    from senna_py.models.embeddings import files_of

    check_output(target, live=False)
    if half and target_format != "npy":
        raise UsageError("--half is for the format npy")
    first, *_ = files = files_of(target, target_format)
    check_paths(files_of(source), files)
    if first.is_dir():
        raise WriteError(f"{first}: not written: Is a directory")
    return str(first) if target_format == "npy" else target


def _write(
    target: str,
    embeddings: Embeddings,
    target_format: str,
    half: bool,
    left_out: Mapping[str, int],
) -> None:
    """Write word vectors, and print their size and the number of omitted words.

    Args:
        target: The path of the file.
        embeddings: The words and vectors. With `half`, the vectors are replaced.
        target_format: The format of the file.
        half: Whether to convert the vectors to float16.
        left_out: The number of words that were omitted, by the reason.

    Raises:
        SennaError: If a value is too large for float16, or the file cannot be written.
    """
    import numpy as np

    from senna_py.models.embeddings import write_embeddings

    if half:
        with np.errstate(over="ignore"):
            embeddings.vectors = embeddings.vectors.astype(np.float16)
        if not np.isfinite(embeddings.vectors).all():
            raise SennaError(f"{target}: values beyond 65,504 do not fit into float16")
    write_embeddings(target, embeddings, target_format)
    n_words, dim = embeddings.vectors.shape
    click.echo(f"{target}: {counted(n_words, 'word')} of {counted(dim, 'dimension')}")
    for reason, n in left_out.items():
        if n:
            say(f"{target}: left out: {counted(n, 'word')}, {reason}")
