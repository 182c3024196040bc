"""A picture of a training run, from its log. Needs matplotlib, the extra `plot`."""

from senna_py.io.pictures import new_figure, save_figure
from senna_py.training.log import read_log

__all__ = ["plot_log"]


def plot_log(log, path):
    """Draw cost and dev score by epoch, from `log` to `path`."""
    figure = new_figure()
    rows = read_log(log)
    epochs = [row["epoch"] for row in rows]
    name = next(key for key in rows[0] if key.startswith("dev_"))
    cost = figure.add_subplot(xlabel="epoch", ylabel="cost a tag")
    score = cost.twinx()
    score.set_ylabel(f"dev {name.removeprefix('dev_')}")
    lines = [
        *cost.plot(epochs, [row["cost"] for row in rows], "C0.-", label="cost"),
        *score.plot(epochs, [row[name] for row in rows], "C1.-", label="dev score"),
    ]
    cost.legend(handles=lines)
    save_figure(figure, path)
