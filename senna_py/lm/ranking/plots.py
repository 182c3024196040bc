"""A picture of a training run, from its log. Needs matplotlib, the extra `plot`."""

import itertools

from senna_py.io.pictures import new_figure, save_figure
from senna_py.lm.ranking.card import read_log

__all__ = ["plot_log"]


def plot_log(log, path):
    """Draw validation errors and the share of active pairs over examples, from `log` to `path`."""
    figure = new_figure()
    rows = read_log(log)
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
    save_figure(figure, path)
