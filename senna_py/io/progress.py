"""Progress on standard error: through files, and through the batches of an epoch."""

import contextlib
import os
import stat
import sys
import time

import click

_SECONDS_BETWEEN_LINES = 5


def say(line):
    """Print a line on standard error; work goes on where that fails, as on a full
    disk.
    """
    with contextlib.suppress(OSError):
        click.echo(line, err=True)


class Progress:
    """Progress of what is done: a bar on a terminal, elsewhere a line now and then."""

    def __init__(self, total, wanted=True):
        """Prepare to show progress up to `total`, None where it is not known, if
        `wanted`.
        """
        self._total, self._done, self._status = total, 0, ""
        self._bar = None
        if wanted and _is_terminal(sys.stderr) and total is not None:
            self._bar = click.progressbar(
                length=total or 1, file=sys.stderr, item_show_func=lambda status: status
            )
        self._lines = wanted and self._bar is None and sys.stderr is not None
        self._begin = self._printed = time.monotonic()

    def __enter__(self):
        if self._bar:
            self._bar.__enter__()
        return self

    def __exit__(self, *error):
        if self._bar:
            self._bar.__exit__(*error)
        if self._lines and self._status:
            say(self._status)

    def show(self, done, status):
        """Show that `done` of the total is done, and a line."""
        step, self._done, self._status = done - self._done, done, status
        if self._bar:
            self._bar.update(step, status)
        elif self._lines and time.monotonic() - self._printed >= _SECONDS_BETWEEN_LINES:
            self._printed, self._status = time.monotonic(), ""
            say(status)

    def show_text(self, n_bytes, n_sentences):
        """Show that bytes and sentences of texts are done."""
        seconds = max(time.monotonic() - self._begin, 1e-9)
        done = "" if self._total is None else f"{n_bytes:,} of {self._total:,} bytes, "
        rate = f"{n_sentences / seconds:,.0f} sentences/s"
        self.show(n_bytes, f"{done}{n_sentences:,} sentences, {rate}")


class FileProgress(Progress):
    """Progress through files, one after the other."""

    def __init__(self, paths, wanted):
        """Prepare to show progress through `paths`, `-` for standard input.

        wanted: whether to show it; None: if all inputs are regular files, standard
        error is a terminal and standard output is not.
        """
        self._sizes = [_file_size(path) for path in paths]
        total = None if None in self._sizes else sum(self._sizes)
        if wanted is None:
            wanted = (
                total is not None
                and _is_terminal(sys.stderr)
                and not _is_terminal(sys.stdout)
            )
        super().__init__(total, wanted)
        self._before = self._sentences = 0  # bytes of the files before this one

    def update(self, position, n_sentences):
        """Show that a file is done up to a byte, and so many more sentences."""
        self._sentences += n_sentences
        self.show_text(self._before + position, self._sentences)

    def finish(self):
        """Show that all of a file is done, also what is in no sentence."""
        self._before += self._sizes.pop(0) or 0
        self.update(0, 0)


class EpochProgress:
    """Progress through epochs: a bar for each if standard error is a terminal, else
    nothing.
    """

    def __init__(self, wanted=True):
        """Begin with no bar; wanted: whether there is to be any."""
        self._wanted, self._bar = wanted and _is_terminal(sys.stderr), None
        self._done = 0  # as the bar has it

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.pause()

    def pause(self):
        """Leave the bar as it is, for a line to follow; the next call begins another
        one.
        """
        bar, self._bar = self._bar, None
        if bar:
            with contextlib.suppress(OSError):  # of a terminal that was closed
                bar.__exit__(None, None, None)

    def __call__(self, done, total):
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


def _is_terminal(stream):
    return stream is not None and stream.isatty()


def _file_size(path):
    """Bytes in a regular file (0 if it cannot be looked at), or None for anything
    else.
    """
    try:
        status = os.fstat(0) if path == "-" else os.stat(path)
    except OSError:
        return 0
    return status.st_size if stat.S_ISREG(status.st_mode) else None
