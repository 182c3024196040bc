"""Lemmas of words from their forms and tags, without a network.

A lemma is computed from the lower-case form by an edit of its end and a change of case.
For each tag, the longest known ending of the form determines the edit, and its most
specific known shape determines the case. A model may have a table of known words and
irregular forms. Then, an edit whose result is not a known word is replaced by an edit
whose result is one. `labels.lemma_learning` learns the rules and lists.
"""

from __future__ import annotations

import operator
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from senna_py.errors import SennaError
from senna_py.labels.word_table import WordTable

if TYPE_CHECKING:
    from numpy.typing import NDArray

LONGEST_ENDING = 12  # the maximum number of characters of an ending
# The maximum number of characters of a line, which bounds the size of printed lemmas.
LONGEST_LINE = 1000
CASES = ("keep", "lower", "title")
INITIALS = "initials"  # the shape of *CDs*: capitals and a lower-case ending
ANY = ""  # the key of entries for all tags
# The maximum number of words in the cache, and the maximum bytes of a word.
_MOST_KNOWN = 1 << 18
_LONGEST_KNOWN = 100
_LONG = 6  # upper-case words of this length or longer have the same shape
# The minimum number of characters of a guessed lemma, and of what an edit keeps.
_LEAST = 2
_N_USUAL = 4  # the number of edits that are tried on unknown words
_LONGEST_UNIT = 4  # the maximum length of a unit or abbreviation: *MHz*, *mRNA*
# Emoticons with letters: eyes and a mouth, a mouth and eyes, *XD*, or two eyes.
_FACE = re.compile(
    r"[<>}]?[:;=8%|][-'’^~o]*([A-Za-zÞ])\1*|([A-Z])\2*[-'’^]*[:;=][<>]?|[xX][-']?([DP])\3*"
    r"|([A-Za-z])_+(?i:\4)|B['^-]+[)(D]+"
)
_SHORTEST_END = 4  # the minimum length of an irregular form that ends another word
MOST_FOLLOWING = 6  # the number of tokens after a word that may decide its lemma
AUXILIARY = "AUX"  # the universal part of speech that has few lemmas
_ALIKE = 3  # the minimum length of the prefix that an auxiliary shares with its lemma
_ADVERB = "ADV"  # words of this class are skipped in contexts
_SOFT_HYPHEN = "\u00ad"  # marks where a word may be divided; it is not a letter
_LONGEST_HEAD = 40  # the maximum bytes of the line that announces a table
_DAMAGED = "the table of known words is damaged"

# The number of characters removed at the end of a word, and the characters added.
Edit = tuple[int, str]


