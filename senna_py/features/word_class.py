"""Classes of words, such as Brown clusters, as features of tokens (Collobert et al.,
section 6.6).

A word is looked up in the form that dictionaries are asked about. `class.NAME` is its
class, `class.NAME.N` the first N characters of it, as for the paths of a hierarchical
clustering.
"""

import re
from collections import Counter
from pathlib import Path

import numpy as np

from senna_py.errors import SennaError
from senna_py.features.protocol import PADDING, Feature, ResourceKind
from senna_py.kernels.text.key_table import key_table
from senna_py.kernels.text.word_forms import find_spans
from senna_py.text.characters import fold_words
from senna_py.text.vocabulary import Vocabulary

_MISSING = "NOCLASS"
_TAB, _NEWLINE = ord("\t"), ord("\n")


class WordClasses:
    """The class of each listed word, ready to be searched; shared by threads.

    class_of: int32[n_words + 1], the class of each word, and -1 at the end for words
    that are not listed; names: list of str, the classes; array: the bytes, see
    Resource.
    """

    def __init__(self, data, name="word classes"):
        """Read bytes as `class_lines` writes them; `name` is used in messages."""
        self.array, self._name = np.frombuffer(data, np.uint8), name
        data = bytes(data).removesuffix(b"\n") + b"\n" * bool(len(data))
        blob = np.frombuffer(data, np.uint8)
        end = np.flatnonzero((blob == _TAB) | (blob == _NEWLINE)).astype(np.int32)
        begin = np.append(np.int32(0), end + np.int32(1))[: len(end)]
        is_name = np.append(True, blob[end] == _NEWLINE)[: len(end)]
        self.names = [
            data[a:b].decode("utf-8", "surrogateescape")
            for a, b in zip(begin[is_name].tolist(), end[is_name].tolist(), strict=True)
        ]
        self.class_of = np.append(np.cumsum(is_name)[~is_name] - 1, -1).astype(np.int32)
        self._words = key_table(data, begin[~is_name], end[~is_name], self._twice)

    @property
    def n_words(self):
        """Number of listed words."""
        return len(self.class_of) - 1

    def find(self, tokens):
        """Class of each token, -1 if its word is not listed: int32[n_tokens].

        Raises SennaError if a word occurs twice in the list, which the fallback does
        not notice.
        """
        return self.find_spans(tokens.folded, tokens.folded_begin, tokens.folded_end)

    def find_spans(self, text, begin, end):
        """The same for spans of a text in look-up forms: uint8; begin, end:
        int32[n].
        """
        index = np.empty(len(begin), np.int32)
        find_spans(text, begin, end, self._words.get(), self.n_words, index)
        return self.class_of[index]

    def _twice(self, _, word):
        word = word.decode("utf-8", "replace")
        return SennaError(f"{self._name}: the word {word!r} occurs twice")


def class_lines(rows, name="word classes"):
    """Bytes of an iterable of (class, word, count): a line a class, with its words,
    tabs between.

    Words become look-up forms. Of the classes of one form, that with most of its
    occurrences counts; of several such, the one that comes first. Raises SennaError,
    naming `name`, for a class that would be taken for a key that every such feature
    has.
    """
    rows = list(rows)
    forms, counts = fold_words([word for _, word, _ in rows]), {}
    for form, (key, _, count) in zip(forms, rows, strict=True):
        counts.setdefault(form, Counter())[key] += count
    words = {}
    for form, found in counts.items():
        words.setdefault(found.most_common(1)[0][0], []).append(form)
    for key in words:
        if key.startswith((PADDING, _MISSING)):
            raise SennaError(
                f"{name}: a class must not begin with {PADDING} or {_MISSING}: {key}"
            )
    lines = ("\t".join([key, *sorted(words[key])]) for key in sorted(words))
    return "".join(f"{line}\n" for line in lines).encode("utf-8", "surrogateescape")


class _Lists(ResourceKind):
    place = setting = "classes"
    settings = {"classes": {}}  # noqa: RUF012 - never changed
    expected = "a file"
    noun = "list of word classes"

    def read(self, settings, directory):
        """Word classes of files as `io.class_files` reads them, by their names."""
        from senna_py.io.class_files import read_word_classes  # noqa: PLC0415 - to train only

        found = {}
        for name, file in settings[self.setting].items():
            path = Path(directory) / file
            found[name] = WordClasses(class_lines(read_word_classes(path), path))
        return found

    def from_array(self, array, name):
        return WordClasses(array, name)

    def describe(self, resource):
        return {"classes": len(resource.names), "words": resource.n_words}

    def lines(self, found):
        return [
            f"word classes {name}: {n['classes']:,} of {n['words']:,} words"
            for name, n in found.items()
        ]


class WordClass(Feature):
    """`class.NAME` and `class.NAME.N`; each token is looked up once for all of one
    list.
    """

    pattern = re.compile(
        r"class\.(?P<resource>[A-Za-z0-9_-]+)(?:\.(?P<length>[1-9][0-9]?))?"
    )
    begins = "class."
    resource_kind = _Lists()

    def _values(self, classes):
        """Return the feature's value for each class, a list of str."""
        return [key[: self.length].strip(" \v\f\r") for key in classes.names]

    def vocabulary(self, given):
        values, counts = self._values(given.resource), Counter()
        found = given.resource.find(given.tokens)
        occurrences = np.bincount(found[found >= 0], minlength=len(values)).tolist()
        for value, count in zip(values, occurrences, strict=True):
            counts[value] += count
        keys = sorted(
            value for value, n in counts.items() if n >= max(given.min_count, 1)
        )
        return Vocabulary.from_keys([PADDING, _MISSING, *keys], self.name)

    def column(self, vocabulary, resource):
        known = {key: index for index, key in enumerate(vocabulary.keys())}
        missing = vocabulary.position(_MISSING)
        indices = [known.get(value, missing) for value in self._values(resource)]
        key_of = np.array(
            [*indices, missing], np.int32
        )  # what is not listed has the class -1

        def classes(batch):
            return resource.find(batch.tokens)

        return lambda batch: key_of[batch.once(resource, classes)]
