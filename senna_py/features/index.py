"""Discrete features: what a network sees of a token beside its word (section 3.2.1).

| name             | value                                                  | keys besides        |
|------------------|--------------------------------------------------------|---------------------|
| `word`           | the token's place in the dictionary                    |                     |
| `caps`           | `allcaps`, `hascap`, `initcap` or `nocaps`             |                     |
| `sentence.caps`  | `few`, `lower`, `mixed`, `title` or `upper`            |                     |
| `suffix`         | the last two characters, or one, in lower case         | `NOSUFFIX`          |
| `suffix.N`       | the last N characters, if it has as many               | `NOSUFFIX`          |
| `prefix.N`       | the first N characters                                 | `NOPREFIX`          |
| `shape`          | kinds of characters, see `kernels.word_forms`          | `UNKNOWN`           |
| `gazetteer.NAME` | `NO` and `YES`, or the places `O B I E S` in a phrase  |                     |
| `class.NAME`     | the word's class in a list, see `word_class`         | `NOCLASS`           |
| `class.NAME.N`   | the first N characters of the class                    | `NOCLASS`           |
| `spelling.NAME`  | a vector computed from a new word, see `spelling`      | none, not PADDING  |

Every table has the key `PADDING` too, for what is outside a sentence. Any other name is that of
a network, whose predicted label is the feature. Features are called with Tokens and return
int32[n_tokens], indices into their vocabulary, or for new words with NewWords.
"""

import re
from collections import Counter

import numpy as np

from senna_py.errors import SennaError
from senna_py.features.spelling import SpelledWords, spelling_feature
from senna_py.features.word_class import ClassFeatures, class_feature
from senna_py.kernels import gazetteer as gazetteer_kernels
from senna_py.kernels import text as kernels
from senna_py.kernels.word_forms import (
    SHAPE_LENGTH,
    affix_spans,
    find_spans,
    sentence_caps,
    word_shapes,
)
from senna_py.text.characters import KIND, LOWER
from senna_py.text.vocabulary import Vocabulary

__all__ = [
    "CAPS_KEYS",
    "GAZETTEER_KEYS",
    "PLACE_KEYS",
    "Caps",
    "Gazetteers",
    "Spans",
    "feature_makers",
    "feature_vocabulary",
    "is_token_feature",
]

CAPS_KEYS = ("PADDING", "allcaps", "hascap", "initcap", "nocaps")
SENTENCE_CAPS_KEYS = ("PADDING", "few", "lower", "mixed", "title", "upper")
GAZETTEER_KEYS = ("NO", "PADDING", "UNAVAILABLE", "YES")
PLACE_KEYS = ("O", "B", "I", "E", "S", "PADDING")
_GAZETTEER = "gazetteer."
_AFFIX = re.compile(r"(suffix|prefix)\.([1-9][0-9]?)")
_MISSING = {"suffix": "NOSUFFIX", "prefix": "NOPREFIX", "shape": "UNKNOWN"}


def is_token_feature(name):
    """Whether a feature comes from the tokens alone, else it is what a network predicts.

    Raises SennaError if `name` begins like one of these but means nothing.
    """
    kind, dot, rest = name.partition(".")
    if (kind == "gazetteer" and rest) or class_feature(name) or spelling_feature(name):
        return True
    if kind in _MISSING and dot and not _AFFIX.fullmatch(name):
        raise SennaError(f"no such feature: {name!r}")
    return name in ("word", "caps", "sentence.caps", "shape", "suffix") or (
        bool(dot) and kind in _MISSING
    )


def feature_makers(names, vocabulary_of, gazetteer_of, classes_of, spelling_of=None):
    """How to compute each of the features `names` that comes from the tokens alone.

    vocabulary_of: function from a feature's name to its Vocabulary; gazetteer_of: from the NAME
    of a gazetteer to a Gazetteer; classes_of: from the NAME of word classes to WordClasses;
    spelling_of: from the NAME of a spelling to a Spelling. Returns
    a dict from a feature's name to a function from Tokens to a dict of int32[n_tokens], or
    NewWords, by name: with one gazetteer come the others. Raises SennaError if a vocabulary lacks a
    key.
    """
    makers = {}
    lists = [name for name in names if name.startswith(_GAZETTEER)]
    if lists:
        gazetteers = Gazetteers(
            [(vocabulary_of(name), gazetteer_of(name.removeprefix(_GAZETTEER))) for name in lists]
        )
        for name in lists:
            makers[name] = lambda tokens: dict(zip(lists, gazetteers(tokens), strict=True))
    for source, features in _by_classes(names).items():
        make = ClassFeatures({name: vocabulary_of(name) for name in features}, classes_of(source))
        makers |= dict.fromkeys(features, make)
    for name in filter(spelling_feature, names):
        unknown = vocabulary_of("word").position("UNKNOWN")
        makers[name] = _alone(name, SpelledWords(spelling_of(spelling_feature(name)), unknown))
    for name in names:
        if name not in makers and is_token_feature(name):
            makers[name] = _alone(name, _make(name, vocabulary_of))
    return makers


def _by_classes(names):
    """The features that are word classes, by the NAME of these: a dict of lists."""
    found = {}
    for name in names:
        if source := class_feature(name):
            found.setdefault(source[0], []).append(name)
    return found


def _alone(name, make):
    return lambda tokens: {name: make(tokens)}


