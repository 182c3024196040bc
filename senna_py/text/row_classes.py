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


def word_classes(batch: Batch, casing: WordClasses | None = None) -> NDArray[np.int8]:
    """Return the class of each word of a batch: int8[n_tokens].

    NUMBER: A word with digits and without letters.
    TWO: The number *2*, except in a sentence that begins with a capital and ends with a
    period.
    COUNT: A number that begins its sentence, before a word in lower case.
    TIME: *3am* or *10:30am*.
    ADDRESS: A mention or a hashtag (*@anna*, *#fun*).
    COMMON: Probably a common noun, though `casing` lists the word as capitalized or not
    at all. It is in lower case, its sentence begins with a capital, the next word does
    not, and `casing` lists its plural (*fox*, but not *firefox*).
    OTHER: All other words.

    Args:
        batch: The batch.
        casing: The usual case of words; without it, no word is COMMON.
    """
    tokens = batch.tokens
    letter = tokens.kind[tokens.folded_begin]  # the first character of each word
    small, capital = (letter & LOWER) != 0, (letter & UPPER) != 0
    classes = _number_classes(tokens, small, capital)
    if casing is not None:
        of_casing = batch.once(casing, lambda _: casing.find(tokens))
        is_like = np.isin([*casing.names, ""], LIKE_NAMES)[of_casing]
        rows = _perhaps_common(tokens, small & is_like, capital)
        classes[_with_known_plural(tokens, rows, casing)] = RowClass.COMMON
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


def _number_classes(
    tokens: Tokens, small: NDArray[np.bool_], capital: NDArray[np.bool_]
) -> NDArray[np.int8]:
    classes = np.full(len(tokens), RowClass.OTHER, np.int8)
    raw, first, last = tokens.raw, tokens.starts[:-1], tokens.starts[1:] - 1
    rows = np.flatnonzero(~small & ~capital)
    symbols = _symbols_of(tokens, rows)
    numbers = rows[symbols == _DIGIT]
    classes[numbers] = RowClass.NUMBER
    has_period = np.repeat(raw[tokens.begin[last]] == ord("."), last + 1 - first)
    is_edited = _begins_with_capital(tokens, capital) & has_period
    is_two = raw[tokens.begin[numbers]] == ord("2")
    is_two &= (tokens.end - tokens.begin)[numbers] == 1
    classes[numbers[is_two & ~is_edited[numbers]]] = RowClass.TWO
    second = np.minimum(first + 1, last)
    counts = (classes[first] != RowClass.OTHER) & small[second]
    classes[first[counts]] = RowClass.COUNT
    times = rows[symbols == _LETTER | _DIGIT]
    classes[_fitting(tokens, times, "time")] = RowClass.TIME
    addresses = rows[np.isin(raw[tokens.begin[rows]], [*b"@#"])]
    classes[_fitting(tokens, addresses, "address")] = RowClass.ADDRESS
    return classes


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


def _perhaps_common(
    tokens: Tokens, is_candidate: NDArray[np.bool_], capital: NDArray[np.bool_]
) -> Ints:
    """Return the indices of candidates that may be common nouns: int64[n].

    The sentence must begin with a capital, and the next word must not.
    """
    before_capital = np.append(capital[1:], False)
    before_capital[tokens.starts[1:] - 1] = False
    begins = _begins_with_capital(tokens, capital)
    return np.flatnonzero(is_candidate & ~before_capital & begins)


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
    first = [match.start() for match in _pattern("never").finditer(tokens.data)]
    never = np.flatnonzero(np.isin(tokens.begin, first))
    place = never - words.starts[words.sentence][:, None]
    predicate, k = np.nonzero((place >= 0) & (place < n_far[:, None]))
    rows[begin[predicate] + place[predicate, k]] = RowClass.FAR_NEVER
    return rows


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
