"""Figures of training runs. Needs matplotlib, the extra `plot`."""

from pathlib import Path

from senna_py.errors import UsageError, missing
from senna_py.io.files import replace_file


def _matplotlib():
    """The modules of matplotlib that are needed; raises UsageError if it is not installed."""
    try:
        from matplotlib import backend_bases, figure  # noqa: PLC0415 - an extra
    except ImportError:
        raise UsageError(missing("drawing", "plot", "matplotlib")) from None
    return backend_bases, figure


def check_plotting(path):
    """Raise UsageError if no picture can be written to `path`; to be called before the work."""
    backend_bases, _ = _matplotlib()
    path, known = Path(path), backend_bases.FigureCanvasBase.get_supported_filetypes()
    if path.suffix[1:].lower() not in known:
        raise UsageError(f"{path}: no kind of picture; its name may end in .{', .'.join(known)}")
    if not path.parent.is_dir():
        raise UsageError(f"{path}: there is no directory {path.parent}")


def new_figure():
    """An empty matplotlib Figure."""
    _, figure = _matplotlib()
    return figure.Figure(figsize=(8, 5), layout="constrained")


def save_figure(figure, path):
    """Write a Figure in one step, as the suffix of `path` says, which `check_plotting` knows."""
    kind = Path(path).suffix[1:].lower()
    replace_file(path, lambda file: figure.savefig(file, format=kind))
