"""Lemmas of words, by forms and tags, without a network.

What a lemma is of a word is an edit of its end, in small letters, and a case. The edit
is that of the longest ending known among words of the same tag, the case that of most
words of the tag and of the most particular shape known. A model may know words and
irregular forms of its language: then a lemma that is no word gives way to another edit
that makes one. `labels.lemma_learning` learns all of this.
"""

from __future__ import annotations

import operator
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence

import numpy as np

from senna_py.errors import SennaError
from senna_py.labels.word_table import WordTable

LONGEST_ENDING = 12  # characters
LONGEST_LINE = 1000  # characters of a line: a lemma may stand at every token
CASES = ("keep", "lower", "title")
INITIALS = "initials"  # the shape of *CDs*: capitals, and an ending in small letters
ANY = ""  # in place of a tag, of what holds for words of any
_MOST_KNOWN, _LONGEST_KNOWN = (
    1 << 18,
    100,
)  # words that are remembered, and bytes of each
_LONG = 6  # characters from which on words in capitals are alike
_LEAST = (
    2  # characters that a lemma has, and that an edit keeps, if others may be right
)
_N_USUAL = 4  # edits that words have which are new in a language
_LONGEST_UNIT = (
    4  # characters of words that may be units or abbreviations: *MHz*, *mRNA*
)
# Emoticons with letters: eyes and a mouth, or a mouth and eyes, or *XD*, or two eyes.
_FACE = re.compile(
    r"[<>}]?[:;=8%|][-'’^~o]*([A-Za-zÞ])\1*|([A-Z])\2*[-'’^]*[:;=][<>]?|[xX][-']?([DP])\3*"
    r"|([A-Za-z])_+(?i:\4)|B['^-]+[)(D]+"
)
_SHORTEST_END = 4  # characters of an irregular form that another one may end with
MOST_FOLLOWING = 6  # tokens after a word that may say which of two lemmas it has
AUXILIARY = "AUX"  # the universal part of speech whose words have few lemmas
_ALIKE = 3  # characters that a misspelled auxiliary begins with as one does
_ADVERB = (
    "ADV"  # the class of words that may stand between a word and what says its lemma
)
_SOFT_HYPHEN = "\u00ad"  # where a word may be divided, no letter of it
_LONGEST_HEAD = 40  # bytes of the line that announces a table
_DAMAGED = "the table of known words is damaged"


