"""What spaCy calls things that have another name here, for errors that say which.

The table, which docs/guide/python.md has, too, says what to write in place of a name
(`here`: the first that a class has), or what to do where there is nothing like it
(`elsewhere`); and likewise for names in `senna_py` itself (`module`), and for arguments
(`keyword`). Names have no final underscore there.
"""

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from senna_py.io.package_tables import read_table

_TABLE = Path(__file__).with_suffix(".tsv")
_PARTS = {"tokens": "Token", "sentences": "Sentence", "arguments": "Span"}


class OtherNames:
    """Base of classes whose error for an attribute that they do not have is one that
    helps.
    """

    __slots__ = ()

    if not TYPE_CHECKING:  # type checkers find such names themselves

        def __getattr__(self, name):
            """Raise AttributeError that says what the attribute is called here, if it
            is known.
            """
            if _has(
                type(self), name
            ):  # Python came here because a property raised the error
                return object.__getattribute__(self, name)
            found = f"{type(self).__name__!r} object has no attribute {name!r}"
            if name.startswith("_") or not (advice := _advice(type(self), name)):
                raise AttributeError(found, name=name, obj=self)
            # Without an object, Python suggests no other name.
            raise AttributeError(f"{found}: {advice}", name=name, obj=None)


def advice_on(kind: str, name: str) -> str:
    """What to use in place of a name of a module or a keyword; empty if nobody
    knows.
    """
    return read_table(_TABLE)[kind].get(name, "")


def _advice(cls: type, name: str) -> str:
    cls = next(each for each in cls.__mro__ if each.__module__.startswith("senna_py."))
    plain, owner = name.rstrip("_"), cls.__name__.lower()
    table = read_table(_TABLE)
    names = table["here"].get(plain, name).split(" or ")
    ours = next((each for each in names if _has(cls, each)), names[0])
    if _has(cls, ours):
        return f"use {owner}.{ours}"
    if plain in table["elsewhere"]:
        return table["elsewhere"][plain]
    for part, below in _PARTS.items():
        if _has(cls, part):
            for known in (name, ours):
                if _has(getattr(sys.modules[cls.__module__], below), known):
                    return f"use {known} of each of {owner}.{part}"
    return ""


def _has(cls: type, expression: str) -> bool:
    return hasattr(cls, re.split(r"\W", expression)[0])
