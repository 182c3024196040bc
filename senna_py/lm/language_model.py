"""The interface of all language models, and what their files have in common.

A model is a file: an n-gram model in the ARPA format, or arrays in the layout of `models.tensors`
whose metadata has `format`, `version` and `kind`. A training run's directory stands for the file
`model.lm` in it.
"""

import json

import numpy as np

from senna_py.errors import SennaError
from senna_py.io.numbers import int_of
from senna_py.models.checkpoint import CHECKPOINT, read_arrays

__all__ = ["FILE_NAME", "FORMAT", "ROUNDING", "VERSION", "LanguageModel", "Scorer", "metadata",
           "model_of_run", "size_of"]  # fmt: skip

FILE_NAME = "model.lm"
FORMAT, VERSION = "senna-py-lm", "1"
ROUNDING = 1e-3  # by which a log10 probability may be more than 0


class LanguageModel:
    """A language model of any kind.

    kind: str, as in a file's metadata; order: words that a prediction depends on, the predicted
    one included; word_list: WordList; name: of its file, for messages. A subclass also has
    `write(path)`, and `model_files` reads what it writes.
    """

    kind = None
    order = None
    word_list = None
    name = "the model"

    def log10_probabilities(self, ids, before=None):
        """log10 of the probability of each word of a stream given those before it: float64[n].

        ids: int32[n], as `text.streams.Text.stream` makes them. `<s>` begins a new context; it is
        not predicted itself, and gets 0. before: int32[m], the words before ids[0], of which the
        last order - 1 matter; None for the empty context.
        """
        raise NotImplementedError

    def probabilities(self, before):
        """P of every word after `before`: int32[m]; float[n_words].

        Where fewer words than the model looks at stand before, and no `<s>`, unknown ones do.
        """
        word_list, keep = self.word_list, self.order - 1
        context = np.asarray(before, np.int32)[max(len(before) - keep, 0) :]
        if word_list.marks and (begins := np.flatnonzero(context == word_list.begin)).size:
            context = context[begins[-1] :]
        elif len(context) < keep:
            fill = np.full(keep - len(context), word_list.unknown, np.int32)
            context = np.concatenate([fill, context])
        # All words one after the other, each with the context before it.
        stream = np.empty((len(word_list), len(context) + 1), np.int32)
        stream[:, :-1], stream[:, -1] = context, np.arange(len(word_list))
        p = 10 ** self.log10_probabilities(stream.reshape(-1))[len(context) :: len(context) + 1]
        if word_list.marks:
            p[word_list.begin] = 0
        return p

    def scorer(self):
        """A Scorer at the beginning of a stream."""
        return Scorer(self)

    def describe(self):
        """Lines about the model, for `senna-lm info`: pairs of str, a name and a value."""
        raise NotImplementedError


class Scorer:
    """Scores a stream that comes in parts; a model serves many scorers, and threads, at once.

    A model whose context has no fixed number of words overrides this class.
    """

    def __init__(self, model):
        """Begin with the empty context."""
        self._model, self._before = model, np.empty(0, np.int32)

    def take(self, ids):
        """log10 of the probabilities of the next words of the stream: float64[n]."""
        out = self._model.log10_probabilities(ids, self._before)
        keep = self._model.order - 1
        joined = np.concatenate([self._before, ids])
        self._before = joined[max(len(joined) - keep, 0) :]
        return out


def metadata(kind, info):
    """Metadata that every model file of tensors has; each kind adds its own: a dict of str.

    info: how the model was made, a dict that JSON can hold.
    """
    return {"format": FORMAT, "version": VERSION, "kind": kind, "info": json.dumps(info)}


def size_of(name, text, least=0):
    """The whole number below 2 ** 20 that a file's metadata give as `name`; raises SennaError."""
    try:
        number = int_of(text)
    except ValueError:
        number = -1
    if not least <= number < 1 << 20:
        raise SennaError(f"{name} {text!r}: expected a number from {least} on, below {1 << 20:,}")
    return number


def model_of_run(directory):
    """Path of the model in the directory of a run; raises SennaError if it trains only vectors."""
    path, checkpoint = directory / FILE_NAME, directory / CHECKPOINT
    if not path.exists() and checkpoint.exists() and read_arrays(checkpoint, ("words",))[1]:
        raise SennaError(
            f"{directory}: a run of `senna-py vectors train`, which makes vectors and no language "
            "model: see `senna-py vectors card` and `neighbors`"
        )
    return path