class Lemmas(dict[tuple[bytes, str], str]):
    """Lemmas by tuples of a form, bytes, and its tag, found when they are first asked
    for.

    array: uint8[n], the lines of what was learned, with tabs between their parts, and
    the bytes of a WordTable, which stay there; docs/reference/file-formats.md says what
    each line means.
    """

    def __init__(self, array: np.ndarray, name: str = "lemmas") -> None:
        """Read the lines; raises SennaError, naming `name`, for one that says
        nothing.
        """
        super().__init__()
        self.array, self.words = array, dict[tuple[str, str], str]()
        self.endings: dict[str, dict[str, tuple[int, str]]] = defaultdict(
            dict
        )  # of each tag
        self.cases: dict[str, dict[str, str]] = defaultdict(dict)
        self.classes, self.own = dict[str, str](), set[str]()
        self.edits: dict[str, list[tuple[str, str]]] = defaultdict(list)
        self.contexts: dict[str, dict[str, str]] = defaultdict(
            dict
        )  # lemmas by what follows
        self.uncertain = set[tuple[bytes, str]]()  # whose lemma goes by what follows
        self.irregular = list[tuple[int, str]]()  # the edits that `table` numbers
        self.auxiliaries = list[
            str
        ]()  # all lemmas of auxiliaries, the most frequent first
        self.table: WordTable | None = None
        tag, text = ANY, self._read_table(name).decode("utf-8", "surrogateescape")
        for number, line in enumerate(
            text.split("\n")[:-1], 1 if self.table is None else 2
        ):
            kind, *parts = line.split("\t")
            if kind == "tag" and len(parts) < 2:
                tag = parts[0] if parts else ANY
            elif (
                len(line) > LONGEST_LINE
                or (read := _READERS.get((kind, len(parts)))) is None
                or not read(self, tag, *parts)
            ):
                raise SennaError(
                    f"{name}: line {number}: {line[:40]!r} says nothing of a lemma"
                )
        if self.table is not None and self.table.n_edits > len(self.irregular):
            raise SennaError(f"{name}: {_DAMAGED}")

    def _read_table(self, name):
        """Map the table, which the first line announces; returns the bytes of the other
        lines.
        """
        first = self.array[:_LONGEST_HEAD].tobytes().partition(b"\n")[0]
        if not first.startswith(b"table\t"):
            return self.array.tobytes()
        sizes = [int(part) for part in first.split(b"\t")[1:] if part.isdigit()]
        begin = len(self.array) - WordTable.n_bytes(*sizes) if len(sizes) == 2 else -1
        if begin <= len(first):
            raise SennaError(f"{name}: {_DAMAGED}")
        self.table = WordTable.from_bytes(memoryview(self.array)[begin:], *sizes)
        if self.table is None:
            raise SennaError(f"{name}: {_DAMAGED}")
        return self.array[len(first) + 1 : begin].tobytes()

    def __missing__(self, key: tuple[bytes, str]) -> str:
        """Find a lemma, and remember it while there is room."""
        form, tag = key
        text = form.decode("utf-8", "surrogateescape")
        lemma = self.find(text.replace(_SOFT_HYPHEN, "") or text, tag)
        if len(form) <= _LONGEST_KNOWN and len(self) < _MOST_KNOWN:
            self[key] = lemma
        return lemma

    def of_tokens(self, forms: Iterable[bytes], tags: Iterable[str]) -> list[str]:
        """The lemmas of words by their forms and tags alone."""
        return list(map(self.__getitem__, zip(forms, tags, strict=True)))

    def of_sentence(self, forms: Sequence[bytes], tags: Sequence[str]) -> list[str]:
        """The lemmas of the words of a sentence."""
        found = self.of_tokens(forms, tags)
        for i, key in enumerate(zip(forms, tags, strict=True)):
            if key in self.uncertain:
                found[i] = self.in_context(found[i], forms, tags, i)
        return found

    def in_context(
        self, lemma: str, forms: Sequence[bytes], tags: Sequence[str], place: int
    ) -> str:
        """The lemma of a word of a sentence that is `uncertain`, which alone has
        `lemma`.
        """
        after = slice(place + 1, place + 1 + MOST_FOLLOWING)
        known, words = (
            self.contexts[tags[place]],
            [form.decode("utf-8", "replace").lower() for form in forms[after]],
        )
        keys = contexts_of(words, tags[after], self.classes)
        return next((known[key] for key in keys if key in known), lemma)

    def of_auxiliary(self, form: bytes, lemma: str) -> str:
        """The lemma of an auxiliary, which is one of few; lemma: by its form and tag
        alone.
        """
        small, known = form.decode("utf-8", "replace").lower(), self.auxiliaries
        if not known or lemma in known:
            return lemma
        if self.table and (number := self.table.edit(AUXILIARY, small)) is not None:
            return _edited(small, self.irregular[number])
        alike = max(known, key=lambda each: n_common(each, small))
        return alike if n_common(alike, small) >= _ALIKE else known[0]

    def find(self, form: str, tag: str) -> str:
        """The lemma of a form with a tag."""
        if (lemma := self.words.get((form, tag))) is not None:
            return lemma
        small = form.lower()
        shapes = shapes_of(form, small)
        case = self.case(shapes, tag) or self.case(shapes[:1], ANY) or "keep"
        if form != small and _FACE.fullmatch(form):
            return form
        if shapes[0] == INITIALS and self._is_plural(form, tag):
            return form[:-1] if case == "keep" else small[:-1]
        if case == "lower" and form != small:
            if not self._has_own_capitals(form, shapes[0], tag):
                return self.find(small, tag)
            case = "keep"
        return in_case(form, self._in_small_letters(small, tag), case) or form

    def case(self, shapes: Sequence[str], tag: str) -> str | None:
        """The case of the last one known of a word's shapes."""
        known = self.cases.get(tag, {})
        for shape in reversed(shapes):
            if shape in known:
                return known[shape]
        return None

    def _is_plural(self, form: str, tag: str) -> bool:
        """Whether initials, such as *GPUs*, have but an ending that words of the tag
        lose.
        """
        return (
            form[:-1].isupper()
            and form[:-1].isalpha()
            and (form[-1], "") in self.edits.get(tag, ())
        )

    def _has_own_capitals(self, form: str, shape: str, tag: str) -> bool:
        """Whether capitals within a word are how it is written: *mL* and *NaCl*, no
        *SOFTware*.
        """
        of_class, table = self.classes.get(tag), self.table
        if (
            shape not in ("mixed", INITIALS)
            or not form.isalnum()
            or table is None
            or not of_class
        ):
            return False
        is_pressed = (
            form[:2].isupper() or form[1:].isupper()
        )  # a key for capitals, too long
        if len(form) <= _LONGEST_UNIT or not is_pressed:
            return True
        return not table.knows(of_class, self._in_small_letters(form.lower(), tag))

    def edit(
        self, small: str, tag: str, longest: int = LONGEST_ENDING
    ) -> tuple[int, str] | None:
        """How many characters the longest known ending loses, and what it gets."""
        size, known = len(small), self.endings.get(tag, {})
        for k in range(max(size - longest, 0), size + 1):
            if small[k:] in known:
                return known[small[k:]]
        return None

    def _in_small_letters(self, small, tag):
        of_class, table = self.classes.get(tag), self.table
        if of_class is None or table is None:
            return self._by_ending(small, tag)
        is_own, is_checked = tag in self.own, tag in self.edits
        if is_own and is_checked and table.knows(of_class, small):
            return small
        if (number := table.edit(of_class, small)) is not None:
            return _edited(small, self.irregular[number])
        lemma = self._by_ending(small, tag)
        if not is_checked or table.knows(of_class, lemma) or _has_digit(small):
            return lemma
        return small if is_own else self._known_or_likely(small, tag, lemma, of_class)

    def _by_ending(self, small, tag):
        return _edited(small, self.edit(small, tag) or self.edit(small, ANY) or (0, ""))

    def _known_or_likely(self, small, tag, lemma, of_class):
        """The first lemma that is known, or else that could be a word, of those that
        edits make.
        """
        table, most = self.table, len(small) - _LEAST
        edits = (edit for edit in self.edits[tag] if small.endswith(edit[0]))
        candidates = [lemma]
        candidates += (
            _edited(small, (len(removed), added))
            for removed, added in edits
            if len(removed) <= most
        )
        for each in candidates:
            if table.knows(of_class, each):
                return each
        before, hyphen, last = small.rpartition("-")
        if before and last:
            return before + hyphen + self.find(last, tag)
        # What is no word yet is inflected like most: its lemma is shorter than its
        # form.
        shorter = [each for each in candidates if _LEAST <= len(each) < len(small)]
        usual = (removed for removed, _ in self.edits[tag][:_N_USUAL])
        if not shorter or not any(
            small.endswith(removed) for removed in usual if removed
        ):
            return self._of_irregular_end(small, of_class)
        tests = (
            self._is_other_word,
            table.ends_with_known,
            table.ends_as_known,
            table.ends_like_known,
        )
        likely = (
            each for could_be in tests for each in shorter if could_be(of_class, each)
        )
        return next(likely, shorter[0])

    def _is_other_word(self, _of_class, word):
        """Whether a word is known of any class: *texted* is of a noun."""
        return any(
            self.table.knows(each, word)
            for each in {*map(self.classes.get, self.edits)}
        )

    def _of_irregular_end(self, small, of_class):
        """The lemma of a word that ends as an irregular form does: *outswam* as
        *swam*.
        """
        for begin in range(1, len(small) - _SHORTEST_END + 1):
            if (number := self.table.edit(of_class, small[begin:])) is not None:
                lemma = small[:begin] + _edited(small[begin:], self.irregular[number])
                return lemma if self.table.ends_as_known(of_class, lemma) else small
        return small


