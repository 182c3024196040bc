"""Classes of the rows of networks, which the rules of `labels.constraints` refer to."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from senna_py.kernels.text.tokens import LOWER, UPPER
from senna_py.kernels.text.word_forms import SHAPE_LENGTH, word_shapes
from senna_py.labels.constraints import RowClass
from senna_py.labels.english_rules import LIKE_NAMES, PLURAL, VERBS, WORDS
from senna_py.labels.tasks import POS
from senna_py.text.characters import KIND

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from senna_py.features.protocol import Batch
    from senna_py.features.word_class import WordClasses
    from senna_py.networks.batch import WordBatch
    from senna_py.text.tokens import Tokens

    Ints = NDArray[np.integer]

SMALL, CAPITAL, DIGITS, TWO, TIME, ADDRESS, NOUN = (1 << bit for bit in range(7))
"""The bits of `form_properties`."""

_LETTER, _DIGIT = 1, 2
_SYMBOLS = np.zeros(256, np.uint8)  # the symbol of each character of a shape
_SYMBOLS[list(b"Aax")], _SYMBOLS[ord("0")] = _LETTER, _DIGIT


@cache
def _pattern(name: str) -> re.Pattern[bytes]:
    """Return a pattern of WORDS; only the pattern for times ignores case."""
    flags = re.IGNORECASE if name == "time" else 0
    return re.compile(WORDS[name].encode("ascii"), flags)


@cache
def _plural_endings() -> list[tuple[re.Pattern[bytes], bytes]]:
    return [
        (re.compile(ending.encode("ascii")), plural.encode("ascii"))
        for ending, plural in PLURAL
    ]


def form_properties(tokens: Tokens, casing: WordClasses | None = None) -> Ints:
    """Return what `word_classes` asks of the form of each word: int32[n_tokens].

    The result is a sum of bits: SMALL and CAPITAL, the case of the first letter;
    DIGITS, a word with digits and without letters; TWO, the number *2*; TIME, *3am* or
    *10:30am*; ADDRESS, a mention or a hashtag (*@anna*, *#fun*); and NOUN, a word in
    lower case that `casing` lists as capitalized or not at all, though it lists its
    plural (*fox*, but not *firefox*).

    Args:
        tokens: The words.
        casing: The usual case of words; without it, no word is a NOUN.
    """
    raw, letter = tokens.raw, tokens.kind[tokens.folded_begin]
    small, capital = (letter & LOWER) != 0, (letter & UPPER) != 0
    properties = SMALL * small.astype(np.int32) + CAPITAL * capital
    rows = np.flatnonzero(~small & ~capital)
    symbols, first = _symbols_of(tokens, rows), raw[tokens.begin[rows]]
    is_number = symbols == _DIGIT
    properties[rows[is_number]] += DIGITS
    is_two = (first == ord("2")) & ((tokens.end - tokens.begin)[rows] == 1)
    properties[rows[is_number & is_two]] += TWO
    times, addresses = symbols == _LETTER | _DIGIT, np.isin(first, [*b"@#"])
    properties[_fitting(tokens, rows[times], "time")] += TIME
    properties[_fitting(tokens, rows[addresses], "address")] += ADDRESS
    if casing is not None:
        is_like = np.isin([*casing.names, ""], LIKE_NAMES)[casing.find(tokens)]
        candidates = np.flatnonzero(small & is_like)
        properties[_with_known_plural(tokens, candidates, casing)] += NOUN
    return properties


def word_classes(tokens: Tokens, properties: Ints) -> NDArray[np.int8]:
    """Return the class of each word of a batch: int8[n_tokens].

    NUMBER: A word with digits and without letters.
    TWO: The number *2*, except in a sentence that begins with a capital and ends with a
    period.
    COUNT: A number that begins its sentence, before a word in lower case.
    TIME, ADDRESS: See `form_properties`.
    COMMON: Probably a common noun: a NOUN in a sentence that begins with a capital, if
    the next word does not.
    OTHER: All other words.

    Args:
        tokens: The words.
        properties: The result of `form_properties`.
    """
    first, last = tokens.starts[:-1], tokens.starts[1:] - 1
    has_period = np.repeat(tokens.raw[tokens.begin[last]] == ord("."), last + 1 - first)
    begins = _begins_with_capital(tokens, (properties & CAPITAL) != 0)
    classes = np.full(len(tokens), RowClass.OTHER, np.int8)
    classes[(properties & DIGITS) != 0] = RowClass.NUMBER
    classes[((properties & TWO) != 0) & ~(begins & has_period)] = RowClass.TWO
    second = np.minimum(first + 1, last)
    is_small = (properties[second] & SMALL) != 0
    classes[first[(classes[first] != RowClass.OTHER) & is_small]] = RowClass.COUNT
    classes[(properties & TIME) != 0] = RowClass.TIME
    classes[(properties & ADDRESS) != 0] = RowClass.ADDRESS
    before_capital = np.append((properties[1:] & CAPITAL) != 0, False)
    before_capital[last] = False
    is_noun = (properties & NOUN) != 0
    classes[is_noun & begins & ~before_capital[: len(tokens)]] = RowClass.COMMON
    return classes


def _begins_with_capital(
    tokens: Tokens, capital: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Return whether each token's sentence begins with a capital: bool[n_tokens].

    This may be the first or the second token, because a quote may precede the word.
    """
    first, last = tokens.starts[:-1], tokens.starts[1:] - 1
    begins = capital[first] | capital[np.minimum(first + 1, last)]
    return np.repeat(begins, last + 1 - first)


def _symbols_of(tokens: Tokens, rows: Ints) -> NDArray[np.uint8]:
    """Return whether words have letters (1), digits (2) or both (3): uint8[n_rows]."""
    shapes = np.zeros((len(rows), SHAPE_LENGTH), np.uint8)
    bounds = np.empty((2, len(rows)), np.int32)
    begin, end = tokens.begin[rows], tokens.end[rows]
    word_shapes(tokens.raw, begin, end, KIND, shapes.reshape(-1), *bounds)
    symbols: NDArray[np.uint8] = np.bitwise_or.reduce(_SYMBOLS[shapes], axis=1)
    return symbols


def _fitting(tokens: Tokens, rows: Ints, name: str) -> list[int]:
    """Return the rows whose words match a pattern of WORDS completely."""
    pattern = _pattern(name)
    words = zip(rows.tolist(), tokens.texts(rows), strict=True)
    return [row for row, word in words if pattern.fullmatch(word)]


def _with_known_plural(tokens: Tokens, rows: Ints, casing: WordClasses) -> Ints:
    plurals = [_plural(word) for word in tokens.texts(rows)]
    end = np.cumsum([0, *map(len, plurals)], dtype=np.int32)
    text = np.frombuffer(b"".join(plurals), np.uint8)
    return rows[casing.find_spans(text, end[:-1], end[1:]) >= 0]


def _plural(noun: bytes) -> bytes:
    """Return the plural of a word, or an empty string if it cannot be a common noun."""
    if _pattern("no_plural").search(noun) or not _pattern("common").fullmatch(noun):
        return b""
    for ending, plural in _plural_endings():
        if ending.search(noun):
            return ending.sub(plural, noun, count=1)
    return b""


def role_classes(
    words: WordBatch, batch: Batch, labels: Sequence[str]
) -> NDArray[np.int8]:
    """Return the class of each pair of a word and a predicate: int8[n_rows].

    A word is far from a predicate if the last finite verb up to and including the
    predicate, together with the adverbs before that verb, is after the word. A negation
    or a modal there belongs to another verb (*does not eat meat and prefers fish*, but
    *never smokes or drinks*). The class of a far word is FAR_NEVER if it is *never*,
    FAR_FROM_FINITE if the tag of the predicate excludes a modal (*will stay and likes
    it*), and FAR otherwise. Words that are not far are OTHER.

    Args:
        words: The rows of the network, grouped by predicate.
        batch: The batch, with a layer of Penn Treebank tags.
        labels: The names of these tags.
    """
    tokens, tags = batch.tokens, batch.layers[POS].label
    if not len(words.predicate):  # there may be no tokens, either
        return np.zeros(0, np.int8)
    verbs = {name: np.isin(labels, known) for name, known in VERBS.items()}
    group = _verb_groups(tokens, verbs["finite"][tags], verbs["adverb"][tags])
    near = np.maximum.accumulate(group)[words.predicate]
    n_far = np.maximum(near - words.starts[words.sentence], 0)
    far, begin = np.zeros(words.begin[-1] + 1, np.int8), words.begin[:-1]
    has_no_modal = verbs["without_modal"][tags[words.predicate]]
    classes = np.where(has_no_modal, RowClass.FAR_FROM_FINITE, RowClass.FAR)
    far[begin] = classes
    far[begin + n_far] -= classes.astype(np.int8)
    rows = np.cumsum(far[:-1], dtype=np.int8)
    never = np.flatnonzero(np.isin(tokens.begin, _places_of_never(tokens.data)))
    place = never - words.starts[words.sentence][:, None]
    predicate, k = np.nonzero((place >= 0) & (place < n_far[:, None]))
    rows[begin[predicate] + place[predicate, k]] = RowClass.FAR_NEVER
    return rows


def _places_of_never(data: bytes) -> list[int]:
    """Return the byte offsets of the word *never* in a text.

    To search for bytes first is faster than to search for the pattern.
    """
    places, pattern = [], _pattern("never")
    at = data.find(b"ever", 1)
    while at >= 0:
        if pattern.match(data, at - 1):
            places.append(at - 1)
        at = data.find(b"ever", at + 4)
    return places


def _verb_groups(
    tokens: Tokens, finite: NDArray[np.bool_], adverb: NDArray[np.bool_]
) -> Ints:
    """Return the first token of each finite verb's group: int64[n_tokens].

    The group is the verb and the adverbs directly before it. The result is 0 for tokens
    that are not finite verbs, and for verbs whose group follows *or*.
    """
    places = np.where(adverb, 0, np.arange(1, len(tokens) + 1))
    group = np.append(0, np.maximum.accumulate(places)[:-1])
    at, size = tokens.begin[group - 1], (tokens.end - tokens.begin)[group - 1]
    raw = tokens.raw
    after_or = (size == 2) & (raw[at] == ord("o")) & (raw[at + size - 1] == ord("r"))
    return np.where(finite & ~after_or, group, 0)