def _make(name, vocabulary_of):
    if name == "word":
        return lambda tokens: tokens.word
    if name == "caps":
        return Caps(vocabulary_of(name))
    if name == "sentence.caps":
        return SentenceCaps(vocabulary_of(name))
    return Spans(name, vocabulary_of(name))


def feature_vocabulary(name, tokens, min_count=1):
    """Vocabulary of a feature: its fixed keys and the values that Tokens have at least so often.

    name: any but `word`, word classes and what a network predicts.
    """
    if name == "caps":
        return Vocabulary.from_keys(CAPS_KEYS, name)
    if name == "sentence.caps":
        return Vocabulary.from_keys(SENTENCE_CAPS_KEYS, name)
    if name.startswith(_GAZETTEER):
        return Vocabulary.from_keys(GAZETTEER_KEYS, name)
    text, begin, end = _spans(name, tokens)
    text = text.tobytes()
    spans = Counter(text[a:b] for a, b in zip(begin.tolist(), end.tolist(), strict=True))
    # A key is a line without blanks around it, and must not be taken for a fixed one.
    found = (key for key, n in spans.items() if n >= min_count and key and key == key.strip())
    keys = {key for key in found if b"\n" not in key} | {b"PADDING", _missing(name).encode()}
    return Vocabulary(b"".join(key + b"\n" for key in sorted(keys)), name)


class Caps:
    """Capitalisation: `allcaps`, `hascap`, `initcap` or `nocaps`."""

    def __init__(self, vocabulary):
        """Take the Vocabulary with those keys."""
        keys = ("allcaps", "hascap", "initcap", "nocaps")
        self._keys = np.array([vocabulary.position(key) for key in keys], np.int32)

    def __call__(self, tokens):
        """Feature of each token: int32[n_tokens]."""
        out = np.empty(len(tokens), np.int32)
        kernels.caps_feature(tokens.kind, tokens.folded_begin, tokens.folded_end, self._keys, out)
        return out


class SentenceCaps:
    """How much of its sentence is capitalised; see `kernels.word_forms.sentence_caps`."""

    def __init__(self, vocabulary):
        """Take the Vocabulary with the keys `few`, `lower`, `mixed`, `title` and `upper`."""
        self._keys = _positions(vocabulary, *SENTENCE_CAPS_KEYS[1:])

    def __call__(self, tokens):
        """Feature of each token: int32[n_tokens]."""
        out = np.empty(len(tokens), np.int32)
        sentence_caps(
            tokens.kind, tokens.folded_begin, tokens.folded_end, tokens.starts, self._keys, out
        )
        return out


class Spans:
    """A part of the word, or its shape: `suffix`, `suffix.N`, `prefix.N` or `shape`."""

    def __init__(self, name, vocabulary):
        """Take the feature's name and its searchable Vocabulary, with the key for all others."""
        self._name, self._keys = name, vocabulary
        self._missing = vocabulary.position(_missing(name))

    def __call__(self, tokens):
        """Feature of each token: int32[n_tokens]."""
        out = np.empty(len(tokens), np.int32)
        find_spans(*_spans(self._name, tokens), self._keys.table, self._missing, out)
        return out


def _missing(name):
    return _MISSING[name.partition(".")[0]]


def _spans(name, tokens):
    """What a feature reads of each token: text, uint8; begin and end in it, int32[n_tokens]."""
    begin, end = np.empty(len(tokens), np.int32), np.empty(len(tokens), np.int32)
    if name == "shape":
        shapes = np.empty(SHAPE_LENGTH * len(tokens), np.uint8)
        word_shapes(tokens.raw, tokens.begin, tokens.end, KIND, shapes, begin, end)
        return shapes, begin, end
    kind, _, length = name.partition(".")
    affix_spans(
        tokens.kind, tokens.folded_begin, tokens.folded_end,
        int(length or 2), kind == "suffix", not length, begin, end,
    )  # fmt: skip
    return tokens.folded, begin, end


class Gazetteers:
    """Whether, or where, a token is in a listed phrase, for each of several lists."""

    def __init__(self, lists):
        """Take pairs of a Vocabulary and a Gazetteer.

        The Vocabulary has `NO` and `YES` for tokens of any listed phrase, or `O`, `B`, `I`, `E`
        and `S` for their place in the longest.
        """
        self._lists = [
            (_positions(vocabulary, *("OBIES" if "B" in vocabulary else ("NO", "YES"))), listed)
            for vocabulary, listed in lists
        ]

    def __call__(self, tokens):
        """Features of each token, one per list: a list of int32[n_tokens]."""
        size = 2 * len(tokens.data) + len(tokens) + 1
        joined, kind = np.empty(size, np.uint8), np.empty(size, np.uint8)
        first, last = np.empty(len(tokens), np.int32), np.empty(len(tokens), np.int32)
        gazetteer_kernels.join_tokens(
            tokens.raw, tokens.begin, tokens.end, KIND, LOWER,
            joined, kind, np.empty(size, np.int32), first, last,
        )  # fmt: skip
        columns = []
        for keys, gazetteer in self._lists:
            out = np.empty(len(tokens), np.int32)
            given = joined, first, last, tokens.starts, *gazetteer.tables
            if len(keys) == 2:
                gazetteer_kernels.gazetteer_feature(*given, int(keys[0]), int(keys[1]), out)
            else:
                longest = np.empty(len(tokens), np.int32)
                gazetteer_kernels.gazetteer_places(*given, keys, longest, out)
            columns.append(out)
        return columns


def _positions(vocabulary, *keys):
    return np.array([vocabulary.position(key) for key in keys], np.int32)
