"""The syntactic words of multiword tokens: Portuguese *do* consists of *de* and *o*.

A table contains the words of tokens in the training data. Other tokens are divided by
rules for their longest known ending or beginning, or for a mark inside the token:
*katanya* ends with *nya*, *roedd* begins with *r*, which is *yr*, and Armenian *ո՛չ*
has a mark that is a word of its own. A token whose rules are too uncertain stays whole.
A rule that does not know a mark inside the token, such as the one for *d* in
*dir-lhe-ei*, must be almost certain. Tables and rules are in lowercase, and the words
get the letter case of the token. `text.word_split_learning` learns the table and the
rules.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from senna_py.errors import SennaError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

Words = tuple[str, ...]
LONGEST_KEY = 10  # the maximum number of characters of an ending or beginning
UPPER, TITLE, LOWER = "upper", "title", "lower"
ENDING, BEGINNING = "ending", "beginning"
_TOKEN, _MARK, _CASE = "token", "mark", "case"
# The case of the first word and of the other words, by the case of the token.
USUAL_CASES = {TITLE: (TITLE, LOWER), UPPER: (UPPER, UPPER)}
_MOST_CACHED = 1 << 16
# The minimum confidence of a rule, in thousandths, and that of a rule that leaves an
# unknown mark inside a word. They are chosen so that the words of tokens in the dev sets of
# eight treebanks do not become worse.
_LEAST_CONFIDENCE, _LEAST_WITH_MARK = 150, 900
_INNER_MARK = re.compile(r"(?<=[^\W_])[\W_](?=[^\W_])")


class Edit(NamedTuple):
    """A change at one place in a token, which divides the token into words.

    Attributes:
        n_kept: The number of characters after the place or, in a rule for beginnings,
            before it.
        removed: The characters that are removed.
        inserted: The strings that are inserted, at least two. The first one completes
            the word that ends at the place, the last one completes the word that begins
            there, and each of the others is a word.
    """

    n_kept: int
    removed: str
    inserted: Words


class Rule(NamedTuple):
    """How a token with a certain ending or beginning is divided.

    Attributes:
        edit: The change of the token.
        confidence: The share of tokens for which the rule is right, in thousandths.
    """

    edit: Edit
    confidence: int


class _Candidate(NamedTuple):
    """The result of a rule for a token.

    Attributes:
        confidence: The confidence of the rule.
        length: The length of its key.
        words: The words.
        has_mark: Whether a word has an inner mark that is not part of the key.
    """

    confidence: int
    length: int
    words: Words
    has_mark: bool


def lower(text: str) -> str:
    """Return a text in lowercase, with the same number of characters."""
    small = text.lower()
    if len(small) == len(text):
        return small
    return "".join(c.lower() if len(c.lower()) == 1 else c for c in text)


def case_of(text: str) -> str:
    """Return the letter case of a text: UPPER, TITLE or LOWER.

    A single capital letter is in title case.
    """
    if text[:1] == text[:1].lower():
        return LOWER
    letters = [c for c in text if c.lower() != c.upper()]
    return UPPER if len(letters) > 1 and text == text.upper() else TITLE


class WordSplitter:
    """Divides multiword tokens into words. Threads may share a splitter.

    Attributes:
        tokens: The words of known tokens. The tokens are in lowercase, except those
            whose words the rules for letter case would get wrong.
        rules: The rules for endings and for beginnings: for ENDING and for BEGINNING, a
            rule for each known ending or beginning.
        marks: The marks that are words of their own inside tokens, with the confidence
            of this rule in thousandths.
        cases: The case of the first word and the case of the other words, by the case
            of their token.
    """

    def __init__(
        self,
        tokens: Mapping[str, Words],
        rules: Mapping[str, Mapping[str, Rule]] | None = None,
        marks: Mapping[str, int] | None = None,
        cases: Mapping[str, tuple[str, str]] | None = None,
    ) -> None:
        self.tokens = dict(tokens)
        self.rules = {side: dict((rules or {}).get(side, {})) for side in _SIDES}
        self.marks = dict(marks or {})
        self.cases = USUAL_CASES | dict(cases or {})
        self._cache: dict[str, Words | None] = {}

    def split(self, form: str) -> Words | None:
        """Return the words of a multiword token, or None if no rule applies."""
        if form in self._cache:
            return self._cache[form]
        words = self.tokens.get(form)
        if words is None:
            small = lower(form)
            words = self.tokens.get(small) or self.by_rules(small)
            if words is not None:
                words = self.in_case(form, words)
        if len(self._cache) < _MOST_CACHED:
            self._cache[form] = words
        return words

    def by_rules(self, form: str) -> Words | None:
        """Return the words of a lowercase token by the rules, or None.

        The rule with the highest confidence is taken if it is confident enough.
        """
        by_confidence = sorted(self._candidates(form), reverse=True)
        for each in by_confidence:
            least = _LEAST_WITH_MARK if each.has_mark else _LEAST_CONFIDENCE
            if all(each.words) and each.confidence >= least:
                return each.words
        return None

    def _candidates(self, form: str) -> Iterator[_Candidate]:
        """Yield the result of each matching rule."""
        for side, rules in self.rules.items():
            for length in range(min(LONGEST_KEY, len(form)) + 1):
                rule = rules.get(key_of(form, side, length))
                if rule is not None:
                    words = changed(form, side, rule.edit)
                    has_mark = _has_mark(words, side, len(form) - length)
                    yield _Candidate(rule.confidence, length, words, has_mark)
        for mark in self.marks.keys() & {*form}:
            yield _Candidate(self.marks[mark], 1, without_mark(form, mark), False)

    def in_case(self, form: str, words: Words) -> Words:
        """Return lowercase words in the letter case of their token."""
        if "".join(words) == lower(form):
            ends = [sum(map(len, words[: i + 1])) for i in range(len(words))]
            begins = [0, *ends[:-1]]
            return tuple(form[i:j] for i, j in zip(begins, ends, strict=True))
        case = case_of(form)
        first, others = self.cases.get(case, (LOWER, LOWER))
        if case == UPPER:
            return tuple(
                word.upper() if (others if i else first) == UPPER else word
                for i, word in enumerate(words)
            )
        before, _, inserted, after = difference(lower(form), "\t".join(words))
        joined = form[:before] + inserted + form[len(form) - after :]
        if first == TITLE:
            joined = joined[:1].upper() + joined[1:]
        return tuple(joined.split("\t"))

    def lines(self) -> list[str]:
        """Return the tab-separated lines of the table and the rules, for a model."""
        rows = [[_TOKEN, form, *words] for form, words in self.tokens.items()]
        for side, rules in self.rules.items():
            for key, (edit, confidence) in rules.items():
                numbers = f"{confidence}", f"{edit.n_kept}"
                rows.append([side, key, *numbers, edit.removed, *edit.inserted])
        rows += [[_MARK, mark, f"{n}"] for mark, n in self.marks.items()]
        rows += [[_CASE, case, *both] for case, both in self.cases.items()]
        return ["\t".join(row) for row in rows]

    @classmethod
    def of_lines(cls, lines: Iterable[str], name: str = "words") -> WordSplitter:
        """Create a splitter from the lines that a model stores.

        Args:
            lines: The lines, as returned by the method `lines`.
            name: The name of the list, for error messages.

        Raises:
            SennaError: If a line is damaged.
        """
        splitter = cls({})
        for number, line in enumerate(lines, 1):
            try:
                splitter._add(*line.split("\t"))
            except (TypeError, ValueError):
                raise SennaError(
                    f"{name}: line {number}: no rule for multiword tokens: {line!r}"
                ) from None
        return splitter

    def _add(self, sort: str, key: str, *values: str) -> None:
        """Add the fields of a line; raise ValueError or TypeError if it is damaged."""
        if sort == _TOKEN and len(values) > 1 and key and all(values):
            self.tokens[key] = values
        elif sort in self.rules:
            confidence, n_kept, removed, *inserted = values
            edit = Edit(int(n_kept), removed, tuple(inserted))
            if len(inserted) < 2 or not 0 <= edit.n_kept <= len(key) - len(removed):
                raise ValueError(key)
            if key_place(key, sort, edit) != removed:
                raise ValueError(key)
            self.rules[sort][key] = Rule(edit, int(confidence))
        elif sort == _MARK and len(key) == 1:
            (confidence,) = values
            self.marks[key] = int(confidence)
        elif (
            sort == _CASE and key in USUAL_CASES and {*values} <= {UPPER, TITLE, LOWER}
        ):
            first, others = values
            self.cases[key] = first, others
        else:
            raise ValueError(sort)


_SIDES = (ENDING, BEGINNING)


def key_of(form: str, side: str, length: int) -> str:
    """Return the key of a rule: the last or first `length` characters of a token."""
    return form[len(form) - length :] if side == ENDING else form[:length]


def key_place(form: str, side: str, edit: Edit) -> str:
    """Return the characters that an edit would remove from a token."""
    n_removed = len(edit.removed)
    if side == ENDING:
        return form[: len(form) - edit.n_kept][-n_removed:] if n_removed else ""
    return form[edit.n_kept :][:n_removed]


def changed(form: str, side: str, edit: Edit) -> Words:
    """Return the words into which an edit divides a token."""
    n_removed = len(edit.removed)
    begin = edit.n_kept
    if side == ENDING:
        begin = len(form) - edit.n_kept - n_removed
    first, *middle, last = edit.inserted
    return (form[:begin] + first, *middle, last + form[begin + n_removed :])


def _has_mark(words: Words, side: str, n_unknown: int) -> bool:
    """Return whether a word has an inner mark that the key of its rule lacks.

    n_unknown: The number of characters of the token that are not part of the key.
    """
    word = words[0] if side == ENDING else words[-1]
    n_seen = n_unknown + 1  # An inner mark is followed by another character.
    unknown = word[:n_seen] if side == ENDING else word[-n_seen:]
    return _INNER_MARK.search(unknown) is not None


def without_mark(form: str, mark: str) -> Words:
    """Return the words of a token that contains a mark: the rest, and the mark."""
    return form.replace(mark, ""), mark


class Difference(NamedTuple):
    """The place where two texts differ.

    Attributes:
        before: The number of equal characters before this place.
        removed: The characters at this place in the first text.
        inserted: The characters at this place in the second text.
        after: The number of equal characters after this place.
    """

    before: int
    removed: str
    inserted: str
    after: int


def difference(old: str, new: str) -> Difference:
    """Return the place where two texts differ."""
    shorter = min(len(old), len(new))
    before = 0
    while before < shorter and old[before] == new[before]:
        before += 1
    after = 0
    while after < shorter - before and old[-1 - after] == new[-1 - after]:
        after += 1
    removed = old[before : len(old) - after]
    return Difference(before, removed, new[before : len(new) - after], after)