class Lemmas(dict[tuple[bytes, str], str]):
    """A cache of lemmas by form (bytes) and tag, which computes them on first use.

    Attributes:
        array: uint8[n], the rules and lists as a model stores them: lines with fields
            separated by tabs, and the bytes of a WordTable, which are not copied. See
            docs/reference/file-formats.md.
        words: The lemma of each listed pair of a form and a tag.
        endings: For each tag, the edit of each ending.
        cases: For each tag, the case of each shape.
        classes: The class of the words of each tag, such as NOUN.
        uninflected: The tags whose known words are their own lemmas.
        edits: For each tag, the edits that are tried if a lemma is not a known word, as
            pairs of the ending that is removed and the ending that is added.
        contexts: For each tag, the lemma of uncertain forms by context; see
            `contexts_of`.
        uncertain: The pairs of a form and a tag whose lemma depends on the context.
        irregular: The edits of irregular forms, which `table` refers to by index.
        auxiliaries: The lemmas of all auxiliaries, the most frequent first.
        table: The known words and irregular forms, or None.
    """

    def __init__(self, array: NDArray[np.uint8], name: str = "lemmas") -> None:
        """Read the rules and lists.

        Args:
            array: See the class.
            name: The prefix of messages, such as the name of the array in a file.

        Raises:
            SennaError: If a line or the table is malformed.
        """
        super().__init__()
        self.array = array
        self.words: dict[tuple[str, str], str] = {}
        self.endings: dict[str, dict[str, Edit]] = defaultdict(dict)
        self.cases: dict[str, dict[str, str]] = defaultdict(dict)
        self.classes: dict[str, str] = {}
        self.uninflected: set[str] = set()
        self.edits: dict[str, list[tuple[str, str]]] = defaultdict(list)
        self.contexts: dict[str, dict[str, str]] = defaultdict(dict)
        self.uncertain: set[tuple[bytes, str]] = set()
        self.irregular: list[Edit] = []
        self.auxiliaries: list[str] = []
        self.table, lines = _split_table(array, name)
        text = lines.decode("utf-8", "surrogateescape")
        self._read_lines(text, name, 1 if self.table is None else 2)
        if self.table is not None and self.table.n_edits > len(self.irregular):
            raise SennaError(f"{name}: {_DAMAGED}")

    def _read_lines(self, text: str, name: str, first: int) -> None:
        """Read the lines of the array.

        Args:
            text: The lines.
            name: The prefix of messages.
            first: The number of the first line, for messages.

        Raises:
            SennaError: If a line is malformed.
        """
        tag = ANY
        for number, line in enumerate(text.split("\n")[:-1], first):
            entry, *fields = line.split("\t")
            if entry == "tag" and len(fields) < 2:
                tag = fields[0] if fields else ANY
                continue
            read = _READERS.get((entry, len(fields)))
            if len(line) > LONGEST_LINE or read is None or not read(self, tag, *fields):
                raise SennaError(
                    f"{name}: line {number}: {line[:40]!r} is not an entry for lemmas"
                )

    def __missing__(self, key: tuple[bytes, str]) -> str:
        """Compute a lemma, and cache it unless the form is long or the cache is full.

        Soft hyphens in the form are ignored.
        """
        form, tag = key
        text = form.decode("utf-8", "surrogateescape")
        lemma = self.find(text.replace(_SOFT_HYPHEN, "") or text, tag)
        if len(form) <= _LONGEST_KNOWN and len(self) < _MOST_KNOWN:
            self[key] = lemma
        return lemma

    def of_tokens(self, forms: Iterable[bytes], tags: Iterable[str]) -> list[str]:
        """Return the lemma of each token, without regard to its context."""
        return list(map(self.__getitem__, zip(forms, tags, strict=True)))

    def of_sentence(self, forms: Sequence[bytes], tags: Sequence[str]) -> list[str]:
        """Return the lemmas of the words of a sentence, in their context."""
        lemmas = self.of_tokens(forms, tags)
        for i, key in enumerate(zip(forms, tags, strict=True)):
            if key in self.uncertain:
                lemmas[i] = self.in_context(lemmas[i], forms, tags, i)
        return lemmas

    def in_context(
        self, lemma: str, forms: Sequence[bytes], tags: Sequence[str], place: int
    ) -> str:
        """Return the lemma of an uncertain word in its context.

        Args:
            lemma: The lemma without regard to the context, which is returned if the
                context is unknown.
            forms: The forms of the sentence.
            tags: The tags of the sentence.
            place: The index of the word.
        """
        after = slice(place + 1, place + 1 + MOST_FOLLOWING)
        known = self.contexts[tags[place]]
        words = [form.decode("utf-8", "replace").lower() for form in forms[after]]
        keys = contexts_of(words, tags[after], self.classes)
        return next((known[key] for key in keys if key in known), lemma)

    def of_auxiliary(self, form: bytes, lemma: str) -> str:
        """Return the lemma of an auxiliary.

        If the given lemma is not that of an auxiliary, the table of irregular forms is
        tried, then the auxiliary with the longest common prefix, and then the most
        frequent one.

        Args:
            form: The form of the auxiliary.
            lemma: The lemma from the form and tag. It is returned if it is the lemma of
                an auxiliary, or if `auxiliaries` is empty.
        """
        known = self.auxiliaries
        if not known or lemma in known:
            return lemma
        small = form.decode("utf-8", "replace").lower()
        if self.table and (number := self.table.edit(AUXILIARY, small)) is not None:
            return _edited(small, self.irregular[number])
        closest = max(known, key=lambda auxiliary: n_common(auxiliary, small))
        return closest if n_common(closest, small) >= _ALIKE else known[0]

    def find(self, form: str, tag: str) -> str:
        """Compute the lemma of a form with the given tag, without the cache."""
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
        """Return the case of the last of `shapes` that is known for a tag, or None."""
        known = self.cases.get(tag, {})
        for shape in reversed(shapes):
            if shape in known:
                return known[shape]
        return None

    def _is_plural(self, form: str, tag: str) -> bool:
        """Return whether a form is initials plus an ending of its tag: *GPUs*.

        The ending is one letter that the edits of the tag remove.
        """
        return (
            form[:-1].isupper()
            and form[:-1].isalpha()
            and (form[-1], "") in self.edits.get(tag, ())
        )

    def _has_own_capitals(self, form: str, shape: str, tag: str) -> bool:
        """Return whether inner capitals belong to the word: *NaCl*, not *SOFTware*."""
        of_class, table = self.classes.get(tag), self.table
        if table is None or not of_class:
            return False
        if shape not in ("mixed", INITIALS) or not form.isalnum():
            return False
        # The writer may have held the shift key too long.
        is_pressed = form[:2].isupper() or form[1:].isupper()
        if len(form) <= _LONGEST_UNIT or not is_pressed:
            return True
        return not table.knows(of_class, self._in_small_letters(form.lower(), tag))

    def edit(
        self, small: str, tag: str, longest: int = LONGEST_ENDING
    ) -> tuple[int, str] | None:
        """Return the edit of the longest known ending of a lower-case form, or None.

        Args:
            small: The lower-case form.
            tag: The tag of the word.
            longest: The maximum number of characters of the ending.
        """
        size, known = len(small), self.endings.get(tag, {})
        for k in range(max(size - longest, 0), size + 1):
            if small[k:] in known:
                return known[small[k:]]
        return None

    def _in_small_letters(self, small: str, tag: str) -> str:
        """Return the lower-case lemma of a lower-case form."""
        of_class, table = self.classes.get(tag), self.table
        if of_class is None or table is None:
            return self._by_ending(small, tag)
        is_uninflected, is_checked = tag in self.uninflected, tag in self.edits
        if is_uninflected and is_checked and table.knows(of_class, small):
            return small
        if (number := table.edit(of_class, small)) is not None:
            return _edited(small, self.irregular[number])
        lemma = self._by_ending(small, tag)
        if not is_checked or table.knows(of_class, lemma) or _has_digit(small):
            return lemma
        if is_uninflected:
            return small
        return self._known_or_likely(table, small, tag, lemma, of_class)

    def _by_ending(self, small: str, tag: str) -> str:
        return _edited(small, self.edit(small, tag) or self.edit(small, ANY) or (0, ""))

    def _known_or_likely(
        self, table: WordTable, small: str, tag: str, lemma: str, of_class: str
    ) -> str:
        """Return a lemma that is a known word or, if there is none, a likely one.

        Args:
            table: The table of known words.
            small: The lower-case form.
            tag: The tag of the word.
            lemma: The first candidate. The edits of the tag produce the others.
            of_class: The class of the tag.
        """
        most = len(small) - _LEAST
        candidates = [lemma]
        candidates += (
            _edited(small, (len(removed), added))
            for removed, added in self.edits[tag]
            if small.endswith(removed) and len(removed) <= most
        )
        for candidate in candidates:
            if table.knows(of_class, candidate):
                return candidate
        before, hyphen, last = small.rpartition("-")
        if before and last:
            return before + hyphen + self.find(last, tag)
        # Unknown words are inflected like most words: lemmas are shorter than forms.
        shorter = [lemma for lemma in candidates if _LEAST <= len(lemma) < len(small)]
        usual = [removed for removed, _ in self.edits[tag][:_N_USUAL] if removed]
        if not shorter or not small.endswith(tuple(usual)):
            return self._of_irregular_end(table, small, of_class)
        tests = (
            lambda _, word: self._is_other_word(table, word),
            table.ends_with_known,
            table.ends_as_known,
            table.ends_like_known,
        )
        likely = (
            lemma
            for could_be in tests
            for lemma in shorter
            if could_be(of_class, lemma)
        )
        return next(likely, shorter[0])

    def _is_other_word(self, table: WordTable, word: str) -> bool:
        """Return whether a candidate is a known word of any class.

        For example, *text* is a known noun, and a candidate for the lemma of *texted*.
        """
        classes = {self.classes.get(tag, "") for tag in self.edits}
        return any(table.knows(of_class, word) for of_class in classes)

    def _of_irregular_end(self, table: WordTable, small: str, of_class: str) -> str:
        """Return the lemma of a word that ends in an irregular form: *outswam*."""
        for begin in range(1, len(small) - _SHORTEST_END + 1):
            if (number := table.edit(of_class, small[begin:])) is not None:
                lemma = small[:begin] + _edited(small[begin:], self.irregular[number])
                return lemma if table.ends_as_known(of_class, lemma) else small
        return small


