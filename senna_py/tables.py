"""Layers as tables: dicts of columns for pandas, Polars and Arrow."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from senna_py.errors import UsageError
from senna_py.labels.tasks import TABLE, Structure

if TYPE_CHECKING:
    from collections.abc import Iterable

    from senna_py.answers.document import Document, Sentence
    from senna_py.labels.tasks import Task

# The columns of a table of triples.
TRIPLE_COLUMNS = (
    *("subject", "verb", "object", "recipient", "complement"),
    *("when", "where", "others", "negated", "passive", "modality"),
)
_TOKENS = "tokens"
_TOKEN = "token", "text", "start_char", "end_char"
_SPAN = "label", "start_token", "end_token", "start_char", "end_char", "text"
# These are computed from layers, and are not layers.
_CHUNKS, _TRIPLES = "noun_chunks", "triples"

Rows = list[dict[str, Any]]


def table(
    documents: Document | Sentence | Iterable[Document | Sentence], name: str = _TOKENS
) -> dict[str, list[Any]]:
    """Return a table as a dict of columns, for pandas, Polars or Arrow.

    The table of tokens has a column for each task with tags, and `head` and `relation`
    for dependencies. Any other table has a row for each span; `frames` has a row for
    each argument, with its predicate. `triples` has a row for each triple, with the
    columns of the format `triples` and the `text` of the sentence. The columns
    `document` and `sentence` are indices that start at 0. The other columns are named
    as in JSON, and token indices are relative to the sentence.

    Args:
        documents: A Document or a Sentence, or an iterable of them. A Sentence counts
            as a document, but the column `sentence` contains its index in the document
            that it comes from.
        name: The table: `tokens`, `chunks`, `noun_chunks`, `entities`, `values`,
            `frames`, `constituents`, `triples`, or a task that has spans.

    Raises:
        UsageError: If there is no such table, or its task was not run.
        TypeError: If an item is neither a Document nor a Sentence.

    Example:
        >>> from senna_py import table
        >>> table(nlp.pipe(["Anna left.", "Bob stayed."], documents=True), "entities")["text"]
        ['Anna', 'Bob']
    """
    rows: Rows = []
    alone = hasattr(documents, "table")
    each_document: Iterable[Any] = [documents] if alone else documents
    for number, document in enumerate(each_document):
        if not hasattr(document, "table"):
            raise TypeError(
                f"expected documents or sentences, not {type(document).__name__}"
            )
        for sentence in getattr(document, "sentences", [document]):
            at = {"document": number, "sentence": sentence.number}
            rows += [at | row for row in _rows(sentence, name)]
    keys = dict.fromkeys(("document", "sentence", *_columns(name)))
    keys.update(dict.fromkeys(key for row in rows for key in row))
    return {key: [row.get(key) for row in rows] for key in keys}


def _columns(name: str) -> tuple[str, ...]:
    """Return the columns that a table has even if it has no rows."""
    if name == _TOKENS:
        return _TOKEN
    if name == _TRIPLES:
        return *TRIPLE_COLUMNS, "text"
    task = next((task for task in TABLE.values() if name in _names(task)), None)
    if task is None or task.shape.structure is not Structure.FRAMES:
        return _SPAN
    return (task.anchor_name, f"{task.anchor_name}_text", *_SPAN)


def _names(task: Task) -> tuple[str, ...]:
    """Return the names by which `table` finds a task's spans; empty without spans."""
    names: tuple[str, ...] = (task.attribute, task.name)
    match task.shape.structure:
        case Structure.TAGS | Structure.HEADS:
            return ()
        case Structure.TREE:
            names = (task.span_name, *names)
    return tuple(filter(None, names))


def _rows(sentence: Sentence, name: str) -> Rows:
    if name == _TOKENS:
        return _token_rows(sentence)
    tasks = sentence.tasks
    task = next((task for task in tasks if name in _names(task)), None)
    if task is not None:
        return _span_rows(sentence, task)
    if name == _CHUNKS:
        start = sentence.start
        return [
            _span(sentence, span.start - start, span.end - start, span.label)
            for span in sentence.noun_chunks
        ]
    if name == _TRIPLES:
        return [each.row() | {"text": sentence.text} for each in sentence.triples]
    known = [each for each in TABLE.values() if each.attribute and _names(each)]
    for each in known:
        if name in _names(each)[:-1]:
            # This raises the error for a task that was not run.
            getattr(sentence, each.attribute)
    others = (task.name for task in tasks if _names(task))
    names = dict.fromkeys(
        (_TOKENS, *(_names(each)[0] for each in known), _CHUNKS, _TRIPLES)
    )
    there_are = ", ".join(dict.fromkeys((*names, *others)))
    raise UsageError(f"no such table: {name!r}; there are {there_are}")


def _token_rows(sentence: Sentence) -> Rows:
    """Return a row for each token, with its tags, its head and its relation."""
    rows = [
        {
            "token": i,
            "text": token.text,
            "start_char": token.start_char,
            "end_char": token.end_char,
            **token.tags,
        }
        for i, token in enumerate(sentence)
    ]
    for task in sentence.tasks:
        if task.shape.structure is Structure.HEADS:
            spans = sentence.rows(task)
            for row, (label, _, _, anchor, _) in zip(rows, spans, strict=True):
                row[task.anchor_name] = None if anchor is None else anchor[0]
                row[task.label_name] = label
    return rows


def _span_rows(sentence: Sentence, task: Task) -> Rows:
    """Return a row for each span of a layer, with its anchor if it may have one."""
    rows = []
    for label, start, end, anchor, score in sentence.rows(task):
        row = _span(sentence, start, end, label)
        if score is not None:
            row["score"] = score
        name = task.anchor_name
        match task.shape.structure:
            case Structure.FRAMES:
                assert anchor is not None, "spans that hang on tokens"
                at = {name: anchor[0], f"{name}_text": sentence[anchor[0]].text}
                row = at | row
            case Structure.LINKS:
                begin, stop = (None, None) if anchor is None else anchor
                row |= {f"{name}_start_token": begin, f"{name}_end_token": stop}
        rows.append(row)
    return rows


def _span(sentence: Sentence, start: int, end: int, label: str) -> dict[str, Any]:
    """Return the columns of a span; its token indices are relative to the sentence."""
    span = sentence[start:end]
    places = start, end, span.start_char, span.end_char
    return dict(zip(_SPAN, (label, *places, span.text), strict=True))
