"""Description of a training run, for the model card beside its vectors."""

from pathlib import Path

from senna_py.errors import SennaError
from senna_py.formats.checkpoint import CHECKPOINT, read_header
from senna_py.formats.embeddings import read_embeddings
from senna_py.lm.neighbors import table
from senna_py.training.log import LOG, read_log

__all__ = ["describe_run"]

_FIGURES = {"examples", "words", "active", "inside_margin", "wrong_order"}


def _reports(path):
    """Reports of a run, in the order of their examples: a list of dict; raises SennaError."""
    rows = read_log(path)
    if not all(set(row) >= _FIGURES for row in rows):
        raise SennaError(f"{path}: not the log of a run of `senna-lm train ranking`")
    return sorted(rows, key=lambda row: row["examples"])


def describe_run(directory, words=()):
    """Lines of Markdown about the run at `directory`, with the neighbours of `words`."""
    directory = Path(directory)
    header = read_header(directory / CHECKPOINT)
    try:
        corpus, settings = header["data"]["corpus"], header["settings"]
        examples, seconds = (header["progress"][key] for key in ("examples", "seconds"))
    except (KeyError, TypeError):
        raise SennaError(f"{directory}: not a run of `senna-lm train ranking`") from None
    embeddings = read_embeddings(directory)
    rows = [row for row in _reports(directory / LOG) if row["examples"] <= examples]
    by_stage = {row["words"]: row for row in rows}
    n_words, dim = embeddings.vectors.shape
    lines = [
        f"- {n_words:,} words, {dim} dimensions",
        f"- text: {corpus['train']:,} words and sentence ends; held out: {corpus['valid']:,}",
        f"- {examples:,} examples in {seconds / 3600:.2f} hours",
        *(f"- {key}: {value}" for key, value in settings.items()),
        "",
        "| words | examples so far | active | inside the margin | in the wrong order |",
        "|---|---|---|---|---|",
        *(
            f"| {n:,} | {row['examples'] / 1e6:,.0f}M | {row['active']:.4f} "
            f"| {row['inside_margin']:.4f} | {row['wrong_order']:.4f} |"
            for n, row in by_stage.items()
        ),
    ]
    index = {word: i for i, word in enumerate(embeddings.words)}
    if missing := [word for word in words if word not in index]:
        raise SennaError(f"{directory}: not in the dictionary: {', '.join(missing)}")
    for first in range(0, len(words), 6):
        chosen = [index[word] for word in words[first : first + 6]]
        lines += ["", "```", *table(embeddings, chosen, 10, "euclidean"), "```"]
    return lines
