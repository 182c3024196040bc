"""The description of the server's interface, in the format OpenAPI 3.1."""

from __future__ import annotations

from typing import TYPE_CHECKING

from senna_py import __version__
from senna_py.answers.json_schema import document_schema
from senna_py.server.requests import MEDIA_TYPES, TEXT_TYPE
from senna_py.server.service import JSON_TYPE

if TYPE_CHECKING:
    from typing import Any

    Schema = dict[str, Any]

_TEXT: Schema = {"type": "string"}
_NUMBER: Schema = {"type": "integer", "minimum": 0}
# The errors of all requests, and those of requests with texts.
_ERRORS = {
    400: "The request is malformed; the message says what to send.",
    403: "The host name is unknown, or another site has sent the request.",
}
_ERRORS_OF_TEXTS = {
    413: "The body is too large, or it has too many texts.",
    415: "The body is compressed.",
    429: "Too many requests are waiting.",
    500: "Tagging failed.",
    503: "The request took too long.",
}


def _object(**properties: Schema) -> Schema:
    return {
        "type": "object",
        "properties": properties,
        "required": [*properties],
    }


# A range of tokens of a sentence: a match, or a capture of it.
_PLACE: Schema = {
    "start_token": _NUMBER,
    "end_token": _NUMBER,
    "start_char": _NUMBER,
    "end_char": _NUMBER,
    "text": _TEXT,
}
_MATCH = _object(
    document=_NUMBER,
    sentence=_NUMBER,
    left=_TEXT,
    right=_TEXT,
    captures={"type": "object", "additionalProperties": _object(**_PLACE)},
    **_PLACE,
)
_HEALTH = _object(
    status={"type": "string", "enum": ["ok"]},
    version=_TEXT,
    model=_TEXT,
    tasks={"type": "array", "items": _TEXT},
    waiting=_NUMBER,
    running=_NUMBER,
)


def describe(requests: dict[str, Schema]) -> Schema:
    """Return the description of the interface.

    Args:
        requests: The schemas of requests with texts by the paths to which they are sent.
    """
    document = {"$ref": "#/components/schemas/Document"}
    documents = _object(documents={"type": "array", "items": document})
    answers = {
        "/tag": {
            JSON_TYPE: {"anyOf": [document, documents]},
            **dict.fromkeys(MEDIA_TYPES.values(), _TEXT),
        },
        "/search": {JSON_TYPE: _object(matches={"type": "array", "items": _MATCH})},
    }
    titles = {"/tag": "Tag texts.", "/search": "Find a pattern in texts."}
    paths = {
        "/health": _get("The state of the server.", JSON_TYPE, _HEALTH),
        "/metrics": _get("Metrics for Prometheus.", TEXT_TYPE, _TEXT),
        "/openapi.json": _get("This description.", JSON_TYPE, {"type": "object"}),
    }
    for path, schema in requests.items():
        paths[path] = _post(titles[path], schema, answers[path])
    return {
        "openapi": "3.1.0",
        "info": {"title": "senna-py", "version": __version__},
        "paths": paths,
        "components": {"schemas": {"Document": document_schema()}},
    }


def _content(schemas: dict[str, Schema]) -> Schema:
    """Return the content of a body, given its schemas by media types."""
    return {media_type: {"schema": schema} for media_type, schema in schemas.items()}


def _responses(answers: dict[str, Schema], errors: dict[int, str]) -> Schema:
    """Return the responses of an operation.

    Args:
        answers: The schemas of answers by their media types.
        errors: The meanings of the statuses of errors.
    """
    error = _content({JSON_TYPE: _object(error=_TEXT)})
    return {
        "200": {"description": "The answer.", "content": _content(answers)},
        **{
            str(status): {"description": meaning, "content": error}
            for status, meaning in errors.items()
        },
    }


def _get(summary: str, media_type: str, answer: Schema) -> Schema:
    """Return the description of a path that is only read."""
    responses = _responses({media_type: answer}, _ERRORS)
    return {"get": {"summary": summary, "responses": responses}}


def _post(summary: str, request: Schema, answers: dict[str, Schema]) -> Schema:
    """Return the description of a path to which texts are sent."""
    body = {"required": True, "content": _content({JSON_TYPE: request})}
    responses = _responses(answers, _ERRORS | _ERRORS_OF_TEXTS)
    return {
        "post": {"summary": summary, "requestBody": body, "responses": responses},
    }