def _split_table(array: NDArray[np.uint8], name: str) -> tuple[WordTable | None, bytes]:
    """Split an array into its WordTable and its lines.

    Returns:
        The table, or None if the first line does not announce one; and the other lines.

    Raises:
        SennaError: If the table is damaged.
    """
    first = array[:_LONGEST_HEAD].tobytes().partition(b"\n")[0]
    if not first.startswith(b"table\t"):
        return None, array.tobytes()
    sizes = [int(size) for size in first.split(b"\t")[1:] if size.isdigit()]
    begin = len(array) - WordTable.n_bytes(*sizes) if len(sizes) == 2 else -1
    if begin <= len(first):
        raise SennaError(f"{name}: {_DAMAGED}")
    table = WordTable.from_bytes(array.data[begin:], *sizes)
    if table is None:
        raise SennaError(f"{name}: {_DAMAGED}")
    return table, array[len(first) + 1 : begin].tobytes()


def _has_digit(word: str) -> bool:
    return any(map(str.isdecimal, word))


def _edited(small: str, edit: Edit) -> str:
    cut, added = edit
    return small[: len(small) - cut] + added


# Each of these functions stores the fields of one line, and returns whether they are
# valid.


def _ending(lemmas: Lemmas, tag: str, ending: str, cut: str, added: str) -> bool:
    is_valid = cut.isdecimal() and len(cut) < 3 and int(cut) <= len(ending)
    if is_valid:
        lemmas.endings[tag][ending] = int(cut), added
    return is_valid


