"""JSON exports of Label Studio: JSON, and JSON-MIN with one annotation per text."""

from typing import Any

from senna_py.corpora.annotations.texts import AnnotatedText, shown
from senna_py.corpora.annotations.values import annotation_of, list_of, text_of


class LabelStudio:
    """Reads the tasks of Label Studio.

    Of several annotations of a task, the ground truth is read, or else the last one
    that was not canceled. A task without such an annotation is skipped.
    """

    tool = "Label Studio"
    expected = (
        '{"data": {"text": "..."}, "annotations": [{"result": [{"value": {"start": 0, '
        '"end": 5, "labels": ["PER"]}}]}]}'
    )
    skipped = "without a finished annotation"

    def fits(self, item: Any) -> bool:
        """Return whether an item has `data` and `annotations`, or labels of JSON-MIN."""
        if not isinstance(item, dict):
            return False
        if isinstance(item.get("data"), dict):
            return "annotations" in item or "completions" in item
        return _key_of_labels(item) is not None

    def read(self, item: Any, place: str) -> AnnotatedText | None:
        """Return the text of a task, or None if it has no finished annotation."""
        if not isinstance(item.get("data"), dict):
            key = _key_of_labels(item)
            values = [] if key is None else list_of(item, key)
            return AnnotatedText(
                place, text_of(item), tuple(map(annotation_of, values))
            )
        annotations = item.get("annotations") or item.get("completions") or []
        finished = [
            each
            for each in annotations
            if isinstance(each, dict)
            and not each.get("was_cancelled")
            and not each.get("skipped")
        ]
        if not finished:
            return None
        chosen = max(finished, key=lambda each: bool(each.get("ground_truth")))
        if not chosen.get("ground_truth"):
            chosen = finished[-1]
        values = [
            region["value"]
            for region in list_of(chosen, "result")
            if isinstance(region, dict) and isinstance(region.get("value"), dict)
        ]
        if any("hypertextlabels" in value for value in values):
            raise ValueError("expected labels of plain text, found hypertextlabels")
        annotations = (annotation_of(value) for value in values if "labels" in value)
        return AnnotatedText(place, _text_of_task(item["data"]), tuple(annotations))


def _key_of_labels(item: dict[str, Any]) -> str | None:
    """Return the key of the list of labels in an item of JSON-MIN, or None."""
    for key, values in item.items():
        first = values[0] if isinstance(values, list) and values else None
        if isinstance(first, dict) and {"start", "end", "labels"} <= {*first}:
            return key
    return None


def _text_of_task(data: dict[str, Any]) -> str:
    """Return the text of a task: `text`, or else the only value that is a text."""
    if isinstance(data.get("text"), str):
        return data["text"]
    texts = [value for value in data.values() if isinstance(value, str)]
    if len(texts) != 1:
        raise ValueError(f"expected a text in data, found {shown(data)}")
    return texts[0]
