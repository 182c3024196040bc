"""The JSON objects that clients send: one schema describes and checks them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING

from senna_py.errors import UsageError, one_line
from senna_py.formats.registry import FORMATS
from senna_py.io.nesting import parse_json
from senna_py.text.token_standards import STANDARDS

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from senna_py.server.limits import Limits

    Schema = dict[str, Any]

JSON = "json"  # The format of documents, as `Document.to_json` returns them.
CSV_TYPE, LINES_TYPE, TEXT_TYPE = "text/csv", "application/x-ndjson", "text/plain"
# The media type of each format that a request may name, besides JSON.
MEDIA_TYPES = {
    "senna": TEXT_TYPE,
    "conll": TEXT_TYPE,
    "conllu": TEXT_TYPE,
    "conll2003": TEXT_TYPE,
    "jsonl": LINES_TYPE,
    "csv": CSV_TYPE,
    "entities": CSV_TYPE,
    "triples": CSV_TYPE,
    "triples-jsonl": LINES_TYPE,
    "allennlp": LINES_TYPE,
    "trees": TEXT_TYPE,
}
_EXAMPLE = 'send a JSON object in UTF-8, such as {"text": "He lives in Rome."}'
_TYPES = {"string": str, "boolean": bool, "array": list}
_NAMES = {"string": "a text", "boolean": "true or false", "array": "a list"}


@dataclass(frozen=True)
class TagRequest:
    """A request to tag or to search texts.

    Attributes:
        texts: The texts.
        is_batch: Whether they were sent as a list.
        tasks: The names of the tasks; if there are none, the default is meant.
        tokens: The standard of tokens, or None for the default.
        format: JSON, or the name of a format in MEDIA_TYPES.
        scores: Whether probabilities are wanted.
        pattern: The pattern to search for, or None.
    """

    texts: tuple[str, ...]
    is_batch: bool = False
    tasks: tuple[str, ...] = ()
    tokens: str | None = None
    format: str = JSON
    scores: bool = False
    pattern: str | None = None


def tag_schema(tasks: Sequence[str], limits: Limits) -> Schema:
    """Return the JSON Schema of requests to tag texts.

    Args:
        tasks: The names of the tasks that the server runs.
        limits: The limits on requests.
    """
    formats = "; ".join(f"{name}: {FORMATS[name].title}" for name in MEDIA_TYPES)
    return _request_schema(
        limits,
        tasks=_list_of(
            {"type": "string", "enum": [*tasks]},
            "The tasks. By default, they are those of the server or of the format.",
        ),
        tokens=_tokens(),
        format=_text(
            f"The format of the answer. {JSON}: documents; {formats}.",
            enum=[JSON, *MEDIA_TYPES],
        ),
        scores={
            "type": "boolean",
            "description": "Whether to add probabilities, where the model gives them.",
        },
    )


def search_schema(limits: Limits) -> Schema:
    """Return the JSON Schema of requests to search texts."""
    pattern = _text("The pattern, in the language of `senna-py search`.")
    schema = _request_schema(limits, pattern=pattern, tokens=_tokens())
    example = {"text": "Ann left Rome.", "pattern": "[ner='PER'] [pos='VB.*']"}
    return schema | {"required": ["pattern"], "examples": [example]}


def _request_schema(limits: Limits, **others: Schema) -> Schema:
    properties = {
        "text": _text("The text. Each line is a paragraph."),
        "texts": _list_of({"type": "string"}, "Several texts, instead of `text`.")
        | {"minItems": 0, "maxItems": limits.max_texts},
    }
    return {
        "type": "object",
        "properties": properties | others,
        "oneOf": [{"required": ["text"]}, {"required": ["texts"]}],
        "additionalProperties": False,
    }


def _text(description: str, **others: Any) -> Schema:
    return {"type": "string", "description": description, **others}


def _list_of(items: Schema, description: str) -> Schema:
    return {
        "type": "array",
        "items": items,
        "minItems": 1,
        "description": description,
    }


def _tokens() -> Schema:
    return _text("The standard of tokens, if the model has both.", enum=[*STANDARDS])


class TooManyTexts(UsageError):
    """The error for a request with more texts than the server takes."""


def read_request(body: bytes, schema: Schema) -> TagRequest:
    """Read a request from JSON.

    Args:
        body: The JSON object.
        schema: The schema of the request.

    Raises:
        TooManyTexts: If there are too many texts.
        UsageError: If the object does not follow the schema.
    """
    try:
        values = parse_json(body)
    except ValueError as error:
        raise UsageError(f"{_json_problem(body, error)}: {_EXAMPLE}") from None
    if not isinstance(values, dict):
        raise UsageError(f"the body is not an object: {_EXAMPLE}")
    properties = schema["properties"]
    for key in values:
        if key not in properties:
            raise UsageError(_unknown("key", key, [*properties]))
    if ("text" in values) == ("texts" in values):
        raise UsageError(f"one of text and texts is needed: {_EXAMPLE}")
    for key in schema.get("required", ()):
        if key not in values:
            example = json.dumps(schema["examples"][0])
            raise UsageError(f"{key} is needed, such as in {example}")
    for key, value in values.items():
        _check_value(key, value, properties[key])
    is_batch = "texts" in values
    texts = values.pop("texts") if is_batch else [values.pop("text")]
    values["tasks"] = tuple(dict.fromkeys(values.get("tasks", ())))
    return TagRequest(tuple(texts), is_batch, **values)


def _json_problem(body: bytes, error: ValueError) -> str:
    """Return the problem of a body that is not JSON."""
    if not body.strip():
        return "the body is empty"
    if isinstance(error, UnicodeDecodeError):
        return f"the body is not UTF-8 at byte {error.start + 1:,}"
    if isinstance(error, json.JSONDecodeError):
        problem = error.msg[:1].lower() + error.msg[1:]
        return f"the body, line {error.lineno}, column {error.colno}: {problem}"
    return f"the body: {error}"


def _check_value(name: str, value: Any, schema: Schema) -> None:
    """Raise UsageError if a value does not follow its schema.

    Args:
        name: The name of the value, for messages.
        value: The value.
        schema: The schema of a text, a boolean or a list.
    """
    if type(value) is not _TYPES[schema["type"]]:
        raise UsageError(f"{name}: expected {_NAMES[schema['type']]}")
    if "enum" in schema and value not in schema["enum"]:
        raise UsageError(f"{name}: {_unknown('value', str(value), schema['enum'])}")
    if isinstance(value, list):
        if len(value) < schema["minItems"]:
            raise UsageError(f"{name}: the list is empty; leave it out")
        if len(value) > schema.get("maxItems", len(value)):
            raise TooManyTexts(
                f"a request has at most {schema['maxItems']:,} {name}, this one "
                f"{len(value):,}: send them in several requests"
            )
        for number, item in enumerate(value):
            _check_value(f"{name}[{number}]", item, schema["items"])


def _unknown(what: str, name: str, known: Sequence[str]) -> str:
    """Return the message that there is no such name."""
    close = get_close_matches(name, known, 1)
    advice = f"did you mean {close[0]}? " if close else ""
    shown = one_line(name, 60)
    return f"there is no {what} {shown!r}; {advice}there are {', '.join(known)}"
