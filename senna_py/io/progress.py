"""Progress on standard error: through files, and through the batches of an epoch."""

from __future__ import annotations

import contextlib
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


def say(line: str) -> None:
    """Print a line on standard error; ignore errors such as that of a full disk."""
    with contextlib.suppress(OSError):
        click.echo(line, err=True)


class Progress:
    """Progress towards a total: a bar on a terminal, elsewhere a line every few seconds."""

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
        """Show a line of text, and how much of the total is done."""
        step, self._done, self._status = done - self._done, done, status
        if self._bar:
            self._bar.update(step, status)
            return
        seconds = time.monotonic() - self._printed if self._prints_lines else 0
        if seconds >= _SECONDS_BETWEEN_LINES:
            self._printed, self._status = time.monotonic(), ""
            say(status)

    def show_text(self, n_bytes: int, n_sentences: int) -> None:
        """Show how many bytes and sentences of a text are done, and the rate."""
        seconds = max(time.monotonic() - self._begin, 1e-9)
        done = "" if self._total is None else f"{n_bytes:,} of {self._total:,} bytes, "
        rate = f"{n_sentences / seconds:,.0f} sentences/s"
        self.show(n_bytes, f"{done}{n_sentences:,} sentences, {rate}")


class FileProgress(Progress):
    """Progress through files, one after the other."""

    def __init__(
        self, paths: Iterable[str | os.PathLike[str]], wanted: bool | None
    ) -> None:
        """Prepare to show progress through files.

        Args:
            paths: The files; `-` is standard input.
            wanted: Whether to show it. None means: if all inputs are regular files and
                standard error is a terminal, but standard output is not.
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
        self._bytes_before = self._n_sentences = 0  # of the files before this one

    def update(self, position: int, n_sentences: int) -> None:
        """Show that a file is done up to a byte, and that more sentences are done."""
        self._n_sentences += n_sentences
        self.show_text(self._bytes_before + position, self._n_sentences)

    def finish(self) -> None:
        """Show that a whole file is done."""
        self._bytes_before += self._sizes.pop(0) or 0
        self.update(0, 0)


class EpochProgress:
    """Progress through epochs: a bar for each on a terminal, elsewhere nothing."""

    def __init__(self, wanted: bool = True) -> None:
        """Begin without a bar; `wanted` says whether there will be any."""
        self._wanted = wanted and _is_terminal(sys.stderr)
        self._bar: Any = None
        self._done = 0  # batches that the bar shows as done

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

    def __call__(self, done: int, total: int) -> None:
        """Show that `done` of `total` batches are done; the last one ends the bar."""
        if not self._wanted:
            return
        with contextlib.suppress(OSError):
            if self._bar is None:
                self._bar = click.progressbar(
                    length=total, file=sys.stderr, update_min_steps=max(total // 200, 1)
                )
                self._done = 0
                self._bar.__enter__()
            self._bar.update(done - self._done)
        self._done = done
        if done == total:
            self.pause()


def _is_terminal(stream: Any) -> bool:
    return stream is not None and stream.isatty()


def _file_size(path: str | os.PathLike[str]) -> int | None:
    """Return the bytes of a regular file, 0 if it cannot be read; None for other files."""
    try:
        status = os.fstat(0) if path == "-" else os.stat(path)
    except OSError:
        return 0
    return status.st_size if stat.S_ISREG(status.st_mode) else None
