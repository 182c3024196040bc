"""What spaCy calls things that have another name here, for errors that say which.

docs/guide/python.md has the same table.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

__all__ = ["NAMES", "NOT_HERE", "OtherNames"]

# By class, what to write in place of a name, which stands without a final underscore.
_PLACES = {"start": "start_char", "end": "end_char"}
NAMES: dict[str, dict[str, str]] = {
    "Document": {
        "ents": "entities", "sents": "sentences", "noun_chunks": "chunks", "text_with_ws": "text",
        "to_array": "table()", "to_bytes": "to_json()", "to_disk": "to_json()",
    },
    "Sentence": {
        "ents": "entities", "noun_chunks": "chunks", **_PLACES,
        **dict.fromkeys(("sents", "doc"), "nlp.document(text), which finds sentences"),
    },
    "Span": {"label": "label", "sent": "sentence", "doc": "sentence"},
    "Token": {
        "i": "index", "idx": "start_char", "tag": "pos", "pos": "pos", "ent_type": "ner",
        "ent_iob": "ner", "sent": "sentence", "doc": "sentence", "orth": "text", **_PLACES,
        **{f"is_{kind}": f"text.is{kind}()" for kind in ("alpha", "digit", "lower", "upper")},
        "is_title": "text.istitle()", "lower": "text.lower()", "norm": "text.lower()",
        "is_punct": "pos", "like_num": "pos", "is_sent_start": "index == 0", "text_with_ws": "text",
    },
    "Frame": {},
    "Tagger": {
        "pipe_names": "tasks", "make_doc": "document(text)",
        **dict.fromkeys(("add_pipe", "disable_pipes", "select_pipes"), "load(tasks=...)"),
    },
}  # fmt: skip
NOT_HERE = {
    **dict.fromkeys(
        ("dep", "head", "children", "lefts", "rights", "ancestors", "subtree", "conjuncts", "root"),
        "dependencies",
    ),
    **dict.fromkeys(("vector", "has_vector", "is_oov", "similarity"), "vectors"),
    "cats": "text categories",
    "lemma": "lemmas", "morph": "features", "is_stop": "stop words", "kb_id": "links of entities",
}  # fmt: skip
_PARTS = {
    "Document": {"sentences": "Sentence", "tokens": "Token"}, "Sentence": {"tokens": "Token"},
    "Span": {"tokens": "Token"}, "Frame": {"arguments": "Span"},
}  # fmt: skip


class OtherNames:
    """Base of classes of NAMES: an attribute that one does not have is an error that helps."""

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
    cls = next(each for each in cls.__mro__ if each.__name__ in NAMES)  # it may be a subclass
    kind, plain = cls.__name__, name.rstrip("_")
    owner = "nlp" if kind == "Tagger" else kind.lower()
    if ours := NAMES[kind].get(plain):
        return f"use {ours}" if ours.startswith(("nlp.", "load(")) else f"use {owner}.{ours}"
    if plain in NOT_HERE:
        return f"the tagger finds no {NOT_HERE[plain]}"
    for part, below in _PARTS.get(kind, {}).items():
        has = hasattr(getattr(sys.modules[cls.__module__], below), name)
        if has or plain in NAMES[below]:
            ours = name if has else NAMES[below][plain]
            return f"use {ours} of each of {owner}.{part}"
    return ""
