"""Learning of lemmas from sentences with tags, and from a dictionary if there is one.

Each form counts once, however frequent it is: words that were not seen are like the
rare ones. Words that all else gets wrong are listed, with all their tags. The words of
the dictionary become known words, and its forms are listed where all else would give
another lemma.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product

import numpy as np

from senna_py.labels.lemmas import (
    ANY,
    CASES,
    INITIALS,
    LONGEST_ENDING,
    LONGEST_LINE,
    MOST_FOLLOWING,
    Lemmas,
    contexts_of,
    in_case,
    n_common,
    shapes_of,
)
from senna_py.labels.word_table import WordTable

_LEAST_KEPT = (
    2  # characters of a word that an edit must keep, or it says nothing about others
)
# the share of a tag's lemmas that must have another tag, for the others to get it
_MAY = 0.4
# the share of a tag's words that must be their own lemmas, for known words to be so
_OWN = 0.9
_SAME_LETTER = (
    0.9  # the share of an edit's forms with one letter before it, to include this
)
_LEAST_FORMS = 3  # forms that must have an edit, for it to be tried on others
# the share of a tag's forms that must have an edit, for it to be a regular one
_FREQUENT = 0.02
_LEAST_OF_CLASS = (
    8  # forms of a dictionary that must have an edit, for all tags to try it
)
_LONGER = 2  # characters by which a lemma is longer if its form is an abbreviation
_LEAST_UNCERTAIN = (
    10  # tokens with the rarer of two lemmas, to learn when words have it
)
_LEAST_GAIN = 0.3  # the share of these tokens that what follows must make right

Row = tuple[str, str, str]  # of a form, its tag, and its lemma


@dataclass
class Dictionary:
    """Words and forms of a language.

    words: pairs of a class, such as NOUN, and a known word; forms: the lemma by such a
    pair;
    classes: the class of each tag; auxiliaries: all their lemmas, the most frequent
    first.
    """

    words: set[tuple[str, str]] = field(default_factory=set)
    forms: dict[tuple[str, str], str] = field(default_factory=dict)
    classes: Mapping[str, str] = field(default_factory=dict)
    auxiliaries: list[str] = field(default_factory=list)

    def correct(self, form: str, tag: str, lemma: str) -> str:
        """The lemma that a treebank has, or that of the dictionary if a slip made it no
        word.
        """
        of_class, small = self.classes.get(tag, ""), lemma.lower()
        if small == form.lower() or (of_class, small) in self.words:
            return lemma
        return self.forms.get((of_class, form.lower()), lemma)


def learn_lemmas(
    sentences: Iterable[Sequence[Row]], dictionary: Dictionary | None = None
) -> Lemmas:
    """Learn lemmas of sentences of forms, tags and lemmas, and of a dictionary."""
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
    found = Lemmas(np.empty(0, np.uint8))
    _learn_cases(found, counts)
    pairs = {
        (form.lower(), tag, lemma.lower())
        for (form, tag), lemmas in counts.items()
        for lemma in lemmas
    }
    inflected = {row for row in pairs if len(row[2]) < len(row[0]) + _LONGER}
    _learn_endings(found, inflected | _unseen(pairs))
    _learn_dictionary(found, known, pairs)
    found.auxiliaries += known.auxiliaries
    _learn_words(found, counts)
    _learn_contexts(found, sentences, counts)
    return Lemmas(np.frombuffer(_lines_of(found), np.uint8))


def _lines_of(found):
    """Return what was learned as the bytes that a model has."""
    lines = defaultdict(list)
    lines[ANY] += (f"auxiliary\t{lemma}" for lemma in found.auxiliaries)
    lines[ANY] += (f"irregular\t{cut}\t{added}" for cut, added in found.irregular)
    for tag, known in found.endings.items():
        lines[tag] += (
            f"ending\t{of}\t{cut}\t{added}"
            for of, (cut, added) in sorted(known.items())
        )
    for tag, known in found.cases.items():
        lines[tag] += (f"case\t{of}\t{case}" for of, case in sorted(known.items()))
    for (form, tag), lemma in sorted(found.words.items()):
        lines[tag].append(f"word\t{form}\t{lemma}")
    for tag, of_class in found.classes.items():
        lines[tag].append(f"class\t{of_class}\t{'own' if tag in found.own else ''}")
    for tag, edits in found.edits.items():
        lines[tag] += (f"edit\t{removed}\t{added}" for removed, added in edits)
    for form, tag in sorted(found.uncertain):
        lines[tag].append(f"uncertain\t{form.decode('utf-8', 'surrogateescape')}")
    for tag, known in found.contexts.items():
        lines[tag] += (
            f"context\t{key}\t{lemma}" for key, lemma in sorted(known.items())
        )
    text = "".join(
        f"{line}\n"
        for tag in sorted(lines)
        if lines[tag]
        for line in (f"tag\t{tag}" if tag else "tag", *lines[tag])
    )
    data = text.encode("utf-8", "surrogateescape")
    if (table := found.table) is None:
        return data
    return (
        f"table\t{table.n_words}\t{table.n_forms}\n".encode() + data + table.to_bytes()
    )


def _learn_cases(found, counts):
    """Keep the shapes whose usual case differs from that of more general ones."""
    cases = defaultdict(Counter)
    for (form, tag), lemmas in counts.items():
        shapes = shapes_of(form, form.lower())
        for lemma in lemmas:
            small = lemma.lower()
            for case in (each for each in CASES if in_case(form, small, each) == lemma):
                cases[(shapes[0],), ANY][case] += 1
                for n in range(1, 1 + len(shapes)):
                    cases[(*shapes[:n],), tag][case] += 1
    for shapes, tag in sorted(cases, key=lambda key: len(key[0])):
        general = "keep" if shapes == (INITIALS,) else found.case(shapes[:-1], tag)
        own = cases[shapes, tag]
        usual = max(CASES, key=lambda case: own[case])
        if general is None or own[usual] > own[general] + 1:  # one form says little
            found.cases[tag][shapes[-1]] = usual


def _learn_endings(found, pairs):
    """Keep the endings whose usual edit differs from that of the next shorter one."""
    edits = defaultdict(Counter)
    for small, tag, lemma in sorted(pairs):
        kept = n_common(small, lemma)
        if kept < min(_LEAST_KEPT, len(small)):
            continue
        cut = len(small) - kept
        for n in range(cut, min(len(small), LONGEST_ENDING) + 1):
            for part in (tag, ANY):
                edits[small[len(small) - n :], part][cut, lemma[kept:]] += 1
    for ending, tag in sorted(edits, key=lambda key: len(key[0])):
        own, shorter = edits[ending, tag], found.edit(ending, tag, len(ending) - 1)
        if shorter is None or max(own.values()) > own[shorter]:
            found.endings[tag][ending] = max(own, key=lambda edit: own[edit])


def _unseen(pairs):
    """Make forms of lemmas for tags that these were not seen with, as other lemmas have
    them.
    """
    tags_of, both, made = defaultdict(set), Counter(), set()
    for _, tag, lemma in pairs:
        tags_of[lemma].add(tag)
    for tags in tags_of.values():
        both.update(product(tags, tags))
    may = defaultdict(set)
    for (tag, other), n in both.items():
        if n >= _MAY * both[tag, tag]:
            may[tag].add(other)
    inflected = Lemmas(np.empty(0, np.uint8))
    _learn_endings(inflected, {(lemma, tag, small) for small, tag, lemma in pairs})
    for lemma, tags in tags_of.items():
        for tag in set().union(*(may[each] for each in tags)) - tags:
            cut, added = inflected.edit(lemma, tag) or (0, "")
            made.add((lemma[: len(lemma) - cut] + added, tag, lemma))
    seen = {(small, tag) for small, tag, _ in pairs}
    return {row for row in made if row[:2] not in seen}


def _learn_dictionary(found, dictionary, pairs):
    """Learn known words, the edits that may make one, and the forms that these get
    wrong.
    """
    of_tag = defaultdict(list)
    for small, tag, lemma in pairs:
        of_tag[tag].append((small, lemma))
    of_classes = {of_class for of_class, _ in (*dictionary.words, *dictionary.forms)}
    checked, frequent = {of_class for of_class, _ in dictionary.words}, defaultdict(set)
    of_forms = {
        of_class: _usual_edits(
            (form, lemma)
            for (each, form), lemma in dictionary.forms.items()
            if each == of_class
        )
        for of_class in of_classes
    }
    for tag, rows in sorted(of_tag.items()):
        of_class = dictionary.classes.get(tag)
        if of_class is not None:
            found.classes[tag] = of_class
        if of_class not in of_classes:
            continue
        if sum(small == lemma for small, lemma in rows) >= _OWN * len(rows):
            found.own.add(tag)
        edits = _usual_edits(rows)
        frequent[of_class] |= {edit for edit, n in edits if n >= _FREQUENT * len(rows)}
        if of_class in checked:
            more = (edit for edit, n in of_forms[of_class] if n >= _LEAST_OF_CLASS)
            found.edits[tag] += dict.fromkeys((*(edit for edit, _ in edits), *more))
    if not of_classes:
        return
    found.table = WordTable.of(dictionary.words, {})
    numbers, forms = {}, {}
    tags = [tag for tag in found.classes if tag not in found.own]
    for (of_class, form), lemma in sorted(dictionary.forms.items()):
        edit = _edit_of(form, lemma)
        if edit in frequent[of_class] and all(
            found.find(form, tag) == lemma
            for tag in tags
            if found.classes[tag] == of_class
        ):
            continue
        changed = len(edit[0]), edit[1]
        forms[of_class, form] = numbers.setdefault(changed, len(numbers))
    found.irregular += numbers
    found.table = WordTable.of(dictionary.words, forms)


def _edit_of(form, lemma):
    """What a form loses at its end, and what it gets."""
    kept = n_common(form, lemma)
    return form[kept:], lemma[kept:]


def _usual_edits(rows):
    """The edits of words of a tag and how many have them, the most frequent first.

    What an edit nearly always follows is part of it: *pped* becomes *p*, but *ped*
    nothing.
    """
    edits, before = Counter(), defaultdict(Counter)
    for form, lemma in sorted(set(rows)):
        kept = n_common(form, lemma)
        if kept >= _LEAST_KEPT and len(lemma) < len(form) + _LONGER:
            edit = form[kept:], lemma[kept:]
            edits[edit] += 1
            before[edit][form[kept - 1]] += 1
    found = []
    for (removed, added), n in edits.most_common():
        letter, of_letter = before[removed, added].most_common(1)[0]
        if n >= _LEAST_FORMS and of_letter >= _SAME_LETTER * n:
            found.append(((letter + removed, letter + added), n))
        elif n >= _LEAST_FORMS:
            found.append(((removed, added), n))
    return found


def _learn_words(found, counts):
    """List the words that all else gets wrong, those in small letters before others."""
    tags_of = defaultdict(list)
    for form, tag in counts:
        tags_of[form].append(tag)
    for form in sorted(tags_of, key=lambda form: form != form.lower()):
        lemmas = {tag: counts[form, tag].most_common(1)[0][0] for tag in tags_of[form]}
        if any(found.find(form, tag) != lemma for tag, lemma in lemmas.items()):
            found.words |= {(form, tag): lemma for tag, lemma in lemmas.items()}


def _learn_contexts(found, sentences, counts):
    """Learn which of two lemmas words of a tag have by what follows, where they may
    have both.

    All words of the tag with one of these lemmas tell it, of which most can have no
    other.
    """
    forms_of = defaultdict(set)
    for (form, tag), lemmas in counts.items():
        for lemma in lemmas:
            forms_of[tag, lemma].add(form.lower())
    rarer = defaultdict(
        Counter
    )  # tokens, of each tag, by two lemmas of which each has other forms
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
        places = list(_places_of(found, sentences, tag, both))
        found.contexts[tag] = _usual_contexts(places, both[0])
        unsure = [(keys, lemma) for form, keys, lemma in places if form in forms]
        wrong = sum(
            _by_context(found.contexts[tag], keys, both[0]) != lemma
            for keys, lemma in unsure
        )
        if wrong <= (1 - _LEAST_GAIN) * sum(lemma != both[0] for _, lemma in unsure):
            found.uncertain |= {
                (form.encode("utf-8", "surrogateescape"), tag) for form in forms
            }
        else:
            del found.contexts[tag]


def _places_of(found, sentences, tag, both):
    """Yield the form, the contexts and the lemma of each word of a tag with one of two
    lemmas.
    """
    for rows in sentences:
        for i, (form, of_tag, lemma) in enumerate(rows):
            if of_tag == tag and lemma in both:
                after = rows[i + 1 : i + 1 + MOST_FOLLOWING]
                words, tags = (
                    [row[0].lower() for row in after],
                    [row[1] for row in after],
                )
                yield form, list(contexts_of(words, tags, found.classes)), lemma


def _usual_contexts(places, usual):
    """The lemmas of contexts, each of which makes more right than what is more
    general.
    """
    known = {}
    for level in range(1, 1 + max((len(keys) for _, keys, _ in places), default=0)):
        counts, right = defaultdict(Counter), Counter()
        for _, keys, lemma in (place for place in places if place[1]):
            counts[keys[-level]][lemma] += 1
            right[keys[-level]] += _by_context(known, keys, usual) == lemma
        for key, lemmas in counts.items():
            lemma, n = lemmas.most_common(1)[0]
            if n > right[key] + 1:  # one word says little
                known[key] = lemma
    return known


def _by_context(known, keys, usual):
    return next((known[key] for key in keys if key in known), usual)
