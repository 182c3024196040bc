"""The syntactic words of multiword tokens: Portuguese *do* consists of *de* and *o*.

A table has the words of the tokens that occur in training data. The words of other
tokens follow from the longest known ending or beginning, or from a mark inside of the
token: *katanya* ends with *nya*, *roedd* begins with *r*, which is *yr*, and Armenian
*ո՛չ* has a mark that is a word of its own. Tables and rules are in lowercase. The words
get the letter case of the token. `text.word_split_learning` learns the table and the
rules.
"""

from __future__ import annotations

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


class Edit(NamedTuple):
    """A change of one place in a token, which divides it into words.

    Attributes:
        n_kept: The number of characters after the place or, in a rule for beginnings,
            before it.
        removed: The characters that are removed.
        inserted: The characters that are inserted. The first ones belong to the word
            that ends there, and the last ones to the word that begins there.
    """

    n_kept: int
    removed: str
    inserted: Words


class Rule(NamedTuple):
    """What to do with a token that has a certain ending or beginning.

    Attributes:
        edit: The change of the token.
        confidence: The share of tokens for which it is right, in thousandths.
    """

    edit: Edit
    confidence: int


def lower(text: str) -> str:
    """Return a text in lowercase, with the same number of characters."""
    small = text.lower()
    if len(small) == len(text):
        return small
    return "".join(c.lower() if len(c.lower()) == 1 else c for c in text)


def case_of(text: str) -> str:
    """Return UPPER, TITLE or LOWER. A single capital is in title case."""
    if text[:1] == text[:1].lower():
        return LOWER
    letters = [c for c in text if c.lower() != c.upper()]
    return UPPER if len(letters) > 1 and text == text.upper() else TITLE


class WordSplitter:
    """Divides multiword tokens into words. Threads may share a splitter.

    Attributes:
        tokens: The words of known tokens, in lowercase, or in another case if the rules
            for letter case would give other words.
        rules: For ENDING and for BEGINNING, the rule for each known one.
        marks: The marks that are words of their own inside of tokens, with the
            confidence of this rule.
        cases: The case of the first word and of the other words, by the case of a
            token.
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
        """Return the words of a lowercase token that is not in the table, or None."""
        by_confidence = sorted(self._candidates(form), reverse=True)
        return next((words for _, _, words in by_confidence if all(words)), None)

    def _candidates(self, form: str) -> Iterator[tuple[int, int, Words]]:
        """Yield the confidence, the length of the key, and the words of each rule."""
        for side, rules in self.rules.items():
            for length in range(min(LONGEST_KEY, len(form)) + 1):
                rule = rules.get(key_of(form, side, length))
                if rule is not None:
                    yield rule.confidence, length, changed(form, side, rule.edit)
        for mark in self.marks.keys() & {*form}:
            yield self.marks[mark], 1, without_mark(form, mark)

    def in_case(self, form: str, words: Words) -> Words:
        """Return words, which are in lowercase, in the letter case of their token."""
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
        """Return the table and the rules as a model stores them: lines with tabs."""
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
        """Return the splitter of the lines of a model.

        Args:
            lines: The lines that `lines` returned.
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
        """Add a line; raise ValueError or TypeError if it is damaged."""
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
    """Return the ending or the beginning of a token with some number of characters."""
    return form[len(form) - length :] if side == ENDING else form[:length]


def key_place(form: str, side: str, edit: Edit) -> str:
    """Return the characters at the place of an edit."""
    n_removed = len(edit.removed)
    if side == ENDING:
        return form[: len(form) - edit.n_kept][-n_removed:] if n_removed else ""
    return form[edit.n_kept :][:n_removed]


def changed(form: str, side: str, edit: Edit) -> Words:
    """Return the words that an edit makes of a token."""
    n_removed = len(edit.removed)
    begin = edit.n_kept
    if side == ENDING:
        begin = len(form) - edit.n_kept - n_removed
    first, *middle, last = edit.inserted
    return (form[:begin] + first, *middle, last + form[begin + n_removed :])


def without_mark(form: str, mark: str) -> Words:
    """Return the words of a token with a mark that is a word of its own."""
    return form.replace(mark, ""), mark


class Difference(NamedTuple):
    """The place in which two texts differ.

    Attributes:
        before: The number of common characters before it.
        removed: The characters of the first text.
        inserted: The characters of the second text.
        after: The number of common characters after it.
    """

    before: int
    removed: str
    inserted: str
    after: int


def difference(old: str, new: str) -> Difference:
    """Return the place in which two texts differ."""
    shorter = min(len(old), len(new))
    before = 0
    while before < shorter and old[before] == new[before]:
        before += 1
    after = 0
    while after < shorter - before and old[-1 - after] == new[-1 - after]:
        after += 1
    removed = old[before : len(old) - after]
    return Difference(before, removed, new[before : len(new) - after], after)
