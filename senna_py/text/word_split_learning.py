"""Learning of the words of multiword tokens from a treebank.

Each form counts once, however frequent it is, because unseen tokens resemble rare
tokens. A rule is stored if it differs from the rule for the longest shorter ending or
beginning. A token is stored in the table if the rules would divide it differently.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from senna_py.text.word_splitting import (
    BEGINNING,
    ENDING,
    LONGEST_KEY,
    TITLE,
    UPPER,
    USUAL_CASES,
    Edit,
    Rule,
    Words,
    WordSplitter,
    case_of,
    difference,
    key_of,
    lower,
    without_mark,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

# The weight of the share of an edit for the next shorter key, as a number of forms.
_SHORTER = 1.0
# A rule is also stored if its confidence differs by this number of thousandths from
# that of the rule with the longest shorter key.
_DIFFERENT = 100
# The number of forms that is added to the denominator of a confidence, for smoothing.
_DOUBT = 0.5
# The minimum number of forms of a key, except for the shortest ending that contains the
# change.
_LEAST_FORMS = 2

_Counts = dict[str, Counter[Edit | None]]


def learn_words(tokens: Iterable[tuple[str, Sequence[str]]]) -> WordSplitter:
    """Return a splitter for the multiword tokens of a treebank.

    Args:
        tokens: Pairs of a surface token and its words.
    """
    counts: dict[str, Counter[Words]] = defaultdict(Counter)
    for form, words in tokens:
        if len(words) > 1:
            counts[form][tuple(words)] += 1
    small: dict[str, Counter[Words]] = defaultdict(Counter)
    for form, analyses in counts.items():
        for words, n in analyses.items():
            small[lower(form)][tuple(map(lower, words))] += n
    usual = {form: _most_frequent(analyses) for form, analyses in small.items()}
    rules = {side: _rules_of(usual, side) for side in (ENDING, BEGINNING)}
    learned = WordSplitter({}, rules, _marks_of(usual), _cases_of(counts))
    learned.tokens = {
        form: words
        for form, words in sorted(usual.items())
        if learned.by_rules(form) != words
    }
    # Lowercase forms come first, because other forms may have the same words.
    for form in sorted(counts, key=lambda form: (form != lower(form), form)):
        words = _most_frequent(counts[form])
        if learned.split(form) != words:
            learned.tokens[form] = words
    return WordSplitter(learned.tokens, rules, learned.marks, learned.cases)


def _most_frequent(analyses: Counter[Words]) -> Words:
    """Return the most frequent words or, of several such, the first in order."""
    return min(analyses, key=lambda words: (-analyses[words], words))


def _rules_of(usual: Mapping[str, Words], side: str) -> dict[str, Rule]:
    """Return the rules for endings or for beginnings."""
    counts: _Counts = defaultdict(Counter)
    shortest: set[str] = set()
    for form, words in usual.items():
        before, removed, inserted, after = difference(form, "\t".join(words))
        n_kept = after if side == ENDING else before
        edit = Edit(n_kept, removed, tuple(inserted.split("\t")))
        # An edit that moves a letter from one word to another has no single place.
        n_needed = n_kept + len(removed) if len(edit.inserted) > 1 else LONGEST_KEY + 1
        if side == ENDING:
            shortest.add(key_of(form, side, n_needed))
        for length in range(min(LONGEST_KEY, len(form)) + 1):
            key = key_of(form, side, length)
            counts[key][edit if length >= n_needed else None] += 1
    shares: dict[str, dict[Edit | None, float]] = {}
    rules: dict[str, Rule] = {}
    for key in sorted(counts, key=lambda key: (len(key), key)):
        n_forms = sum(counts[key].values())
        if n_forms < _LEAST_FORMS and key not in shortest:
            continue
        keys = (key_of(key, side, length) for length in reversed(range(len(key))))
        shorter = [each for each in keys if each in shares]
        general = shares[shorter[0]] if shorter else {}
        shares[key] = {
            edit: (counts[key][edit] + _SHORTER * general.get(edit, 0.0))
            / (n_forms + _SHORTER)
            for edit in {*general, *counts[key]}
        }
        known = [edit for edit in shares[key] if edit is not None]
        if not known:
            continue
        best = max(known, key=lambda edit: (shares[key][edit], edit))
        rule = Rule(best, round(1000 * shares[key][best]))
        general_rule = next((rules[each] for each in shorter if each in rules), None)
        if general_rule is None or _differ(rule, general_rule):
            rules[key] = rule
    return rules


def _differ(rule: Rule, other: Rule) -> bool:
    return (
        rule.edit != other.edit or abs(rule.confidence - other.confidence) > _DIFFERENT
    )


def _marks_of(usual: Mapping[str, Words]) -> dict[str, int]:
    """Return the confidence of the rule for each mark that is a word of its own."""
    forms: Counter[str] = Counter()
    right: Counter[str] = Counter()
    for form, words in usual.items():
        for mark in {c for c in form if not c.isalnum()}:
            forms[mark] += 1
            right[mark] += words == without_mark(form, mark)
    return {
        mark: round(1000 * n / (forms[mark] + _DOUBT))
        for mark, n in sorted(right.items())
        if n
    }


def _cases_of(counts: Mapping[str, Counter[Words]]) -> dict[str, tuple[str, str]]:
    """Return the usual cases of words, by the case of their token.

    Tokens that are the concatenation of their words are not counted.
    """
    cases: dict[str, Counter[tuple[str, str]]] = defaultdict(Counter)
    for form, analyses in counts.items():
        words = _most_frequent(analyses)
        case = case_of(form)
        if case in USUAL_CASES and "".join(words) != form:
            first = case_of(words[0])
            others = {case_of(word) for word in words[1:]}
            if case == UPPER:
                # A single capital letter in a token of capitals is in the same case.
                first = UPPER if first == TITLE else first
                others = {UPPER if each == TITLE else each for each in others}
            if len(others) == 1:
                cases[case][first, others.pop()] += 1
    return {case: both.most_common(1)[0][0] for case, both in cases.items()}
