"""Tables of what was found, as columns that pandas, Polars and Arrow take."""

from __future__ import annotations

from typing import TYPE_CHECKING

from senna_py.errors import UsageError
from senna_py.labels.dependencies import shifted
from senna_py.labels.tasks import ARCS

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from senna_py.answers.document import Document, Sentence
    from senna_py.answers.views import Span

_SPAN = ("label", "start_token", "end_token", "start_char", "end_char", "text")
_COLUMNS = {
    "tokens": ("token", "text", "start_char", "end_char"),
    "chunks": _SPAN,
    "entities": _SPAN,
    "values": _SPAN,
    "noun_chunks": _SPAN,
    "frames": ("predicate", "predicate_text", *_SPAN),
}


def table(
    documents: Document | Sentence | Iterable[Document | Sentence], name: str = "tokens"
) -> dict[str, list[Any]]:
    """Columns by name, as `pandas.DataFrame`, `polars.DataFrame` and `pyarrow.table`
    take them.

    Rows are tokens, with a column per task (of dependencies, `head` and `relation`), or
    spans; `frames` has a row per argument, with its predicate. `document` and
    `sentence` count from 0, the other columns are those of JSON.

    Args:
        documents: Documents, or Sentences, each of which counts as a document.
        name: `tokens`, `chunks`, `noun_chunks`, `entities`, `values`, `frames`, or a
            task of `Sentence.spans`.

    Raises:
        UsageError: If there is no such table, or its task was not run.
    """
    rows: list[dict[str, Any]] = []
    for number, document in enumerate(
        [documents] if hasattr(documents, "table") else documents
    ):
        if not hasattr(document, "table"):
            raise TypeError(
                f"expected documents or sentences, not {type(document).__name__}"
            )
        for place, sentence in enumerate(getattr(document, "sentences", [document])):
            at = {"document": number, "sentence": place}
            rows += [at | row for row in _rows(sentence, name)]
    keys = dict.fromkeys(("document", "sentence", *_COLUMNS.get(name, _SPAN)))
    keys.update(dict.fromkeys(key for row in rows for key in row))
    return {key: [row.get(key) for row in rows] for key in keys}


def _rows(sentence: Sentence, name: str) -> list[dict[str, Any]]:
    if name == "tokens":
        places = (
            (i, t.text, t.start_char, t.end_char, t.tags)
            for i, t in enumerate(sentence)
        )
        rows = [
            dict(zip(_COLUMNS[name], place, strict=False)) | place[-1]
            for place in places
        ]
        arcs = sentence.arcs if ARCS in sentence.layers else ()
        for row, arc in zip(rows, shifted(arcs, sentence.start), strict=False):
            row |= {"head": arc.head, "relation": arc.relation}
        return rows
    if name == "frames":
        return [
            {
                "predicate": frame.predicate - sentence.start,
                "predicate_text": frame.text,
            }
            | _within(span, sentence)
            for frame in sentence.frames
            for span in frame.arguments
        ]
    spans = sentence.spans
    if name not in _COLUMNS and name not in spans:
        known = ", ".join(dict.fromkeys((*_COLUMNS, *spans)))
        raise UsageError(f"no such table: {name!r}; there are {known}")
    chosen = getattr(sentence, name) if name in _COLUMNS else spans[name]
    return [_within(span, sentence) for span in chosen]


def _within(span: Span, sentence: Sentence) -> dict[str, Any]:
    """Return a span with tokens that count in its sentence, as in JSON."""
    start = sentence.start
    places = {"start_token": span.start - start, "end_token": span.end - start}
    return span.to_dict() | places
