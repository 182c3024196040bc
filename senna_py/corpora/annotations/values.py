"""Annotations as values of JSON, which tools write with various names of keys."""

from collections.abc import Mapping
from typing import Any

from senna_py.corpora.annotations.texts import Annotation, shown

_BEGIN = ("start_offset", "start_char", "start", "begin")
_END = ("end_offset", "end_char", "end")
_LABEL = ("label", "labels", "type")


def annotation_of(value: Any) -> Annotation:
    """Return the Annotation of `[begin, end, label]` or of an object.

    Raises:
        ValueError: If a value is missing or has the wrong type. The message says what
            was expected.
    """
    if isinstance(value, list):
        if len(value) != 3:
            raise ValueError(f"expected [start, end, label], found {shown(value)}")
        begin, end, label = value
        surface = None
    elif isinstance(value, Mapping):
        begin, end, label = (_first(value, keys) for keys in (_BEGIN, _END, _LABEL))
        surface = value.get("text")
    else:
        raise ValueError(
            f"expected an annotation with its start, end and label, found {shown(value)}"
        )
    if isinstance(label, list) and len(label) == 1:
        (label,) = label
    if not isinstance(label, str) or not label.strip():
        raise ValueError(f"expected a label, found {shown(label)}")
    surface = surface if isinstance(surface, str) else None
    return Annotation(_offset(begin), _offset(end), label.strip(), surface)


def _first(value: Mapping[str, Any], keys: tuple[str, ...]) -> Any:
    for key in keys:
        if key in value:
            return value[key]
    raise ValueError(
        f"expected a key {keys[-1]} in an annotation, found {shown(value)}"
    )


def _offset(value: Any) -> int:
    if isinstance(value, float) and value.is_integer():
        return int(value)  # Tables of pandas have such numbers.
    if type(value) is not int:
        raise ValueError(f"expected an offset, found {shown(value)}")
    return value


def text_of(item: Mapping[str, Any], key: str = "text") -> str:
    """Return the text in a key of an object.

    Raises:
        ValueError: If there is none.
    """
    text = item.get(key)
    if not isinstance(text, str):
        raise ValueError(f"expected a text in {key!r}, found {shown(text)}")
    return text


def list_of(item: Mapping[str, Any], key: str) -> list[Any]:
    """Return the list in a key of an object; it is empty if the key is absent or null.

    Raises:
        ValueError: If the value is no list.
    """
    values = item.get(key)
    if values is None:
        return []
    if not isinstance(values, list):
        raise ValueError(f"expected a list in {key!r}, found {shown(values)}")
    return values
