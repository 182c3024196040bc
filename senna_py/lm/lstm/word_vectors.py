"""Vectors of any word from an LSTM language model (Kim et al. 2016, Table 6)."""

from functools import cached_property

import numpy as np

from senna_py.errors import SennaError
from senna_py.lm.lstm.model import LstmModel
from senna_py.lm.model_files import open_model
from senna_py.lm.neighbors import layout, nearest
from senna_py.lm.word_list import SPECIAL

_AT_ONCE = 512


class Speller:
    """Vectors of words as an LstmModel's LSTM reads them, after its highway layers or
    before.
    """

    def __init__(self, model, after=True):
        self.model, self._after = model, after
        self.words = model.word_list.words

    def vectors(self, words):
        """Vectors of words: list of str; float32[n, dim].

        Raises SennaError for words that a model of word vectors lacks, and if numbers
        overflow.
        """
        with np.errstate(over="ignore", invalid="ignore"):
            parts = [
                self._batch(words[i : i + _AT_ONCE])
                for i in range(0, len(words), _AT_ONCE)
            ]
        found = np.concatenate(parts)
        if not np.isfinite(found).all():
            raise SennaError(f"{self.model.name}: numbers so large that they overflow")
        return found

    def _batch(self, words):
        inputs, word_list = self.model.network.inputs, self.model.word_list
        if self.model.shape.input == "char":
            return inputs.represent(words, self._after)
        index = [
            word_list.index.get(w.encode("utf-8", "surrogateescape"), -1) for w in words
        ]
        if missing := [word for word, i in zip(words, index, strict=True) if i < 0]:
            raise SennaError(
                f"{self.model.name}: not in the dictionary: {', '.join(missing)}"
            )
        return inputs.forward(np.array(index, np.int32))[0]

    def table(self, words, count, metric, among=None):
        """Lines of a table of the nearest known words of any words; see
        `neighbors.table`.

        Marks of sentences and `<unk>` are left out; `-` is the number of a word that is
        not known.
        """
        number = {word: i for i, word in enumerate(self.words)}
        rows = [i for i, word in enumerate(self.words[:among]) if word not in SPECIAL]
        candidates, row = (
            self._known[rows],
            {self.words[i]: k for k, i in enumerate(rows)},
        )
        columns = []
        for word, vector in zip(words, self.vectors(words), strict=True):
            found = nearest(candidates, vector, count, metric, row.get(word))
            near = [self.words[rows[k]] for k in found]
            columns.append((word, str(number.get(word, "-")), near))
        return layout(columns)

    @cached_property
    def _known(self):
        return self.vectors(self.words)


def open_speller(path, after=True):
    """Speller of a model's file or run's directory; raises SennaError for one that has
    none.

    after: see Speller; only a model that reads characters has vectors before its
    highway layers.
    """
    model = open_model(path)
    if not isinstance(model, LstmModel):
        raise SennaError(
            f"{path}: of kind {model.kind}, not of `train char`, `word` or `morph`"
        )
    if not after and model.shape.input != "char":
        raise SennaError(f"{path}: a model of word vectors, not one of `train char`")
    return Speller(model, after)
