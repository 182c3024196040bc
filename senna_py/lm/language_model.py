"""The base class of all language models, and the common parts of their files.

A model is stored in one file, either in the ARPA format (n-gram models) or in the
format of `models.tensors`, with the fields `format`, `version` and `kind` in its
metadata. In place of a file, users may also give the directory of a run that contains
`model.lm`.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any, TypeVar

import numpy as np

from senna_py.errors import SennaError
from senna_py.io.files import AnyPath
from senna_py.io.numbers import int_of
from senna_py.lm.word_list import WordList
from senna_py.models.tensors import write_tensors

FILE_NAME = "model.lm"
FORMAT, VERSION = "senna-py-lm", "1"
ROUNDING = 1e-3  # the amount by which a log10 probability may exceed 0
NO_WORDS = np.empty(0, np.int32)
_Shape = TypeVar("_Shape")


class LanguageModel:
    """The base class of language models.

    A subclass overrides `log10_probabilities` or, if it has no order, `scorer` and
    `probabilities`. It may also override `tensors`, `about` and `facts`. `model_files`
    reads the files.

    Attributes:
        kind: The identifier of the type of model in its file.
        title: The name of the type of model, for users.
        order: The number of context words that a prediction depends on, plus one, or
            None if the context is unlimited.
        word_list: The words of the model.
        name: The path of the model's file, for messages.
        info: Facts about the training as JSON values.
        network: The neural network, which has a method `parameters`, or None.
    """

    kind: str
    title: str
    order: int | None = None
    word_list: WordList
    name: str = "the model"
    info: dict[str, Any]
    network: Any = None

    def log10_probabilities(
        self, ids: np.ndarray, before: np.ndarray = NO_WORDS
    ) -> np.ndarray:
        """Return the log10 probability of each word of a stream: float64[n].

        `<s>` begins a new context. It is not predicted, so its value is 0.

        Args:
            ids: int32[n], a stream of word indices; see `lm.text.blocks.Block.stream`.
            before: int32[m], the words before the stream. Only the last order - 1 of
                them matter.
        """
        scorer = self.scorer()
        if len(before):
            scorer.take(before)
        return scorer.take(ids)

    def probabilities(self, before: Sequence[int] | np.ndarray) -> np.ndarray:
        """Return the probability of each word as the next word: float[n_words].

        If the context is shorter than order - 1 words and has no `<s>`, it is extended
        on the left with `<unk>`. The probability of `<s>` is 0.

        Args:
            before: int32[m], the context.
        """
        word_list, keep = self.word_list, self.n_before()
        context = np.asarray(before, np.int32)[max(len(before) - keep, 0) :]
        if len(context) < keep and word_list.begin not in context:
            fill = np.full(keep - len(context), word_list.unknown, np.int32)
            context = np.concatenate([fill, context])
        # A stream of (context, word) for each word of the list.
        stream = np.empty((len(word_list), len(context) + 1), np.int32)
        stream[:, :-1], stream[:, -1] = context, np.arange(len(word_list))
        log10 = self.log10_probabilities(stream.reshape(-1))
        p: np.ndarray = 10 ** log10[len(context) :: len(context) + 1]
        if word_list.marks:
            p[word_list.begin] = 0
        return p

    def n_before(self) -> int:
        """Return the length of the context of a prediction in words: order - 1."""
        assert self.order is not None, (
            "a model without an order has a scorer of its own"
        )
        return self.order - 1

    def scorer(self) -> "Scorer":
        """Return a Scorer for a new stream."""
        return Scorer(self)

    def describe(self) -> list[tuple[str, str]]:
        """Return the rows that `senna-lm info` prints, as pairs of name and value."""
        marks = self.word_list.marks
        rows = [("kind", self.title)]
        if self.order:
            rows.append(("order", str(self.order)))
        return [
            *rows,
            ("words", f"{len(self.word_list):,}"),
            ("sentences", "with marks" if marks else "one stream without marks"),
            *self.facts(),
            *((key, str(value)) for key, value in self.info.items()),
        ]

    def facts(self) -> Sequence[tuple[str, str]]:
        """Return the additional rows of `describe` for this type of model."""
        return []

    def tensors(self) -> dict[str, np.ndarray]:
        """Return the arrays to write besides the words and the network's parameters."""
        return {}

    def about(self) -> dict[str, str]:
        """Return the additional metadata of this type of model."""
        return {}

    def write(self, path: AnyPath, half: bool = False) -> None:
        """Write the model to a file atomically.

        Args:
            path: The path of the file.
            half: Whether to store the parameters of the network as float16. Models
                without a network cannot be stored in this way.

        Raises:
            SennaError: If the file cannot be written, or if a parameter is too large
                for float16.
        """
        arrays = self.network.parameters() if self.network else {}
        if half:
            largest = max(np.abs(array).max(initial=0) for array in arrays.values())
            if largest > np.finfo(np.float16).max:
                raise SennaError(
                    f"{path}: values beyond 65,504 do not fit into float16"
                )
            arrays = {name: array.astype(np.float16) for name, array in arrays.items()}
        marks = "yes" if self.word_list.marks else "no"
        about = metadata(self.kind, self.info) | {"marks": marks} | self.about()
        write_tensors(
            path,
            about,
            {**arrays, "words": self.word_list.to_array(), **self.tensors()},
        )


class Scorer:
    """Scores a stream of words part by part.

    Several scorers of one model may run in different threads. Models with unlimited
    context have their own subclasses.
    """

    def __init__(self, model: LanguageModel) -> None:
        self._model, self._before = model, NO_WORDS

    def take(self, ids: np.ndarray) -> np.ndarray:
        """Return the log10 probabilities of the next words of the stream: float64[n].

        Args:
            ids: int32[n], the indices of the words.
        """
        out = self._model.log10_probabilities(ids, self._before)
        self._before = last_words(self._before, ids, self._model.n_before())
        return out


def last_words(before: np.ndarray, ids: np.ndarray, n: int) -> np.ndarray:
    """Return the last n words of `before` and `ids` concatenated.

    Args:
        before: int32[m], the words before `ids`.
        ids: int32[k], the words after `before`.
        n: The number of words.

    Returns:
        The last words: int32[n], or fewer if there are fewer words.
    """
    joined = np.concatenate([before, ids])
    return joined[max(len(joined) - n, 0) :]


def metadata(kind: str, info: Mapping[str, Any]) -> dict[str, str]:
    """Return the metadata that all language models in the tensor format have.

    Args:
        kind: The identifier of the type of model.
        info: Facts about the training as JSON values.
    """
    return {
        "format": FORMAT,
        "version": VERSION,
        "kind": kind,
        "info": json.dumps(info),
    }


def shape_of_metadata(cls: type[_Shape], texts: Mapping[str, str]) -> _Shape:
    """Parse the shape of a network from the metadata of a file.

    Args:
        cls: The class of the shape, a subclass of Settings.
        texts: The metadata, with a field for each setting.

    Raises:
        KeyError: If a field is missing.
        SennaError: If a value is not valid.
    """
    values: dict[str, Any] = {}
    for field in fields(cls):  # type: ignore[arg-type]
        name, text = field.name, texts[field.name]
        if field.type is bool:
            if text not in ("True", "False"):
                raise SennaError(f"{name} {text!r}: expected True or False")
            values[name] = text == "True"
        else:
            values[name] = text
        if field.type is int:
            try:
                values[name] = int_of(text)
            except ValueError:
                values[name] = -1
            if not 0 <= values[name] < 1 << 20:
                raise SennaError(
                    f"{name} {text!r}: expected a number from 0 on, below {1 << 20:,}"
                )
    return cls(**values)
