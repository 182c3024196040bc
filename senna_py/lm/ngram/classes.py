"""Class-based n-gram models (Brown et al. 1992).

The probability of a word w after a context h is P(w | c(w)) P(c(w) | c(h)), where c
denotes the class of a word or the classes of the words of a context.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from senna_py.errors import SennaError
from senna_py.io.class_files import read_word_classes
from senna_py.lm.language_model import NO_WORDS, ROUNDING, LanguageModel
from senna_py.lm.ngram.backoff import read_backoff
from senna_py.lm.ngram.kneser_ney import train_kneser_ney
from senna_py.lm.word_list import SPECIAL, UNKNOWN, WordList

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    from senna_py.io.files import AnyPath
    from senna_py.lm.arrays import Arrays
    from senna_py.lm.ngram.backoff import BackoffModel

# The additive smoothing constant: it is added to the count of each word, so that words
# that do not occur also have a probability in their class. With validation text, the
# best of _CHOICES replaces it.
_ADDED = 0.5
_CHOICES = 2.0 ** np.arange(-6, 10.5, 0.5)


class ClassModel(LanguageModel):
    """A class-based n-gram model.

    Attributes:
        classes: The back-off model of classes, whose words are the names of classes.
        class_of: int32[n_words], the class of each word.
        share: float32[n_words], the log10 probability of each word in its class.
        info: Facts about the training as JSON values.
    """

    kind, title = "classes", "class-based n-grams"

    def __init__(
        self,
        word_list: WordList,
        classes: BackoffModel,
        class_of: NDArray[np.int32],
        share: NDArray[np.float32],
        info: dict[str, Any],
    ) -> None:
        self.word_list = word_list
        self.classes = classes
        self.class_of = class_of
        self.share = share
        self.info = info
        self.order: int = classes.order

    def log10_probabilities(
        self, ids: NDArray[np.int32], before: NDArray[np.int32] = NO_WORDS
    ) -> NDArray[np.float64]:
        out = self.classes.log10_probabilities(
            self.class_of[ids], self.class_of[before]
        )
        out += self.share[ids]
        out[ids == self.word_list.begin] = 0
        return out

    def describe(self) -> list[tuple[str, str]]:
        rows = super().describe()
        rows.insert(3, ("classes", f"{len(self.classes.word_list):,}"))
        return rows

    def facts(self) -> list[tuple[str, str]]:
        return [(f"{grams} of classes", n) for grams, n in self.classes.facts()]

    def tensors(self) -> dict[str, NDArray[Any]]:
        return {
            "class_of": self.class_of,
            "share": self.share,
            "classes": self.classes.word_list.to_array(),
            **self.classes.tensors(),
        }


def read_classes(path: AnyPath) -> dict[bytes, bytes]:
    """Read a file written by `senna-py vectors cluster`.

    Returns:
        The name of the class of each word, by word. Both are UTF-8 bytes.

    Raises:
        SennaError: If the file is not valid. The message names the file and, if the
            file is not empty, the line.
    """
    classes: dict[bytes, bytes] = {}
    for number, (name, word, _) in enumerate(read_word_classes(path), 1):
        key = word.encode("utf-8", "surrogateescape")
        if key in classes:
            raise SennaError(f"{path}: line {number:,}: {word!r} has a class already")
        if name in SPECIAL:
            raise SennaError(
                f"{path}: line {number:,}: a class cannot be called {name}"
            )
        classes[key] = name.encode("utf-8", "surrogateescape")
    if not classes:
        raise SennaError(f"{path}: there are no classes in this file")
    return classes


def train_class_model(
    ids: NDArray[np.int32],
    held_out: NDArray[np.int32],
    order: int,
    word_list: WordList,
    classes: Mapping[bytes, bytes],
    note: Callable[[str], object] | None = None,
) -> ClassModel:
    """Train a class-based n-gram model.

    Words without a class are assigned to the class of `<unk>`. `<s>` and `</s>` are
    separate classes.

    Args:
        ids: int32[n], the training stream.
        held_out: int32[m], the validation stream, which determines the additive
            smoothing constant. The constant is 0.5 if the stream is empty.
        order: The order of the model.
        word_list: The words of the streams.
        classes: The class of each word, from `read_classes`.
        note: A callback for lines that are shown to the user, or None.

    Raises:
        SennaError: If there are too many n-grams for int32.
    """
    class_list, class_of = _assign(word_list, classes)
    model = train_kneser_ney(class_of[ids], order, class_list, note)
    count = np.bincount(ids, minlength=len(word_list))
    added, share = _ADDED, _shares(count, class_of, _ADDED)
    if len(held_out):
        choices = [_shares(count, class_of, choice) for choice in _CHOICES]
        best = int(np.argmax([choice[held_out].sum() for choice in choices]))
        added, share = float(_CHOICES[best]), choices[best]
    special = {name.encode() for name in SPECIAL}
    missing = len(word_list.index.keys() - classes.keys() - special)
    if note and missing > 0:
        note(
            f"{missing:,} of {len(word_list):,} words have no class: they are in the "
            "class of <unk>"
        )
    info = model.info | {"added to counts of words": round(added, 4)}
    return ClassModel(word_list, model, class_of, share, info)


def _shares(
    count: NDArray[np.int64], class_of: NDArray[np.int32], added: float
) -> NDArray[np.float32]:
    """Return the log10 probability of each word in its class: float32[n_words].

    Args:
        count: int64[n_words], the count of each word.
        class_of: int32[n_words], the class of each word.
        added: The additive smoothing constant.
    """
    total = np.bincount(class_of, count + added)
    return np.log10((count + added) / total[class_of]).astype(np.float32)


def _assign(
    word_list: WordList, classes: Mapping[bytes, bytes]
) -> tuple[WordList, NDArray[np.int32]]:
    """Return the list of classes that have words, and the class of each word.

    The class of each word is an index in the list: int32[n_words]. The class of `<unk>`
    is renamed to `<unk>`.
    """
    special = SPECIAL if word_list.marks else SPECIAL[:1]
    marks = {mark.encode() for mark in special} - {UNKNOWN.encode()}
    unknown = classes.get(UNKNOWN.encode())
    names: list[bytes] = []
    for word in word_list.index:
        name = word if word in marks else classes.get(word, unknown)
        is_unknown = name is None or name == unknown
        names.append(UNKNOWN.encode() if is_unknown or not name else name)
    others = sorted(set(names) - {name.encode() for name in special})
    ordered = chain(
        special, (name.decode("utf-8", "surrogateescape") for name in others)
    )
    class_list = WordList(list(ordered), "classes", word_list.marks)
    return class_list, class_list.indices(names)


def read_class_model(
    word_list: WordList, fields: Mapping[str, str], arrays: Arrays, info: dict[str, Any]
) -> ClassModel:
    """Create a class-based model from the contents of its file.

    Args:
        word_list: The vocabulary.
        fields: The metadata of the file.
        arrays: The arrays of the file.
        info: Facts about the training as JSON values.

    Raises:
        KeyError: If a field or an array is missing.
        SennaError: If a field or an array is not valid.
    """
    class_list = WordList.from_arrays(arrays, fields, "classes")
    classes = read_backoff(class_list, fields, arrays, {})
    class_of = arrays.take("class_of", np.int32, (len(word_list),))
    share = arrays.take_within("share", (len(word_list),), -np.inf, ROUNDING)
    if class_of.min() < 0 or class_of.max() >= len(class_list):
        raise SennaError("class_of: a word has a class that does not exist")
    marked = class_of == class_list.begin
    if word_list.marks and (marked.sum() != 1 or not marked[word_list.begin]):
        raise SennaError("class_of: <s> is not alone in its class")
    return ClassModel(word_list, classes, class_of, share, info)
