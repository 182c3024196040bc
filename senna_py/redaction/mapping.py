"""Maps from redacted texts back to their originals, as JSON."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from senna_py.errors import SennaError
from senna_py.io.nesting import json_text, parse_json
from senna_py.redaction.styles import BY_TYPE, STYLES

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from senna_py.io.output import Output
    from senna_py.redaction.redactor import Redaction, Replacement

_FORMAT, _VERSION = "senna-py redaction", 1


class _Entry(NamedTuple):
    """A replacement in a map; `start` is its offset in the original text."""

    start: int
    text: str
    stand_in: str


def map_of(replacements: Iterable[Replacement], replace_by: str) -> dict[str, Any]:
    """Return a map of replacements; their style is `replace_by`."""
    return {
        "format": _FORMAT,
        "version": _VERSION,
        "replace_by": replace_by,
        "replacements": [_object(each) for each in replacements],
    }


class MapWriter:
    """Writes the map of a text that is redacted in pieces, a line per replacement."""

    def __init__(self, out: Output, replace_by: str) -> None:
        """Begin a map.

        Args:
            out: The output.
            replace_by: The style of the replacements.
        """
        self._out, self._between = out, b"\n"
        self._n_characters = 0  # The length of the pieces so far.
        out.write(json_text(map_of((), replace_by)).removesuffix("]}").encode())

    def add(self, redaction: Redaction) -> None:
        """Write the replacements of the next piece of the text."""
        for each in redaction.replacements:
            moved = each._replace(start=each.start + self._n_characters)
            self._out.write(self._between + json_text(_object(moved)).encode())
            self._between = b",\n"
        self._n_characters += len(redaction.text) + sum(
            len(each.text) - len(each.stand_in) for each in redaction.replacements
        )

    def finish(self) -> None:
        """Write the end of the map."""
        self._out.write(b"\n]}\n")


def _object(replacement: Replacement) -> dict[str, Any]:
    return {
        "start": replacement.start,
        "type": replacement.type,
        "text": replacement.text,
        "stand_in": replacement.stand_in,
    }


def restore(text: str, redaction_map: Mapping[str, Any] | str | bytes) -> str:
    """Return the original of a redacted text.

    If the text has changed since, stand-ins are replaced wherever they are, by the
    longest name that they stand for.

    Args:
        text: The redacted text.
        redaction_map: The map that `Redaction.to_map` or `--map` made, or its JSON.

    Raises:
        SennaError: If the map is malformed, or the text has changed and its
            replacements do not tell what they stand for.

    Example:
        >>> from senna_py.redaction import restore
        >>> restore(redaction.text, redaction.to_map()) == doc.text
        True
    """
    if isinstance(redaction_map, str | bytes):
        redaction_map = read_map(redaction_map)
    entries, replace_by = _entries(redaction_map)
    restored = _restore_by_place(text, entries)
    if restored is not None:
        return restored
    if replace_by == BY_TYPE:
        raise SennaError(
            "the text is not the redacted one: its replacements are not where the map "
            "says, and types do not tell what they stand for"
        )
    return _restore_by_name(text, entries)


def read_map(text: str | bytes) -> dict[str, Any]:
    """Parse a map; raise SennaError if it is not JSON."""
    try:
        value = parse_json(text)
    except ValueError as error:
        raise SennaError(f"not JSON: {error}") from None
    if not isinstance(value, dict):
        raise SennaError("not a map of redactions: expected a JSON object")
    return value


def _entries(redaction_map: Mapping[str, Any]) -> tuple[list[_Entry], str]:
    """Return the entries of a map and its style; raise SennaError if it is malformed."""
    if redaction_map.get("format") != _FORMAT:
        raise SennaError(f"not a map of redactions: its format is not {_FORMAT!r}")
    if redaction_map.get("version") != _VERSION:
        raise SennaError(
            f"a map of version {redaction_map.get('version')}; this program reads "
            f"version {_VERSION}"
        )
    replace_by, values = (
        redaction_map.get("replace_by"),
        redaction_map.get("replacements"),
    )
    if replace_by not in (*STYLES,) or not isinstance(values, list):
        raise SennaError(
            "not a map of redactions: replace_by or replacements is missing"
        )
    entries, end = [], 0
    for number, value in enumerate(values):
        entry = _entry(value)
        if entry is None or entry.start < end:
            raise SennaError(
                f"a map of redactions: its replacement {number} is malformed"
            )
        end = entry.start + len(entry.text)
        entries.append(entry)
    return entries, str(replace_by)


def _entry(value: Any) -> _Entry | None:
    if not isinstance(value, dict):
        return None
    start, text, stand_in = (value.get(name) for name in _Entry._fields)
    if type(start) is not int or not isinstance(text, str):
        return None
    if not isinstance(stand_in, str) or not stand_in:
        return None
    return _Entry(start, text, stand_in)


def _restore_by_place(text: str, entries: Iterable[_Entry]) -> str | None:
    """Return the original, or None if a stand-in is not at its place."""
    pieces: list[str] = []
    place, end = 0, 0  # The places in `text` and in the original.
    for start, original, stand_in in entries:
        begin = place + start - end
        if not text.startswith(stand_in, begin):
            return None
        pieces += text[place:begin], original
        place, end = begin + len(stand_in), start + len(original)
    return "".join([*pieces, text[place:]])


def _restore_by_name(text: str, entries: Iterable[_Entry]) -> str:
    originals: dict[str, str] = {}
    for _, original, stand_in in entries:
        if len(original) > len(originals.get(stand_in, "")):
            originals[stand_in] = original
    longest_first = sorted(originals, key=len, reverse=True)
    pattern = "|".join(map(re.escape, longest_first))
    return re.sub(
        rf"(?<!\w)(?:{pattern})(?!\w)", lambda match: originals[match[0]], text
    )
