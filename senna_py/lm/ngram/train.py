"""An n-gram model of each kind out of streams of words."""

from senna_py.lm.ngram.classes import train_class_model
from senna_py.lm.ngram.interpolated import train_interpolated
from senna_py.lm.ngram.kneser_ney import train_kneser_ney

__all__ = ["train_ngram"]


def train_ngram(streams, order, smoothing="kneser-ney", classes=None, note=None):
    """LanguageModel of `streams.train`.

    streams: Streams; smoothing: kneser-ney or interpolated, whose weights are learned on
    `streams.valid`; classes: word classes for a class-based model, as `classes.read_classes`
    gives them, or None; note: called with lines of str. Raises SennaError.
    """
    train, word_list = streams.train, streams.word_list
    if smoothing == "interpolated":
        return train_interpolated(train, streams.valid, order, word_list, note)
    if classes is not None:
        return train_class_model(train, streams.valid, order, word_list, classes, note)
    return train_kneser_ney(train, order, word_list, note)
