"""A tiny run of every kind of training, on tiny texts and corpora."""

from unittest.mock import patch

import numpy as np
from small_corpora import run as tagger_run
from small_corpora import settings as tagger_settings
from small_corpora import write_corpora, write_vectors
from small_encoders import new_encoder_run, write_text
from small_language import paragraphs
from small_text import streams

from senna_py.lm.lstm.build import Shape
from senna_py.lm.lstm.morphemes import Morphemes
from senna_py.lm.lstm.training import LstmTraining
from senna_py.lm.lstm.training import Settings as LstmSettings
from senna_py.lm.nplm.training import NplmTraining
from senna_py.lm.nplm.training import Settings as NplmSettings
from senna_py.lm.ranking.training import RankingTraining
from senna_py.lm.ranking.training import Settings as RankingSettings
from senna_py.lm.skipgram import training as skipgram
from senna_py.lm.skipgram.training import Settings as SkipGramSettings
from senna_py.lm.skipgram.training import SkipGramTraining
from senna_py.lm.skipgram.words import words_of_forms
from senna_py.lm.text.forms import forms_of
from senna_py.lm.text.prepared import prepare
from senna_py.tagger_training.joint import JointRun
from senna_py.tagger_training.joint_config import JointConfig
from senna_py.training.run import TrainingRun

__all__ = ["TRAINERS"]


def _corpora(directory):
    write_corpora(directory, 20, 5)
    write_vectors(directory / "vectors.txt")
    return directory


def _tagger(directory):
    config = tagger_settings("chk", training={"average": 2})
    return tagger_run(directory / "run", config, _corpora(directory)).trainer()


def _joint(directory):
    training = {"optimizer": "adam", "rate": 0.02}
    configs = {task: tagger_settings(task, training=training) for task in ("pos", "chk")}
    config = JointConfig(configs, dict.fromkeys(configs, 1.0))
    corpora = _corpora(directory)
    return JointRun(
        config, corpora, directory / "run", corpora / "vectors.txt", lambda line: None
    ).trainer()


def _text(directory):
    path = directory / "text.txt"
    path.write_text("\n".join(paragraphs()) + "\n")
    return path


def _ranking(directory):
    corpus = prepare([_text(directory)], directory / "corpus", processes=1)
    settings = RankingSettings(((12, 1), (20, 1)), 5, 8, 10, examples=4000)
    return TrainingRun(RankingTraining(corpus, settings), directory / "run")


def _skipgram(directory):
    forms = forms_of([_text(directory)], directory / "corpus", processes=1)
    words = words_of_forms(forms, [1.0], (), 100)
    settings = SkipGramSettings(dim=8, window=2, sample=0.01)
    with patch.object(skipgram, "_NOISE", 1 << 12):
        training = SkipGramTraining(forms, [1.0], words, settings)
    return TrainingRun(training, directory / "run")


def _encoder(directory):
    return new_encoder_run(directory / "run", [write_text(directory / "text.txt")])


def _nplm(directory):
    settings = NplmSettings(order=3, dim=4, hidden=6, batch=16, optimizer="adagrad", epochs=2)
    return TrainingRun(NplmTraining(streams(), settings), directory / "run")


def _lstm(kind):
    def make(directory):
        text, morphemes = streams(), None
        if kind == "morph":
            starts = np.array([0, 2] + [3] * (len(text.word_list) - 1), np.int32)
            morphemes = Morphemes(["a", "b"], np.array([0, 1, 0], np.int32), starts)
        shape = Shape(kind, 8, 4, 3, 3, hidden=10)
        given = "given" if morphemes else None
        settings = LstmSettings(shape, steps=6, batch=2, epochs=2, segmentation=given)
        return TrainingRun(LstmTraining(text, settings, morphemes=morphemes), directory / "run")

    return make


# Functions that make a TrainingRun below a directory, by the names of their commands.
TRAINERS = {
    "tagger": _tagger, "joint tagger": _joint, "ranking": _ranking, "skipgram": _skipgram,
    "encoder": _encoder, "nplm": _nplm, **{kind: _lstm(kind) for kind in ("char", "word", "morph")},
}  # fmt: skip