def _case(lemmas: Lemmas, tag: str, shape: str, case: str) -> bool:
    lemmas.cases[tag][shape] = case
    return case in CASES


def _word(lemmas: Lemmas, tag: str, form: str, lemma: str) -> bool:
    lemmas.words[form, tag] = lemma
    return lemma != ""


def _class(lemmas: Lemmas, tag: str, of_class: str, uninflected: str) -> bool:
    lemmas.classes[tag] = of_class
    if uninflected:
        lemmas.uninflected.add(tag)
    return uninflected in ("", "own")


def _edit(lemmas: Lemmas, tag: str, removed: str, added: str) -> bool:
    lemmas.edits[tag].append((removed, added))
    return True


def _uncertain(lemmas: Lemmas, tag: str, form: str) -> bool:
    lemmas.uncertain.add((form.encode("utf-8", "surrogateescape"), tag))
    return True


def _context(lemmas: Lemmas, tag: str, key: str, lemma: str) -> bool:
    lemmas.contexts[tag][key] = lemma
    return lemma != ""


def _auxiliary(lemmas: Lemmas, _tag: str, lemma: str) -> bool:
    lemmas.auxiliaries.append(lemma)
    return lemma != ""


def _irregular(lemmas: Lemmas, _tag: str, cut: str, added: str) -> bool:
    n_removed = int(cut) if cut.isdecimal() and len(cut) < 3 else 0
    lemmas.irregular.append((n_removed, added))
    return cut.isdecimal()


# The function that reads a line, by its first field and the number of other fields.
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
    """Yield the contexts of a word as keys, from the most specific to the most general.

    They describe the first word after it that is not an adverb, and the tag after this
    word. Nothing is yielded if no such word follows.

    Args:
        words: The lower-case words that follow.
        tags: The tags of these words.
        classes: The class of the words of each tag.
    """
    place = next((i for i, tag in enumerate(tags) if classes.get(tag) != _ADVERB), None)
    if place is None:
        return
    word, tag = words[place], tags[place]
    after = tags[place + 1] if place + 1 < len(tags) else ""
    yield from (f"{tag} {word} {after}", f"{tag} {word}", f"{tag} {after}", tag)


def shapes_of(form: str, small: str) -> list[str]:
    """Return the shapes of a form, from the most general to the most specific.

    Args:
        form: The form.
        small: The form in lower case.
    """
    shapes = [_shape(form, small)]
    if shapes[0] == "upper":
        digit = "#" if any(map(str.isdigit, form)) else ""
        period = "." if "." in form else ""
        shapes.append(f"upper {min(len(form), _LONG)}{digit}{period}")
    if shapes[0] == INITIALS:
        return shapes
    last = shapes[-1]
    return [*shapes, f"{last} {small[-2:]}", f"{last} {small[-3:]}"]


def _shape(form: str, small: str) -> str:
    if form == small:
        return "lower"
    if len(form) > 1 and form == form.upper():
        return "upper"
    if form[1:] == form[1:].lower():
        return "title"
    before = form[:-1] if form[-2:-1].isupper() else form[:-2]
    if len(before) > 1 and before.isupper() and form[-1].islower():
        return INITIALS
    return "mixed"


def in_case(form: str, small: str, case: str) -> str:
    """Change the case of a lower-case lemma.

    Args:
        form: The form of the word.
        small: The lemma in lower case.
        case: `lower`; `title`, for an initial capital; or `keep`, for the capitals of
            the form.
    """
    if case == "title":
        return small[:1].upper() + small[1:]
    small_form = form.lower()
    if case == "lower" or form == small_form:
        return small
    n = n_common(small_form, small)
    rest = small[n:].upper() if _shape(form, small_form) == "upper" else small[n:]
    # The lower-case form may be longer: \u0130 in lower case has two characters.
    return form[: n + len(form) - len(small_form)] + rest


def n_common(one: str, other: str) -> int:
    """Return the length of the longest common prefix of two words."""
    pairs = enumerate(map(operator.eq, one, other))
    return next((n for n, same in pairs if not same), min(len(one), len(other)))
