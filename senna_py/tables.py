"""Tables of what was found, as columns that pandas, Polars and Arrow take."""

from __future__ import annotations

from typing import TYPE_CHECKING

from senna_py.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from senna_py.annotation import Document, Sentence

__all__ = ["table"]

_SPAN = ("label", "start_token", "end_token", "start_char", "end_char", "text")
_COLUMNS = {
    "tokens": ("token", "text", "start_char", "end_char"), "chunks": _SPAN, "entities": _SPAN,
    "frames": ("predicate", "predicate_text", *_SPAN),
}  # fmt: skip


def table(
    found: Document | Sentence | Iterable[Document | Sentence], name: str = "tokens"
) -> dict[str, list[Any]]:
    """Columns by name, as `pandas.DataFrame`, `polars.DataFrame` and `pyarrow.table` take them.

    Rows are tokens, with a column per task, or spans; `frames` has a row per argument, with its
    predicate. `document` and `sentence` count from 0, the other columns are those of JSON.

    Args:
        found: Documents, or Sentences, each of which counts as a document.
        name: `tokens`, `chunks`, `entities`, `frames`, or a task of `Sentence.spans`.

    Raises:
        UsageError: If there is no such table, or its task was not run for all of them.
    """
    columns: dict[str, list[Any]] = {}
    for number, document in enumerate([found] if hasattr(found, "table") else found):
        if not hasattr(document, "table"):
            raise TypeError(f"expected documents or sentences, not {type(document).__name__}")
        sentences: Iterable[Sentence] = getattr(document, "sentences", [document])
        for place, sentence in enumerate(sentences):
            part = _columns_of(sentence, name)
            n_rows = len(part["text"])
            part = {"document": [number] * n_rows, "sentence": [place] * n_rows, **part}
            columns = columns or {key: [] for key in part}
            if columns.keys() != part.keys():
                raise UsageError(f"document {number}: its tasks differ from those before")
            for key, values in part.items():
                columns[key] += values
    return columns or {key: [] for key in ("document", "sentence", *_COLUMNS.get(name, _SPAN))}


def _columns_of(sentence: Sentence, name: str) -> dict[str, list[Any]]:
    """The columns of a sentence, without its place."""
    if name == "tokens":
        n = len(sentence)
        values = [*range(n)], [token.text for token in sentence], sentence.starts, sentence.ends
        columns = {**dict(zip(_COLUMNS[name], values, strict=True)), **sentence.tags}
        return {key: list(column) for key, column in columns.items()}
    if name == "frames":
        rows = [
            {"predicate": frame.predicate, "predicate_text": frame.text, **span.to_dict()}
            for frame in sentence.frames
            for span in frame.arguments
        ]
    elif name in ("chunks", "entities") or name in sentence.spans:
        spans = getattr(sentence, name) if name in _COLUMNS else sentence.spans[name]
        rows = [span.to_dict() for span in spans]
    else:
        known = ", ".join(dict.fromkeys((*_COLUMNS, *sentence.spans)))
        raise UsageError(f"no such table: {name!r}; there are {known}")
    keys = (*_COLUMNS.get(name, _SPAN), *(["score"] if "scores" in sentence.found else []))
    return {key: [row[key] for row in rows] for key in keys}
