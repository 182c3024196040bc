"""Kinds of rows, which tell what labels they cannot have: see `labels.constraints`."""

import re
from collections import defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from senna_py.kernels.text.tokens import LOWER, UPPER
from senna_py.kernels.text.word_forms import SHAPE_LENGTH, word_shapes
from senna_py.labels import constraints
from senna_py.labels.tasks import POS
from senna_py.text.characters import KIND

if TYPE_CHECKING:
    from senna_py.features.protocol import Batch
    from senna_py.features.word_class import WordClasses
    from senna_py.networks.batch import WordBatch
    from senna_py.text.tokens import Tokens

_FINITE, _ADVERBS = ("VBZ", "VBP", "VBD", "MD"), ("RB", "RBR", "RBS")
_NO_BASE = "VBZ", "VBD"  # which no modal has
_NAME_LIKE = (
    "mixed",
    "often",
    "capital",
)  # of the classes that recipes/en/casing.py makes
_SYMBOLS = np.zeros(256, np.uint8)  # of shapes: letters are 1, digits 2
_SYMBOLS[list(b"Aax0")] = 1, 1, 1, 2
_ADDRESS = re.compile(rb"[@#][^\W\d]\w*|[@#][_\x80-\xff]\S*")
_TIME = re.compile(rb"\d\d?([:.]\d\d)?[ap]\.?m\.?", re.IGNORECASE)
_SMALL, _NEVER = re.compile(rb"[a-z]+"), re.compile(rb"(?<!\S)[Nn]ever(?!\S)")
# Brackets and quotes that belong together.
_CLOSING = {
    b"(": b")",
    b"[": b"]",
    b"{": b"}",
    b'"': b'"',
    "“".encode(): "”".encode(),
    "«".encode(): "»".encode(),
}
_BRACKETS = b")", b"]", b"}"
_MARKS = *_CLOSING, *_CLOSING.values()
_LONGEST = max(map(len, _MARKS))
_FIRST = np.isin(np.arange(256), [mark[0] for mark in _MARKS])
_DEEPEST = 2  # pairs within each other


def word_kinds(batch: "Batch", casing: "WordClasses | None" = None) -> np.ndarray:
    """Kinds of the words of a Batch: int8[n_tokens].

    A COUNT begins its sentence, before a word in small letters; TWO is *2*, but where a
    sentence begins with a capital and ends with a period. COMMON are nouns in small
    letters of sentences that begin with a capital, where no capital follows: they
    mostly have one in other text, but their plural is known (*fox*, but not *firefox*).
    An ADDRESS is a mention or a tag (*@anna*, *#fun*), a TIME *3am* or *10:30am*.
    casing: WordClasses, or None.
    """
    tokens, kinds = batch.tokens, np.full(len(batch.tokens), constraints.OTHER, np.int8)
    raw, first, last = tokens.raw, tokens.starts[:-1], tokens.starts[1:] - 1
    second, size = np.minimum(first + 1, last), last + 1 - first
    letter = tokens.kind[tokens.folded_begin]  # of the first character of each word
    small, capital = (letter & LOWER) != 0, (letter & UPPER) != 0
    begins = capital[first] | capital[second]  # perhaps after a quote
    edited = np.repeat(begins & (raw[tokens.begin[last]] == ord(".")), size)
    rows = np.flatnonzero(~small & ~capital)
    shapes = np.zeros((len(rows), SHAPE_LENGTH), np.uint8)
    place = np.empty((2, len(rows)), np.int32)
    word_shapes(
        raw, tokens.begin[rows], tokens.end[rows], KIND, shapes.reshape(-1), *place
    )
    symbols = np.bitwise_or.reduce(_SYMBOLS[shapes], axis=1)
    times = rows[symbols == 3]
    addresses = rows[np.isin(raw[tokens.begin[rows]], [*b"@#"])]
    rows = rows[symbols == 2]
    is_two = (raw[tokens.begin[rows]] == ord("2")) & (tokens.end - tokens.begin == 1)[
        rows
    ]
    kinds[rows] = np.where(is_two & ~edited[rows], constraints.TWO, constraints.NUMBER)
    kinds[first[(kinds[first] != constraints.OTHER) & small[second]]] = (
        constraints.COUNT
    )
    _mark_whole(kinds, tokens, times, _TIME, constraints.TIME)
    _mark_whole(kinds, tokens, addresses, _ADDRESS, constraints.ADDRESS)
    if casing is not None:
        before_capital = np.append(capital[1:], False)
        before_capital[last] = False
        found = batch.once(casing, lambda _: casing.find(tokens))
        like_names = (
            np.isin([*casing.names, ""], _NAME_LIKE)[found] & small & ~before_capital
        )
        rows = np.flatnonzero(like_names & np.repeat(begins, size))
        ranges = zip(
            tokens.begin[rows].tolist(), tokens.end[rows].tolist(), strict=True
        )
        plurals = [_plural(tokens.data[a:b]) for a, b in ranges]
        end = np.cumsum([0, *map(len, plurals)], dtype=np.int32)
        text = np.frombuffer(b"".join(plurals), np.uint8)
        kinds[rows[casing.find_spans(text, end[:-1], end[1:]) >= 0]] = (
            constraints.COMMON
        )
    return kinds


