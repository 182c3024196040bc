"""Language models of any kind: what they have in common, and how a file is opened as one.

A model is a file: an n-gram model in the ARPA format, or arrays in the layout of `formats.tensors`
whose metadata has `format`, `version` and `kind`. A training run's directory stands for the file
`model.lm` in it.
"""

from pathlib import Path

import numpy as np

from senna_py.errors import SennaError
from senna_py.formats.tensors import read_tensors

__all__ = ["FILE_NAME", "LanguageModel", "Scorer", "metadata", "open_model"]

FILE_NAME = "model.lm"
FORMAT, VERSION = "senna-py-lm", "1"


class LanguageModel:
    """What every language model can do.

    kind: str, as in a file's metadata; order: words that a prediction depends on, the predicted
    one included; word_list: WordList.
    """

    kind = None
    order = None
    word_list = None

    def log10_probabilities(self, ids, before=None):
        """log10 of the probability of each word of a stream given those before it: float64[n].

        ids: int32[n], as `stream.Text.stream` makes them. `<s>` begins a new context; it is not
        predicted itself, and has 0. before: int32[m], what came before ids[0]; only its last
        order - 1 words matter. Without it, ids[0] is predicted from the empty context.
        """
        raise NotImplementedError

    def scorer(self):
        """A Scorer at the beginning of a stream."""
        return Scorer(self)

    def describe(self):
        """Lines about the model, for `senna-lm info`: pairs of str, a name and a value."""
        raise NotImplementedError


class Scorer:
    """Scores a stream that comes in parts; a model serves many scorers, and threads, at once.

    A model whose context is not a number of words has a scorer of its own.
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


def metadata(kind):
    """Metadata of a model's file of tensors, to which each kind adds its own: a dict of str."""
    return {"format": FORMAT, "version": VERSION, "kind": kind}


def open_model(path):
    """LanguageModel of a file, or of a training run's directory; `-` is an ARPA file on stdin.

    Raises SennaError naming file and place if it is none.
    """
    if str(path) != "-" and Path(path).is_dir():
        path = Path(path) / FILE_NAME
    if _is_arpa(path):
        raise SennaError(f"{path}: not read yet")
    found, tensors = read_tensors(path)
    if found.get("format") != FORMAT:
        raise SennaError(f"{path}: not a language model: its format is {found.get('format')!r}")
    if found.get("version") != VERSION:
        raise SennaError(
            f"{path}: version {found.get('version')!r} of the format; this program reads version "
            f"{VERSION}"
        )
    reader = _reader(found.get("kind"))
    if reader is None:
        raise SennaError(f"{path}: a language model of the kind {found.get('kind')!r} is not known")
    return reader(path, found, tensors)


def _reader(kind):
    """Function (path, metadata, tensors) -> LanguageModel that reads a kind of model, or None."""
    return {}.get(kind)


def _is_arpa(path):
    """Whether a file begins as text and not as tensors, whose header has `{` as its ninth byte."""
    if str(path) == "-" or Path(path).suffix.lower() in (".arpa", ".gz", ".xz", ".bz2"):
        return True
    try:
        with open(path, "rb") as file:
            return file.read(9)[8:] != b"{"
    except OSError as error:
        raise SennaError(f"{path}: {error.strerror or error}") from None