def _has_digit(word):
    return any(map(str.isdecimal, word))


def _edited(small, edit):
    cut, added = edit
    return small[: len(small) - cut] + added


def _ending(lemmas, tag, ending, cut, added):
    known = cut.isdecimal() and len(cut) < 3 and int(cut) <= len(ending)
    if known:
        lemmas.endings[tag][ending] = int(cut), added
    return known


def _case(lemmas, tag, shape, case):
    lemmas.cases[tag][shape] = case
    return case in CASES


def _word(lemmas, tag, form, lemma):
    lemmas.words[form, tag] = lemma
    return lemma != ""


def _class(lemmas, tag, of_class, own):
    lemmas.classes[tag] = of_class
    lemmas.own |= {tag} if own else set()
    return own in ("", "own")


def _edit(lemmas, tag, removed, added):
    lemmas.edits[tag].append((removed, added))
    return True


def _uncertain(lemmas, tag, form):
    lemmas.uncertain.add((form.encode("utf-8", "surrogateescape"), tag))
    return True


def _context(lemmas, tag, key, lemma):
    lemmas.contexts[tag][key] = lemma
    return lemma != ""


def _auxiliary(lemmas, _tag, lemma):
    lemmas.auxiliaries.append(lemma)
    return lemma != ""


def _irregular(lemmas, _tag, cut, added):
    lemmas.irregular.append(
        (int(cut) if cut.isdecimal() and len(cut) < 3 else 0, added)
    )
    return cut.isdecimal()


