"""What the pictures of training runs share. Needs matplotlib, the extra `plot`."""

from senna_py.errors import SennaError, UsageError

__all__ = ["check_plotting", "new_figure", "save_figure"]


def check_plotting():
    """Raise UsageError if matplotlib is not installed."""
    try:
        import matplotlib  # noqa: F401, PLC0415 - an extra
    except ImportError:
        raise UsageError(
            "drawing needs matplotlib: install it or senna-py with the extra `plot`"
        ) from None


def new_figure():
    """An empty matplotlib Figure."""
    check_plotting()
    from matplotlib.figure import Figure  # noqa: PLC0415

    return Figure(figsize=(8, 5), layout="constrained")


def save_figure(figure, path):
    """Write a Figure in the format that the suffix of `path` names; raises SennaError."""
    try:
        figure.savefig(path)
    except (OSError, ValueError) as error:
        raise SennaError(f"{path}: not drawn: {error}") from None
