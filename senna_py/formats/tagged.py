"""Reads what was tagged before, for search: CoNLL-U, JSON and Parquet."""

from __future__ import annotations

import os
from importlib import import_module
from typing import TYPE_CHECKING

from senna_py.io.streaming import COMPRESSED

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray

    from senna_py.answers.layer import Layer
    from senna_py.search.hits import SearchBatch
    from senna_py.search.pattern import Pattern

TEXT = "text"
# The modules that read each source. JSON is lines of objects, or an array of them.
_READERS = {
    "conllu": "tagged_conllu",
    "jsonl": "tagged_json",
    "json": "tagged_json",
    "parquet": "tagged_parquet",
}
SOURCES = (TEXT, *_READERS)
_ENDINGS = {name: name for name in _READERS} | {"ndjson": "jsonl"}
BATCH_TOKENS = 1 << 16  # The number of tokens from which a batch is complete.


def source_of(path: str, source: str | None = None) -> str:
    """Return what a file is: the source that the user named, or that of its ending."""
    if source is not None:
        return source
    name, ending = os.path.splitext(path.lower())
    if ending in COMPRESSED:
        ending = os.path.splitext(name)[1]
    return _ENDINGS.get(ending[1:], TEXT)


def read_tagged(
    path: str, name: str, source: str, pattern: Pattern
) -> Iterator[SearchBatch]:
    """Yield the sentences of a file, with the layers that a pattern needs, in batches.

    Args:
        path: The path of the file, or `-` for standard input.
        name: The name of the document.
        source: One of SOURCES except TEXT.
        pattern: The pattern.

    Raises:
        InputError: If the file cannot be read.
        SennaError: If it is malformed, or lacks a layer.
    """
    module = import_module(f"senna_py.formats.{_READERS[source]}")
    batches: Iterator[SearchBatch] = module.read_batches(path, name, pattern)
    return batches


def check_places(layer: Layer, starts: NDArray[np.integer[Any]]) -> None:
    """Check that spans and their anchors are within sentences.

    Args:
        layer: The layer, as a file has it.
        starts: int[n_sentences + 1], the first token of each sentence, and the number
            of tokens.

    Raises:
        ValueError: If one is not.
    """
    begin, end, anchor = layer.begin, layer.end, layer.anchor
    sentence = starts.searchsorted(begin, side="right") - 1
    is_wrong = (begin < 0) | (begin >= end) | (end > starts[-1])
    is_wrong |= end > starts[(sentence + 1).clip(0, len(starts) - 1)]
    if anchor is not None and layer.shape.hangs_on == "token":
        outside = (anchor < starts[sentence]) | (
            anchor >= starts[(sentence + 1).clip(0, len(starts) - 1)]
        )
        is_wrong |= (anchor >= 0) & outside
        is_wrong |= anchor < -1
    if is_wrong.any():
        raise ValueError(f"{layer.texts()[int(is_wrong.argmax())]}: no such token")
