"""Time and peak memory of senna-tag against the size of its input.

`python benchmarks/speed.py --scaling` measures and draws this.
"""

from pathlib import Path

from senna_py.model import TASKS
from senna_py.training.plots import new_figure, save_figure

__all__ = ["draw_scaling", "measure_scaling"]

_SMALLEST = 1000  # bytes; below is one sentence
_ALL_LARGEST = 10_000_000  # all tasks take their time
_RUNS = {"POS": ["pos"], "all tasks": TASKS}


def measure_scaling(bench, path, largest):
    """Return a list of dicts: tasks, bytes, and what `Launch` says about the processes.

    The text comes through a pipe and is on no disk; the output goes to the null device.
    """
    rows = []
    for name, tasks in _RUNS.items():
        bench.tag(path, *tasks, text=bench.text, n_bytes=100_000)  # compiles
        size = _SMALLEST
        rows.append(
            _row(
                name,
                Path(bench.sentence).stat().st_size,
                bench.tag(path, *tasks, text=bench.sentence),
            )
        )
        while size <= (largest if name == "POS" else min(largest, _ALL_LARGEST)):
            result = bench.tag(path, *tasks, text=bench.text, n_bytes=size)
            rows.append(_row(name, size, result))
            size *= 10
    return rows


def _row(name, size, result):
    row = {"tasks": name, "bytes": size, **result}
    print(
        f"{name:10}{size:14,} bytes{result['seconds']:10.2f} s{result['processor']:10.2f} s of the "
        f"processor{result['peak_bytes'] / 1e6:10.0f} MB"
    )
    return row


def draw_scaling(record, path):
    """Draw seconds and memory of a record of speed.py against bytes, to `path`."""
    figure = new_figure()
    figure.set_size_inches(9, 4)
    time, memory = figure.subplots(1, 2)
    clock = "processor" if record["options"]["processor_time"] else "seconds"
    for name in _RUNS:
        rows = [row for row in record["scaling"] if row["tasks"] == name]
        sizes = [row["bytes"] for row in rows]
        time.plot(sizes, [row[clock] for row in rows], ".-", label=name)
        memory.plot(sizes, [row["peak_bytes"] / 1e6 for row in rows], ".-", label=name)
    time.set(
        xscale="log",
        yscale="log",
        xlabel="bytes of input",
        ylabel="seconds" if clock == "seconds" else "seconds of the processor",
    )
    memory.set(xscale="log", xlabel="bytes of input", ylabel="peak memory, MB")
    memory.set_ylim(bottom=0)
    for axes in (time, memory):
        axes.grid(alpha=0.3)
        axes.legend()
    machine = record["machine"]
    figure.suptitle(
        f"{machine['processor']}, {machine['date'][:10]}, {machine['commit']}", size=9
    )
    save_figure(figure, path)
