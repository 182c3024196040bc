"""Error messages that translate spaCy's names for attributes, arguments and functions.

The table, other_names.tsv, has four sections. `here` maps an attribute of spaCy,
without its final underscore, to the alternatives in this package; the first alternative
that a class has is suggested. `elsewhere` has advice on attributes without an
equivalent. `module` has names in the module `senna_py`, and `keyword` has keyword
arguments. The same table is in docs/guide/switch.md.
"""

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from senna_py.errors import UsageError
from senna_py.io.package_tables import read_table

_TABLE = Path(__file__).with_suffix(".tsv")
# The attributes that are sequences, and the classes of their items.
_ITEMS = {"tokens": "Token", "sentences": "Sentence", "arguments": "Span"}
# The classes of phrases, and the attributes of tokens that phrases lack but their roots
# have.
_PHRASES = ("span", "constituent")
_OF_ROOT = [
    "head",
    "relation",
    "children",
    "lefts",
    "rights",
    "subtree",
    "left_edge",
    "right_edge",
    "ancestors",
    "conjuncts",
    "lemma",
]


class OtherNames:
    """A base class whose errors for attributes of spaCy name the replacement."""

    __slots__ = ()

    if not TYPE_CHECKING:  # Type checkers report missing attributes.

        def __getattr__(self, name: str) -> Any:
            """Raise AttributeError, with advice if there is any for this name."""
            if _has(type(self), name):  # A property raised AttributeError.
                return object.__getattribute__(self, name)
            problem = f"{type(self).__name__!r} object has no attribute {name!r}"
            if name.startswith("_") or not (advice := _advice(self, name)):
                raise AttributeError(problem, name=name, obj=self)
            # Without the object, Python does not suggest another name.
            raise AttributeError(f"{problem}: {advice}", name=name, obj=None)


def advice_on(kind: str, name: str) -> str:
    """Return advice for a name of spaCy, or an empty string if there is none.

    Args:
        kind: The section of the table: `module` or `keyword`.
        name: The name.
    """
    return read_table(_TABLE)[kind].get(name, "")


def _advice(thing: object, name: str) -> str:
    """Return advice for an attribute that an object lacks, or an empty string."""
    classes = type(thing).__mro__
    cls = next(each for each in classes if each.__module__.startswith("senna_py."))
    plain, owner = name.rstrip("_"), cls.__name__.lower()
    table = read_table(_TABLE)
    names = table["here"].get(plain, name).split(" or ")
    ours = next((each for each in names if _has(cls, each)), names[0])
    if _has(cls, ours):
        return f"use {owner}.{ours}{_why_missing(thing, ours)}"
    if owner in _PHRASES and ours in _OF_ROOT:
        return f"use {owner}.root.{ours}{_why_missing(thing, 'root')}"
    if plain in table["elsewhere"]:
        return table["elsewhere"][plain]
    for attribute, class_name in _ITEMS.items():
        if _has(cls, attribute):
            item_class = getattr(sys.modules[cls.__module__], class_name)
            for known in (name, ours):
                if _has(item_class, known):
                    return f"use {known} of each of {owner}.{attribute}"
    return ""


def _why_missing(thing: object, expression: str) -> str:
    """Return an explanation if an attribute cannot be read because of a missing task.

    The result is empty if the attribute can be read.
    """
    try:
        getattr(thing, _attribute(expression))
    except UsageError as error:
        return f"; {error}"
    return ""


def _has(cls: type, expression: str) -> bool:
    """Return whether a class has the attribute at the beginning of an expression."""
    return hasattr(cls, _attribute(expression))


def _attribute(expression: str) -> str:
    """Return the attribute at the beginning of an expression."""
    return re.split(r"\W", expression)[0]
