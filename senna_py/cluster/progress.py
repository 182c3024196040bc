"""Progress of all parts on standard error."""

import contextlib
import sys
import time

import click

from senna_py.io.progress import say

__all__ = ["PartProgress"]

_SECONDS_BETWEEN_LINES = 10


class PartProgress:
    """A bar on a terminal, elsewhere a line now and then: parts, tokens, tokens per second."""

    def __init__(self, total, done, wanted=None, note=print):
        """Begin with `done` of `total` parts done.

        wanted: whether to show it, None for on a terminal only; note: prints lines about other
        things.
        """
        self._note = note
        terminal = sys.stderr is not None and sys.stderr.isatty()
        self._wanted = terminal if wanted is None else wanted and sys.stderr is not None
        self._total, self._done, self._failed, self._tokens = total, done, 0, 0
        self._begin = self._printed = time.monotonic()
        self._bar = None
        if self._wanted and terminal:
            self._bar = click.progressbar(
                length=max(total, 1), file=sys.stderr, item_show_func=lambda status: status
            )

    def __enter__(self):
        """Show where it begins."""
        if self._bar:
            self._bar.__enter__()
            self._bar.update(self._done, self._status())
        return self

    def __exit__(self, *error):
        """Show where it ends."""
        if self._bar:
            self._bar.__exit__(*error)
        elif self._wanted:
            say(self._status())

    def finished(self, tokens):
        """Count a part that is done, with so many tokens."""
        self._done += 1
        self._tokens += tokens
        self._show(1)

    def failed(self, parts):
        """Count parts that will not be done."""
        self._failed += parts
        self._show(parts)

    def note(self, line):
        """Print a line that does not get mixed up with the bar."""
        if self._bar:
            with contextlib.suppress(OSError):
                click.echo("\r\x1b[K", nl=False, err=True)
        self._note(line)

    def _show(self, step):
        if self._bar:
            self._bar.update(step, self._status())
        elif self._wanted and time.monotonic() - self._printed >= _SECONDS_BETWEEN_LINES:
            self._printed = time.monotonic()
            say(self._status())

    def _status(self):
        seconds = max(time.monotonic() - self._begin, 1e-9)
        failed = f", {self._failed:,} failed" if self._failed else ""
        return (
            f"{self._done:,} of {self._total:,} parts{failed}, {self._tokens:,} tokens, "
            f"{self._tokens / seconds:,.0f} tokens/s"
        )
