"""Who is who: mentions of persons and other things by different names.

Mentions are looked up in text order, so each is compared with those before it only.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from senna_py.redaction.names import words_around
from senna_py.redaction.type_names import CARD, IBAN, ORGANIZATION, PERSON, PHONE, SSN

if TYPE_CHECKING:
    from collections.abc import Sequence

_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*\.?")
_NUMBERS = (CARD, IBAN, PHONE, SSN)


class Entities:
    """Finds which persons, organizations or other things mentions stand for.

    A person has a full name and may be mentioned by any part of it that includes the
    first or the last word: *Merkel* and *Angela* after *Angela Merkel*. If this fits
    several persons, the last one mentioned is meant. Other things are the same only if
    their names are.
    """

    def __init__(self) -> None:
        self._by_name: dict[tuple[str, tuple[str, ...]], int] = {}
        self._n_of_type: dict[str, int] = {}
        self._persons_of_word: dict[str, set[int]] = {}  # By first and last words.
        self._names: dict[int, tuple[str, ...]] = {}  # The longest name of each person.
        # For each person, the number of mentions up to the last one.
        self._last_mention: dict[int, int] = {}
        self._n_mentions = 0

    def number(self, type_name: str, text: str) -> int:
        """Return the number of the person or thing that a mention stands for.

        Things of each type are numbered from 1, in the order of their first mentions.

        Args:
            type_name: The type of the mention.
            text: The text of the mention.
        """
        if type_name == PERSON:
            return self._person(words_of(text))
        name = name_of(type_name, text)
        number = self._by_name.get((type_name, name))
        return self._new(type_name, name) if number is None else number

    def is_given_name(self, number: int, words: Sequence[str]) -> bool:
        """Return whether a person is mentioned by the first word of a longer name."""
        first, last = _outer(self._names[number])
        return len(words) == 1 and words[0] == first != last

    def _new(self, type_name: str, name: tuple[str, ...]) -> int:
        number = self._n_of_type.get(type_name, 0) + 1
        self._n_of_type[type_name] = self._by_name[type_name, name] = number
        return number

    def _person(self, name: tuple[str, ...]) -> int:
        number = self._known_person(name)
        if number is None:
            number = self._new(PERSON, name)
        if len(name) > len(self._names.get(number, ())):
            self._names[number] = name
            for word in _outer(name):
                self._persons_of_word.setdefault(word, set()).add(number)
        self._n_mentions += 1
        self._last_mention[number] = self._n_mentions
        return number

    def _known_person(self, name: tuple[str, ...]) -> int | None:
        """Return the person of a name, or else the last one mentioned whom it fits."""
        numbers = {
            number
            for word in _outer(name)
            for number in self._persons_of_word.get(word, ())
        }
        latest = sorted(numbers, key=self._last_mention.__getitem__, reverse=True)
        same = (number for number in latest if self._names[number] == name)
        fitting = (
            number for number in latest if _may_be_same(name, self._names[number])
        )
        return next(same, next(fitting, None))


def words_of(text: str) -> tuple[str, ...]:
    """Return the words of a person's name without titles, in lower case."""
    words = [word.rstrip(".").casefold() for word in _WORD.findall(text)]
    words = [word.removesuffix("'s").removesuffix("’s") for word in words]
    titles = words_around("titles")
    kept = [word for word in words if word not in titles]
    return tuple(kept or words or [text.casefold()])


def surname_of(text: str) -> str:
    """Return the last word of a person's name as it is written, ignoring suffixes."""
    words = [word.rstrip(".") for word in _WORD.findall(text)]
    around = words_around("suffixes") | words_around("titles")
    core = [word for word in words if word.casefold() not in around]
    return core[-1] if core else ""


def name_of(type_name: str, text: str) -> tuple[str, ...]:
    """Return the words by which a thing is identified, in lower case.

    Numbers with different spaces or hyphens are the same, and so are organizations with
    and without their legal form.
    """
    words = [word.rstrip(".").casefold() for word in _WORD.findall(text)]
    if type_name == ORGANIZATION:
        if len(words) > 1 and words[0] == "the":
            words = words[1:]
        while len(words) > 1 and words[-1] in words_around("forms"):
            words.pop()
        return tuple(words or [text.casefold()])
    if type_name in _NUMBERS:
        return (
            "".join(character for character in text if character.isalnum()).upper(),
        )
    return tuple(text.split())


def _outer(name: tuple[str, ...]) -> tuple[str, str]:
    """Return the first and the last word of a name, ignoring suffixes such as Jr."""
    suffixes = words_around("suffixes")
    core = [word for word in name if word not in suffixes] or [*name]
    return core[0], core[-1]


def _may_be_same(name: tuple[str, ...], known: tuple[str, ...]) -> bool:
    """Return whether two names may be those of one person."""
    shorter, longer = sorted((name, known), key=len)
    if len(shorter) == 1:
        return shorter[0] in _outer(longer)
    (first, last), (other_first, other_last) = _outer(shorter), _outer(longer)
    suffixes = words_around("suffixes")
    if last != other_last or suffixes & {*shorter} != suffixes & {*longer}:
        return False
    is_initial = 1 in (len(first), len(other_first)) and first[0] == other_first[0]
    if first != other_first and not is_initial:
        return False
    inner = {word[0] for word in longer[1:-1]}
    return all(word[0] in inner for word in shorter[1:-1])
