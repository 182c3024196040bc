"""The interface of all language models, and what their files have in common.

A model is a file: an n-gram model in the ARPA format, or arrays in the layout of
`models.tensors` whose metadata has `format`, `version` and `kind`. A run's directory
stands for its `model.lm`.
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
ROUNDING = 1e-3  # by which a log10 probability may be more than 0
NO_WORDS = np.empty(0, np.int32)
_Shape = TypeVar("_Shape")


class LanguageModel:
    """A language model of any kind.

    kind: str, as in a file's metadata; title: what users call that; order: words that a
    prediction depends on, the predicted one included, None for any number of them;
    word_list: WordList; name: of its file, for messages; info: how it was made, a dict
    that JSON can hold; network: what has `parameters`, or None. A subclass has
    `log10_probabilities`, or without an order `scorer`; `tensors` and `about` where
    there are any; and `model_files` reads what it writes.
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
        """log10 of the probability of each word of a stream given those before it:
        float64[n].

        ids: int32[n], as `text.streams.Text.stream` makes them. `<s>` begins a new
        context; it is not predicted itself, and gets 0. before: int32[m], the words
        before ids[0], of which the last order - 1 matter.
        """
        scorer = self.scorer()
        if len(before):
            scorer.take(before)
        return scorer.take(ids)

    def probabilities(self, before: Sequence[int] | np.ndarray) -> np.ndarray:
        """P of every word after `before`: int32[m]; float[n_words].

        Where fewer words than the model looks at stand before, and no `<s>`, unknown
        ones do.
        """
        word_list, keep = self.word_list, self.n_before()
        context = np.asarray(before, np.int32)[max(len(before) - keep, 0) :]
        if len(context) < keep and word_list.begin not in context:
            fill = np.full(keep - len(context), word_list.unknown, np.int32)
            context = np.concatenate([fill, context])
        # All words one after the other, each with the context before it.
        stream = np.empty((len(word_list), len(context) + 1), np.int32)
        stream[:, :-1], stream[:, -1] = context, np.arange(len(word_list))
        found = self.log10_probabilities(stream.reshape(-1))[
            len(context) :: len(context) + 1
        ]
        p: np.ndarray = 10**found
        if word_list.marks:
            p[word_list.begin] = 0
        return p

    def n_before(self) -> int:
        """Words before a predicted one that matter to it."""
        assert self.order is not None, (
            "a model without an order has a scorer of its own"
        )
        return self.order - 1

    def scorer(self) -> "Scorer":
        """A Scorer at the beginning of a stream."""
        return Scorer(self)

    def describe(self) -> list[tuple[str, str]]:
        """Lines about the model, for `senna-lm info`: pairs of str, a name and a
        value.
        """
        marks = self.word_list.marks
        return [
            ("kind", self.title),
            *([("order", str(self.order))] if self.order else []),
            ("words", f"{len(self.word_list):,}"),
            ("sentences", "with marks" if marks else "one stream without marks"),
            *self.facts(),
            *((key, str(value)) for key, value in self.info.items()),
        ]

    def facts(self) -> Sequence[tuple[str, str]]:
        """Those of the lines that are about this kind of model."""
        return []

    def tensors(self) -> dict[str, np.ndarray]:
        """Arrays of its file by name, besides the words and what the network has."""
        return {}

    def about(self) -> dict[str, str]:
        """What the metadata of its file say besides what all say."""
        return {}

    def write(self, path: AnyPath, half: bool = False) -> None:
        """Write the model to the file `path`, in one step; half: what the network has
        as float16.

        Raises SennaError for numbers that do not fit into float16.
        """
        arrays = self.network.parameters() if self.network else {}
        if half:
            if (
                max(np.abs(a).max(initial=0) for a in arrays.values())
                > np.finfo(np.float16).max
            ):
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
    """Scores a stream that comes in parts; a model serves many scorers, and threads, at
    once.

    A model whose context has no fixed number of words overrides this class.
    """

    def __init__(self, model: LanguageModel) -> None:
        self._model, self._before = model, NO_WORDS

    def take(self, ids: np.ndarray) -> np.ndarray:
        """Return log10 of the probabilities of the next words of the stream:
        float64[n].
        """
        out = self._model.log10_probabilities(ids, self._before)
        self._before = last_words(self._before, ids, self._model.n_before())
        return out


def last_words(before: np.ndarray, ids: np.ndarray, n: int) -> np.ndarray:
    """The last n words of a stream, of which `ids` come after `before`: int32[n], or
    fewer.
    """
    joined = np.concatenate([before, ids])
    return joined[max(len(joined) - n, 0) :]


def metadata(kind: str, info: Mapping[str, Any]) -> dict[str, str]:
    """Metadata that every file of tensors has, a dict of str; info: how the model was
    made.
    """
    return {
        "format": FORMAT,
        "version": VERSION,
        "kind": kind,
        "info": json.dumps(info),
    }


def shape_of_metadata(cls: type[_Shape], found: Mapping[str, str]) -> _Shape:
    """The shape of a network, of a class of Settings, in a file's metadata; raises
    SennaError.
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
