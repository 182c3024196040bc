"""Texts with annotated spans, and the unit in which the offsets of a file count."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from senna_py.errors import SennaError

_SHOWN = 40  # The maximum number of characters of a text in a message.
_SPACE = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Annotation:
    """A labeled span of a text.

    Attributes:
        begin: The offset of its first character.
        end: The offset after its last character.
        label: Its label.
        surface: Its text as the file repeats it, or None. It serves as a check.
    """

    begin: int
    end: int
    label: str
    surface: str | None = None


@dataclass(frozen=True, slots=True)
class AnnotatedText:
    """A text with its annotations.

    Attributes:
        place: Where the text comes from, such as `news.jsonl: line 3`.
        text: The text.
        annotations: The annotations, in the order of the file.
        words: The range of characters of each word, if the file divides the text, which
            is then a sentence; otherwise None.
    """

    place: str
    text: str
    annotations: tuple[Annotation, ...]
    words: tuple[tuple[int, int], ...] | None = None


@dataclass(frozen=True)
class AnnotatedFile:
    """The texts of a file or directory.

    Attributes:
        form: A description of the format, such as `JSON lines of Prodigy`.
        texts: The texts.
        notes: Lines for the user about what was left out.
    """

    form: str
    texts: list[AnnotatedText]
    notes: list[str]


def _of_characters(text: str) -> list[int]:
    return [*range(len(text) + 1)]


def _of_utf16(text: str) -> list[int]:
    return [0, *accumulate(1 + (character > "\uffff") for character in text)]


def _of_bytes(text: str) -> list[int]:
    sizes = (len(character.encode("utf-8", "replace")) for character in text)
    return [0, *accumulate(sizes)]


def _of_line_breaks(text: str) -> list[int]:
    widths = (text[i : i + 2] != "\r\n" for i in range(len(text)))
    return [0, *accumulate(widths)]


# For each unit, a function that returns the offset of each character in this unit, and
# the length of the text.
_UNITS: dict[str, Callable[[str], list[int]]] = {
    "characters": _of_characters,
    "UTF-16 code units": _of_utf16,
    "bytes": _of_bytes,
    "characters, and \\r\\n as one": _of_line_breaks,
}


def settle_offsets(file: AnnotatedFile) -> AnnotatedFile:
    """Convert the offsets of a file to characters.

    Tools that run in a browser count UTF-16 code units, and others count bytes. Some
    replace the line breaks of Windows, so that each of them is one character. The unit
    is the same in the whole file. It is the one by which the fewest annotations differ
    from their text, or begin or end within a word.

    Args:
        file: The file, whose offsets may be in any unit.

    Raises:
        SennaError: If an annotation is outside its text, or is not at the text that the
            file repeats. The message names the place.
    """
    unclear = [each for each in file.texts if not _is_clear(each.text)]
    faults = {
        unit: sum(map(_n_faults, (_converted(each, unit) for each in unclear)))
        for unit in _UNITS
    }
    unit = min(faults, key=lambda name: faults[name])
    texts = [_converted(each, unit) for each in file.texts]
    for each in texts:
        _check(each, unit)
    notes = [*file.notes]
    if unit != "characters":
        notes.append(f"offsets count {unit}")
    return replace(file, texts=texts, notes=notes)


def _is_clear(text: str) -> bool:
    """Return whether offsets are the same in all units."""
    return text.isascii() and "\r\n" not in text


def _converted(text: AnnotatedText, unit: str) -> AnnotatedText:
    """Return a text with offsets in characters; -1 stands for one that is impossible."""
    if unit == "characters" or _is_clear(text.text):
        return text
    position = {offset: i for i, offset in enumerate(_UNITS[unit](text.text))}
    annotations = tuple(
        replace(
            each, begin=position.get(each.begin, -1), end=position.get(each.end, -1)
        )
        for each in text.annotations
    )
    return replace(text, annotations=annotations)


def _n_faults(text: AnnotatedText) -> int:
    """Return how many annotations are impossible or begin or end within a word."""
    return sum(
        not is_inside(each, text.text)
        or not _is_at_its_text(each, text.text)
        or _is_in_word(text.text, each.begin)
        or _is_in_word(text.text, each.end)
        for each in text.annotations
    )


def is_inside(annotation: Annotation, text: str) -> bool:
    """Return whether an annotation has at least one character, all inside its text."""
    return 0 <= annotation.begin < annotation.end <= len(text)


def _is_at_its_text(annotation: Annotation, text: str) -> bool:
    if annotation.surface is None:
        return True
    actual = text[annotation.begin : annotation.end]
    return _SPACE.sub("", actual) == _SPACE.sub("", annotation.surface)


def _is_in_word(text: str, offset: int) -> bool:
    return text[offset - 1 : offset].isalnum() and text[offset : offset + 1].isalnum()


def _check(text: AnnotatedText, unit: str) -> None:
    for each in text.annotations:
        if not is_inside(each, text.text):
            raise SennaError(
                f"{text.place}: the annotation {each.label} from {each.begin} to "
                f"{each.end} is not inside its text of {len(text.text):,} characters"
            )
        if not _is_at_its_text(each, text.text):
            raise SennaError(
                f"{text.place}: expected {shown(each.surface)} at the {unit} {each.begin} to "
                f"{each.end}, found {shown(text.text[each.begin : each.end])}"
            )


def shown(value: object) -> str:
    """Return a value as it appears in a message, shortened if it is long."""
    text = repr(value)
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 4]}...{text[-1]}"


def join_words(
    place: str, words: Sequence[str], segments: Iterable[tuple[str, int, int]]
) -> AnnotatedText:
    """Return an AnnotatedText of words, with spaces between them.

    Args:
        place: The place of the sentence.
        words: The words.
        segments: The label of each annotation, and its range of words.
    """
    begins = [0, *accumulate(len(word) + 1 for word in words)]
    ranges = [
        (begin, begin + len(word)) for begin, word in zip(begins, words, strict=False)
    ]
    annotations = tuple(
        Annotation(ranges[first][0], ranges[last - 1][1], label)
        for label, first, last in segments
    )
    return AnnotatedText(place, " ".join(words), annotations, tuple(ranges))
