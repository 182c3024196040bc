"""Progress on standard error: through files, and through the batches of an epoch."""

import contextlib
import os
import stat
import sys
import time

import click

__all__ = ["EpochProgress", "Progress", "say"]

_SECONDS_BETWEEN_LINES = 5


def say(line):
    """Print a line on standard error; work goes on where that fails, as on a full disk."""
    with contextlib.suppress(OSError):
        click.echo(line, err=True)


class Progress:
    """Progress through files: a bar on a terminal, elsewhere a line now and then."""

    def __init__(self, paths, wanted):
        """Prepare to show progress through `paths`, `-` for standard input.

        wanted: whether to show it; None: if all inputs are regular files, standard error is a
        terminal and standard output is not.
        """
        sizes = [_file_size(path) for path in paths]
        self._total = None if None in sizes else sum(sizes)
        self._terminal = _is_terminal(sys.stderr)
        if wanted is None:
            wanted = self._total is not None and self._terminal and not _is_terminal(sys.stdout)
        self._bar = None
        if wanted and self._terminal and self._total is not None:
            self._bar = click.progressbar(
                length=self._total or 1, file=sys.stderr, item_show_func=lambda status: status
            )
        self._lines = wanted and self._bar is None and sys.stderr is not None
        self._begin = self._printed = time.monotonic()
        self._source, self._seen = None, 0
        self._bytes = self._sentences = 0

    def __enter__(self):
        """Show an empty bar."""
        if self._bar:
            self._bar.__enter__()
        return self

    def __exit__(self, *error):
        """Show the final state."""
        if self._bar:
            self._bar.__exit__(*error)
        if self._lines:
            say(self._status())

    def update(self, source, n_sentences):
        """Count a finished batch of a Source."""
        if not self._bar and not self._lines:
            return
        if source is not self._source:
            self._source, self._seen = source, 0
        step = (source.position() if source.size is not None else self._seen) - self._seen
        self._seen += step
        self._bytes += step
        self._sentences += n_sentences
        if self._bar:
            self._bar.update(step, self._status())
        elif time.monotonic() - self._printed >= _SECONDS_BETWEEN_LINES:
            self._printed = time.monotonic()
            say(self._status())

    def _status(self):
        seconds = max(time.monotonic() - self._begin, 1e-9)
        done = "" if self._total is None else f"{self._bytes:,} of {self._total:,} bytes, "
        return f"{done}{self._sentences:,} sentences, {self._sentences / seconds:,.0f} sentences/s"


class EpochProgress:
    """Progress through epochs: a bar for each if standard error is a terminal, else nothing."""

    def __init__(self, wanted=True):
        """Begin with no bar; wanted: whether there is to be any."""
        self._wanted, self._bar = wanted and _is_terminal(sys.stderr), None
        self._done = 0  # as the bar has it

    def __enter__(self):
        """Return itself."""
        return self

    def __exit__(self, *_):
        """Leave the bar as it is."""
        self.pause()

    def pause(self):
        """Leave the bar as it is, for a line to follow; the next call begins another one."""
        if self._bar:
            self._bar.__exit__(None, None, None)
            self._bar = None

    def __call__(self, done, total):
        """Show that `done` of `total` batches are done; the last one ends the bar."""
        if not self._wanted:
            return
        if self._bar is None:
            self._bar = click.progressbar(
                length=total, file=sys.stderr, update_min_steps=max(total // 200, 1)
            )
            self._bar.__enter__()
            self._done = 0
        self._bar.update(done - self._done)
        self._done = done
        if done == total:
            self.pause()


def _is_terminal(stream):
    return stream is not None and stream.isatty()


def _file_size(path):
    """Bytes in a regular file (0 if it cannot be looked at), or None for anything else."""
    try:
        status = os.fstat(0) if path == "-" else os.stat(path)
    except OSError:
        return 0
    return status.st_size if stat.S_ISREG(status.st_mode) else None
