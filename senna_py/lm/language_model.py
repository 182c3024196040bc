"""The interface of all language models, and what their files have in common.

A model is a file: an n-gram model in the ARPA format, or arrays in the format of
`models.tensors` whose metadata has `format`, `version` and `kind`. The directory of a
run stands for its `model.lm`.
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
ROUNDING = 1e-3  # a log10 probability may exceed 0 by this
NO_WORDS = np.empty(0, np.int32)
_Shape = TypeVar("_Shape")


class LanguageModel:
    """A language model of any kind.

    A subclass has `log10_probabilities` or, without an order, `scorer`, and may have
    `tensors` and `about`. `model_files` reads what it writes.

    Attributes:
        kind: The kind of model, as in the file.
        title: The name of this kind for users.
        order: The number of words that a prediction depends on, including the predicted
            word, or None if there is no limit.
        word_list: The words of the model.
        name: The name of its file, for messages.
        info: How it was made, as JSON values.
        network: An object with `parameters`, or None.
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

        `<s>` begins a new context. It is not predicted itself, and gets 0.

        Args:
            ids: int32[n], a stream of `lm.text.blocks.Text.stream`.
            before: int32[m], the words before the stream, of which the last order - 1
                matter.
        """
        scorer = self.scorer()
        if len(before):
            scorer.take(before)
        return scorer.take(ids)

    def probabilities(self, before: Sequence[int] | np.ndarray) -> np.ndarray:
        """Return the probability of every word after some words: float[n_words].

        If there are fewer words than the model looks at, and no `<s>`, unknown words
        stand before them.

        Args:
            before: int32[m], the words before.
        """
        word_list, keep = self.word_list, self.n_before()
        context = np.asarray(before, np.int32)[max(len(before) - keep, 0) :]
        if len(context) < keep and word_list.begin not in context:
            fill = np.full(keep - len(context), word_list.unknown, np.int32)
            context = np.concatenate([fill, context])
        # All words one after the other, each after the context.
        stream = np.empty((len(word_list), len(context) + 1), np.int32)
        stream[:, :-1], stream[:, -1] = context, np.arange(len(word_list))
        log10 = self.log10_probabilities(stream.reshape(-1))
        p: np.ndarray = 10 ** log10[len(context) :: len(context) + 1]
        if word_list.marks:
            p[word_list.begin] = 0
        return p

    def n_before(self) -> int:
        """Return the number of words before a predicted word that matter."""
        assert self.order is not None, (
            "a model without an order has a scorer of its own"
        )
        return self.order - 1

    def scorer(self) -> "Scorer":
        """Return a scorer at the beginning of a stream."""
        return Scorer(self)

    def describe(self) -> list[tuple[str, str]]:
        """Return names and values of what `senna-lm info` prints."""
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
        """Return the names and values that only this kind of model has."""
        return []

    def tensors(self) -> dict[str, np.ndarray]:
        """Return arrays of the file besides the words and the parameters."""
        return {}

    def about(self) -> dict[str, str]:
        """Return metadata of the file that only this kind of model has."""
        return {}

    def write(self, path: AnyPath, half: bool = False) -> None:
        """Write the model to a file, in one step.

        Args:
            path: The file.
            half: Whether the parameters of the network are stored as float16.

        Raises:
            SennaError: If a parameter does not fit into float16.
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
    """Scores a stream that comes in parts; a model serves many scorers, in any thread.

    A model whose context is not limited overrides this class.
    """

    def __init__(self, model: LanguageModel) -> None:
        self._model, self._before = model, NO_WORDS

    def take(self, ids: np.ndarray) -> np.ndarray:
        """Return the log10 probabilities of the next words: float64[n]."""
        out = self._model.log10_probabilities(ids, self._before)
        self._before = last_words(self._before, ids, self._model.n_before())
        return out


def last_words(before: np.ndarray, ids: np.ndarray, n: int) -> np.ndarray:
    """Return the last n words of a stream that ends with `ids`: int32[n], or fewer.

    Args:
        before: The words of the stream before `ids`.
        ids: The words after these.
        n: The number of words.
    """
    joined = np.concatenate([before, ids])
    return joined[max(len(joined) - n, 0) :]


def metadata(kind: str, info: Mapping[str, Any]) -> dict[str, str]:
    """Return metadata that every file of tensors has.

    Args:
        kind: The kind of model.
        info: How the model was made.
    """
    return {
        "format": FORMAT,
        "version": VERSION,
        "kind": kind,
        "info": json.dumps(info),
    }


def shape_of_metadata(cls: type[_Shape], found: Mapping[str, str]) -> _Shape:
    """Return the shape of a network, a class of Settings, from a file's metadata.

    Raises:
        SennaError: If a value is not valid.
    """
    values: dict[str, Any] = {}
    for field in fields(cls):  # type: ignore[arg-type]
        name, text = field.name, found[field.name]
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
