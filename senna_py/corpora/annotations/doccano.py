"""JSON lines of doccano: a text with `label`, `labels` or `entities`."""

from typing import Any

from senna_py.corpora.annotations.texts import AnnotatedText
from senna_py.corpora.annotations.values import annotation_of, list_of, text_of

_KEYS = ("label", "labels", "entities")


class Doccano:
    """Reads the items of doccano, old (`labels`) and new (`label`, `entities`)."""

    tool = "doccano"
    expected = '{"text": "...", "label": [[0, 5, "PER"]]}'
    skipped = ""

    def fits(self, item: Any) -> bool:
        """Return whether an item has a list of annotations in one of the keys."""
        if not isinstance(item, dict) or not isinstance(item.get("text"), str):
            return False
        lists = [item[key] for key in _KEYS if isinstance(item.get(key), list)]
        return any(
            isinstance(each, list)
            or (isinstance(each, dict) and isinstance(each.get("label"), str))
            for values in lists
            for each in values
        ) or (bool(lists) and not any(lists))

    def read(self, item: Any, place: str) -> AnnotatedText | None:
        """Return the text of an item."""
        key = next((key for key in _KEYS if item.get(key) is not None), _KEYS[0])
        annotations = tuple(map(annotation_of, list_of(item, key)))
        return AnnotatedText(place, text_of(item), annotations)
