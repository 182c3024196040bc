"""Lemmas of words, learned from forms and tags without a network.

What a lemma is of a word is an edit of its end, in small letters, and a case. The edit is that of
the longest ending known among words of the same tag, the case that of most words of the tag and of
the most particular shape known. Each form counts once, however frequent: words that were not seen
are like the rare ones. Words of which this is wrong are listed, with all their tags.
"""

from collections import Counter, defaultdict
from itertools import product

import numpy as np

from senna_py.errors import SennaError

_LONGEST = 12  # characters of an ending
_LEAST_KEPT = 2  # characters of a word that an edit must keep, or it says nothing about others
_MOST_KNOWN, _LONGEST_KNOWN = 1 << 18, 100  # words that are remembered, and bytes of each
_LONGEST_LINE = 1000  # characters of a line: a lemma may stand at every token
_LONG = 6  # characters from which on words in capitals are alike
_MAY = 0.4  # of the lemmas with a tag have another one, too: then the others may
_CASES = ("keep", "lower", "title")
_ANY = ""  # in place of a tag, of what holds for words of any


class Lemmas(dict):
    """Lemmas by tuples of a form, bytes, and its tag, found when they are first asked for.

    array: uint8[n], the lines of what was learned, with tabs between their parts. `tag` begins what
    is known of words with a tag, or, without one, of any: `ending`, how many characters of it are
    cut off, and what takes their place; `case`, for words of a shape; `word`, and its lemma.
    """

    def __init__(self, array, name="lemmas"):
        """Read the lines; raises SennaError, naming `name`, for one that says nothing."""
        super().__init__()
        self.array, self.words = array, {}
        self.endings, self.cases = defaultdict(dict), defaultdict(dict)  # of each tag
        text, tag = array.tobytes().decode("utf-8", "surrogateescape"), _ANY
        for number, line in enumerate(text.split("\n")[:-1], 1):
            kind, *parts = line.split("\t")
            if kind == "tag" and len(parts) < 2:
                tag = parts[0] if parts else _ANY
            elif len(line) > _LONGEST_LINE or not self._read(kind, parts, tag):
                raise SennaError(f"{name}: line {number}: {line[:40]!r} says nothing of a lemma")

    def _read(self, kind, parts, tag):
        """Take a line; returns whether it says something."""
        if kind == "ending" and len(parts) == 3 and parts[1].isdecimal() and len(parts[1]) < 3:
            ending, cut, added = parts
            self.endings[tag][ending] = int(cut), added
            return int(cut) <= len(ending)
        if kind == "case" and len(parts) == 2:
            self.cases[tag][parts[0]] = parts[1]
            return parts[1] in _CASES
        if kind == "word" and len(parts) == 2:
            self.words[parts[0], tag] = parts[1]
            return parts[1] != ""
        return False

    def __missing__(self, key):
        """Find a lemma, and remember it while there is room."""
        form, tag = key
        lemma = self.find(form.decode("utf-8", "surrogateescape"), tag)
        if len(form) <= _LONGEST_KNOWN and len(self) < _MOST_KNOWN:
            self[key] = lemma
        return lemma

    def of_tokens(self, forms, tags):
        """The lemmas of tokens, a list of str; forms, tags: bytes and str, of each."""
        return list(map(self.__getitem__, zip(forms, tags, strict=True)))

    def find(self, form, tag):
        """The lemma of a form with a tag, both str."""
        if (lemma := self.words.get((form, tag))) is not None:
            return lemma
        small = form.lower()
        shapes = _shapes(form, small)
        case = self.case(shapes, tag) or self.case(shapes[:1], _ANY) or "keep"
        if case == "lower" and form != small:
            return self.find(small, tag)
        cut, added = self.edit(small, tag) or self.edit(small, _ANY) or (0, "")
        return _in_case(form, small[: len(small) - cut] + added, case) or form

    def case(self, shapes, tag):
        """The case of the last one known of a word's shapes, or None."""
        known = self.cases.get(tag, {})
        for shape in reversed(shapes):
            if shape in known:
                return known[shape]
        return None

    def edit(self, small, tag, longest=_LONGEST):
        """How many characters the longest known ending loses, and what it gets, or None."""
        size, known = len(small), self.endings.get(tag, {})
        for k in range(max(size - longest, 0), size + 1):
            if small[k:] in known:
                return known[small[k:]]
        return None


