"""Classes of words, such as Brown clusters (Collobert et al. 2011, section 6.6).

A word is searched in its look-up form. The feature `class.NAME` is the class of the
word, and `class.NAME.N` is the first N characters of the class, as for the paths of a
hierarchical clustering.
"""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from senna_py.errors import SennaError
from senna_py.features.protocol import PADDING, Feature, ResourceKind
from senna_py.kernels.text.key_table import key_table
from senna_py.kernels.text.word_forms import find_spans
from senna_py.text.characters import fold_words
from senna_py.text.vocabulary import Vocabulary

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any

    from numpy.typing import NDArray

    from senna_py.features.protocol import Batch, Resource, TrainingTokens
    from senna_py.text.tokens import Tokens

    Ints = NDArray[np.int32]

_MISSING = "NOCLASS"
_TAB, _NEWLINE = ord("\t"), ord("\n")


class WordClasses:
    """The class of each listed word, ready for searching; threads may share it.

    Attributes:
        class_of: int32[n_words + 1], the class of each word; the last element is -1,
            for words that are not listed.
        names: The names of the classes.
        array: The bytes that a native model stores; see Resource.
    """

    def __init__(
        self, data: bytes | NDArray[np.uint8], name: object = "word classes"
    ) -> None:
        """Read the bytes that `class_lines` writes; messages contain `name`."""
        self.array, self._name = np.frombuffer(data, np.uint8), name
        data = bytes(data)
        if data and not data.endswith(b"\n"):
            data += b"\n"
        blob = np.frombuffer(data, np.uint8)
        end = np.flatnonzero((blob == _TAB) | (blob == _NEWLINE)).astype(np.int32)
        begin = np.append(np.int32(0), end + np.int32(1))[: len(end)]
        is_name = np.append(True, blob[end] == _NEWLINE)[: len(end)]
        self.names = [
            data[a:b].decode("utf-8", "surrogateescape")
            for a, b in zip(begin[is_name].tolist(), end[is_name].tolist(), strict=True)
        ]
        self.class_of = np.append(np.cumsum(is_name)[~is_name] - 1, -1).astype(np.int32)
        self._words = key_table(
            data, begin[~is_name], end[~is_name], self._duplicate_error
        )

    @property
    def n_words(self) -> int:
        """The number of listed words."""
        return len(self.class_of) - 1

    def find(self, tokens: Tokens) -> Ints:
        """Return the class of each token, or -1 for an unlisted word: int32[n_tokens].

        Raises:
            SennaError: If a word occurs twice in the list. The NumPy fallback does not
                check this.
        """
        return self.find_spans(tokens.folded, tokens.folded_begin, tokens.folded_end)

    def find_spans(self, text: NDArray[np.uint8], begin: Ints, end: Ints) -> Ints:
        """Return the class of each span of a text, or -1: int32[n].

        The text, uint8[n_bytes], has words in look-up form; begin and end are int32[n].
        """
        index = np.empty(len(begin), np.int32)
        find_spans(text, begin, end, self._words.get(), self.n_words, index)
        return self.class_of[index]

    def _duplicate_error(self, _: int, word: bytes) -> SennaError:
        text = word.decode("utf-8", "replace")
        return SennaError(f"{self._name}: the word {text!r} occurs twice")


def class_lines(
    rows: Iterable[tuple[str, str, int]], name: object = "word classes"
) -> bytes:
    """Write word classes: each line has a class and its words, separated by tabs.

    Words are written in look-up form. If several words have the same form but different
    classes, the class with most occurrences counts, or the first of equally frequent
    ones.

    Args:
        rows: The class, the word and the count of each entry.
        name: The name of the list in messages.

    Raises:
        SennaError: If a class looks like a key that every such feature has.
    """
    rows = list(rows)
    forms = fold_words([word for _, word, _ in rows])
    counts: dict[str, Counter[str]] = {}
    for form, (key, _, count) in zip(forms, rows, strict=True):
        counts.setdefault(form, Counter())[key] += count
    words: dict[str, list[str]] = {}
    for form, class_counts in counts.items():
        words.setdefault(class_counts.most_common(1)[0][0], []).append(form)
    for key in words:
        if key.startswith((PADDING, _MISSING)):
            raise SennaError(
                f"{name}: a class must not begin with {PADDING} or {_MISSING}: {key}"
            )
    lines = ("\t".join([key, *sorted(words[key])]) for key in sorted(words))
    return "".join(f"{line}\n" for line in lines).encode("utf-8", "surrogateescape")


class WordClassLists(ResourceKind):
    """Lists of word classes, which are read from files."""

    place = setting = "classes"
    settings = {"classes": {}}  # noqa: RUF012 - never changed
    expected = "a file"
    noun = "list of word classes"

    def read(self, settings: Mapping[str, Any], directory: Path) -> dict[str, Resource]:
        """Read the word classes that a configuration names (`io.class_files`)."""
        # Only training reads these files.
        from senna_py.io.class_files import read_word_classes  # noqa: PLC0415

        resources: dict[str, Resource] = {}
        for name, file in settings[self.setting].items():
            path = Path(directory) / file
            resources[name] = WordClasses(class_lines(read_word_classes(path), path))
        return resources

    def from_array(self, array: NDArray[np.uint8], name: str) -> Resource:
        return WordClasses(array, name)

    def describe(self, resource: Any) -> dict[str, int]:
        return {"classes": len(resource.names), "words": resource.n_words}

    def lines(self, descriptions: dict[str, Any]) -> list[str]:
        return [
            f"word classes {name}: {n['classes']:,} of {n['words']:,} words"
            for name, n in descriptions.items()
        ]


class WordClass(Feature):
    """`class.NAME` and `class.NAME.N`, which look each token up once per list."""

    pattern = re.compile(
        r"class\.(?P<resource>[A-Za-z0-9_-]+)(?:\.(?P<length>[1-9][0-9]?))?"
    )
    begins = "class."
    resource_kind = WordClassLists()

    def _values(self, classes: WordClasses) -> list[str]:
        """Return the value of the feature for each class."""
        return [key[: self.length].strip(" \v\f\r") for key in classes.names]

    def vocabulary(self, training: TrainingTokens) -> Vocabulary:
        word_classes: Any = training.resource
        values, counts = self._values(word_classes), Counter[str]()
        index = word_classes.find(training.tokens)
        occurrences = np.bincount(index[index >= 0], minlength=len(values)).tolist()
        for value, count in zip(values, occurrences, strict=True):
            counts[value] += count
        least = max(training.min_count, 1)
        keys = sorted(value for value, n in counts.items() if n >= least)
        return Vocabulary.from_keys([PADDING, _MISSING, *keys], self.name)

    def column(self, vocabulary: Any, resource: Any) -> Callable[[Batch], Ints]:
        key_index = {key: index for index, key in enumerate(vocabulary.keys())}
        missing = vocabulary.position(_MISSING)
        indices = [key_index.get(value, missing) for value in self._values(resource)]
        # A word that is not listed has the class -1, and so the last element.
        key_of = np.array([*indices, missing], np.int32)

        def classes(batch: Batch) -> Ints:
            return resource.find(batch.tokens)

        return lambda batch: key_of[batch.once(resource, classes)]
