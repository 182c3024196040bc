"""Rules that correct a network's values: dates, times, amounts and the like.

The network finds most values in running text, but errs where digits decide: its
training data label `2020-01-01` as a number and exclude the sign from `$50`. The rules
are matched by `text.value_grammar`.
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
# The number of words before and after a marked word that are given a category.
_BEFORE, _AFTER = 3, 5
_by_place, _end_of_segment = itemgetter(1), itemgetter(2)
_begin_of, _end_of = attrgetter("begin"), attrgetter("end")


class ValueRules:
    """Applies the rules of a language to a network's values; threads may share it."""

    def __init__(self, language: str, labels: Sequence[str]) -> None:
        """Prepare the rules; use `value_rules`, which checks the arguments.

        Args:
            language: A language of `text.value_grammar`.
            labels: The labels of the network, as IOBES tags.
        """
        self._language = language
        self._names = np.array(labels, object)
        self._position = {label: place for place, label in enumerate(labels)}
        self._is_number = np.array([label[2:] in _OF_NUMBERS for label in labels])
        self._is_more = np.array([label[2:] in _MORE_THAN_NUMBERS for label in labels])

    def apply(
        self, tokens: Tokens, labels: NDArray[np.int32]
    ) -> tuple[NDArray[np.int32], NDArray[np.bool_]]:
        """Return the corrected labels, and whether a rule decided each of them.

        Args:
            tokens: The tokens.
            labels: int32[n_tokens], the labels of the network, which do not change.

        Returns:
            The labels, int32[n_tokens], and whether each was changed or is in a value
            of the rules, bool[n_tokens].
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
    """Return the rules of a language for a network, or None if there are none.

    The rules need exactly the IOBES tags of the seven OntoNotes types of values,
    because networks with other labels define values differently.
    """
    known = {"O", *(f"{prefix}-{label}" for prefix in "BIES" for label in _LABELS)}
    fits = language in FILES and {*labels} == known
    return ValueRules(language, labels) if fits else None


class _Bytes:
    """Finds the tokens that contain certain characters.

    Attributes:
        digit: bool[n_tokens], whether each token has an ASCII digit.
        hyphen: bool[n_tokens], whether it has a hyphen.
        letter_or_digit: bool[n_tokens], whether it has an ASCII letter or digit.
    """

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
    """Return the categories of each token, or OTHER for tokens far from marked tokens.

    marked: bool[n_tokens], whether each token is marked.
    """
    around = np.flatnonzero(marked)[:, None] + np.arange(-_BEFORE, _AFTER + 1)
    is_near = np.zeros(len(tokens), bool)
    is_near[around.clip(0, len(tokens) - 1)] = True
    categories = [OTHER] * len(tokens)
    rows = np.flatnonzero(is_near)
    for row, word in zip(rows.tolist(), tokens.texts(rows), strict=True):
        categories[row] = grammar.categories_of(word)
    return categories


class Match(NamedTuple):
    """A rule, and the words of a sentence that match it.

    Attributes:
        rule: The rule.
        begin: The index of the first word in its sentence.
        end: The index after the last word.
    """

    rule: Rule
    begin: int
    end: int


def _sentences(
    grammar: Grammar,
    tokens: Tokens,
    matches: NDArray[np.int64],
    doubtful: NDArray[np.bool_],
) -> Iterator[tuple[int, int, list[Match]]]:
    """Yield (begin, end, matches) for each sentence that the rules may change.

    Such a sentence contains a match or a doubtful token. It consists of the tokens from
    `begin` to `end` (exclusive).

    Args:
        grammar: The grammar.
        tokens: The tokens of the batch.
        matches: int64[n_matches, 3], from `Grammar.matches`.
        doubtful: bool[n_tokens], whether the network's label may need a correction
            even without a match.
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
    """A value that rules found, with its label and the range of its words."""

    def __init__(self, label: str, begin: int, end: int) -> None:
        self.label, self.begin, self.end = label, begin, end


class _Sentence:
    """Combines the values of the rules and of the network in one sentence."""

    def __init__(self, grammar: Grammar, categories: list[str]) -> None:
        self._grammar = grammar
        self._categories = categories

    def decide(
        self, predicted: list[Segment], matches: list[Match]
    ) -> tuple[list[Segment], list[Segment]]:
        """Return the values of the rules, and the network's values that remain.

        predicted: The network's values.
        matches: The matches of rules in the sentence, from left to right.
        """
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
        """Return the parts of a network's value that values of rules do not cover.

        If it overlaps with none, it remains (see `_checked`). If all values of rules
        that overlap with it have its label, they are extended to cover it, and nothing
        remains; they also become one value unless they are separate (`_are_several`).
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
        if self._grammar.has_only("about", self._categories[begin : first.begin]):
            first.begin = min(first.begin, begin)
        rest: list[Segment] = []
        for left, right in ((begin, first.begin), (last.end, end)):
            if self._is_value(self._categories[left:right]):
                rest += self._checked((label, left, right))
        return rest

    def _is_value(self, categories: list[str]) -> bool:
        """Return whether words with these categories are a value by themselves.

        For example, *mile* in `a 4:32 mile` is not.
        """
        has_value = self._grammar.has_any("told", categories)
        return has_value and not self._grammar.has_only("bare", categories)

    def _are_several(self, begin: int, touched: list[_Value]) -> bool:
        """Return whether a segment of the network has several values: `€5 or £4`.

        begin: The first word of the segment.
        touched: The values of the rules that overlap with it.
        """
        group = "listed_sum" if touched[0].label == "MONEY" else "listed"
        before = self._categories[max(begin - 1, 0) : begin + 1]
        return not self._grammar.has_any("between", before) and all(
            self._grammar.has_only(group, self._categories[one.end : other.begin])
            for one, other in pairwise(touched)
        )

    def _checked(self, segment: Segment) -> list[Segment]:
        """Return a list that contains the segment, possibly corrected.

        The list is empty if the segment consists of marks. A segment that consists of a
        number is a CARDINAL instead of a value that needs a unit or sign.
        """
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
    """Return the slice of `places` that overlaps the range from `begin` to `end`.

    places: Ranges of words without overlap, from left to right.
    begin_of: A function that returns the first word of an element of `places`.
    end_of: A function that returns the word after an element of `places`.
    """
    first = bisect_right(places, begin, key=end_of)
    return slice(first, bisect_left(places, end, first, key=begin_of))


def _labels_at(match: Match, predicted: list[Segment]) -> set[str]:
    """Return the network's labels on the words of a match, or {"O"} if there are none.

    predicted: The network's values in the sentence.
    """
    places = _touching(predicted, match.begin, match.end, _by_place, _end_of_segment)
    return {label for label, _, _ in predicted[places]} or {"O"}


def _values_of(matches: list[Match]) -> list[_Value]:
    """Return the values of the rules, from left to right and without overlap.

    Two values with the same label in one word (`9am-5pm`) become one value. If their
    labels differ, the first is returned.
    """
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
