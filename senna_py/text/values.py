"""Rules that correct a network's values: dates, times, amounts and the like.

The network finds most values in running text, but errs where digits decide: it was
trained on labels that take `2020-01-01` for a number and leave the sign out of `$50`.
See `text.value_grammar`.
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
_MORE_THAN_NUMBERS = ("MONEY", "PERCENT", "QUANTITY")
# The number of words before and after a word with a digit that patterns see.
_BEFORE, _AFTER = 3, 5
_by_place, _end_of_segment = itemgetter(1), itemgetter(2)
_begin_of, _end_of = attrgetter("begin"), attrgetter("end")


class ValueRules:
    """The rules of a language for a network; threads may share it."""

    def __init__(self, language: str, labels: Sequence[str]) -> None:
        """Hold a language and the labels of the network, which `value_rules` checks."""
        self._language = language
        self._names = np.array(labels, object)
        self._position = {label: place for place, label in enumerate(labels)}
        self._is_number = np.array([label[2:] in _OF_NUMBERS for label in labels])
        self._is_more = np.array([label[2:] in _MORE_THAN_NUMBERS for label in labels])

    def apply(
        self, tokens: Tokens, labels: NDArray[np.int32]
    ) -> tuple[NDArray[np.int32], NDArray[np.bool_]]:
        """Return the labels by the rules, and which of them a rule decided.

        Args:
            tokens: The tokens.
            labels: int32[n_tokens], the labels of the network.

        Returns:
            int32[n_tokens] and bool[n_tokens].
        """
        new, decided = labels.copy(), np.zeros(len(tokens), bool)
        has = _Bytes(tokens)
        is_number = self._is_number[labels]
        marked = is_number | has.digit
        hyphened = np.flatnonzero(has.hyphen & ~has.digit)
        if not len(hyphened) and not marked.any():
            return new, decided
        grammar = read_grammar(self._language)
        for row, word in zip(hyphened.tolist(), tokens.texts(hyphened), strict=True):
            marked[row] |= grammar.is_known(word)  # *five-mile*
        categories = _categories_near(grammar, tokens, marked)
        doubtful = self._is_more[labels] | (is_number & ~has.letter_or_digit)
        all_matches = grammar.matches(categories, tokens.starts)
        for begin, end, matches in _sentences(grammar, tokens, all_matches, doubtful):
            predicted = segments(self._names[labels[begin:end]].tolist())
            sentence = _Sentence(grammar, categories[begin:end])
            values, rest = sentence.decide(predicted, matches)
            tags = encode(sorted([*values, *rest], key=_by_place), end - begin, "iobes")
            new[begin:end] = [self._position[tag] for tag in tags]
            for _, first, last in values:
                decided[begin + first : begin + last] = True
        return new, decided | (new != labels)


def value_rules(language: str, labels: Sequence[str]) -> ValueRules | None:
    """Return the rules of a language for a network with these labels, or None.

    The rules are for the seven values of OntoNotes in IOBES. A network with other
    labels has another definition of values.
    """
    known = {"O", *(f"{prefix}-{label}" for prefix in "BIES" for label in _LABELS)}
    fits = language in FILES and {*labels} == known
    return ValueRules(language, labels) if fits else None


class _Bytes:
    """Which tokens contain certain characters: bool[n_tokens] each."""

    def __init__(self, tokens: Tokens) -> None:
        low = tokens.begin.min(initial=len(tokens.raw))
        text = tokens.raw[low : tokens.end.max(initial=low)]
        self._begin, self._end = tokens.begin - low, tokens.end - low
        is_digit = text - np.uint8(ord("0")) < 10
        letter = text | np.uint8(ord("a") - ord("A"))
        self.digit = self._in_token(is_digit)
        self.hyphen = self._in_token(text == ord("-"))
        self.letter_or_digit = self._in_token(
            is_digit | (letter - np.uint8(ord("a")) < 26)
        )

    def _in_token(self, wanted: NDArray[np.bool_]) -> NDArray[np.bool_]:
        count = np.append(np.int32(0), np.cumsum(wanted, dtype=np.int32))
        return count[self._end] > count[self._begin]


def _categories_near(
    grammar: Grammar, tokens: Tokens, marked: NDArray[np.bool_]
) -> list[str]:
    """Return the categories of words near marked words; others are OTHER."""
    around = np.flatnonzero(marked)[:, None] + np.arange(-_BEFORE, _AFTER + 1)
    is_near = np.zeros(len(tokens), bool)
    is_near[around.clip(0, len(tokens) - 1)] = True
    categories = [OTHER] * len(tokens)
    rows = np.flatnonzero(is_near)
    for row, word in zip(rows.tolist(), tokens.texts(rows), strict=True):
        categories[row] = grammar.categories_of(word)
    return categories


class Match(NamedTuple):
    """A rule, and the words that match it: from `begin` to `end` (exclusive)."""

    rule: Rule
    begin: int
    end: int


def _sentences(
    grammar: Grammar,
    tokens: Tokens,
    matches: NDArray[np.int64],
    doubtful: NDArray[np.bool_],
) -> Iterator[tuple[int, int, list[Match]]]:
    """Yield sentences with a match or a doubtful token: begin, end, and the matches.

    Args:
        grammar: The rules.
        tokens: The tokens of the batch.
        matches: int64[n_matches, 3], from `Grammar.matches`.
        doubtful: bool[n_tokens].
    """
    rows = np.append(matches[:, 1], np.flatnonzero(doubtful))
    owners = np.unique(np.searchsorted(tokens.starts, rows, side="right") - 1)
    begins, ends = tokens.starts[owners], tokens.starts[owners + 1]
    places = np.searchsorted(matches[:, 1], [begins, ends]).T.tolist()
    for begin, end, (p, q) in zip(begins.tolist(), ends.tolist(), places, strict=True):
        within = [
            Match(grammar.rules[rule], first - begin, last - begin)
            for rule, first, last in matches[p:q].tolist()
        ]
        yield begin, end, within


class _Value:
    """A value by the rules: its label, and its words in the sentence."""

    def __init__(self, label: str, begin: int, end: int) -> None:
        self.label, self.begin, self.end = label, begin, end


class _Sentence:
    """Decides on the values of a sentence, from the categories of its words."""

    def __init__(self, grammar: Grammar, categories: list[str]) -> None:
        self._grammar = grammar
        self._categories = categories

    def decide(
        self, predicted: list[Segment], matches: list[Match]
    ) -> tuple[list[Segment], list[Segment]]:
        """Return the values of the rules, and what they leave of the network's."""
        matches = [
            match
            for match in matches
            if not match.rule.over or _labels_at(match, predicted) <= match.rule.over
        ]
        denials = [match for match in matches if match.rule.never]
        values = _values_of(matches)
        rest: list[Segment] = []
        for segment in predicted:
            label, begin, end = segment
            touching = denials[_touching(denials, begin, end)]
            if not any(label in match.rule.never for match in touching):
                rest += self._rest_of(segment, values)
        return [(value.label, value.begin, value.end) for value in values], rest

    def _rest_of(self, segment: Segment, values: list[_Value]) -> list[Segment]:
        """Return what values of rules leave of a segment; they may also absorb it."""
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
        if self._grammar.has_only("about", self._categories[begin : first.begin]):
            first.begin = min(first.begin, begin)
        rest: list[Segment] = []
        for left, right in ((begin, first.begin), (last.end, end)):
            if self._is_value(self._categories[left:right]):
                rest += self._checked((label, left, right))
        return rest

    def _is_value(self, categories: list[str]) -> bool:
        """Return whether words are another value: not *mile* of `a 4:32 mile`."""
        has_value = self._grammar.has_any("told", categories)
        return has_value and not self._grammar.has_only("bare", categories)

    def _are_several(self, begin: int, touched: list[_Value]) -> bool:
        """Return whether the values in one segment are separate, as in `€5 or £4`.

        Args:
            begin: The first word of the segment.
            touched: The values of rules in it.
        """
        group = "listed_sum" if touched[0].label == "MONEY" else "listed"
        before = self._categories[max(begin - 1, 0) : begin + 1]
        return not self._grammar.has_any("between", before) and all(
            self._grammar.has_only(group, self._categories[one.end : other.begin])
            for one, other in pairwise(touched)
        )

    def _checked(self, segment: Segment) -> list[Segment]:
        """Return a segment, as a CARDINAL if only a number, or none if only marks."""
        label, begin, end = segment
        categories = self._categories[begin:end]
        if self._grammar.has_only("mark", categories):
            return []
        is_plain = self._grammar.has_only("plain", categories)
        if is_plain and label in _MORE_THAN_NUMBERS:
            return [("CARDINAL", begin, end)]
        return [segment]


def _touching(
    places: Sequence[Any],
    begin: int,
    end: int,
    begin_of: Callable[[Any], int] = _begin_of,
    end_of: Callable[[Any], int] = _end_of,
) -> slice:
    """Return which places, from left to right, share a word with `begin` to `end`."""
    first = bisect_right(places, begin, key=end_of)
    return slice(first, bisect_left(places, end, first, key=begin_of))


def _labels_at(match: Match, predicted: list[Segment]) -> set[str]:
    """Return the labels of the network where a rule matches; {"O"} if none."""
    places = _touching(predicted, match.begin, match.end, _by_place, _end_of_segment)
    return {label for label, _, _ in predicted[places]} or {"O"}


def _values_of(matches: list[Match]) -> list[_Value]:
    """Return the values of rules; two in one word (`9am-5pm`) are one value."""
    values: list[_Value] = []
    for match in matches:
        label = match.rule.label
        if not label:
            continue
        if not values or match.begin >= values[-1].end:
            values.append(_Value(label, match.begin, match.end))
        elif values[-1].label == label:
            values[-1].end = match.end
    return values
