"""Word classes, such as Brown clusters, as features (Collobert et al. 2011, 6.6).

The feature `class.NAME` is the class of a word, and `class.NAME.N` is the prefix of N
characters of the class, such as a part of a path in a hierarchical clustering. Words
are looked up in their look-up form.
"""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from senna_py.errors import SennaError
from senna_py.features.protocol import PADDING, Feature, ResourceType
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
    """A searchable table of words and their classes; several threads may share it.

    Attributes:
        class_of: int32[n_words + 1], the class index of each word. The last element is
            -1, for words that are not listed.
        names: The names of the classes.
        array: uint8[n_bytes], the bytes of the table in a native model; see Resource.
    """

    def __init__(
        self, data: bytes | NDArray[np.uint8], name: object = "word classes"
    ) -> None:
        """Parse the bytes that `class_lines` returns; messages contain `name`."""
        self.array = blob = np.frombuffer(data, np.uint8)
        self._name = name
        if len(blob) and blob[-1] != _NEWLINE:
            blob = np.append(blob, np.uint8(_NEWLINE))
        end = np.flatnonzero((blob == _TAB) | (blob == _NEWLINE)).astype(np.int32)
        begin = np.append(np.int32(0), end + np.int32(1))[: len(end)]
        is_name = np.append(True, blob[end] == _NEWLINE)[: len(end)]
        self.names = [
            blob[a:b].tobytes().decode("utf-8", "surrogateescape")
            for a, b in zip(begin[is_name].tolist(), end[is_name].tolist(), strict=True)
        ]
        self.class_of = np.append(np.cumsum(is_name)[~is_name] - 1, -1).astype(np.int32)
        self._words = key_table(
            blob.data.toreadonly(),
            begin[~is_name],
            end[~is_name],
            self._duplicate_error,
        )

    @property
    def n_words(self) -> int:
        """The number of listed words."""
        return len(self.class_of) - 1

    def find(self, tokens: Tokens) -> Ints:
        """Return the class index of each token: int32[n_tokens].

        The index is -1 if the word is not listed.

        Raises:
            SennaError: If a word occurs twice in the list. The NumPy fallback does not
                check this.
        """
        return self.find_spans(tokens.folded, tokens.folded_begin, tokens.folded_end)

    def find_spans(self, text: NDArray[np.uint8], begin: Ints, end: Ints) -> Ints:
        """Return the class index of each word in a text: int32[n].

        The index is -1 if the word is not listed.

        Args:
            text: uint8[n_bytes], words in look-up form.
            begin: int32[n], the offset of each word.
            end: int32[n], the offset of each word's end.

        Raises:
            SennaError: See `find`.
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
    """Return word classes as bytes: per line, a class and its words, separated by tabs.

    Words are written in look-up form. If words with the same form have different
    classes, the form gets the class with the most occurrences; ties are resolved in
    favor of the earlier class.

    Args:
        rows: The class, the word and the count of each entry.
        name: The name of the list in messages.

    Raises:
        SennaError: If the name of a class begins with PADDING or NOCLASS.
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


class WordClassLists(ResourceType):
    """Lists of word classes as a type of resource; each list is read from one file."""

    place = setting = "classes"
    settings = {"classes": {}}  # noqa: RUF012 - never changed
    expected = "a file"
    noun = "list of word classes"

    def read(self, settings: Mapping[str, Any], directory: Path) -> dict[str, Resource]:
        """Read the files of word classes that a configuration names.

        `io.class_files` describes their format.

        Raises:
            SennaError: If a file cannot be read, or the name of a class is reserved;
                see `class_lines`.
        """
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
    """The features `class.NAME` and `class.NAME.N`, a word's class or its prefix.

    The prefix consists of the first N characters of the name of the class. Tokens are
    looked up only once for all features that share a list.
    """

    pattern = re.compile(
        r"class\.(?P<resource>[A-Za-z0-9_-]+)(?:\.(?P<length>[1-9][0-9]?))?"
    )
    begins = "class."
    resource_type = WordClassLists()
    of_form = True

    def _values(self, classes: WordClasses) -> list[str]:
        """Return the value of the feature for each class, in the order of `names`."""
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
        # The class index of an unlisted word is -1, which selects the last element.
        key_of = np.array([*indices, missing], np.int32)

        def classes(batch: Batch) -> Ints:
            return resource.find(batch.tokens)

        return lambda batch: key_of[batch.once(resource, classes)]
