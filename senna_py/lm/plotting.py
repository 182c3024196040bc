"""A picture of a training run, from its log. Needs matplotlib, the extra `plot`."""

import itertools

from senna_py.errors import SennaError, UsageError
from senna_py.lm.card import read_log

__all__ = ["check_plotting", "plot_log"]


def check_plotting():
    """Raise UsageError if matplotlib is not installed."""
    try:
        import matplotlib  # noqa: F401, PLC0415 - an extra
    except ImportError:
        raise UsageError(
            "drawing needs matplotlib: install it or senna-py with the extra `plot`"
        ) from None


def plot_log(log, path):
    """Draw validation errors and the share of active pairs over examples, from `log` to `path`."""
    check_plotting()
    from matplotlib.figure import Figure  # noqa: PLC0415

    rows = read_log(log)
    figure = Figure(figsize=(8, 5), layout="constrained")
    axes = figure.add_subplot(xlabel="examples (millions)", ylabel="share of pairs", yscale="log")
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
    try:
        figure.savefig(path)
    except (OSError, ValueError) as error:
        raise SennaError(f"{path}: not drawn: {error}") from None
