"""Word vectors and nearest neighbors of an LSTM language model (Kim et al. 2016)."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from senna_py.errors import SennaError
from senna_py.lm.lstm.model import LstmModel
from senna_py.lm.model_files import open_model
from senna_py.lm.neighbors import Neighbors, layout, nearest
from senna_py.lm.word_list import SPECIAL

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from senna_py.io.files import AnyPath

_AT_ONCE = 512


class Speller:
    """Computes the vectors of words, by default as the input of a model's LSTM.

    A model that reads characters has a vector for any word. With `after` false, its
    vectors are those before the highway or plain layers.

    Attributes:
        model: The model.
        words: The vocabulary of the model.
    """

    def __init__(self, model: LstmModel, after: bool = True) -> None:
        self.model = model
        self._after = after
        self.words = model.word_list.words

    def vectors(self, words: Sequence[str]) -> NDArray[np.float32]:
        """Return the vectors of words: float32[n, dim].

        Raises:
            SennaError: If a model that does not read characters lacks a word, or if a
                number overflows.
        """
        with np.errstate(over="ignore", invalid="ignore"):
            parts = [
                self._batch(words[i : i + _AT_ONCE])
                for i in range(0, len(words), _AT_ONCE)
            ]
        vectors = np.concatenate(parts)
        if not np.isfinite(vectors).all():
            raise SennaError(
                f"{self.model.name}: its numbers are so large that they overflow"
            )
        return vectors

    def _batch(self, words: Sequence[str]) -> NDArray[np.float32]:
        inputs, word_list = self.model.network.inputs, self.model.word_list
        if self.model.shape.input == "char":
            return inputs.represent(words, self._after)
        index = [
            word_list.index.get(word.encode("utf-8", "surrogateescape"), -1)
            for word in words
        ]
        if missing := [word for word, i in zip(words, index, strict=True) if i < 0]:
            raise SennaError(
                f"{self.model.name}: not in the dictionary: {', '.join(missing)}"
            )
        return inputs.forward(np.array(index, np.int32))[0]

    def table(
        self, words: Sequence[str], count: int, metric: str, among: int | None = None
    ) -> list[str]:
        """Return the lines of a table of nearest neighbors.

        Sentence marks and `<unk>` are never neighbors. The index of a word outside the
        vocabulary is shown as `-`.

        Args:
            words: The words whose neighbors are searched.
            count: The maximum number of neighbors of each word.
            metric: `euclidean` or `cosine`.
            among: The number of words from the beginning of the vocabulary that may be
                neighbors, or None for all words.

        Raises:
            SennaError: See `vectors`.
        """
        number = {word: i for i, word in enumerate(self.words)}
        rows = [i for i, word in enumerate(self.words[:among]) if word not in SPECIAL]
        candidates = self._known[rows]
        row = {self.words[i]: k for k, i in enumerate(rows)}
        columns = []
        for word, vector in zip(words, self.vectors(words), strict=True):
            places = nearest(candidates, vector, count, metric, row.get(word))
            near = [self.words[rows[place]] for place in places]
            columns.append(Neighbors(word, str(number.get(word, "-")), near))
        return layout(columns)

    @cached_property
    def _known(self) -> NDArray[np.float32]:
        return self.vectors(self.words)


def open_speller(path: AnyPath, after: bool = True) -> Speller:
    """Return the Speller of a model.

    Args:
        path: The path of the model's file or of a run's directory.
        after: Whether to return vectors after the highway or plain layers, or before
            them. Only models that read characters can have such layers.

    Raises:
        SennaError: If the model cannot be read or is not an LSTM model, or if `after`
            is false and it does not read characters.
    """
    model = open_model(path)
    if not isinstance(model, LstmModel):
        raise SennaError(
            f"{path}: of kind {model.kind}, not of `train char`, `word` or `morph`"
        )
    if not after and model.shape.input != "char":
        raise SennaError(f"{path}: a model of word vectors, not of `train char`")
    return Speller(model, after)
