"""EVALB's parameter files (.prm), which configure the comparison of trees."""

import re
from dataclasses import dataclass
from typing import Any, NoReturn

from senna_py.errors import SennaError
from senna_py.io.streaming import Source, read_lines


@dataclass(frozen=True)
class EvalbParameters:
    """Parameters of EVALB, with the names from its files in lower case.

    Attributes:
        labeled: Whether a bracket must have the same label to be correct.
        cutoff_len: The maximum length of the sentences in the second summary.
        max_error: The maximum number of pairs that cannot be compared, beyond which
            scoring fails. None means no limit.
        delete_label: Parts of speech of words that are ignored, and labels of brackets
            that are ignored.
        delete_label_for_length: Parts of speech of words that do not count for the
            length of a sentence.
        eq_label: Pairs of labels that count as equal.
        eq_word: Pairs of words that count as equal.
        quote_label: Parts of speech of quotation marks and of words that are mistaken
            for them. If both trees have the same number of such words, corresponding
            words are compared unless both are deleted.
    """

    labeled: bool = True
    cutoff_len: int = 40
    max_error: int | None = 10
    delete_label: frozenset[str] = frozenset()
    delete_label_for_length: frozenset[str] = frozenset()
    eq_label: frozenset[tuple[str, str]] = frozenset()
    eq_word: frozenset[tuple[str, str]] = frozenset()
    quote_label: frozenset[str] = frozenset()

    def equal_labels(self, label: str) -> set[str]:
        """Return the labels that count as equal to `label`, including `label`."""
        return {label}.union(*(pair for pair in self.eq_label if label in pair))


# COLLINS.prm, which is distributed with EVALB.
COLLINS = EvalbParameters(
    delete_label=frozenset(["TOP", "-NONE-", ",", ":", "``", "''", "."]),
    delete_label_for_length=frozenset(["-NONE-"]),
    eq_label=frozenset([("ADVP", "PRT")]),
)

_NUMBERS = ("LABELED", "CUTOFF_LEN", "MAX_ERROR", "DEBUG")
_LABELS = ("DELETE_LABEL", "DELETE_LABEL_FOR_LENGTH", "QUOTE_LABEL")
_PAIRS = ("EQ_LABEL", "EQ_WORD")
_NUMBER = re.compile(r"[0-9]{1,9}")


def read_parameters(path: str | None) -> EvalbParameters:
    """Return the parameters in a file, or COLLINS if there is no path.

    Each line consists of a name and its value or values. Empty lines and lines that
    begin with # are skipped, and DEBUG has no effect. Parameters that are not in the
    file have the defaults of EvalbParameters, which delete nothing.

    Raises:
        SennaError: If the file cannot be read or a line is malformed. The message names
            the file and the line.
    """
    if not path:
        return COLLINS
    source = Source(path)
    read: dict[str, list[Any]] = {name: [] for name in (*_NUMBERS, *_LABELS, *_PAIRS)}
    with source:
        for number, line in enumerate(read_lines(source), 1):
            fields = line.decode("utf-8", "surrogateescape").split()
            if fields and not fields[0].startswith("#"):
                value = _value(f"{source.name}: line {number}", *fields)
                read[fields[0]].append(value)
    values: dict[str, Any] = {
        name.lower(): read[name][-1] for name in _NUMBERS if read[name]
    }
    values.pop("debug", None)
    values |= {name.lower(): frozenset(read[name]) for name in (*_LABELS, *_PAIRS)}
    return EvalbParameters(**values)


def _value(place: str, name: str, *values: str) -> bool | int | str | tuple[str, str]:
    """Return the value of a parameter.

    Args:
        place: The file and the line, for messages.
        name: The name of the parameter.
        *values: The values on the line.
    """
    if name in _NUMBERS:
        if len(values) != 1 or not _NUMBER.fullmatch(values[0]):
            _fail(place, f"a number after {name}", values)
        number = int(values[0])
        return number != 0 if name == "LABELED" else number
    if name in _LABELS:
        if len(values) != 1:
            _fail(place, f"one label after {name}", values)
        return values[0]
    if name in _PAIRS:
        if len(values) != 2:
            _fail(place, f"two values after {name}", values)
        return values
    _fail(place, f"one of {', '.join((*_NUMBERS, *_LABELS, *_PAIRS))}", (name,))


def _fail(place: str, expected: str, values: tuple[str, ...]) -> NoReturn:
    raise SennaError(
        f"{place}: expected {expected}, found {' '.join(values) or 'nothing'}"
    )
