"""Description of a run that trained word vectors, for the model card beside them."""

import math
from pathlib import Path

from senna_py.errors import SennaError
from senna_py.lm.neighbors import table
from senna_py.lm.word_vectors import read_vectors
from senna_py.models.checkpoint import CHECKPOINT, read_header
from senna_py.training.log import LOG, read_log
from senna_py.training.trainable import RunProgress

__all__ = ["describe_run"]

_COMMANDS = "`senna-py vectors train`"


def describe_run(directory, words=()):
    """Lines of Markdown about the run at `directory`, with the neighbours of `words`.

    Raises SennaError if it is another run, its log is damaged, or a word has no vector.
    """
    directory = Path(directory)
    header = read_header(directory / CHECKPOINT)
    try:
        corpus, settings = header["data"]["corpus"], header["settings"]
        length, held_out = corpus["train"], corpus["valid"]
        progress = RunProgress(**header["progress"])
    except (KeyError, TypeError):
        raise SennaError(f"{directory}: not a run of {_COMMANDS}") from None
    embeddings = read_vectors(directory)
    rows, by, describe = _reports(directory / LOG)
    n_words, dim = embeddings.vectors.shape
    lines = [
        f"- {n_words:,} words, {dim} dimensions",
        f"- text: {length:,} words and sentence ends; held out: {held_out:,}",
        f"- {progress.examples:,} {by} in {progress.seconds / 3600:.2f} hours",
        *(f"- {key}: {value}" for key, value in settings.items()),
        "",
        *describe([row for row in rows if row[by] <= progress.examples]),
    ]
    index = {word: i for i, word in enumerate(embeddings.words)}
    if missing := [word for word in words if word not in index]:
        raise SennaError(f"{directory}: not in the dictionary: {', '.join(missing)}")
    for first in range(0, len(words), 6):
        chosen = [index[word] for word in words[first : first + 6]]
        lines += ["", "```", *table(embeddings, chosen, 10, "euclidean"), "```"]
    return lines


def _reports(path):
    """Reports of a run in their order, what they are ordered by, and the function for a table."""
    rows = read_log(path)
    for by, figures, describe in _KINDS:
        if all(row.keys() >= {by, *figures} for row in rows):
            return sorted(rows, key=lambda row: row[by]), by, describe
    raise SennaError(f"{path}: not the log of a run of {_COMMANDS}")


def _stages(rows):
    """The last report of each dictionary of a ranking model."""
    by_stage = {row["words"]: row for row in rows}
    return [
        "| words | examples so far | active | inside the margin | in the wrong order |",
        "|---|---|---|---|---|",
        *(
            f"| {n:,} | {row['examples'] / 1e6:,.0f}M | {row['active']:.4f} "
            f"| {row['inside_margin']:.4f} | {row['wrong_order']:.4f} |"
            for n, row in by_stage.items()
        ),
    ]


def _passes(rows):
    """The last report of each pass of a skip-gram."""
    by_pass = {math.ceil(row["passes"]): row for row in rows}
    return [
        "| pass | words so far | loss | loss of the noise | validation loss |",
        "|---|---|---|---|---|",
        *(
            f"| {n} | {row['words'] / 1e6:,.0f}M | {row['loss']:.4f} "
            f"| {row['noise_loss']:.4f} | {row['validation_loss']:.4f} |"
            for n, row in by_pass.items()
        ),
    ]


_KINDS = (  # what the reports are ordered by, what else they have, and their table
    ("examples", ("words", "active", "inside_margin", "wrong_order"), _stages),
    ("words", ("passes", "loss", "noise_loss", "validation_loss"), _passes),
)
