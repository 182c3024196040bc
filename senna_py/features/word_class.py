"""Classes of words, such as Brown clusters, as features of tokens (Collobert et al., section 6.6).

A word is looked up in the form that dictionaries are asked about. `class.NAME` is its class,
`class.NAME.N` the first N characters of it, as for the paths of a hierarchical clustering.
"""

import re
from collections import Counter

import numpy as np

from senna_py.errors import SennaError
from senna_py.kernels.cold_start.key_table import KeyTable
from senna_py.kernels.word_forms import find_spans
from senna_py.text.folding import fold_words
from senna_py.text.vocabulary import Vocabulary

__all__ = [
    "ClassFeatures",
    "WordClasses",
    "class_feature",
    "class_lines",
    "class_vocabulary",
]

_NAME = re.compile(r"class\.([A-Za-z0-9_-]+)(?:\.([1-9][0-9]?))?")
_PADDING, _MISSING = "PADDING", "NOCLASS"
_TAB, _NEWLINE = ord("\t"), ord("\n")


def class_feature(name):
    """The NAME of the classes behind a feature, and how many characters of them: str, int or None.

    Returns None for a feature of another kind; raises SennaError if `name` begins like one of
    these but means nothing.
    """
    if not name.startswith("class."):
        return None
    match = _NAME.fullmatch(name)
    if not match:
        raise SennaError(f"no such feature: {name!r}")
    return match[1], int(match[2]) if match[2] else None


class WordClasses:
    """The class of each listed word, ready to be searched; shared by threads.

    class_of: int32[n_words + 1], the class of each word, and -1 at the end for words that are not
    listed; names: list of str, the classes.
    """

    def __init__(self, data, name="word classes"):
        """Take bytes as `class_lines` makes them; `name` stands in error messages."""
        data, self._name = bytes(data).removesuffix(b"\n") + b"\n" * bool(len(data)), name
        blob = np.frombuffer(data, np.uint8)
        end = np.flatnonzero((blob == _TAB) | (blob == _NEWLINE)).astype(np.int32)
        begin = np.append(np.int32(0), end + np.int32(1))[: len(end)]
        is_name = np.append(True, blob[end] == _NEWLINE)[: len(end)]
        self.names = [
            data[a:b].decode("utf-8", "surrogateescape")
            for a, b in zip(begin[is_name].tolist(), end[is_name].tolist(), strict=True)
        ]
        self.class_of = np.append(np.cumsum(is_name)[~is_name] - 1, -1).astype(np.int32)
        self._words = KeyTable(data, begin[~is_name], end[~is_name])

    @property
    def n_words(self):
        """Number of listed words."""
        return len(self.class_of) - 1

    def find(self, tokens):
        """Class of each token, -1 if its word is not listed: int32[n_tokens].

        Raises SennaError if a word occurs twice in the list, which the plain way does not notice.
        """
        words, index = self._words.searched(self._twice), np.empty(len(tokens), np.int32)
        find_spans(
            tokens.folded, tokens.folded_begin, tokens.folded_end, words, self.n_words, index
        )
        return self.class_of[index]

    def _twice(self, _, word):
        word = word.decode("utf-8", "replace")
        return SennaError(f"{self._name}: the word {word!r} occurs twice")


def class_lines(rows, name="word classes"):
    """Bytes of an iterable of (class, word, count): a line a class, with its words, tabs between.

    Words become look-up forms. Of the classes of one form, that with most of its occurrences
    counts; of several such, the one that comes first. Raises SennaError, naming `name`, for a class
    that would be taken for a key that every such feature has.
    """
    rows = list(rows)
    forms, counts = fold_words([word for _, word, _ in rows]), {}
    for form, (key, _, count) in zip(forms, rows, strict=True):
        counts.setdefault(form, Counter())[key] += count
    words = {}
    for form, found in counts.items():
        words.setdefault(found.most_common(1)[0][0], []).append(form)
    for key in words:
        if key.startswith((_PADDING, _MISSING)):
            raise SennaError(f"{name}: a class must not begin with {_PADDING} or {_MISSING}: {key}")
    lines = ("\t".join([key, *sorted(words[key])]) for key in sorted(words))
    return "".join(f"{line}\n" for line in lines).encode("utf-8", "surrogateescape")


def class_vocabulary(name, classes, tokens, min_count=1):
    """Vocabulary of a feature: the values that Tokens have at least so often, and the fixed keys.

    classes: WordClasses.
    """
    values = _values(name, classes.names)
    found = classes.find(tokens)
    counts = Counter()
    for index, count in enumerate(np.bincount(found[found >= 0], minlength=len(values)).tolist()):
        counts[values[index]] += count
    keys = sorted(value for value, count in counts.items() if count >= max(min_count, 1))
    return Vocabulary.from_keys([_PADDING, _MISSING, *keys], name)


def _values(name, classes):
    """What a feature is for each class, a list of str."""
    _, length = class_feature(name)
    return [key[:length].strip(" \v\f\r") for key in classes]


class ClassFeatures:
    """Several features of the same classes: each token is looked up once."""

    def __init__(self, vocabularies, classes):
        """Take the Vocabulary of each feature by its name, and WordClasses."""
        self._classes = classes
        self._columns = {}
        for name, vocabulary in vocabularies.items():
            known = {key: index for index, key in enumerate(vocabulary.keys())}
            missing = vocabulary.position(_MISSING)
            values = _values(name, classes.names)
            # What is not listed has the class -1, the last.
            self._columns[name] = np.array([*(known.get(v, missing) for v in values), missing])

    def __call__(self, tokens):
        """Features of each token: a dict of int32[n_tokens] by name."""
        found = self._classes.find(tokens)
        return {name: column.astype(np.int32)[found] for name, column in self._columns.items()}
