"""Training examples of spaCy as JSON: `[text, {"entities": [[0, 5, "PER"]]}]`."""

from typing import Any

from senna_py.corpora.annotations.texts import AnnotatedText
from senna_py.corpora.annotations.values import annotation_of, list_of, text_of


class SpacyExamples:
    """Reads pairs of a text and its annotations, and documents (`Doc.to_json`)."""

    tool = "spaCy"
    expected = '["...", {"entities": [[0, 5, "PER"]]}]'
    skipped = ""

    def fits(self, item: Any) -> bool:
        """Return whether an item is a pair of a text and an object, or has `ents`."""
        if isinstance(item, dict):
            return isinstance(item.get("text"), str) and "ents" in item
        return (
            isinstance(item, list)
            and len(item) == 2
            and isinstance(item[0], str)
            and isinstance(item[1], dict)
        )

    def read(self, item: Any, place: str) -> AnnotatedText | None:
        """Return the text of an item."""
        if isinstance(item, dict):
            text, values = text_of(item), list_of(item, "ents")
        else:
            text, values = item[0], list_of(item[1], "entities")
        return AnnotatedText(place, text, tuple(map(annotation_of, values)))
