"""The runs of all Trainers of language models: how they are resumed, and their epochs."""

import json
import math
from dataclasses import asdict

import numpy as np

from senna_py.errors import SennaError
from senna_py.formats.checkpoint import read_arrays
from senna_py.formats.run_log import cut_rows
from senna_py.lm.language_model import FILE_NAME
from senna_py.training.run import TrainingRun

__all__ = ["DIVERGED", "EpochRun", "LanguageModelRun"]

DIVERGED = 100  # mean of -log P: no vocabulary is so large


class LanguageModelRun(TrainingRun):
    """A run whose checkpoint has its settings.

    A subclass has `_logged`: the name and value of the figure that tells how far the log is.
    free: the settings that a resumed run may have otherwise than its checkpoint.
    """

    free = ()

    def __init__(self, directory, settings, report=None):
        """Take settings: a dataclass; report: called with a line of str and a dict of figures."""
        super().__init__(directory, report)
        self.settings = settings
        self._log_mode = "wb"  # a new run begins a new log

    def _rng(self, *purpose):
        return np.random.default_rng([self.settings.seed, *purpose])

    def _check_directory(self):
        """Raise SennaError unless the log can be written."""
        if self.directory.exists() and not self.directory.is_dir():
            raise SennaError(f"{self.directory}: a file; a run needs a directory")
        try:
            self.directory.mkdir(parents=True, exist_ok=True)
            with open(self.log, self._log_mode):
                self._log_mode = "ab"
        except OSError as error:
            raise SennaError(f"{self.log}: not written: {error.strerror or error}") from None

    def _check_settings(self, found):
        """Raise SennaError unless the settings of a checkpoint, as JSON has them, are the same."""
        self._compare(found, json.loads(json.dumps(asdict(self.settings))))

    def _compare(self, found, wanted):
        for key, value in wanted.items():
            if isinstance(value, dict):
                self._compare(found[key], value)
            elif key not in self.free and found.get(key) != value:
                raise SennaError(
                    f"{self.checkpoint}: made with {key} {found.get(key)}, asked for {value}"
                )

    def resume(self):
        """Continue from the checkpoint; raises SennaError if it is of other settings or text."""
        meta, arrays = read_arrays(self.checkpoint)
        try:
            self._check_settings(meta["settings"])
            other = self._other_text(meta, arrays)
            whole = bool(other) or self._restore(meta, arrays)
        except (KeyError, TypeError, IndexError, AttributeError, ValueError) as error:
            raise SennaError(
                f"{self.checkpoint}: not a checkpoint of this model: {error!r}"
            ) from None
        if other:
            raise SennaError(f"{self.checkpoint}: made from {other}")
        if not whole:
            raise SennaError(f"{self.checkpoint}: damaged: arrays of other sizes than its settings")
        self._cut_log()

    def _cut_log(self):
        """Go on with the log, without what was logged after the checkpoint."""
        cut_rows(self.log, *self._logged)
        self._log_mode = "ab"


class EpochRun(LanguageModelRun):
    """A run through a text in epochs, with perplexities.

    A subclass has `_done`: how far it is (epoch, in_epoch, seconds, best, best_epoch),
    `_epoch_size`, which `in_epoch` counts to, and `_write_model`.
    """

    def __init__(self, directory, settings, report=None):
        """Take what a LanguageModelRun takes."""
        super().__init__(directory, settings, report)
        self._tally, self._speed = np.zeros(2), 0.0  # log P and number of words; words/s

    @property
    def best(self):
        """Best validation perplexity so far, and the number of epochs after which it was."""
        return self._done.best, self._done.best_epoch

    @property
    def _epoch(self):
        """Epochs so far, with a fraction, as the log has them."""
        return round(self._done.epoch + self._done.in_epoch / self._epoch_size, 4)

    @property
    def _logged(self):
        return "epoch", self._epoch

    def resume(self):
        """See LanguageModelRun; raises SennaError, too, if the best model so far is gone."""
        super().resume()
        model = self.directory / FILE_NAME
        if self._done.best_epoch and not model.exists():
            raise SennaError(f"{model}: missing: the best model so far, of epoch {self.best[1]}")

    def _keep_if_best(self, valid):
        """Write the model if it is better than all before; returns whether it is.

        valid: its perplexity; None if there is none: then the last one is the best. One that the
        disk has no room for is reported and does not count as the best.
        """
        done = self._done
        if valid is not None and not valid < done.best:
            return False
        before = done.best, done.best_epoch
        done.best, done.best_epoch = math.inf if valid is None else valid, done.epoch
        if not self._written(self._write_model):
            done.best, done.best_epoch = before
        return True

    def _info(self, n_positions, kept):
        """What the model says of its training; kept: names of settings."""
        best, epoch = self.best
        info = {"training positions": n_positions, "epochs": epoch}
        if math.isfinite(best):
            info["validation perplexity"] = round(best, 3)
        return info | {key: getattr(self.settings, key) for key in kept}

    def _report(self, valid=None, **more):
        """Report and log the course so far; valid: perplexity, at the end of an epoch."""
        done, (total, n) = self._done, self._tally
        train = float(np.exp(min(-total / n, 700))) if n else None
        self._tally[:] = 0
        figures = {
            "epoch": self._epoch,
            "seconds": round(done.seconds, 1), "speed": round(self._speed), **more,
            "train": train and round(train, 3), "valid": valid and round(valid, 3),
        }  # fmt: skip
        line = f"epoch {figures['epoch']:6.2f}  {figures['speed']:,}/s"
        line += "".join(f"  {name} {value:g}" for name, value in more.items())
        if train is not None:
            line += f"  training perplexity {train:.2f}"
        if valid is not None:
            line += f"  validation perplexity {valid:.2f} (best {done.best:.2f})"
        self._tell(line, figures)