def learn_lemmas(rows):
    """Lemmas from tuples of a form, a tag, and a lemma: all str."""
    counts = defaultdict(Counter)
    for form, tag, lemma in rows:
        if form and lemma and len(form + lemma) < _LONGEST_LINE - 10:
            counts[form, tag][lemma] += 1
    found = Lemmas(np.empty(0, np.uint8))
    _learn_cases(found, counts)
    pairs = {(form.lower(), tag, lemma.lower())
             for (form, tag), lemmas in counts.items() for lemma in lemmas}  # fmt: skip
    _learn_endings(found, pairs | _unseen(pairs))
    _learn_words(found, counts)
    lines = defaultdict(list)
    for tag, known in found.endings.items():
        lines[tag] += (
            f"ending\t{of}\t{cut}\t{added}" for of, (cut, added) in sorted(known.items())
        )
    for tag, known in found.cases.items():
        lines[tag] += (f"case\t{of}\t{case}" for of, case in sorted(known.items()))
    for (form, tag), lemma in sorted(found.words.items()):
        lines[tag].append(f"word\t{form}\t{lemma}")
    text = "".join(f"{line}\n" for tag in sorted(lines)
                   for line in (f"tag\t{tag}" if tag else "tag", *lines[tag]))  # fmt: skip
    return Lemmas(np.frombuffer(text.encode("utf-8", "surrogateescape"), np.uint8))


def _learn_cases(found, counts):
    """Keep the shapes whose usual case differs from that of more general ones."""
    cases = defaultdict(Counter)
    for (form, tag), lemmas in counts.items():
        shapes = _shapes(form, form.lower())
        for lemma in lemmas:
            small = lemma.lower()
            for case in (each for each in _CASES if _in_case(form, small, each) == lemma):
                cases[(shapes[0],), _ANY][case] += 1
                for n in range(1, 1 + len(shapes)):
                    cases[(*shapes[:n],), tag][case] += 1
    for shapes, tag in sorted(cases, key=lambda key: len(key[0])):
        own, general = cases[shapes, tag], found.case(shapes[:-1], tag)
        usual = max(_CASES, key=lambda case: own[case])
        if general is None or own[usual] > own[general] + 1:  # one form says little
            found.cases[tag][shapes[-1]] = usual


def _learn_endings(found, pairs):
    """Keep the endings whose usual edit differs from that of the next shorter one."""
    edits = defaultdict(Counter)
    for small, tag, lemma in sorted(pairs):
        kept = _n_common(small, lemma)
        if kept < min(_LEAST_KEPT, len(small)):
            continue
        cut = len(small) - kept
        for n in range(cut, min(len(small), _LONGEST) + 1):
            for part in (tag, _ANY):
                edits[small[len(small) - n :], part][cut, lemma[kept:]] += 1
    for ending, tag in sorted(edits, key=lambda key: len(key[0])):
        own, shorter = edits[ending, tag], found.edit(ending, tag, len(ending) - 1)
        if shorter is None or max(own.values()) > own[shorter]:
            found.endings[tag][ending] = max(own, key=lambda edit: own[edit])


def _unseen(pairs):
    """Forms of lemmas, with tags they were not seen with, made as those of other lemmas are."""
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


def _learn_words(found, counts):
    """List the words of which all else is wrong, those in small letters before others."""
    tags_of = defaultdict(list)
    for form, tag in counts:
        tags_of[form].append(tag)
    for form in sorted(tags_of, key=lambda form: form != form.lower()):
        lemmas = {tag: counts[form, tag].most_common(1)[0][0] for tag in tags_of[form]}
        if any(found.find(form, tag) != lemma for tag, lemma in lemmas.items()):
            found.words |= {(form, tag): lemma for tag, lemma in lemmas.items()}


def _shapes(form, small):
    """What a form looks like, from the general to the particular: a list."""
    shapes = [_shape(form, small)]
    if shapes[0] == "upper":
        marks = "#" * any(map(str.isdigit, form)) + "." * ("." in form)
        shapes.append(f"upper {min(len(form), _LONG)}{marks}")
    last = shapes[-1]
    return [*shapes, f"{last} {small[-2:]}", f"{last} {small[-3:]}"]


def _shape(form, small):
    if form == small:
        return "lower"
    if len(form) > 1 and form == form.upper():
        return "upper"
    return "title" if form[1:] == form[1:].lower() else "mixed"


def _in_case(form, small, case):
    """A lemma in small letters in the case that it has beside a form."""
    if case == "title":
        return small[:1].upper() + small[1:]
    if case == "lower" or form == (own := form.lower()):
        return small
    n = _n_common(own, small)
    more = small[n:].upper() if _shape(form, own) == "upper" else small[n:]
    return form[: n + len(form) - len(own)] + more  # \u0130 is two characters in small letters


def _n_common(one, other):
    pairs = enumerate(zip(one, other, strict=False))  # of characters, from the beginning
    return next((n for n, (a, b) in pairs if a != b), min(len(one), len(other)))
