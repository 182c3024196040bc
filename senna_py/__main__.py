"""Run senna-py as `python -m senna_py`."""

from senna_py.cli.entry import root

root()
