"""The base class for training language models by maximum likelihood."""

from __future__ import annotations

import math
import zlib
from dataclasses import fields
from typing import TYPE_CHECKING, Any

import numpy as np

from senna_py.layers.gradients import Gradients
from senna_py.lm.language_model import FILE_NAME
from senna_py.training.trainable import Trainable

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from numpy.typing import NDArray

    from senna_py.lm.language_model import LanguageModel
    from senna_py.lm.text.streams import Streams


class PerplexityTraining(Trainable):
    """The base class for training language models on streams of words.

    The cost is the negative log-likelihood of the words, and the dev score is the
    perplexity of the validation text.

    Attributes:
        network: The network in training, which the subclass sets.
        streams: The training and the validation stream.
        word_list: The words of the streams.
    """

    lower_is_better = True
    divergence = 100  # above -log P of a uniform distribution over any vocabulary
    model_file = FILE_NAME
    network: Any

    def __init__(self, streams: Streams, settings: Any) -> None:
        """Prepare a run on streams.

        Args:
            streams: The training and the validation stream.
            settings: The Settings of the run, which include `epochs` and `seed`.
        """
        super().__init__(settings)
        self.streams = streams
        self.word_list = streams.word_list
        self.epochs = settings.epochs

    def data(self) -> dict[str, Any]:
        return {
            "training text": digest(self.streams.train),
            "validation text": digest(self.streams.valid),
            "vocabulary": digest(self.word_list.to_array()),
        }

    def backward(self, trace: Any) -> Gradients:
        gradients = Gradients()
        self.network.backward(trace, gradients)
        return gradients

    def model(self) -> LanguageModel:
        """Return the network in training as a language model."""
        raise NotImplementedError

    def model_writer(self) -> Callable[[Path], None]:
        return self.model().write

    def info(self, n_positions: int, shape: type[Any]) -> dict[str, Any]:
        """Return the facts about the training that are stored with the model.

        Args:
            n_positions: The number of training positions.
            shape: The class of the network's shape. Its settings are left out, because
                they are stored separately.
        """
        progress = self.progress
        info: dict[str, Any] = {
            "training positions": n_positions,
            "epochs": progress.best_epoch,
        }
        if progress.best is not None:
            info["validation perplexity"] = round(progress.best, 3)
        known = {field.name for field in fields(shape)} | {"epochs", "patience"}
        settings = self._settings.as_dict().items()
        return info | {
            name: value
            for name, value in settings
            if name not in known and value is not None
        }

    def report(self, score: float | None, better: bool) -> tuple[str, dict[str, Any]]:
        """Return a line for the user and figures for the log, with perplexities."""
        progress, rate = self.progress, self.scheduled_rate()
        cost = progress.mean_cost
        train = None if cost is None else math.exp(min(cost, 700))
        figures: dict[str, Any] = {
            "epoch": round(progress.epoch + progress.batch / self.n_batches(), 4),
            "seconds": round(progress.seconds, 1),
            "speed": round(progress.speed),
        }
        if rate is not None:
            figures["rate"] = rate
        figures |= {
            "train": train and round(train, 3),
            "valid": score and round(score, 3),
        }
        line = f"epoch {figures['epoch']:6.2f}  {figures['speed']:,}/s"
        if rate is not None:
            line += f"  rate {rate:g}"
        if train is not None:
            line += f"  training perplexity {train:.2f}"
        if score is not None:
            best = score if progress.best is None else progress.best
            line += f"  validation perplexity {score:.2f} (best {best:.2f})"
        return line, figures

    def scheduled_rate(self) -> float | None:
        """Return the current learning rate for reports, or None to leave it out."""
        return None


def digest(array: NDArray[Any]) -> list[int]:
    """Return the length and the CRC-32 of an array, to compare it with a checkpoint."""
    return [len(array), zlib.crc32(np.ascontiguousarray(array).data)]