def _mark_whole(kinds, tokens, rows, pattern, kind):
    """Give the kind to those of some rows whose whole word is of a pattern, in
    place.
    """
    for row, a, b in zip(
        rows, tokens.begin[rows].tolist(), tokens.end[rows].tolist(), strict=True
    ):
        if pattern.fullmatch(tokens.data, a, b):
            kinds[row] = kind


def _plural(noun):
    """Plural of an English noun, both bytes; of days of the week, which are names,
    none.
    """
    if noun.endswith(b"day") or not _SMALL.fullmatch(noun):
        return b""
    noun = re.sub(rb"(?<![aeiou])y$", b"ie", noun)
    return noun + (b"es" if noun.endswith((b"s", b"x", b"z", b"ch", b"sh")) else b"s")


def role_kinds(words: "WordBatch", batch: "Batch", labels: Sequence[str]) -> np.ndarray:
    """Kinds of the rows of a WordBatch for roles: int8[n_rows].

    A word is FAR from a predicate if it stands before the last finite verb up to the
    predicate, and before the adverbs in front of that verb: what it negates is another
    (*does not eat meat and prefers fish*, but *never smokes or drinks*).
    FAR_FROM_FINITE: nor has the predicate a modal (*will stay and likes it*).
    FAR_NEVER: the word is *never*. batch: with Penn Treebank tags.
    """
    tokens, tags = batch.tokens, batch.found[POS].labels
    raw, n = tokens.raw, len(tokens)
    if not len(words.predicate):  # perhaps no token either
        return np.zeros(0, np.int8)
    finite, adverb = (np.isin(labels, group)[tags] for group in (_FINITE, _ADVERBS))
    group = np.append(
        0, np.maximum.accumulate(np.where(adverb, 0, np.arange(1, n + 1)))[:-1]
    )
    at, size = tokens.begin[group - 1], (tokens.end - tokens.begin)[group - 1]
    after_or = (size == 2) & (raw[at] == ord("o")) & (raw[at + size - 1] == ord("r"))
    near = np.maximum.accumulate(np.where(finite & ~after_or, group, 0))[
        words.predicate
    ]
    n_far = np.maximum(near - words.starts[words.sentence], 0)
    far, begin = np.zeros(words.begin[-1] + 1, np.int8), words.begin[:-1]
    no_base = np.isin(labels, _NO_BASE)[tags[words.predicate]]
    kind = np.where(no_base, constraints.FAR_FROM_FINITE, constraints.FAR)
    far[begin] = kind
    far[begin + n_far] -= kind.astype(np.int8)
    kinds = np.cumsum(far[:-1], dtype=np.int8)
    never = np.flatnonzero(
        np.isin(tokens.begin, [m.start() for m in _NEVER.finditer(tokens.data)])
    )
    place = never - words.starts[words.sentence][:, None]
    predicate, k = np.nonzero((place >= 0) & (place < n_far[:, None]))
    kinds[begin[predicate] + place[predicate, k]] = constraints.FAR_NEVER
    return kinds


def pair_kinds(tokens: "Tokens") -> np.ndarray:
    """Kinds of Tokens that open or close a pair of marks within their sentence:
    int8[n_tokens].

    A mark without its partner is like any other token, and so is a pair that is within
    two others.
    """
    kinds = np.zeros(len(tokens), np.int8)
    short = tokens.end - tokens.begin <= _LONGEST
    rows = np.flatnonzero(short & _FIRST[tokens.raw[tokens.begin]])
    owners = np.searchsorted(tokens.starts, rows, side="right")
    sentence, opened = 0, list[tuple[int, bytes]]()
    places = defaultdict[bytes, list[int]](
        list
    )  # in `opened`, of each mark that would close one
    for row, owner in zip(rows.tolist(), owners.tolist(), strict=True):
        mark = tokens.data[tokens.begin[row] : tokens.end[row]]
        if owner != sentence:
            sentence, opened = owner, []
            places.clear()
        if places[mark]:
            partner = places[mark][-1]
            first, _ = opened[partner]
            while len(opened) > partner:
                places[opened.pop()[1]].pop()
            if partner < _DEEPEST:
                is_bracket = mark in _BRACKETS
                kinds[first] = constraints.OPENS
                kinds[row] = (
                    constraints.CLOSES if is_bracket else constraints.CLOSES_QUOTE
                )
        elif mark in _CLOSING:
            places[_CLOSING[mark]].append(len(opened))
            opened.append((row, _CLOSING[mark]))
    return kinds
