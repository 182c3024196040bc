r"""Draw F1 on dev against hidden units (Figure 4 of the paper), from senna-train.

    for n in 50 100 300 500; do for seed in 1 2 3; do
        senna-train recipes/paper/chunking.toml CORPORA runs/$n-$seed \
            --set network.window.hidden=$n --seed $seed
    done; done
    python recipes/paper/hidden_units.py chunking.png runs/*

Runs with the same number of units are one point, with their standard deviation. The
script needs matplotlib.
"""

import argparse
import statistics
from pathlib import Path

from senna_py.errors import SennaError
from senna_py.models.native import NativeModel
from senna_py.training.log import LOG, read_log
from senna_py.training.plots import check_plotting, new_figure, save_figure


def run_score(directory):
    """Return the task, the name of its score, the hidden units and the best dev score.

    The run has one network.
    """
    model = NativeModel(directory)
    rows = read_log(Path(directory) / LOG)
    task, *others = model.own_networks
    network = model.part_info(task).get("config", {}).get("network", {})
    hidden = network.get("window", {}).get("hidden")
    keys = [key for key in rows[0] if key.startswith("dev_")]
    if others or hidden is None or len(keys) != 1:
        raise SennaError(
            f"{directory}: expected a run of one network with scores on dev"
        )
    return task, keys[0].removeprefix("dev_"), hidden, max(row[keys[0]] for row in rows)


def collect(directories):
    """Return {(task, name of the score): {hidden units: scores of the runs}}."""
    found = {}
    for task, name, hidden, score in map(run_score, directories):
        found.setdefault((task, name), {}).setdefault(hidden, []).append(score)
    return found


def draw(found, path):
    """Draw a line for each task, side by side as in the paper, to `path`."""
    figure = new_figure()
    figure.set_size_inches(4 * len(found), 3.2)
    all_axes = figure.subplots(1, len(found), squeeze=False)[0]
    for axes, ((task, name), scores) in zip(all_axes, found.items(), strict=True):
        units = sorted(scores)
        means = [statistics.fmean(scores[n]) for n in units]
        spread = [
            statistics.stdev(scores[n]) if len(scores[n]) > 1 else 0 for n in units
        ]
        axes.errorbar(units, means, spread, marker="o", capsize=3)
        axes.set(title=task, xlabel="hidden units", ylabel=f"{name} on dev")
    save_figure(figure, path)


def main():
    """Read the runs, draw them, and print the means."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("picture")
    parser.add_argument("runs", nargs="+")
    options = parser.parse_args()
    try:
        check_plotting(options.picture)
        found = collect(options.runs)
        draw(found, options.picture)
    except SennaError as error:
        parser.exit(error.exit_code, f"{error}\n")
    for (task, name), scores in found.items():
        for units, each in sorted(scores.items()):
            print(
                f"{task}\t{units} hidden units\t{name} {statistics.fmean(each):.2f}\t"
                f"{len(each)} runs"
            )


if __name__ == "__main__":
    main()