# What reads a line, by its kind and the number of its parts.
_READERS: dict[tuple[str, int], Callable[..., bool]] = {
    ("ending", 3): _ending,
    ("case", 2): _case,
    ("word", 2): _word,
    ("class", 2): _class,
    ("edit", 2): _edit,
    ("uncertain", 1): _uncertain,
    ("context", 2): _context,
    ("irregular", 2): _irregular,
    ("auxiliary", 1): _auxiliary,
}


def contexts_of(
    words: Sequence[str], tags: Sequence[str], classes: dict[str, str]
) -> Iterator[str]:
    """Yield what follows a word, in small letters, from the particular to the
    general.
    """
    place = next((i for i, tag in enumerate(tags) if classes.get(tag) != _ADVERB), None)
    if place is None:
        return
    word, tag = words[place], tags[place]
    after = tags[place + 1] if place + 1 < len(tags) else ""
    yield from (f"{tag} {word} {after}", f"{tag} {word}", f"{tag} {after}", tag)


def shapes_of(form: str, small: str) -> list[str]:
    """What a form looks like, from the general to the particular."""
    shapes = [_shape(form, small)]
    if shapes[0] == "upper":
        marks = "#" * any(map(str.isdigit, form)) + "." * ("." in form)
        shapes.append(f"upper {min(len(form), _LONG)}{marks}")
    if shapes[0] == INITIALS:
        return shapes
    last = shapes[-1]
    return [*shapes, f"{last} {small[-2:]}", f"{last} {small[-3:]}"]


def _shape(form, small):
    if form == small:
        return "lower"
    if len(form) > 1 and form == form.upper():
        return "upper"
    if form[1:] == form[1:].lower():
        return "title"
    before = form[:-1] if form[-2:-1].isupper() else form[:-2]
    return (
        INITIALS
        if len(before) > 1 and before.isupper() and form[-1].islower()
        else "mixed"
    )


def in_case(form: str, small: str, case: str) -> str:
    """A lemma in small letters in the case that it has beside a form."""
    if case == "title":
        return small[:1].upper() + small[1:]
    if case == "lower" or form == (own := form.lower()):
        return small
    n = n_common(own, small)
    more = small[n:].upper() if _shape(form, own) == "upper" else small[n:]
    return (
        form[: n + len(form) - len(own)] + more
    )  # \u0130 is two characters in small letters


def n_common(one: str, other: str) -> int:
    """How many characters two words have in common, from the beginning."""
    pairs = enumerate(map(operator.eq, one, other))
    return next((n for n, same in pairs if not same), min(len(one), len(other)))
