"""The trie of all word lists that the Treebank tokenizer and sentence splitter use."""

from __future__ import annotations

from functools import cache
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from senna_py.kernels.text import known_texts as kernels
from senna_py.kernels.text.sentences import CLOSING, OPENING
from senna_py.text.emoticons import emoticon_states
from senna_py.text.text_trie import TextTrie

if TYPE_CHECKING:
    from senna_py.text.text_trie import TrieArray

# In a list of abbreviations: letters joined by a colon are one token (`SVT:s`).
COLON = ":"

_SCHEMES = (
    "http://",
    "https://",
    "ftp://",
    "www.",
    "mailto:",
    "tel:",
    "urn:",
    "doi:",
    "magnet:",
    "about:",
)
_OPERATORS = (
    "->",
    "-->",
    "<-",
    "<--",
    "<->",
    "<-->",
    "=>",
    "==>",
    "<=",
    ">=",
    "<=>",
    "!=",
    "!==",
    "+=",
    "-=",
    "*=",
    "/=",
    ":=",
    "::",
    "&&",
)
_CLOSING = ('"', "''", "'", "’", "”", ")", "]", "}", "-RRB-", "-RSB-", "-RCB-")
_OPENING = ('"', "``", "`", "'", "‘", "“", "(", "[", "-LRB-", "-LSB-", "--", "-", "*")
_TITLES = ("title", "rank", "latin")
_ANYWHERE = (
    "month",
    "weekday",
    "place",
    "company",
    "degree",
    "court",
    "unit",
    "taxon",
    "note",
)
# The properties of abbreviations (bits), by the first word on their line in
# `abbreviations.txt`.
ABBREVIATION_KINDS = {
    **dict.fromkeys(_TITLES, kernels.ALWAYS | kernels.TITLE),
    **dict.fromkeys(_ANYWHERE, kernels.ALWAYS),
    "reference": kernels.NUMBERED | kernels.LETTERED,
    "count": kernels.NUMBERED,
    "book": kernels.NUMBERED,
    "verse": kernels.VERSE,
    "inner": kernels.INNER,
    "newspaper": kernels.INNER | kernels.NEWSPAPER,
    "measure": kernels.MEASURE,
}
# The properties (bits) of words that change how a neighboring abbreviation is split.
_NEARBY = {
    "follower": kernels.FOLLOWER,
    "counted": kernels.COUNTED,
    "determiner": kernels.DETERMINER,
    "epithet": kernels.EPITHET,
    "ending": kernels.EPITHET_END,
    "opener": kernels.OPENER,
}
# The properties (bits) of ordinary words that are spelled like abbreviations.
_ORDINARY = {
    "small": kernels.SMALL,
    "shouted": kernels.SHOUTED,
    "called": kernels.CALLED,
    "name": kernels.NAME,
}
# Conditions (bits) on the words near a contraction.
_NEIGHBORS = {
    "(verb)": kernels.BEFORE_VERB,
    "(state)": kernels.BEFORE_STATE,
    "(habit)": kernels.NOT_HABIT,
}
# The numbers (bits) to which a unit may be attached without a space.
_UNITS = {
    "hour": kernels.ANY_NUMBER | kernels.HOUR,
    "any": kernels.ANY_NUMBER,
    "long": kernels.LONG_NUMBER,
    "medium": kernels.MEDIUM_NUMBER,
    "short": kernels.SHORT_NUMBER,
    "amount": kernels.AMOUNT,
    "name": kernels.NUMBER_NAME,
}


@cache
def read_words(name: str) -> dict[str, None]:
    """Return the words of a list file in this package, in order, as keys of a dict."""
    return dict.fromkeys(chain.from_iterable(read_list(name)))


def read_list(name: str) -> list[list[str]]:
    """Return the words on each line of a list file in this package.

    Lines that begin with `#` are comments, which are skipped.
    """
    text = Path(__file__).with_name(name).read_text("utf-8")
    return [line.split() for line in text.splitlines() if not line.startswith("#")]


@cache
def all_abbreviations() -> set[str]:
    """Return the English abbreviations of all categories."""
    lines = read_list("abbreviations.txt")
    return {
        key
        for category, *keys in lines
        if category in ABBREVIATION_KINDS
        for key in keys
    }


@cache
def known_texts(abbreviations: tuple[str, ...] = ()) -> TrieArray:
    """Return the trie of the English word lists and of additional abbreviations."""
    trie = TextTrie()
    trie.add_all(kernels.ABBREVIATIONS, {*abbreviations} - {COLON}, kernels.ALWAYS)
    _add_contractions(trie)
    for category, *keys in read_list("abbreviations.txt"):
        if category in _NEARBY:
            trie.add_all(kernels.AROUND, keys, _NEARBY[category], exact=True)
        else:
            trie.add_all(kernels.ABBREVIATIONS, keys, ABBREVIATION_KINDS[category])
    known = {word.lower() for word in abbreviations}
    for category, *keys in read_list("ordinary_words.txt"):
        others = [key for key in keys if key.lower() not in known]
        trie.add_all(kernels.ORDINARY, others, _ORDINARY[category], exact=True)
    trie.add_all(kernels.PREFIXES, read_words("prefixes.txt"))
    trie.add_all(kernels.ENDINGS, read_words("name_endings.txt"))
    trie.add_all(kernels.SLASHED, read_words("slashed_words.txt"))
    trie.add_all(kernels.KEYS, read_words("keys.txt"))
    trie.add_states(kernels.EMOTICONS, emoticon_states(kernels.GLUED, 1))
    trie.add_all(kernels.SCHEMES, _SCHEMES, exact=True)
    trie.add_all(kernels.OPERATORS, _OPERATORS, exact=True)
    trie.add_all(kernels.IONS, read_words("ions.txt"), exact=True)
    for name, *units in read_list("units.txt"):
        trie.add_all(kernels.UNITS, units, _UNITS[name], exact=True)
    for name in read_words("markup.txt"):
        trie.add(kernels.MARKUP, name, kernels.ENTITY if name[0] == "&" else 1)
    trie.add_all(kernels.STARTERS, read_words("sentence_starters.txt"), exact=True)
    trie.add_all(kernels.MARKS, _CLOSING, CLOSING, exact=True)
    trie.add_all(kernels.MARKS, _OPENING, OPENING, exact=True)
    return trie.array()


def _add_contractions(trie: TextTrie) -> None:
    """Add the contractions of `contractions.txt` to a trie."""
    for first, *rest in read_list("contractions.txt"):
        if not rest:
            trie.add(kernels.WHOLE, first)
        elif first in _NEIGHBORS:
            trie.add_all(kernels.NEIGHBORS, rest, _NEIGHBORS[first])
        elif first != "*":
            condition = _NEIGHBORS.get(rest[-1], 0)
            others = rest[:-1] if condition else rest
            trie.add(kernels.HALVES, "".join([first, *others]), len(first) | condition)
            for k in range(len(others) - 1):
                left = "".join(others[k:])
                trie.add(kernels.HALVES, left, len(others[k]) | kernels.LATER)
        elif rest != ["n't"]:  # the kernel splits `n't` itself, by the word before it
            trie.add(kernels.CLITICS, rest[0][1:])
