"""Files of records among the inputs of a command: what to do with them."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from senna_py.errors import SennaError, UsageError
from senna_py.io.streaming import BY_MARK, COMPRESSED, Source

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_TABLES = ".csv", ".tsv", ".tab"
_OBJECTS = ".jsonl", ".ndjson", ".json"
# Options that say that a file is something else.
_OTHERS = "layout", "usrtokens"


def check_files(
    paths: Iterable[str], options: Mapping[str, Any], lines: bool | None
) -> None:
    """Check that files of records are read as such.

    Args:
        paths: The paths of the inputs.
        options: The options of the command.
        lines: Whether each line is a sentence; it is then tagged, whatever the file.

    Raises:
        UsageError: If the options do not say where the texts of a file are, or say that
            it has another form. The message has the names of its columns or fields.
    """
    if lines or any(options[name] for name in _OTHERS):
        return
    for path in paths:
        name, ending = os.path.splitext(path)
        if ending.lower() in COMPRESSED:
            ending = os.path.splitext(name)[1]
        for endings, option, other in (
            (_TABLES, "column", "field"),
            (_OBJECTS, "field", "column"),
        ):
            if ending.lower() in endings and options[option] is None:
                if options[other] is not None:
                    raise UsageError(
                        f"{path}: --{option}, not --{other}, is for {ending}"
                    )
                raise UsageError(f"{path}: {_advice(path, option, options)}")


def _advice(path: str, option: str, options: Mapping[str, Any]) -> str:
    """Return how to tag a file of records, with the names of its columns or fields."""
    names = _names(path, option, options["encoding"] or BY_MARK)
    plural = "columns" if option == "column" else "fields"
    shown = f"has the {plural} {', '.join(names)}: " if names else ""
    example = next((name for name in names if "text" in name.lower()), "NAME")
    return (
        f"{shown}name the one to tag, as in --{option} {example}; --lines tags the file "
        "as text"
    )


def _names(path: str, option: str, encoding: str) -> list[str]:
    """Return the names of the columns or fields of a file; none if it is unreadable."""
    from senna_py.corpora.csv_records import columns_of
    from senna_py.corpora.json_records import fields_of

    try:
        with Source(path, encoding) as source:
            return columns_of(source) if option == "column" else fields_of(source)
    except SennaError:
        return []
