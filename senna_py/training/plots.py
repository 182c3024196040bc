"""Pictures of training runs, from their logs. Needs matplotlib, the extra `plot`."""

import itertools
from pathlib import Path

from senna_py.errors import SennaError, UsageError, missing
from senna_py.io.files import replace_file
from senna_py.training.log import read_log


def _matplotlib():
    """The modules of matplotlib that are needed; raises UsageError if it is not
    installed.
    """
    try:
        from matplotlib import backend_bases, figure  # noqa: PLC0415 - an extra
    except ImportError:
        raise UsageError(missing("drawing", "plot", "matplotlib")) from None
    return backend_bases, figure


def check_plotting(path):
    """Raise UsageError if no picture can be written to `path`; to be called before the
    work.
    """
    backend_bases, _ = _matplotlib()
    path, known = Path(path), backend_bases.FigureCanvasBase.get_supported_filetypes()
    if path.suffix[1:].lower() not in known:
        raise UsageError(
            f"{path}: no kind of picture; its name may end in .{', .'.join(known)}"
        )
    if not path.parent.is_dir():
        raise UsageError(f"{path}: there is no directory {path.parent}")


def new_figure():
    """An empty matplotlib Figure."""
    return _matplotlib()[1].Figure(figsize=(8, 5), layout="constrained")


def save_figure(figure, path):
    """Write a Figure in one step, as the suffix of `path` says, which `check_plotting`
    knows.
    """
    kind = Path(path).suffix[1:].lower()
    replace_file(path, lambda file: figure.savefig(file, format=kind))


def plot_log(log, path):
    """Draw a run from `log` to `path`; raises SennaError if that is the log of no
    training.

    Taggers: cost and dev score by epoch; language models: perplexities by epoch;
    ranking: errors of pairs by examples; skip-gram: losses by words.
    """
    figure, rows = new_figure(), read_log(log)
    for by, figures, draw in _KINDS:
        if all(row.keys() >= {by, *figures} for row in rows):
            draw(figure, sorted(rows, key=lambda row: row[by]))
            save_figure(figure, path)
            return
    raise SennaError(f"{log}: not a log of training")


def _draw_tagger(figure, rows):
    epochs = [row["epoch"] for row in rows]
    cost = figure.add_subplot(xlabel="epoch", ylabel="cost a tag")
    lines = cost.plot(epochs, [row["cost"] for row in rows], "C0.-", label="cost")
    if names := [key for key in rows[0] if key.startswith("dev_")]:
        score = cost.twinx()
        score.set_ylabel("dev score")
        for k, name in enumerate(names, 1):  # of several tasks, their mean first
            found = [row[name] for row in rows]
            lines += score.plot(epochs, found, f"C{k}.-", label=name.replace("_", " "))
    cost.legend(handles=lines)


def _draw_perplexity(figure, rows):
    axes = figure.add_subplot(xlabel="epochs", ylabel="perplexity", yscale="log")
    for key, label in (
        ("train", "training, since the point before"),
        ("valid", "validation"),
    ):
        known = [row for row in rows if row[key] is not None]
        axes.plot(
            [row["epoch"] for row in known], [row[key] for row in known], label=label
        )
    axes.legend()


def _draw_ranking(figure, rows):
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


def _draw_skipgram(figure, rows):
    axes = figure.add_subplot(
        xlabel="words (millions)", ylabel="loss of a predicted word"
    )
    words = [row["words"] / 1e6 for row in rows]
    training = [row["loss"] + row["noise_loss"] for row in rows]
    axes.plot(words, training, label="training, since the point before")
    axes.plot(words, [row["validation_loss"] for row in rows], label="validation")
    axes.legend()


_KINDS = (  # what the rows are ordered by, what else they have, and how they are drawn
    ("epoch", ("cost",), _draw_tagger),
    ("epoch", ("train", "valid"), _draw_perplexity),
    ("examples", ("words", "active", "inside_margin", "wrong_order"), _draw_ranking),
    ("words", ("loss", "noise_loss", "validation_loss"), _draw_skipgram),
)
