"""Learn lemmatization rules from tagged sentences and, optionally, a dictionary.

Each form counts once, however frequent it is, because unseen words resemble rare words.
Words whose endings and cases would result in a wrong lemma are listed with all their
tags. The words of the dictionary become known words. Its forms are listed if the other
rules would result in another lemma.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import NamedTuple

import numpy as np

from senna_py.labels.lemmas import (
    ANY,
    CASES,
    INITIALS,
    LONGEST_ENDING,
    LONGEST_LINE,
    MOST_FOLLOWING,
    Edit,
    Lemmas,
    contexts_of,
    in_case,
    n_common,
    shapes_of,
)
from senna_py.labels.word_table import WordTable

# An edit that leaves fewer characters of a word does not generalize to other words.
_LEAST_KEPT = 2
# If at least this share of the lemmas of a tag also occurs with another tag, all lemmas
# of the first tag may have the second one.
_MAY = 0.4
# If at least this share of the words of a tag are their own lemmas, all known words of
# the tag are.
_UNINFLECTED = 0.9
# If at least this share of the forms of an edit has the same letter before it, this
# letter becomes part of the edit.
_SAME_LETTER = 0.9
# An edit with at least this number of forms is tried on other forms.
_LEAST_FORMS = 3
# An edit of at least this share of a tag's forms is regular.
_FREQUENT = 0.02
# An edit with at least this number of forms in the dictionary is tried for all tags of
# a class.
_LEAST_OF_CLASS = 8
# A form whose lemma is longer by at least this number of characters is an abbreviation.
_LONGER = 2
# The contexts of two lemmas are learned if the rarer one has at least this number of
# tokens.
_LEAST_UNCERTAIN = 10
# Contexts must correct at least this share of the wrong lemmas of ambiguous forms.
_LEAST_GAIN = 0.3

Row = tuple[str, str, str]  # a form, its tag and its lemma
_Counts = Mapping[tuple[str, str], Counter[str]]  # counts of lemmas, by form and tag


class _Occurrence(NamedTuple):
    """A token with one of two lemmas, and its contexts; see `contexts_of`."""

    form: str
    contexts: list[str]
    lemma: str


@dataclass
class Dictionary:
    """The words and inflected forms of a language.

    Attributes:
        words: The known words, as pairs of a class, such as NOUN, and a lemma.
        forms: The lemma of each inflected form, by class and form.
        classes: The class of each tag.
        auxiliaries: The lemmas of all auxiliaries, the most frequent first.
    """

    words: set[tuple[str, str]] = field(default_factory=set)
    forms: dict[tuple[str, str], str] = field(default_factory=dict)
    classes: Mapping[str, str] = field(default_factory=dict)
    auxiliaries: list[str] = field(default_factory=list)

    def correct(self, form: str, tag: str, lemma: str) -> str:
        """Return a lemma of the training data or, if it seems wrong, the dictionary's.

        A lemma seems wrong if it is neither a known word of the tag's class nor equal
        to the form, ignoring case. If the dictionary lacks the form, the lemma is kept.
        """
        of_class = self.classes.get(tag, "")
        small = lemma.lower()
        if small == form.lower() or (of_class, small) in self.words:
            return lemma
        return self.forms.get((of_class, form.lower()), lemma)


def learn_lemmas(
    sentences: Iterable[Sequence[Row]], dictionary: Dictionary | None = None
) -> Lemmas:
    """Learn lemmatization rules from sentences, and return them as Lemmas.

    Args:
        sentences: For each sentence, a row for each token: its form, tag and lemma.
            Rows without a form or a lemma, or with very long ones, are ignored.
        dictionary: The known words and forms of the language, or None.
    """
    known = dictionary or Dictionary()
    sentences = [
        [
            (form, tag, known.correct(form, tag, lemma))
            for form, tag, lemma in rows
            if form and lemma and len(form + lemma) < LONGEST_LINE - 10
        ]
        for rows in sentences
    ]
    counts: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for form, tag, lemma in (row for rows in sentences for row in rows):
        counts[form, tag][lemma] += 1
    learned = Lemmas(np.empty(0, np.uint8))
    _learn_cases(learned, counts)
    pairs = {
        (form.lower(), tag, lemma.lower())
        for (form, tag), lemmas in counts.items()
        for lemma in lemmas
    }
    inflected = {row for row in pairs if len(row[2]) < len(row[0]) + _LONGER}
    _learn_endings(learned, inflected | _unseen(pairs))
    _learn_dictionary(learned, known, pairs)
    learned.auxiliaries += known.auxiliaries
    _learn_words(learned, counts)
    _learn_contexts(learned, sentences, counts)
    return Lemmas(np.frombuffer(_lines_of(learned), np.uint8))


def _lines_of(learned: Lemmas) -> bytes:
    """Return learned rules and lists as the bytes of `Lemmas.array`."""
    lines: dict[str, list[str]] = defaultdict(list)
    lines[ANY] += (f"auxiliary\t{lemma}" for lemma in learned.auxiliaries)
    lines[ANY] += (f"irregular\t{cut}\t{added}" for cut, added in learned.irregular)
    for tag, endings in learned.endings.items():
        lines[tag] += (
            f"ending\t{ending}\t{cut}\t{added}"
            for ending, (cut, added) in sorted(endings.items())
        )
    for tag, cases in learned.cases.items():
        lines[tag] += (
            f"case\t{shape}\t{case}" for shape, case in sorted(cases.items())
        )
    for (form, tag), lemma in sorted(learned.words.items()):
        lines[tag].append(f"word\t{form}\t{lemma}")
    for tag, of_class in learned.classes.items():
        uninflected = "own" if tag in learned.uninflected else ""
        lines[tag].append(f"class\t{of_class}\t{uninflected}")
    for tag, edits in learned.edits.items():
        lines[tag] += (f"edit\t{removed}\t{added}" for removed, added in edits)
    for uncertain, tag in sorted(learned.uncertain):
        form = uncertain.decode("utf-8", "surrogateescape")
        lines[tag].append(f"uncertain\t{form}")
    for tag, contexts in learned.contexts.items():
        lines[tag] += (
            f"context\t{key}\t{lemma}" for key, lemma in sorted(contexts.items())
        )
    text = "".join(
        f"{line}\n"
        for tag in sorted(lines)
        if lines[tag]
        for line in (f"tag\t{tag}" if tag else "tag", *lines[tag])
    )
    data = text.encode("utf-8", "surrogateescape")
    table = learned.table
    if table is None:
        return data
    head = f"table\t{table.n_words}\t{table.n_forms}\n"
    return head.encode() + data + table.to_bytes()


def _learn_cases(learned: Lemmas, counts: _Counts) -> None:
    """Learn the most frequent case of each shape.

    A shape is left out if the case of a more general shape is about as frequent.
    """
    cases: dict[tuple[tuple[str, ...], str], Counter[str]] = defaultdict(Counter)
    for (form, tag), lemmas in counts.items():
        shapes = shapes_of(form, form.lower())
        for lemma in lemmas:
            small = lemma.lower()
            for case in CASES:
                if in_case(form, small, case) != lemma:
                    continue
                cases[(shapes[0],), ANY][case] += 1
                for n in range(1, 1 + len(shapes)):
                    cases[(*shapes[:n],), tag][case] += 1
    for known_shapes, tag in sorted(cases, key=lambda key: len(key[0])):
        general = learned.case(known_shapes[:-1], tag)
        if known_shapes == (INITIALS,):
            general = "keep"
        counted = cases[known_shapes, tag]
        usual = max(CASES, key=lambda case: counted[case])
        # A single form is weak evidence.
        if general is None or counted[usual] > counted[general] + 1:
            learned.cases[tag][known_shapes[-1]] = usual


def _learn_endings(learned: Lemmas, pairs: Iterable[Row]) -> None:
    """Learn the most frequent edit of each ending.

    An ending is left out if the edit of a shorter ending is as frequent.
    """
    edits: dict[tuple[str, str], Counter[Edit]] = defaultdict(Counter)
    for small, tag, lemma in sorted(pairs):
        n_kept = n_common(small, lemma)
        if n_kept < min(_LEAST_KEPT, len(small)):
            continue
        cut = len(small) - n_kept
        for n in range(cut, min(len(small), LONGEST_ENDING) + 1):
            for of_tag in (tag, ANY):
                edits[small[len(small) - n :], of_tag][cut, lemma[n_kept:]] += 1
    for ending, tag in sorted(edits, key=lambda key: len(key[0])):
        counted = edits[ending, tag]
        shorter = learned.edit(ending, tag, len(ending) - 1)
        if shorter is None or max(counted.values()) > counted[shorter]:
            learned.endings[tag][ending] = max(counted, key=lambda edit: counted[edit])


def _unseen(pairs: Iterable[Row]) -> set[Row]:
    """Return rows of regular forms that do not occur in `pairs`.

    A form with another tag is made for a lemma if many lemmas with one of its tags also
    have this other tag.

    Args:
        pairs: Rows of a lower-case form, its tag and its lower-case lemma.
    """
    tags_of: dict[str, set[str]] = defaultdict(set)
    shared: Counter[tuple[str, str]] = Counter()
    made = set()
    for _, tag, lemma in pairs:
        tags_of[lemma].add(tag)
    for tags in tags_of.values():
        shared.update(product(tags, tags))
    may: dict[str, set[str]] = defaultdict(set)
    for (tag, other), n in shared.items():
        if n >= _MAY * shared[tag, tag]:
            may[tag].add(other)
    inflected = Lemmas(np.empty(0, np.uint8))
    _learn_endings(inflected, {(lemma, tag, small) for small, tag, lemma in pairs})
    for lemma, tags in tags_of.items():
        for tag in set[str]().union(*(may[other] for other in tags)) - tags:
            cut, added = inflected.edit(lemma, tag) or (0, "")
            made.add((lemma[: len(lemma) - cut] + added, tag, lemma))
    seen = {(small, tag) for small, tag, _ in pairs}
    return {row for row in made if row[:2] not in seen}


def _learn_dictionary(
    learned: Lemmas, dictionary: Dictionary, pairs: Iterable[Row]
) -> None:
    """Learn the known words, edits and irregular forms from a dictionary.

    Args:
        learned: The rules and lists learned so far, which are extended.
        dictionary: The dictionary.
        pairs: Rows of a lower-case form, its tag and its lower-case lemma.
    """
    rows_of_tag = defaultdict(list)
    for small, tag, lemma in pairs:
        rows_of_tag[tag].append((small, lemma))
    classes = {of_class for of_class, _ in (*dictionary.words, *dictionary.forms)}
    checked = {of_class for of_class, _ in dictionary.words}
    rows_of_class = defaultdict(list)
    for (of_class, form), lemma in dictionary.forms.items():
        rows_of_class[of_class].append((form, lemma))
    edits_of_class = {name: _usual_edits(rows_of_class[name]) for name in classes}
    frequent: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for tag, rows in sorted(rows_of_tag.items()):
        class_of_tag = dictionary.classes.get(tag)
        if class_of_tag is None:
            continue
        learned.classes[tag] = class_of_tag
        if class_of_tag not in classes:
            continue
        if sum(small == lemma for small, lemma in rows) >= _UNINFLECTED * len(rows):
            learned.uninflected.add(tag)
        edits = _usual_edits(rows)
        regular = {edit for edit, n in edits if n >= _FREQUENT * len(rows)}
        frequent[class_of_tag] |= regular
        if class_of_tag in checked:
            tried = [edit for edit, _ in edits]
            tried += (
                edit for edit, n in edits_of_class[class_of_tag] if n >= _LEAST_OF_CLASS
            )
            learned.edits[tag] += dict.fromkeys(tried)
    if classes:
        _learn_irregular(learned, dictionary, frequent)


def _learn_irregular(
    learned: Lemmas,
    dictionary: Dictionary,
    frequent: Mapping[str, set[tuple[str, str]]],
) -> None:
    """Add the forms that the rules do not lemmatize correctly to the WordTable.

    Forms of the dictionary whose edit is not frequent are also added.

    Args:
        learned: The rules and lists learned so far, which are extended.
        dictionary: The dictionary.
        frequent: The frequent edits of each class.
    """
    learned.table = WordTable.of(dictionary.words, {})
    numbers: dict[tuple[int, str], int] = {}
    forms: dict[tuple[str, str], int] = {}
    tags = [tag for tag in learned.classes if tag not in learned.uninflected]
    for (of_class, form), lemma in sorted(dictionary.forms.items()):
        edit = _edit_of(form, lemma)
        if edit in frequent[of_class] and all(
            learned.find(form, tag) == lemma
            for tag in tags
            if learned.classes[tag] == of_class
        ):
            continue
        changed = len(edit[0]), edit[1]
        forms[of_class, form] = numbers.setdefault(changed, len(numbers))
    learned.irregular += numbers
    learned.table = WordTable.of(dictionary.words, forms)


def _edit_of(form: str, lemma: str) -> tuple[str, str]:
    """Return the edit of a form into its lemma: the endings it removes and adds."""
    n_kept = n_common(form, lemma)
    return form[n_kept:], lemma[n_kept:]


def _usual_edits(rows: Iterable[tuple[str, str]]) -> list[tuple[tuple[str, str], int]]:
    """Return each frequent edit with the number of its forms, most frequent first.

    A letter that nearly always precedes an edit becomes part of it: the edit for
    *stopped* replaces *pped* by *p*, instead of removing *ped*.

    Args:
        rows: Pairs of a form and its lemma.
    """
    edits: Counter[tuple[str, str]] = Counter()
    letters: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for form, lemma in sorted(set(rows)):
        n_kept = n_common(form, lemma)
        if n_kept >= _LEAST_KEPT and len(lemma) < len(form) + _LONGER:
            edit = form[n_kept:], lemma[n_kept:]
            edits[edit] += 1
            letters[edit][form[n_kept - 1]] += 1
    usual: list[tuple[tuple[str, str], int]] = []
    for (removed, added), n in edits.most_common():
        if n < _LEAST_FORMS:
            continue
        letter, n_with_letter = letters[removed, added].most_common(1)[0]
        if n_with_letter >= _SAME_LETTER * n:
            usual.append(((letter + removed, letter + added), n))
        else:
            usual.append(((removed, added), n))
    return usual


def _learn_words(learned: Lemmas, counts: _Counts) -> None:
    """List the words for which the other rules find a wrong lemma.

    Lower-case words come first, because the lemmas of other words may depend on them.
    """
    tags_of = defaultdict(list)
    for form, tag in counts:
        tags_of[form].append(tag)
    for form in sorted(tags_of, key=lambda form: form != form.lower()):
        lemmas = {tag: counts[form, tag].most_common(1)[0][0] for tag in tags_of[form]}
        if any(learned.find(form, tag) != lemma for tag, lemma in lemmas.items()):
            learned.words |= {(form, tag): lemma for tag, lemma in lemmas.items()}


def _learn_contexts(
    learned: Lemmas, sentences: Sequence[Sequence[Row]], counts: _Counts
) -> None:
    """Learn which of two lemmas an ambiguous form has, given the words that follow.

    All words of the tag with one of the two lemmas are training examples, most of which
    are not ambiguous.
    """
    forms_of = defaultdict(set)
    for (form, tag), lemmas in counts.items():
        for lemma in lemmas:
            forms_of[tag, lemma].add(form.lower())
    # For each tag and pair of lemmas of one form, the number of tokens with the rarer
    # lemma. Both lemmas must have other forms, too.
    rarer: dict[str, Counter[tuple[str, str]]] = defaultdict(Counter)
    for (_, tag), lemmas in counts.items():
        if len(lemmas) > 1:
            (usual, _), (other, n) = lemmas.most_common(2)
            if all(len(forms_of[tag, lemma]) > 1 for lemma in (usual, other)):
                rarer[tag][usual, other] += n
    for tag, pairs in sorted(rarer.items()):
        (both, n), *_ = pairs.most_common(1)
        if n < _LEAST_UNCERTAIN:
            continue
        forms = {
            form
            for (form, of_tag), lemmas in counts.items()
            if of_tag == tag and all(lemma in lemmas for lemma in both)
        }
        occurrences = list(_occurrences(learned, sentences, tag, both))
        learned.contexts[tag] = _usual_contexts(occurrences, both[0])
        unsure = [token for token in occurrences if token.form in forms]
        wrong = sum(
            _by_context(learned.contexts[tag], token.contexts, both[0]) != token.lemma
            for token in unsure
        )
        wrong_before = sum(token.lemma != both[0] for token in unsure)
        if wrong <= (1 - _LEAST_GAIN) * wrong_before:
            learned.uncertain |= {
                (form.encode("utf-8", "surrogateescape"), tag) for form in forms
            }
        else:
            del learned.contexts[tag]


def _occurrences(
    learned: Lemmas, sentences: Sequence[Sequence[Row]], tag: str, both: tuple[str, str]
) -> Iterator[_Occurrence]:
    """Yield the tokens that have the given tag and one of two lemmas."""
    for rows in sentences:
        for i, (form, of_tag, lemma) in enumerate(rows):
            if of_tag == tag and lemma in both:
                after = rows[i + 1 : i + 1 + MOST_FOLLOWING]
                words = [row[0].lower() for row in after]
                tags = [row[1] for row in after]
                contexts = list(contexts_of(words, tags, learned.classes))
                yield _Occurrence(form, contexts, lemma)


def _usual_contexts(occurrences: Sequence[_Occurrence], usual: str) -> dict[str, str]:
    """Return the lemma of each context that improves on more general contexts.

    Args:
        occurrences: The training examples.
        usual: The lemma if no context is known.
    """
    known: dict[str, str] = {}
    n_levels = max((len(contexts) for _, contexts, _ in occurrences), default=0)
    for level in range(1, 1 + n_levels):
        counts: dict[str, Counter[str]] = defaultdict(Counter)
        right: Counter[str] = Counter()
        for _, contexts, lemma in occurrences:
            if not contexts:
                continue
            key = contexts[-level]
            counts[key][lemma] += 1
            right[key] += _by_context(known, contexts, usual) == lemma
        for key, lemmas in counts.items():
            lemma, n = lemmas.most_common(1)[0]
            if n > right[key] + 1:  # a single word is weak evidence
                known[key] = lemma
    return known


def _by_context(known: Mapping[str, str], contexts: Sequence[str], usual: str) -> str:
    return next((known[key] for key in contexts if key in known), usual)
