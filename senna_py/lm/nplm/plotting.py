"""A picture of a run of the neural language model, from its log. Needs the extra `plot`."""

from senna_py.errors import SennaError
from senna_py.formats.run_log import read_rows
from senna_py.io.pictures import new_figure, save_figure

__all__ = ["plot_log"]


def plot_log(log, path):
    """Draw training and validation perplexity over epochs, from `log` to `path`."""
    figure = new_figure()
    rows = sorted(read_rows(log), key=lambda row: row["epoch"])
    if not rows:
        raise SennaError(f"{log}: the log is empty")
    axes = figure.add_subplot(xlabel="epochs", ylabel="perplexity", yscale="log")
    for key, label in (("train", "training, since the point before"), ("valid", "validation")):
        known = [row for row in rows if row[key] is not None]
        axes.plot([row["epoch"] for row in known], [row[key] for row in known], label=label)
    axes.legend()
    save_figure(figure, path)
