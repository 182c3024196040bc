"""The types of redacted text, and the tasks or rules that find them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from senna_py.errors import UsageError
from senna_py.labels.tasks import TABLE, VALUES

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

NER = "ner"
_OF_THINGS = (NER, VALUES)  # Of the known tasks, these find what one may redact.
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
# The types that every model may have, each with the task that finds it; the task of
# rules is an empty string. Other labels are types, too.
TYPES = {
    **dict.fromkeys((PERSON, PLACE, ORGANIZATION, "MISC"), NER),
    **dict.fromkeys(_OF_VALUES, VALUES),
    **dict.fromkeys(OF_RULES, ""),
}
# The types that are redacted unless others are named.
DEFAULT = (PERSON, PLACE, ORGANIZATION, "DATE", "TIME", "MONEY", *OF_RULES)
ALL = "ALL"  # What `all` becomes, behind all of TYPES: any label is a type.


def type_of(task: str, label: str) -> str:
    """Return the type of a span.

    Args:
        task: The task of the span's layer.
        label: The label of the span. In upper case, it is a type, unless it means one
            of TYPES.
    """
    return (_OF_ENTITIES.get(label) if task == NER else None) or label.upper()


def check_types(names: str | Iterable[str] | None) -> tuple[str, ...]:
    """Return the types with the given names, those of TYPES first, in their order.

    The other ones are labels of a model or of rules, in upper case.

    Args:
        names: Names in upper or lower case, as an iterable or separated by commas;
            `all` stands for all types, and None for the default ones.

    Raises:
        UsageError: If no type is named.
    """
    if names is None:
        return DEFAULT
    if isinstance(names, str):
        names = names.split(",")
    wanted = [name.strip().upper() for name in names]
    if ALL in wanted:
        return (*TYPES, ALL)
    if not any(wanted):
        raise UsageError("no types to redact are named")
    own = [name for name in dict.fromkeys(wanted) if name not in TYPES]
    return (*(name for name in TYPES if name in wanted), *own)


def tasks_of(
    types: Sequence[str], labels: Mapping[str, Collection[str]]
) -> tuple[str, ...]:
    """Return the tasks that find these types, without duplicates.

    Args:
        types: The types, as `check_types` returns them.
        labels: The labels of the tasks that give spans, by task.

    Raises:
        UsageError: If a type is none of TYPES, and no task that finds entities or
            values, or was added by a user, has such a label.
    """
    tasks = dict.fromkeys(TYPES[name] for name in types if TYPES.get(name))
    own = {
        task: {type_of(task, label) for label in labels[task]}
        for task in labels
        if task in _OF_THINGS or task not in TABLE
    }
    for name in types:
        finders = [task for task in own if name in own[task]]
        if name not in TYPES and name != ALL:
            if not finders:
                raise UsageError(_no_such_type(name, own))
            tasks.update(dict.fromkeys(finders))
    return tuple(tasks)


def _no_such_type(name: str, own: Mapping[str, Collection[str]]) -> str:
    labels = [each for task in _OF_THINGS for each in sorted(own.get(task, ()))]
    known = ", ".join(each.lower() for each in dict.fromkeys((*TYPES, *labels, ALL)))
    return f"no such type: {name.lower()!r}; there are {known}"
