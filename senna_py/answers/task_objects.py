"""Tasks in JSON and bytes: the keys of values, and descriptions of custom tasks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from senna_py.errors import UsageError
from senna_py.labels.tasks import SHAPES, TABLE, Shape, Task, find_task, new_task

_NAMES = ("attribute", "span_name", "anchor_name", "label_name")
_TITLE = "title"  # Only tasks that have one are described with it.


def is_own(task: Task) -> bool:
    """Return whether a task is custom, so that its name alone does not determine it."""
    known = TABLE.get(task.name)
    if task.shape.gives_tags:
        known = find_task(task.name, "segments" if task.shape.flat else "tags")
    names = ("shape", "style", _TITLE, *_NAMES)
    return known is None or any(
        getattr(task, name) != getattr(known, name) for name in names
    )


def header_entry(task: Task) -> dict[str, Any]:
    """Return the short description of a task in the header of a document's bytes."""
    is_known = SHAPES.get(task.shape.name) == task.shape
    shape = task.shape.name if is_known else [*task.shape]
    names = {name: getattr(task, name) for name in _NAMES if getattr(task, name)}
    if is_own(task):
        names |= {"style": task.style} | _title_of(task)
    return {"task": task.name, "shape": shape, **names}


def task_object(task: Task) -> dict[str, Any]:
    """Return the JSON object of a user-defined task, with all its names."""
    names = {name: getattr(task, name) for name in (*_NAMES, "style")}
    shape = task.shape._asdict()
    return {"task": task.name, "shape": shape, **names, **_title_of(task)}


def _title_of(task: Task) -> dict[str, str]:
    return {_TITLE: task.title} if task.title else {}


def read_task(values: Mapping[str, Any]) -> Task:
    """Return the task that an object of `header_entry` or `task_object` describes.

    Raises:
        KeyError: If a value is missing, or there is no shape with the given name.
        ValueError: If the fields of a shape contradict each other, or JSON uses a name
            for something else.
        TypeError: If a name is not text, or a shape has other fields.
    """
    shape = _read_shape(values["shape"])
    names = {key: values[key] for key in (*_NAMES, "style") if key in values}
    if values.get(_TITLE) is not None:  # Rows of Parquet have all fields.
        names[_TITLE] = values[_TITLE]
    for text in (values["task"], shape.name, shape.head, *names.values()):
        if not isinstance(text, str):
            raise TypeError(f"expected text, not {type(text).__name__}")
    known = TABLE.get(values["task"])
    if "style" not in values and known is not None and known.shape == shape:
        return known
    try:
        return new_task(values["task"], shape, **names)
    except UsageError as error:
        raise ValueError(str(error)) from None


def _read_shape(values: Any) -> Shape:
    if isinstance(values, str):
        return SHAPES[values]
    shape = Shape(**values) if isinstance(values, Mapping) else Shape(*values)
    if not isinstance(shape.each_token, bool) or not isinstance(shape.nested, bool):
        raise ValueError(f"no shape of a task: {shape}")
    assert shape.structure  # This raises ValueError for an invalid shape.
    return shape
