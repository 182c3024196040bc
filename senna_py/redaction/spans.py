"""Findings of a model: the entities and values of a document."""

from __future__ import annotations

from typing import TYPE_CHECKING

from senna_py.errors import UsageError
from senna_py.labels.tasks import Structure
from senna_py.redaction.findings import Finding, without_overlaps
from senna_py.redaction.rules import find_by_rules
from senna_py.redaction.type_names import ALL, TYPES, tasks_of, type_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from senna_py.answers.document import Document


def find(document: Document, types: Sequence[str]) -> list[Finding]:
    """Return what is to be redacted in a document, in text order, without overlaps.

    What rules find takes precedence over entities, and entities over values.

    Args:
        document: The document.
        types: The types to redact; see `redaction.type_names`.

    Raises:
        UsageError: If there is no such type, or a task that finds one was not run.
    """
    text = document.text
    findings = find_by_rules(text, types)
    labels = {
        name: layer.names
        for name, layer in document.layers.items()
        if layer.shape.structure is Structure.SPANS
    }
    for task in tasks_of(types, labels):
        findings += _of_task(document, task, types)
    return without_overlaps(text, findings)


def _of_task(document: Document, task: str, types: Sequence[str]) -> Iterator[Finding]:
    if task not in document.layers:
        names = ", ".join(name.lower() for name in types if TYPES.get(name) == task)
        raise UsageError(
            f"the task {task}, which finds {names}, was not run: "
            'load(tasks=["ner", "val"]) runs both, or name other types'
        )
    layer = document.layers[task]
    characters = document.characters - document._start_char
    type_of_label = [type_of(task, name) for name in layer.names]
    rows = zip(
        layer.label.tolist(),
        characters[layer.begin, 0].tolist(),
        characters[layer.end - 1, 1].tolist(),
        strict=True,
    )
    for label, start, end in rows:
        name = type_of_label[label]
        if name in types or ALL in types:
            yield Finding(start, end, name)
