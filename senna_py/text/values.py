"""Rules for values, which change what a network found of dates, times, amounts and the
like.

A network finds most of them in running text, but errs where figures decide: it learned
from labels that take `2020-01-01` for a number and leave the sign out of `$50`. See
`text.value_grammar`.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from itertools import pairwise
from operator import attrgetter, itemgetter
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from senna_py.labels.tag_schemes import Segment, encode, segments
from senna_py.text.value_grammar import FILES, OTHER, Grammar, Rule, read_grammar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any

    from numpy.typing import NDArray

    from senna_py.text.tokens import Tokens

_LABELS = ("CARDINAL", "DATE", "MONEY", "ORDINAL", "PERCENT", "QUANTITY", "TIME")
_OF_NUMBERS = ("CARDINAL", "MONEY", "PERCENT", "QUANTITY")
_OF_MORE = ("MONEY", "PERCENT", "QUANTITY")  # which a number alone cannot have
_BEFORE, _BEHIND = 3, 5  # words that patterns see beside one with a digit
_by_place, _end_of_segment = itemgetter(1), itemgetter(2)
_begin_of, _end_of = attrgetter("begin"), attrgetter("end")


class ValueRules:
    """The rules of a language for a network; shared by threads."""

    def __init__(self, language: str, labels: Sequence[str]) -> None:
        """Hold a language and labels that its rules fit, see `value_rules`."""
        self._language, self._names = language, np.array(labels, object)
        self._position = {label: place for place, label in enumerate(labels)}
        self._is_number, self._is_more = (
            np.array([label[2:] in group for label in labels])
            for group in (_OF_NUMBERS, _OF_MORE)
        )

    def apply(
        self, tokens: Tokens, labels: NDArray[np.int32]
    ) -> tuple[NDArray[np.int32], NDArray[np.bool_]]:
        """Labels of Tokens by the rules: int32[n_tokens], and which a rule decided,
        bool[n_tokens].

        labels: int32[n_tokens], those of the network.
        """
        new, decided = labels.copy(), np.zeros(len(tokens), bool)
        has = _Bytes(tokens)
        is_number, has_digit = self._is_number[labels], has.digit
        marked, hyphened = (
            is_number | has_digit,
            np.flatnonzero(has.hyphen & ~has_digit),
        )
        if not len(hyphened) and not marked.any():
            return new, decided
        grammar = read_grammar(self._language)
        for row, word in zip(hyphened.tolist(), tokens.texts(hyphened), strict=True):
            marked[row] |= grammar.is_known(word)  # *five-mile*
        kinds = _kinds_near(grammar, tokens, marked)
        doubtful = self._is_more[labels] | (is_number & ~has.letter_or_digit)
        found_rules = grammar.matches(kinds, tokens.starts)
        for begin, end, matches in _sentences(grammar, tokens, found_rules, doubtful):
            found = segments(self._names[labels[begin:end]].tolist())
            values, rest = _Sentence(grammar, kinds[begin:end]).decide(found, matches)
            tags = encode(sorted([*values, *rest], key=_by_place), end - begin, "iobes")
            new[begin:end] = [self._position[tag] for tag in tags]
            for _, first, last in values:
                decided[begin + first : begin + last] = True
        return new, decided | (new != labels)


def value_rules(language: str, labels: Sequence[str]) -> ValueRules | None:
    """The rules of a language for a network with these labels, or None.

    They are for the seven values of OntoNotes, in IOBES: a network with others has its
    own idea of what values are.
    """
    known = {"O", *(f"{prefix}-{label}" for prefix in "BIES" for label in _LABELS)}
    fits = language in FILES and {*labels} == known
    return ValueRules(language, labels) if fits else None


class _Bytes:
    """Which tokens have some byte: bool[n_tokens]."""

    def __init__(self, tokens: Tokens) -> None:
        low = tokens.begin.min(initial=len(tokens.raw))
        text = tokens.raw[low : tokens.end.max(initial=low)]
        self._begin, self._end = tokens.begin - low, tokens.end - low
        is_digit, letter = (
            text - np.uint8(ord("0")) < 10,
            text | np.uint8(ord("a") - ord("A")),
        )
        self.digit = self._in_token(is_digit)
        self.hyphen = self._in_token(text == ord("-"))
        self.letter_or_digit = self._in_token(
            is_digit | (letter - np.uint8(ord("a")) < 26)
        )

    def _in_token(self, wanted: NDArray[np.bool_]) -> NDArray[np.bool_]:
        count = np.append(np.int32(0), np.cumsum(wanted, dtype=np.int32))
        return count[self._end] > count[self._begin]


def _kinds_near(
    grammar: Grammar, tokens: Tokens, marked: NDArray[np.bool_]
) -> list[str]:
    """Kinds of words that are marked or near one that is; others are OTHER."""
    around = np.flatnonzero(marked)[:, None] + np.arange(-_BEFORE, _BEHIND + 1)
    is_near = np.zeros(len(tokens), bool)
    is_near[around.clip(0, len(tokens) - 1)] = True
    kinds, rows = [OTHER] * len(tokens), np.flatnonzero(is_near)
    for row, word in zip(rows.tolist(), tokens.texts(rows), strict=True):
        kinds[row] = grammar.kinds_of(word)
    return kinds


class Match(NamedTuple):
    """A rule, and the words of a sentence that fit it: from `begin` to `end`,
    exclusive.
    """

    rule: Rule
    begin: int
    end: int


def _sentences(
    grammar: Grammar,
    tokens: Tokens,
    found: NDArray[np.int64],
    doubtful: NDArray[np.bool_],
) -> Iterator[tuple[int, int, list[Match]]]:
    """Yield sentences with a match or a doubtful token: begin, end, and the matches
    within.

    found: of `Grammar.matches`; doubtful: bool[n_tokens].
    """
    rows = np.append(found[:, 1], np.flatnonzero(doubtful))
    owners = np.unique(np.searchsorted(tokens.starts, rows, side="right") - 1)
    begins, ends = tokens.starts[owners], tokens.starts[owners + 1]
    places = np.searchsorted(found[:, 1], [begins, ends]).T.tolist()
    for begin, end, (p, q) in zip(begins.tolist(), ends.tolist(), places, strict=True):
        own = found[p:q].tolist()
        yield (
            begin,
            end,
            [Match(grammar.rules[k], a - begin, b - begin) for k, a, b in own],
        )


class _Value:
    """A value that rules found: its label, and its words in their sentence."""

    def __init__(self, label: str, begin: int, end: int) -> None:
        self.label, self.begin, self.end = label, begin, end


class _Sentence:
    """What is made of the words of a sentence, whose kinds are a list of str."""

    def __init__(self, grammar: Grammar, kinds: list[str]) -> None:
        self._grammar, self._kinds = grammar, kinds

    def decide(
        self, found: list[Segment], matches: list[Match]
    ) -> tuple[list[Segment], list[Segment]]:
        """Values of the rules that match, and what they leave of those that the network
        found.
        """
        matches = [
            m for m in matches if not m.rule.over or _labels_at(m, found) <= m.rule.over
        ]
        denials, values = [m for m in matches if m.rule.never], _values_of(matches)
        rest = [
            part
            for segment in found
            if not any(
                segment[0] in match.rule.never
                for match in denials[_touching(denials, segment[1], segment[2])]
            )
            for part in self._rest_of(segment, values)
        ]
        return [(value.label, value.begin, value.end) for value in values], rest

    def _rest_of(self, segment: Segment, values: list[_Value]) -> list[Segment]:
        """What is left of a segment of the network beside values of rules, which it may
        widen.
        """
        label, begin, end = segment
        places = _touching(values, begin, end)
        touched = values[places]
        if not touched:
            return self._checked(segment)
        first, last = touched[0], touched[-1]
        if all(value.label == label for value in touched):
            if first is not last and not self._are_several(begin, touched):
                first.end, last = last.end, first
                values[places] = [first]
            first.begin, last.end = min(first.begin, begin), max(last.end, end)
            return []
        if self._grammar.has_only("about", self._kinds[begin : first.begin]):
            first.begin = min(first.begin, begin)
        parts = (label, begin, first.begin), (label, last.end, end)
        return [
            each
            for part in parts
            if self._is_told(self._kinds[part[1] : part[2]])
            for each in self._checked(part)
        ]

    def _is_told(self, kinds: list[str]) -> bool:
        """Whether words beside a value are another: the *mile* of `a 4:32 mile` is
        not.
        """
        return self._grammar.has_any("told", kinds) and not self._grammar.has_only(
            "bare", kinds
        )

    def _are_several(self, begin: int, touched: list[_Value]) -> bool:
        """Whether values of one segment are several, as of `€5 or £4`; begin: of the
        segment.
        """
        group = "listed_sum" if touched[0].label == "MONEY" else "listed"
        before = self._kinds[max(begin - 1, 0) : begin + 1]
        return not self._grammar.has_any("between", before) and all(
            self._grammar.has_only(group, self._kinds[one.end : other.begin])
            for one, other in pairwise(touched)
        )

    def _checked(self, segment: Segment) -> list[Segment]:
        """A segment of the network; a CARDINAL if it is a mere number, none if it is
        but marks.
        """
        label, begin, end = segment
        kinds = self._kinds[begin:end]
        if self._grammar.has_only("mark", kinds):
            return []
        if label in _OF_MORE and self._grammar.has_only("plain", kinds):
            return [("CARDINAL", begin, end)]
        return [segment]


def _touching(
    places: Sequence[Any],
    begin: int,
    end: int,
    begin_of: Callable[[Any], int] = _begin_of,
    end_of: Callable[[Any], int] = _end_of,
) -> slice:
    """Which of some places in a sentence, from left to right, have a word of `begin` to
    `end`.
    """
    first = bisect_right(places, begin, key=end_of)
    return slice(first, bisect_left(places, end, first, key=begin_of))


def _labels_at(match: Match, found: list[Segment]) -> set[str]:
    """Labels of the network where a rule matches; O if there is none."""
    places = _touching(found, match.begin, match.end, _by_place, _end_of_segment)
    return {label for label, _, _ in found[places]} or {"O"}


def _values_of(matches: list[Match]) -> list[_Value]:
    """Values of the rules that match; two in one word are one, as the times of
    `9am-5pm`.
    """
    found: list[_Value] = []
    for match in matches:
        label = match.rule.label
        if not label:
            continue
        if not found or match.begin >= found[-1].end:
            found.append(_Value(label, match.begin, match.end))
        elif found[-1].label == label:
            found[-1].end = match.end
    return found
