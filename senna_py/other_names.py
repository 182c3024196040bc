"""spaCy's names for things that have other names here, for helpful errors.

docs/guide/python.md has the same table. For each name of spaCy's, without its final
underscore, it has what to write here (`here`, of which the first that the class has is
used), or what to do if there is no such attribute (`elsewhere`). `module` has names of
`senna_py` itself, and `keyword` has names of arguments.
"""

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from senna_py.io.package_tables import read_table

_TABLE = Path(__file__).with_suffix(".tsv")
# The classes of the items of attributes that are sequences.
_ITEMS = {"tokens": "Token", "sentences": "Sentence", "arguments": "Span"}


class OtherNames:
    """A base class whose errors for missing attributes say what to use."""

    __slots__ = ()

    if not TYPE_CHECKING:  # type checkers find such names themselves

        def __getattr__(self, name: str) -> Any:
            """Raise AttributeError with advice, if there is any."""
            if _has(type(self), name):  # a property raised AttributeError
                return object.__getattribute__(self, name)
            problem = f"{type(self).__name__!r} object has no attribute {name!r}"
            if name.startswith("_") or not (advice := _advice(type(self), name)):
                raise AttributeError(problem, name=name, obj=self)
            # Without an object, Python suggests no other name.
            raise AttributeError(f"{problem}: {advice}", name=name, obj=None)


def advice_on(kind: str, name: str) -> str:
    """Return what to use in place of a name; empty if nothing is known.

    Args:
        kind: What the name is: `module` or `keyword`.
        name: The name.
    """
    return read_table(_TABLE)[kind].get(name, "")


def _advice(cls: type, name: str) -> str:
    """Return what to use in place of an attribute; empty if nothing is known."""
    cls = next(each for each in cls.__mro__ if each.__module__.startswith("senna_py."))
    plain, owner = name.rstrip("_"), cls.__name__.lower()
    table = read_table(_TABLE)
    names = table["here"].get(plain, name).split(" or ")
    ours = next((each for each in names if _has(cls, each)), names[0])
    if _has(cls, ours):
        return f"use {owner}.{ours}"
    if plain in table["elsewhere"]:
        return table["elsewhere"][plain]
    for attribute, class_name in _ITEMS.items():
        if _has(cls, attribute):
            item_class = getattr(sys.modules[cls.__module__], class_name)
            for known in (name, ours):
                if _has(item_class, known):
                    return f"use {known} of each of {owner}.{attribute}"
    return ""


def _has(cls: type, expression: str) -> bool:
    """Return whether a class has the attribute with which an expression begins."""
    return hasattr(cls, re.split(r"\W", expression)[0])
