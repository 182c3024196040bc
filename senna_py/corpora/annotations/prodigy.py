"""JSON lines of Prodigy: a text with `spans` and an `answer`."""

from typing import Any

from senna_py.corpora.annotations.texts import AnnotatedText
from senna_py.corpora.annotations.values import annotation_of, list_of, text_of


class Prodigy:
    """Reads the items of Prodigy whose answer is `accept`."""

    tool = "Prodigy"
    expected = '{"text": "...", "spans": [{"start": 0, "end": 5, "label": "PER"}]}'
    skipped = "rejected or ignored"

    def fits(self, item: Any) -> bool:
        """Return whether an item has spans or an answer."""
        return (
            isinstance(item, dict)
            and isinstance(item.get("text"), str)
            and ("spans" in item or "answer" in item)
        )

    def read(self, item: Any, place: str) -> AnnotatedText | None:
        """Return the text of an item, or None if it was not accepted."""
        if item.get("answer", "accept") != "accept":
            return None
        annotations = tuple(map(annotation_of, list_of(item, "spans")))
        return AnnotatedText(place, text_of(item), annotations)
