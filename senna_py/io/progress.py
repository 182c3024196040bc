"""Show progress on standard error, through files or the batches of an epoch."""

from __future__ import annotations

import contextlib
import math
import os
import stat
import sys
import time
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from typing_extensions import Self

_SECONDS_BETWEEN_LINES = 5
_SECONDS_BETWEEN_SHARES = 60
_BAR_WIDTH = 28
_ERASE = "\r\x1b[K"  # erases the line of a terminal


def say(line: str) -> None:
    """Print a line on standard error; ignore errors, such as a full disk."""
    with contextlib.suppress(OSError):
        click.echo(line, err=True)


class Progress:
    """A context manager that shows progress on standard error.

    On a terminal, it shows a bar if the total is known. Otherwise, it prints a line
    every few seconds.
    """

    def __init__(self, total: int | None, wanted: bool = True) -> None:
        """Prepare to show progress.

        Args:
            total: The amount of work, or None if it is not known.
            wanted: Whether to show anything.
        """
        self._total, self._done, self._status = total, 0, ""
        self._bar = None
        if wanted and _is_terminal(sys.stderr) and total is not None:
            self._bar = click.progressbar(
                length=total or 1, file=sys.stderr, item_show_func=lambda status: status
            )
        self._prints_lines = wanted and self._bar is None and sys.stderr is not None
        self._begin = self._printed = time.monotonic()

    def __enter__(self) -> Self:
        if self._bar:
            self._bar.__enter__()
        return self

    def __exit__(self, *error: Any) -> None:
        if self._bar:
            self._bar.__exit__(*error)
        if self._prints_lines and self._status:
            say(self._status)

    def show(self, done: int, status: str) -> None:
        """Update the progress.

        Args:
            done: The amount of work that is done so far.
            status: A line of text to show.
        """
        step, self._done, self._status = done - self._done, done, status
        if self._bar:
            self._bar.update(step, status)
            return
        seconds = time.monotonic() - self._printed if self._prints_lines else 0
        if seconds >= _SECONDS_BETWEEN_LINES:
            self._printed, self._status = time.monotonic(), ""
            say(status)

    def show_text(self, n_bytes: int, n_sentences: int) -> None:
        """Show the number of processed bytes and sentences, and the rate.

        Args:
            n_bytes: The number of bytes so far.
            n_sentences: The number of sentences so far.
        """
        seconds = max(time.monotonic() - self._begin, 1e-9)
        done = "" if self._total is None else f"{n_bytes:,} of {self._total:,} bytes, "
        rate = f"{n_sentences / seconds:,.0f} sentences/s"
        self.show(n_bytes, f"{done}{n_sentences:,} sentences, {rate}")


class FileProgress(Progress):
    """Shows progress through files, which are processed one after the other."""

    def __init__(
        self, paths: Iterable[str | os.PathLike[str]], wanted: bool | None
    ) -> None:
        """Prepare to show progress.

        Args:
            paths: The files; `-` is standard input.
            wanted: Whether to show anything. By default (None), progress is shown if
                all inputs are regular files and standard error is a terminal, but
                standard output is not.
        """
        self._sizes = [_file_size(path) for path in paths]
        sizes = [size for size in self._sizes if size is not None]
        total = sum(sizes) if len(sizes) == len(self._sizes) else None
        if wanted is None:
            wanted = (
                total is not None
                and _is_terminal(sys.stderr)
                and not _is_terminal(sys.stdout)
            )
        super().__init__(total, wanted)
        # The number of bytes in previous files, and of sentences so far.
        self._bytes_before = self._n_sentences = 0

    def update(self, position: int, n_sentences: int) -> None:
        """Update the progress in the current file.

        Args:
            position: The number of bytes of the file that are done.
            n_sentences: The number of sentences since the last update.
        """
        self._n_sentences += n_sentences
        self.show_text(self._bytes_before + position, self._n_sentences)

    def finish(self) -> None:
        """Show that the current file is done."""
        self._bytes_before += self._sizes.pop(0) or 0
        self.update(0, 0)


class EpochProgress:
    """Shows a progress bar for each epoch if standard error is a terminal."""

    def __init__(self, wanted: bool = True) -> None:
        """Prepare to show bars, if `wanted` is true."""
        self._wanted = wanted and _is_terminal(sys.stderr)
        self._bar: Any = None
        self._done = 0  # the number of batches that the bar shows

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.pause()

    def pause(self) -> None:
        """End the bar, so that a line can be printed; the next call begins another."""
        bar, self._bar = self._bar, None
        if bar:
            with contextlib.suppress(OSError):  # the terminal may have been closed
                bar.__exit__(None, None, None)

    def __call__(self, done: int, total: float) -> None:
        """Show that `done` of `total` batches are done; the last batch ends the bar.

        Nothing is shown if the total is infinite.
        """
        if not self._wanted or math.isinf(total):
            return
        with contextlib.suppress(OSError):
            if self._bar is None:
                self._bar = click.progressbar(
                    length=int(total),
                    file=sys.stderr,
                    update_min_steps=max(int(total) // 200, 1),
                )
                self._done = 0
                self._bar.__enter__()
            self._bar.update(done - self._done)
        self._done = done
        if done == total:
            self.pause()


class ShareProgress:
    """A context manager that shows the completed share of a long run, and a text.

    On a terminal, the last line is a bar. Otherwise, a line is printed every minute.
    """

    def __init__(self) -> None:
        """Prepare to show progress."""
        self._on_terminal = _is_terminal(sys.stderr)
        self._shown, self._printed = "", time.monotonic()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.pause()

    def pause(self) -> None:
        """Remove the bar, so that a line can be printed; the next call shows it."""
        if self._shown:
            self._write(_ERASE)
            self._shown = ""

    def __call__(self, share: float, text: str) -> None:
        """Show the share, from 0 to 1, and the text."""
        if not self._on_terminal:
            if time.monotonic() - self._printed >= _SECONDS_BETWEEN_SHARES:
                self._printed = time.monotonic()
                say(f"{share:4.0%}  {text}")
            return
        done = round(share * _BAR_WIDTH)
        line = f"[{'#' * done}{'-' * (_BAR_WIDTH - done)}]{share:5.0%}  {text}"
        import shutil  # noqa: PLC0415 - it imports the modules of all archives

        line = line[: shutil.get_terminal_size().columns - 1]
        if line != self._shown:
            self._write(f"{_ERASE}{line}")
            self._shown = line

    def _write(self, text: str) -> None:
        with contextlib.suppress(OSError):  # the terminal may have been closed
            click.echo(text, nl=False, err=True, color=True)


def _is_terminal(stream: Any) -> bool:
    return stream is not None and stream.isatty()


def _file_size(path: str | os.PathLike[str]) -> int | None:
    """Return the size of a regular file in bytes.

    The size is 0 if the file does not exist, and None for pipes and devices.
    """
    try:
        status = os.fstat(0) if path == "-" else os.stat(path)
    except OSError:
        return 0
    return status.st_size if stat.S_ISREG(status.st_mode) else None
