"""What spaCy calls things that have another name here, for errors that say which.

docs/guide/python.md has the same table.
"""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING

# What to write in place of a name, which stands without a final underscore, where there is that.
NAMES = {
    "ents": "entities", "sents": "sentences", "label": "label",
    "sent": "sentence", "doc": "sentence", "i": "index", "idx": "start_char",
    "start": "start_char", "end": "end_char", "tag": "pos", "pos": "pos", "is_punct": "pos",
    "like_num": "pos", "ent_type": "ner", "ent_iob": "ner", "is_sent_start": "index == 0",
    "dep": "relation", "lemma": "lemma", "morph": "feats",
    "text_with_ws": "text", "orth": "text", "lower": "text.lower()", "norm": "text.lower()",
    **{f"is_{kind}": f"text.is{kind}()" for kind in ("alpha", "digit", "lower", "title", "upper")},
    "to_array": "table()", "to_bytes": "to_json()", "to_disk": "to_json()",
}  # fmt: skip
_OF_SYNTAX = "lefts rights ancestors conjuncts"
_OF_VECTORS = "vector has_vector is_oov similarity"
ELSEWHERE = {
    **dict.fromkeys(("sents", "sentences", "doc"), "use nlp.document(text), which finds sentences"),
    "make_doc": "use nlp.document(text)", "pipe_names": "use nlp.tasks",
    **dict.fromkeys(("add_pipe", "disable_pipes", "select_pipes"), "use load(tasks=...)"),
    **dict.fromkeys(_OF_SYNTAX.split(), "use token.head, token.children"),
    **dict.fromkeys(_OF_VECTORS.split(), "the tagger finds no vectors"),
    "cats": "the tagger finds no text categories", "is_stop": "the tagger finds no stop words",
    "kb_id": "the tagger finds no links of entities",
}  # fmt: skip
_PARTS = {"tokens": "Token", "sentences": "Sentence", "arguments": "Span"}


class OtherNames:
    """Base of classes whose error for an attribute that they do not have is one that helps."""

    __slots__ = ()

    if not TYPE_CHECKING:  # type checkers find such names themselves

        def __getattr__(self, name):
            """Raise AttributeError that says what the attribute is called here, if it is known."""
            found = f"{type(self).__name__!r} object has no attribute {name!r}"
            if name.startswith("_") or not (advice := _advice(type(self), name)):
                raise AttributeError(found, name=name, obj=self)
            # Without an object, Python suggests no other name.
            raise AttributeError(f"{found}: {advice}", name=name, obj=None)


def _advice(cls: type, name: str) -> str:
    cls = next(each for each in cls.__mro__ if each.__module__.startswith("senna_py."))
    plain, owner = name.rstrip("_"), cls.__name__.lower()
    ours = NAMES.get(plain, name)
    if _has(cls, ours):
        return f"use {owner}.{ours}"
    if plain in ELSEWHERE:
        return ELSEWHERE[plain]
    for part, below in _PARTS.items():
        if _has(cls, part):
            for known in (name, ours):
                if _has(getattr(sys.modules[cls.__module__], below), known):
                    return f"use {known} of each of {owner}.{part}"
    return ""


def _has(cls: type, expression: str) -> bool:
    return hasattr(cls, re.split(r"\W", expression)[0])
