"""Base of language models in training: perplexities, and the model's file."""

import math
import zlib
from dataclasses import fields

import numpy as np

from senna_py.layers.gradients import Gradients
from senna_py.lm.language_model import FILE_NAME
from senna_py.training.trainable import Trainable


class PerplexityTraining(Trainable):
    """A language model in training on Streams; its costs are -log P of words.

    A subclass has `network`, and `model`, which gives the LanguageModel as it is.
    """

    lower_is_better = True
    divergence = 100  # mean of -log P: no vocabulary is so large
    model_file = FILE_NAME

    def __init__(self, streams, settings):
        """streams: Streams; settings: Settings with `epochs` and `seed` among
        others.
        """
        super().__init__(settings)
        self.streams, self.word_list = streams, streams.word_list
        self.epochs = settings.epochs

    def data(self):
        return {
            "training text": digest(self.streams.train),
            "validation text": digest(self.streams.valid),
            "vocabulary": digest(self.word_list.to_array()),
        }

    def backward(self, trace):
        gradients = Gradients()
        self.network.backward(trace, gradients)
        return gradients

    def model_writer(self):
        return self.model().write

    def info(self, n_positions, shape):
        """Facts on the training for the model's file, without the settings of its
        `shape` class.
        """
        progress = self.progress
        info = {"training positions": n_positions, "epochs": progress.best_epoch}
        if progress.best is not None:
            info["validation perplexity"] = round(progress.best, 3)
        told = {field.name for field in fields(shape)} | {"epochs", "patience"}
        settings = self._settings.as_dict().items()
        return info | {k: v for k, v in settings if k not in told and v is not None}

    def report(self, score, better):
        """Line and figures of a report; the rate is among them where the training has
        one.
        """
        progress, rate = self.progress, self.scheduled_rate()
        cost = progress.mean_cost
        train = None if cost is None else math.exp(min(cost, 700))
        figures = {
            "epoch": round(progress.epoch + progress.batch / self.n_batches(), 4),
            "seconds": round(progress.seconds, 1),
            "speed": round(progress.speed),
            **({} if rate is None else {"rate": rate}),
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

    def scheduled_rate(self):
        """The present rate, or None if it is not reported."""
        return None


def digest(array):
    """Length and sum of an array, which tell it from others."""
    return [len(array), zlib.crc32(np.ascontiguousarray(array))]
