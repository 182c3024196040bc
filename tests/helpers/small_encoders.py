"""Small encoders, pretrained on the language of `small_corpora`."""

import numpy as np

from senna_py.lm.encoder.network import Shape
from senna_py.lm.encoder.training import EncoderTraining, Settings
from senna_py.lm.text.forms import forms_of
from senna_py.text.vocabulary import Vocabulary
from senna_py.training.run import TrainingRun
from tests.helpers.small_corpora import WORDS, corpus

__all__ = ["QUICK", "SMALL", "new_encoder_run", "vectors", "write_text"]

SMALL = {"features": {"caps": 2, "suffix.2": 3}, "width": 16, "dilations": (1, 2), "projection": 5}
QUICK = {"output": 10, "drawn": 8, "hidden": 0.3, "batch": 60, "epoch": 600, "valid": 20,
         "rate": 0.01, "warmup": 5, "passes": 2.0}  # fmt: skip


def write_text(path, n=800):
    """Sentences, a line each."""
    lines = (" ".join(row[0] for row in rows) for rows in corpus(n, seed=4))
    path.write_text("".join(f"{line}\n" for line in lines))
    return path


def vectors():
    """The dictionary and float32 vectors of its words, as float16 holds them."""
    found = np.random.default_rng(3).normal(0, 0.5, (len(WORDS), 6)).astype(np.float16)
    return Vocabulary.from_keys(WORDS), found.astype(np.float32)


def new_encoder_run(directory, text, weights=(1.0,), shape=(), given=None, **changes):
    """A TrainingRun of an encoder on text files; shape, changes: in place of SMALL and QUICK."""
    made = forms_of(text, directory / "corpus", 1)
    settings = Settings(Shape(**SMALL | dict(shape)), **QUICK | changes)
    words, rows = given or vectors()
    return TrainingRun(EncoderTraining(made, list(weights), words, rows, settings), directory)
