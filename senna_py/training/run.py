"""What all training runs share: a directory with a checkpoint and a log, stopping, full disks."""

from pathlib import Path

from senna_py.errors import SennaError, WriteError
from senna_py.formats.checkpoint import CHECKPOINT
from senna_py.formats.run_log import LOG, append_row

__all__ = ["TrainingRun"]


class TrainingRun:
    """A run in a directory. A subclass has `save`, which writes the checkpoint."""

    def __init__(self, directory, report=None):
        """Take report: called with a line of str and a dict of figures, or None."""
        self.directory = Path(directory)
        self.report = report or (lambda line, figures: None)
        self._stopped = False

    @property
    def checkpoint(self):
        """Path of the checkpoint."""
        return self.directory / CHECKPOINT

    @property
    def log(self):
        """Path of the log: a JSON object a line."""
        return self.directory / LOG

    def stop(self):
        """End `run` after the work at hand, as a signal handler may."""
        self._stopped = True

    def _tell(self, line, figures):
        """Report a line, and log its figures; a full disk is reported and no more."""
        self.report(line, figures)
        try:
            append_row(self.log, figures)
        except OSError as error:
            self.report(f"{self.log}: not written: {error.strerror or error}", None)

    def _save(self, may_fail):
        """Write the checkpoint; while the run goes on, a failure is reported and tried again."""
        if may_fail:
            self._written(self.save)
        else:
            self.save()

    def _written(self, write):
        """Whether `write()` could write; if not, that is reported and the run goes on."""
        try:
            write()
        except WriteError as error:
            self.report(f"{error}; training goes on", None)
            return False
        return True

    def _overflowed(self, options):
        """SennaError for weights that are no numbers any more; options: what to lower."""
        return SennaError(
            f"{self.directory}: the weights have overflowed; lower {options} "
            "(an earlier checkpoint is untouched)"
        )
