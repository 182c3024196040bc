"""Plots of training runs, drawn from their logs with matplotlib (the extra `plot`)."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from senna_py.errors import SennaError, UsageError, missing
from senna_py.io.files import replace_file
from senna_py.training.log import read_log

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    Rows = Sequence[Mapping[str, Any]]


def _matplotlib() -> tuple[Any, Any]:
    """Return the matplotlib modules `backend_bases` and `figure`.

    Raises:
        UsageError: If matplotlib is not installed.
    """
    try:
        from matplotlib import backend_bases, figure  # noqa: PLC0415 - an extra
    except ImportError:
        raise UsageError(missing("drawing", "plot", "matplotlib")) from None
    return backend_bases, figure


def check_plotting(path: str | Path) -> None:
    """Check before training that a plot can be written to `path`.

    Raises:
        UsageError: If matplotlib is not installed, the suffix is not a supported
            format, or the directory does not exist.
    """
    backend_bases, _ = _matplotlib()
    path, formats = Path(path), backend_bases.FigureCanvasBase.get_supported_filetypes()
    if path.suffix[1:].lower() not in formats:
        raise UsageError(
            f"{path}: unknown picture format; the name may end in .{', .'.join(formats)}"
        )
    if not path.parent.is_dir():
        raise UsageError(f"{path}: there is no directory {path.parent}")


def new_figure() -> Any:
    """Return an empty matplotlib Figure.

    Raises:
        UsageError: If matplotlib is not installed.
    """
    return _matplotlib()[1].Figure(figsize=(8, 5), layout="constrained")


def save_figure(figure: Any, path: str | Path) -> None:
    """Write a Figure to a file atomically.

    Args:
        figure: The matplotlib Figure.
        path: The path of the file, whose suffix determines the format.

    Raises:
        WriteError: If the file cannot be written.
    """
    file_format = Path(path).suffix[1:].lower()
    replace_file(path, lambda file: figure.savefig(file, format=file_format))


def plot_log(log: Path, path: str | Path) -> None:
    """Plot the log of a training run.

    The plot shows the cost and the dev scores by epoch for taggers, perplexities by
    epoch for language models, error rates of pairs by examples for ranking, and losses
    by words for skip-gram.

    Args:
        log: The path of the log.
        path: The path of the plot.

    Raises:
        UsageError: If matplotlib is not installed.
        SennaError: If the file cannot be read or is not a log of a training run, or if
            the plot cannot be written.
    """
    figure, rows = new_figure(), read_log(log)
    for log_type in _LOG_TYPES:
        if all(row.keys() >= {log_type.order, *log_type.figures} for row in rows):
            log_type.draw(figure, sorted(rows, key=itemgetter(log_type.order)))
            save_figure(figure, path)
            return
    raise SennaError(f"{log}: not a log of training")


def _draw_tagger(figure: Any, rows: Rows) -> None:
    epochs = [row["epoch"] for row in rows]
    cost = figure.add_subplot(xlabel="epoch", ylabel="cost a tag")
    lines = cost.plot(epochs, [row["cost"] for row in rows], "C0.-", label="cost")
    if names := [key for key in rows[0] if key.startswith("dev_")]:
        score = cost.twinx()
        score.set_ylabel("dev score")
        for k, name in enumerate(names, 1):  # the mean of several tasks comes first
            values = [row[name] for row in rows]
            lines += score.plot(epochs, values, f"C{k}.-", label=name.replace("_", " "))
    cost.legend(handles=lines)


def _draw_perplexity(figure: Any, rows: Rows) -> None:
    axes = figure.add_subplot(xlabel="epochs", ylabel="perplexity", yscale="log")
    for key, label in (
        ("train", "training, since the point before"),
        ("valid", "validation"),
    ):
        points = [(row["epoch"], row[key]) for row in rows if row[key] is not None]
        axes.plot([x for x, _ in points], [y for _, y in points], label=label)
    axes.legend()


def _draw_ranking(figure: Any, rows: Rows) -> None:
    axes = figure.add_subplot(
        xlabel="examples (millions)", ylabel="fraction of pairs", yscale="log"
    )
    examples = [row["examples"] / 1e6 for row in rows]
    for key, label in (
        ("inside_margin", "validation: inside the margin"),
        ("wrong_order", "validation: in the wrong order"),
        ("active", "training: inside the margin"),
    ):
        axes.plot(examples, [row[key] for row in rows], label=label)
    for before, row in itertools.pairwise(rows):
        if row["words"] != before["words"]:
            axes.axvline(row["examples"] / 1e6, color="0.8", zorder=0)
    axes.legend()


def _draw_skipgram(figure: Any, rows: Rows) -> None:
    axes = figure.add_subplot(
        xlabel="words (millions)", ylabel="loss of a predicted word"
    )
    words = [row["words"] / 1e6 for row in rows]
    training = [row["loss"] + row["noise_loss"] for row in rows]
    axes.plot(words, training, label="training, since the point before")
    axes.plot(words, [row["validation_loss"] for row in rows], label="validation")
    axes.legend()


class _LogType(NamedTuple):
    """A type of log, recognized by the keys of its rows.

    Attributes:
        order: The key by which rows are sorted.
        figures: The other keys that all rows must have.
        draw: A function that draws the rows on a matplotlib Figure.
    """

    order: str
    figures: tuple[str, ...]
    draw: Callable[[Any, Rows], None]


_LOG_TYPES = (
    _LogType("epoch", ("cost",), _draw_tagger),
    _LogType("epoch", ("train", "valid"), _draw_perplexity),
    _LogType(
        "examples", ("words", "active", "inside_margin", "wrong_order"), _draw_ranking
    ),
    _LogType("words", ("loss", "noise_loss", "validation_loss"), _draw_skipgram),
)
