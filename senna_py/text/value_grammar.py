"""A grammar of values (dates, times, amounts and the like), read from a TOML file.

Each word has a category, which is represented by one character. Words with several
parts have the categories of their parts: `10km` is a number and a unit. Rules are
patterns over categories. All rules together make one regular expression, which is
matched against the categories of a batch of sentences.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

FILES = {"en": "english_values.toml"}  # the file of each language

OTHER = "."  # the category of words that the grammar does not know
_STOP = ";"  # the category that ends each sentence
_FIRST_CATEGORY = 0x80
_REPEATED = {"*": "{0,6}", "+": "{1,6}"}
_LONGEST = 40  # unlisted words with more bytes are OTHER
_NAME = re.compile(r"[a-z][a-z_0-9]*")
_GROUP = re.compile(r"\((?!\?)")
_NO_BLANKS = str.maketrans("", "", " \n")
_WORD, _DIGIT = re.compile(r"\w"), re.compile(r"\d")
_HYPHENS = r"\-–—−"
# A part of a word is a number, a hyphen or dash, a slash, or the text between these.
_PART = re.compile(rf"\d(?:[\d.,:]*\d)?|[{_HYPHENS}/]|[^\d{_HYPHENS}/]+")


class Rule(NamedTuple):
    """The effect of a rule on the words that match its pattern.

    Attributes:
        label: The label of a value that consists of these words, or an empty string if
            they are not a value.
        never: The labels that these words cannot have. The network's values with these
            labels are removed.
        over: The rule applies only if the network's labels there are in this set (`O`
            for no value). An empty set means that it always applies.
    """

    label: str
    never: frozenset[str]
    over: frozenset[str]


class Grammar:
    """The categories and the rules of a language; threads may share it."""

    def __init__(self, source: dict[str, Any]) -> None:
        """Compile the tables of a TOML file."""
        names = dict.fromkeys(
            (*source["words"], *source["forms"], *source["shapes"], "other_mark")
        )
        categories = {name: chr(_FIRST_CATEGORY + i) for i, name in enumerate(names)}
        self._words = _category_of_word(source["words"], categories)
        self._forms = _category_of_word(source["forms"], categories)
        shapes = "|".join(
            f"(?P<{name}>{shape})" for name, shape in source["shapes"].items()
        )
        self._shape = re.compile(f"(?x:{shapes})")
        self._groups = {**categories, "stop": _STOP, "other": OTHER}
        for name, members in source["groups"].items():
            self._groups[name] = "".join(
                self._groups[member] for member in members.split()
            )
        self._members = {
            name: frozenset(members) for name, members in self._groups.items()
        }
        self._patterns: dict[str, str] = {}
        for name, pattern in source["patterns"].items():
            self._patterns[name] = self._expression_of(pattern)
        self.rules = [
            Rule(entry.get("label", ""), _names(entry, "not"), _names(entry, "over"))
            for entry in source["rules"]
        ]
        # An empty group after each rule tells which rule matched.
        expressions = (f"{self._rule_expression(entry)}()" for entry in source["rules"])
        # Of all words, few can begin a match, so that is tested before the many rules.
        start = self._expression_of(source["start"])
        self._expression = re.compile(f"(?={start})(?:{'|'.join(expressions)})")
        self._categories_of_parts = lru_cache(1 << 13)(self._find_parts)

    def matches(
        self, categories: Sequence[str], starts: NDArray[np.int32]
    ) -> NDArray[np.int64]:
        """Return the matches of rules, from left to right: int64[n_matches, 3].

        Each row contains the index of a rule, the index of the first word of the match,
        and the index of the word after the match.

        Args:
            categories: The categories of each word of a batch, from `categories_of`.
            starts: int32[n_sentences + 1], the first word of each sentence.
        """
        written = [*categories]
        for last in (starts[1:] - 1).tolist():
            written[last] += _STOP
        ends = np.cumsum(np.fromiter(map(len, written), np.int32, len(written)))
        places = [
            (match.lastindex or 0, match.start(), match.end())
            for match in self._expression.finditer("".join(written))
        ]
        matches = np.array(places, np.int64).reshape(-1, 3)
        matches[:, 0] -= 1
        matches[:, 1] = np.searchsorted(ends, matches[:, 1], side="right")
        matches[:, 2] = np.searchsorted(ends, matches[:, 2] - 1, side="right") + 1
        return matches

    def has_any(self, group: str, categories: Sequence[str]) -> bool:
        """Return whether at least one of the categories belongs to a group."""
        return not self._members[group].isdisjoint("".join(categories))

    def has_only(self, group: str, categories: Sequence[str]) -> bool:
        """Return whether all categories belong to a group."""
        return self._members[group].issuperset("".join(categories))

    def is_known(self, word: bytes) -> bool:
        """Return whether a word has a category other than OTHER."""
        return self.categories_of(word) != OTHER

    def categories_of(self, word: bytes) -> str:
        """Return the categories of a word: one character for each of its parts.

        Most words have one part. A word that the grammar does not know is OTHER.
        """
        category = self._forms.get(word) or self._words.get(word.lower())
        if category or word.isalpha() or len(word) > _LONGEST:
            return category or OTHER
        return self._categories_of_parts(word)

    def _find_parts(self, word: bytes) -> str:
        """Return the categories of an unlisted word, by its shape or its parts."""
        text = word.decode("utf-8", "replace")
        if shape := self._shape.fullmatch(text):
            return self._groups[shape.lastgroup or ""]
        if not _WORD.search(text):
            return self._groups["other_mark"]
        parts = _PART.findall(text)
        if len(parts) == 1:
            return OTHER
        categories = [self.categories_of(part.encode()) for part in parts]
        if OTHER in categories:
            return OTHER
        unit, slash = self._groups["unit"], self._groups["slash"]
        is_amount = (
            _DIGIT.search(text)
            or categories[0] == self._groups["amount_word"]
            or categories[:2] == [unit, slash]  # ng/mL
        )
        return "".join(categories) if is_amount else OTHER

    def _rule_expression(self, entry: dict[str, str]) -> str:
        tokens = f"(?:{self._expression_of(entry['tokens'])})"
        if "after" not in entry:
            return tokens
        before = "|".join(
            f"(?<={self._expression_of(pattern)})"
            for pattern in entry["after"].split("|")
        )
        return f"(?:{before}){tokens}"

    def _expression_of(self, pattern: str) -> str:
        """Return the regular expression for a pattern, with bounded repetition."""
        for mark, bounds in _REPEATED.items():
            pattern = pattern.replace(mark, bounds)
        return _NAME.sub(self._named, _GROUP.sub("(?:", pattern)).translate(_NO_BLANKS)

    def _named(self, name: re.Match[str]) -> str:
        if name[0] in self._patterns:
            return f"(?:{self._patterns[name[0]]})"
        return _one_of(self._groups[name[0]])


def _category_of_word(
    lists: dict[str, str], categories: dict[str, str]
) -> dict[bytes, str]:
    return {
        word.encode(): categories[name]
        for name, line in lists.items()
        for word in line.split()
    }


def _names(entry: dict[str, str], key: str) -> frozenset[str]:
    return frozenset(entry.get(key, "").split())


def _one_of(characters: str) -> str:
    """Return a pattern that matches one of the characters.

    It uses ranges, which compile faster.
    """
    if len(characters) == 1:
        return re.escape(characters)
    codes = {*map(ord, characters)}
    first = sorted(code for code in codes if code - 1 not in codes)
    last = sorted(code for code in codes if code + 1 not in codes)
    ranges = zip(map(chr, first), map(chr, last), strict=True)
    return f"[{''.join(f'{a}-{b}' for a, b in ranges)}]"


@cache
def read_grammar(language: str) -> Grammar:
    """Return the grammar of a language, which must be a key of FILES."""
    from senna_py.io.toml import read_toml  # noqa: PLC0415 - few texts need it

    return Grammar(read_toml(Path(__file__).with_name(FILES[language])))
