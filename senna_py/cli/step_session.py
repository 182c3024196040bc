"""The interface of a command to a run of several steps."""

import contextlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from senna_py.cli.run_options import RunOptions
from senna_py.io.progress import ShareProgress, say

LOG = "log.txt"  # The file of the lines that steps report, in the run's directory.


class StepSession:
    """The interface of the command to a run; see `treebanks.training.Session`."""

    def __init__(self, options: RunOptions, progress: ShareProgress, log: Path) -> None:
        self._options, self._progress, self._log = options, progress, log

    def say(self, line: str) -> None:
        """Print a line, and log it."""
        self._progress.pause()
        say(line)
        self.log(line)

    def log(self, line: str) -> None:
        """Add a line to the log."""
        # Training goes on if the disk is full.
        with (
            contextlib.suppress(OSError),
            open(self._log, "a", encoding="utf-8", errors="replace") as file,
        ):
            file.write(f"{line}\n")

    def show(self, share: float, text: str) -> None:
        """Show the share of the work that is done, and a text."""
        self._progress(share, text)

    def train(self, run: Any, show: Callable[[int, float], None]) -> None:
        """Train the network of a step."""
        self._options.train_step(run, show, self._progress.pause)
