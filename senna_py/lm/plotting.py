"""A picture of a training run, from its log. Needs matplotlib, the extra `plot`."""

import itertools
import json

from senna_py.errors import SennaError, UsageError

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

    rows = _read_log(log)
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


def _read_log(log):
    try:
        with open(log, encoding="utf-8") as file:
            rows = [json.loads(line) for line in file]
    except OSError as error:
        raise SennaError(f"{log}: {error.strerror or error}") from None
    except ValueError as error:
        raise SennaError(f"{log}: not a log of training: {error}") from None
    if not rows:
        raise SennaError(f"{log}: the log is empty")
    return rows
