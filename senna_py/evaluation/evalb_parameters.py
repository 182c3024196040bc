"""EVALB's parameter files (.prm): what it compares of two trees, and what not."""

import re
from dataclasses import dataclass
from typing import Any, NoReturn

from senna_py.errors import SennaError
from senna_py.io.streaming import Source, read_lines


@dataclass(frozen=True)
class EvalbParameters:
    """Parameters of EVALB, by the names of its files.

    labeled: a bracket has to have the right label, not only the right words.
    cutoff_len: length of the sentences that the second summary is of. max_error: how
    many pairs may not be comparable before scoring stops, None for any number.
    delete_label: parts of speech whose words are left out, and labels whose brackets
    are. delete_label_for_length: parts of speech that do not count for the length of a
    sentence. eq_label, eq_word: pairs that are taken for the same.
    quote_label: of parts of speech that are quotes or may be mistaken for one: where
    both trees have one of these and only one of them is deleted, the word is compared.
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
        """The labels that are taken for the same, this one among them."""
        return {label}.union(*(pair for pair in self.eq_label if label in pair))


COLLINS = EvalbParameters(  # COLLINS.prm, as it comes with EVALB
    delete_label=frozenset(["TOP", "-NONE-", ",", ":", "``", "''", "."]),
    delete_label_for_length=frozenset(["-NONE-"]),
    eq_label=frozenset([("ADVP", "PRT")]),
)

_NUMBERS = ("LABELED", "CUTOFF_LEN", "MAX_ERROR", "DEBUG")
_LABELS = ("DELETE_LABEL", "DELETE_LABEL_FOR_LENGTH", "QUOTE_LABEL")
_PAIRS = ("EQ_LABEL", "EQ_WORD")
_NUMBER = re.compile(r"[0-9]{1,9}")


def read_parameters(path: str | None) -> EvalbParameters:
    """Parameters of a file in the format of EVALB, a name and its value on each line;
    or COLLINS.

    Empty lines and those that begin with # are skipped. What a file does not say is not
    deleted and not equal; DEBUG is read and has no effect. Raises SennaError naming
    file and line.
    """
    if not path:
        return COLLINS
    source = Source(path)
    found: dict[str, list[Any]] = {name: [] for name in (*_NUMBERS, *_LABELS, *_PAIRS)}
    with source:
        for number, line in enumerate(read_lines(source), 1):
            fields = line.decode("utf-8", "surrogateescape").split()
            if fields and not fields[0].startswith("#"):
                value = _value(f"{source.name}: line {number}", *fields)
                found[fields[0]].append(value)
    values: dict[str, Any] = {
        name.lower(): found[name][-1] for name in _NUMBERS if found[name]
    }
    values.pop("debug", None)
    values |= {name.lower(): frozenset(found[name]) for name in (*_LABELS, *_PAIRS)}
    return EvalbParameters(**values)


def _value(place: str, name: str, *values: str) -> bool | int | str | tuple[str, str]:
    if name in _NUMBERS:
        if len(values) == 1 and _NUMBER.fullmatch(values[0]):
            return int(values[0]) if name != "LABELED" else int(values[0]) != 0
        _fail(place, f"a number after {name}", values)
    if name in _LABELS:
        return (
            values[0]
            if len(values) == 1
            else _fail(place, f"one label after {name}", values)
        )
    if name in _PAIRS:
        return (
            values
            if len(values) == 2
            else _fail(place, f"two values after {name}", values)
        )
    _fail(place, f"one of {', '.join((*_NUMBERS, *_LABELS, *_PAIRS))}", (name,))


def _fail(place: str, expected: str, values: tuple[str, ...]) -> NoReturn:
    raise SennaError(
        f"{place}: expected {expected}, found {' '.join(values) or 'nothing'}"
    )
