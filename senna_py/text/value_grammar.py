"""A grammar of values: dates, times, amounts and the like, as a file describes them.

Each word is of a kind, which is a character here; a word such as `10km` is two, a
number and a unit. Rules are patterns over kinds: together they are one regular
expression, which is matched against the kinds of a sentence.
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

FILES = {"en": "english_values.toml"}  # by the language of a model

OTHER = "."  # the kind of most words
_FIRST_KIND, _STOP = 0x80, ";"  # the latter stands behind a sentence
_REPEATED = {"*": "{0,6}", "+": "{1,6}"}
_LONGEST = 40  # bytes of a word that has a kind
_NAME = re.compile(r"[a-z][a-z_0-9]*")
_GROUP = re.compile(r"\((?!\?)")
_NO_BLANKS = str.maketrans("", "", " \n")
_WORD, _DIGIT = re.compile(r"\w"), re.compile(r"\d")
_HYPHENS = r"\-–—−"
# Parts of a word: a number, a hyphen or a slash, or what stands between these.
_PART = re.compile(rf"\d(?:[\d.,:]*\d)?|[{_HYPHENS}/]|[^\d{_HYPHENS}/]+")


class Rule(NamedTuple):
    """What a sequence of words is: a value with `label`, or none with a label of
    `never`.

    over: labels of the network that it replaces, `O` where there is none; if empty,
    any.
    """

    label: str
    never: frozenset[str]
    over: frozenset[str]


class Grammar:
    """The kinds and the rules of a language; shared by threads."""

    def __init__(self, source: dict[str, Any]) -> None:
        """Read the tables of a file."""
        names = dict.fromkeys(
            (*source["words"], *source["forms"], *source["shapes"], "other_mark")
        )
        kinds = {name: chr(_FIRST_KIND + place) for place, name in enumerate(names)}
        self._words, self._forms = (
            {
                word.encode(): kinds[name]
                for name, line in source[table].items()
                for word in line.split()
            }
            for table in ("words", "forms")
        )
        shapes = "|".join(
            f"(?P<{name}>{shape})" for name, shape in source["shapes"].items()
        )
        self._shape = re.compile(f"(?x:{shapes})")
        self._groups = {**kinds, "stop": _STOP, "other": OTHER}
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
        expressions = (f"{self._rule_expression(entry)}()" for entry in source["rules"])
        start = self._expression_of(
            source["start"]
        )  # few words are one, and rules are many
        self._expression = re.compile(f"(?={start})(?:{'|'.join(expressions)})")
        self._kinds_of_parts = lru_cache(1 << 13)(self._find_parts)

    def matches(
        self, kinds: Sequence[str], starts: NDArray[np.int32]
    ) -> NDArray[np.int64]:
        """Find what fits a rule, from left to right: its number, its first word and its
        end.

        kinds: those of each word of a batch; starts: int32[n_sentences + 1], where
        sentences begin. Returns int64[n_matches, 3].
        """
        written = [*kinds]
        for last in (starts[1:] - 1).tolist():
            written[last] += _STOP
        ends = np.cumsum(np.fromiter(map(len, written), np.int32, len(written)))
        places = [
            (found.lastindex or 0, found.start(), found.end())
            for found in self._expression.finditer("".join(written))
        ]
        matches = np.array(places, np.int64).reshape(-1, 3)
        matches[:, 0] -= 1
        matches[:, 1] = np.searchsorted(ends, matches[:, 1], side="right")
        matches[:, 2] = np.searchsorted(ends, matches[:, 2] - 1, side="right") + 1
        return matches

    def has_any(self, group: str, kinds: Sequence[str]) -> bool:
        """Whether some words have a kind of a group."""
        return not self._members[group].isdisjoint("".join(kinds))

    def has_only(self, group: str, kinds: Sequence[str]) -> bool:
        """Whether some words have no other kinds than those of a group."""
        return self._members[group].issuperset("".join(kinds))

    def is_known(self, word: bytes) -> bool:
        """Whether a word has a kind."""
        return self.kinds_of(word) != OTHER

    def kinds_of(self, word: bytes) -> str:
        """Kinds of a word, mostly one."""
        kind = self._forms.get(word) or self._words.get(word.lower())
        if kind or word.isalpha() or len(word) > _LONGEST:
            return kind or OTHER
        return self._kinds_of_parts(word)

    def _find_parts(self, word: bytes) -> str:
        text = word.decode("utf-8", "replace")
        if shape := self._shape.fullmatch(text):
            return self._groups[shape.lastgroup or ""]
        if not _WORD.search(text):
            return self._groups["other_mark"]
        parts = _PART.findall(text)
        if len(parts) == 1:
            return OTHER
        kinds = [self.kinds_of(part.encode()) for part in parts]
        is_rate = kinds[:2] == [self._groups["unit"], self._groups["slash"]]  # ng/mL
        is_amount = (
            _DIGIT.search(text) or kinds[0] == self._groups["amount_word"] or is_rate
        )
        return "".join(kinds) if is_amount and OTHER not in kinds else OTHER

    def _rule_expression(self, entry: dict[str, str]) -> str:
        tokens = f"(?:{self._expression_of(entry['tokens'])})"
        if "after" not in entry:
            return tokens
        before = (self._expression_of(each) for each in entry["after"].split("|"))
        return f"(?:{'|'.join(f'(?<={each})' for each in before)}){tokens}"

    def _expression_of(self, pattern: str) -> str:
        """The regular expression of a pattern over names; what it repeats is
        bounded.
        """
        for mark, bounds in _REPEATED.items():
            pattern = pattern.replace(mark, bounds)
        return _NAME.sub(self._named, _GROUP.sub("(?:", pattern)).translate(_NO_BLANKS)

    def _named(self, name: re.Match[str]) -> str:
        if name[0] in self._patterns:
            return f"(?:{self._patterns[name[0]]})"
        return _one_of(self._groups[name[0]])


def _names(entry: dict[str, str], key: str) -> frozenset[str]:
    return frozenset(entry.get(key, "").split())


def _one_of(characters: str) -> str:
    """The expression for one of some characters, as ranges: it is compiled at each
    start.
    """
    if len(characters) == 1:
        return re.escape(characters)
    codes = {*map(ord, characters)}
    first = sorted(code for code in codes if code - 1 not in codes)
    last = sorted(code for code in codes if code + 1 not in codes)
    return (
        f"[{''.join(f'{chr(a)}-{chr(b)}' for a, b in zip(first, last, strict=True))}]"
    )


@cache
def read_grammar(language: str) -> Grammar:
    """The Grammar of a language, one of FILES."""
    from senna_py.io.toml import read_toml  # noqa: PLC0415 - few texts need it

    return Grammar(read_toml(Path(__file__).with_name(FILES[language])))
