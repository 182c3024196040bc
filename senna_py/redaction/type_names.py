"""The types of redacted text, and the tasks or rules that find them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from senna_py.errors import UsageError
from senna_py.labels.tasks import VALUES

if TYPE_CHECKING:
    from collections.abc import Iterable

NER = "ner"
PERSON, PLACE, ORGANIZATION = "PERSON", "PLACE", "ORGANIZATION"
EMAIL, URL, PHONE, CARD, IBAN, IP, SSN = (
    "EMAIL",
    "URL",
    "PHONE",
    "CARD",
    "IBAN",
    "IP",
    "SSN",
)
# The types that rules find.
OF_RULES = (EMAIL, URL, PHONE, CARD, IBAN, IP, SSN)
# The types of labels of named entities, in the tag sets of several corpora.
_OF_ENTITIES = {
    "PER": PERSON,
    "PERSON": PERSON,
    "PESSOA": PERSON,
    "LOC": PLACE,
    "GPE": PLACE,
    "FAC": PLACE,
    "LOCAL": PLACE,
    "ORG": ORGANIZATION,
    "ORGANIZACAO": ORGANIZATION,
    "MISC": "MISC",
}
_OF_VALUES = ("DATE", "TIME", "MONEY", "PERCENT", "QUANTITY", "CARDINAL", "ORDINAL")
# All types, each with the task that finds it; the task of rules is an empty string.
TYPES = {
    **dict.fromkeys((PERSON, PLACE, ORGANIZATION, "MISC"), NER),
    **dict.fromkeys(_OF_VALUES, VALUES),
    **dict.fromkeys(OF_RULES, ""),
}
# The types that are redacted unless others are named.
DEFAULT = (PERSON, PLACE, ORGANIZATION, "DATE", "TIME", "MONEY", *OF_RULES)
_ALL = "all"


def type_of(task: str, label: str) -> str | None:
    """Return the type of a span, or None if it has none.

    Args:
        task: The task of the span's layer.
        label: The label of the span.
    """
    if task == NER:
        return _OF_ENTITIES.get(label)
    return label if task == VALUES else None


def check_types(names: str | Iterable[str] | None) -> tuple[str, ...]:
    """Return the types with the given names, in the order of TYPES.

    Args:
        names: Names in upper or lower case, as an iterable or separated by commas;
            `all` stands for all types, and None for the default ones.

    Raises:
        UsageError: If there is no such type, or none is named.
    """
    if names is None:
        return DEFAULT
    if isinstance(names, str):
        names = names.split(",")
    wanted = {name.strip().upper() for name in names}
    if _ALL.upper() in wanted:
        return tuple(TYPES)
    for name in sorted(wanted):
        if name not in TYPES:
            known = ", ".join(each.lower() for each in TYPES)
            raise UsageError(
                f"no such type: {name.lower()!r}; there are {known}, {_ALL}"
            )
    if not wanted:
        raise UsageError("no types to redact are named")
    return tuple(name for name in TYPES if name in wanted)


def tasks_of(types: Iterable[str]) -> tuple[str, ...]:
    """Return the tasks that find these types, without duplicates."""
    return tuple(dict.fromkeys(filter(None, map(TYPES.__getitem__, types))))
