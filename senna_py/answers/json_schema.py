"""JSON Schemas of the JSON objects of documents and sentences.

They follow `answers.objects`, and use no references, so that they may be part of any
other schema.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from senna_py.answers.range_objects import RANGES
from senna_py.labels.tasks import TABLE, Structure, key_of, span_name_of

if TYPE_CHECKING:
    from typing import Any

    from senna_py.labels.tasks import Task

    Schema = dict[str, Any]

_TEXT: Schema = {"type": "string"}
_INDEX: Schema = {"type": "integer", "minimum": 0}
_SCORE: Schema = {"type": "number", "minimum": 0}


def document_schema() -> Schema:
    """Return the JSON Schema of what `Document.to_dict` returns."""
    schema = _object({"text": _TEXT, "sentences": _list(sentence_schema())})
    return {"title": "Document", **schema}


def sentence_schema() -> Schema:
    """Return the JSON Schema of what `Sentence.to_dict` returns.

    Custom tasks may add further properties.
    """
    token = _object({"text": _TEXT, "start_char": _INDEX, "end_char": _INDEX})
    multiword = _object({"start_token": _INDEX, "end_token": _INDEX, "text": _TEXT})
    required = _object(
        {
            "text": _TEXT,
            "start_char": _INDEX,
            "end_char": _INDEX,
            "tokens": _list(token),
        }
    )
    required["properties"] |= {
        RANGES: _list(multiword),
        "tasks": _list({"type": "object"}),
        "tags": _by_task(_list(_TEXT)),
        "scores": _by_task(_list(_SCORE)),
        "spans": _by_task(_list(_span())),
    }
    for task in TABLE.values():
        required["properties"] |= _layer(task)
    return {"title": "Sentence", **required}


def _object(properties: Schema, **optional: Schema) -> Schema:
    """Return the schema of an object with required and with optional properties."""
    return {
        "type": "object",
        "properties": properties | optional,
        "required": [*properties],
    }


def _list(items: Schema) -> Schema:
    return {"type": "array", "items": items}


def _by_task(values: Schema) -> Schema:
    return {"type": "object", "additionalProperties": values}


def _nullable(schema: Schema) -> Schema:
    return {"anyOf": [schema, {"type": "null"}]}


def _span() -> Schema:
    required = {
        "label": _TEXT,
        "start_token": _INDEX,
        "end_token": _INDEX,
        "start_char": _INDEX,
        "end_char": _INDEX,
        "text": _TEXT,
    }
    return _object(required, score=_SCORE)


def _layer(task: Task) -> Schema:
    """Return the schemas of the values of a layer by key; see `objects`."""
    match task.shape.structure:
        case Structure.SPANS if task.attribute:
            return {task.attribute: _list(_span())}
        case Structure.FRAMES:
            frame = {
                task.anchor_name: _INDEX,
                "text": _TEXT,
                span_name_of(task): _list(_span()),
            }
            return {key_of(task): _list(_object(frame))}
        case Structure.TREE:
            constituent = {"label": _TEXT, "start_token": _INDEX, "end_token": _INDEX}
            return {
                key_of(task): _TEXT,
                span_name_of(task): _list(_object(constituent)),
            }
        case Structure.HEADS:
            head = {task.anchor_name: _nullable(_INDEX), task.label_name: _TEXT}
            return {key_of(task): _list(_object(head, score=_SCORE))}
    return {}
