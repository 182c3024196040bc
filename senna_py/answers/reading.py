"""Documents and sentences read out of the layers of a tagged batch."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from senna_py.answers.contents import Contents
from senna_py.answers.document import Document, Sentence
from senna_py.answers.joining import join_parts
from senna_py.answers.layer import Layer
from senna_py.answers.packing import pack_batch
from senna_py.labels.tag_schemes import convert

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from numpy.typing import NDArray

    from senna_py.tagger import Annotations

    Ints = NDArray[np.integer[Any]]


def documents(
    annotations: Annotations, texts: Sequence[str], owner: Ints
) -> list[Document]:
    """Return a document for each text of a batch, even if it has no token.

    Args:
        annotations: The batch.
        texts: The texts.
        owner: int[n], the text that each sentence of the batch is of, before sentences
            were cut for the networks; `tokens.source` counts these.
    """
    tokens = annotations.tokens
    characters = tokens.offsets()
    sources = np.arange(len(owner))
    starts = _starts(annotations, sources)
    places = np.stack([characters[starts[:-1], 0], characters[starts[1:] - 1, 1]], 1)
    bounds = np.searchsorted(owner, np.arange(len(texts) + 1))
    contents = _contents(annotations, characters, starts, places)
    packed = pack_batch(contents, bounds)
    return [*map(Document.of_packed, texts, [0] * len(texts), packed)]


def sentences(
    annotations: Annotations,
    texts: Mapping[int, str | Sequence[str]],
    scheme: str = "iobes",
) -> list[Sentence]:
    """Return a sentence for each input of a batch, even if it has no token.

    Args:
        annotations: The batch.
        texts: The inputs by their number in `tokens.source`, ascending: each a str, or a
            list of str tokens, which are joined by a space. An input that was cut for
            the networks is whole again. After `Tokens.split`, inputs are sentences,
            whose characters count in their line.
        scheme: One of `tag_schemes.SCHEMES`, for tags.
    """
    tokens = annotations.tokens
    characters = tokens.offsets()
    sources = np.array([*texts], np.int64)
    starts = _starts(annotations, sources)
    joined = [
        text if isinstance(text, str) else " ".join(text) for text in texts.values()
    ]
    # Of a sentence within a line, the text begins with its first token.
    first = np.searchsorted(tokens.source, sources)
    inside = np.append(tokens.text_begin != tokens.line_begin, False)[first]
    inside &= starts[:-1] < starts[1:]
    at = np.zeros(len(sources), np.int32)
    at[inside] = characters[starts[:-1][inside], 0]
    lengths = np.array([*map(len, joined)], np.int32)
    places = np.stack([at, at + lengths], axis=1)
    contents = _contents(annotations, characters, starts, places, scheme)
    packed = pack_batch(contents, np.arange(len(texts) + 1))
    return [*map(Sentence, map(Document.of_packed, joined, at.tolist(), packed))]


def sentences_of_lines(
    annotations: Annotations, scheme: str = "iobes"
) -> list[Sentence]:
    """Return a sentence for each line of a batch that has tokens, or for its sentences.

    Bytes outside UTF-8 are lone surrogates in their texts.

    Args:
        annotations: The batch.
        scheme: One of `tag_schemes.SCHEMES`, for tags.
    """
    tokens = annotations.tokens
    places = zip(
        tokens.source.tolist(),
        tokens.text_begin.tolist(),
        tokens.text_end.tolist(),
        strict=True,
    )
    texts = {
        source: tokens.data[begin:end]
        .decode("utf-8", "surrogateescape")
        .removesuffix("\r")
        for source, begin, end in places
    }
    return sentences(annotations, texts, scheme)


def _starts(annotations: Annotations, sources: Ints) -> NDArray[np.int32]:
    """Return int32[n + 1]: the first token of each input, and the number of tokens."""
    tokens = annotations.tokens
    first = np.searchsorted(tokens.source, sources)
    starts = tokens.starts[np.append(first, tokens.n_sentences)]
    return starts.astype(np.int32)


def _contents(
    annotations: Annotations,
    characters: NDArray[np.int32],
    starts: NDArray[np.int32],
    places: NDArray[np.int32],
    scheme: str = "iobes",
) -> Contents:
    tokens, tasks = annotations.tokens, annotations.tasks
    needed = (annotations.layers[task].task.needs for task in tasks)
    hidden = {*chain.from_iterable(needed)} - {*tasks}
    names = (*tasks, *sorted(hidden))
    layers = {name: join_parts(annotations.layers[name], tokens) for name in names}
    if scheme != "iobes":
        layers = {name: _in_scheme(each, scheme) for name, each in layers.items()}
    return Contents("", 0, characters, starts, places, layers, frozenset(hidden))


def _in_scheme(layer: Layer, scheme: str) -> Layer:
    """Return a layer whose tags are written in another scheme."""
    if layer.tags is None or not layer.shape.flat:
        return layer
    made = Layer(
        layer.task, layer.names, layer.label, layer.begin, layer.end, score=layer.score
    )
    names = tuple(convert(name, scheme) for name in layer.tags.names)
    made.tags = layer.tags._replace(names=names)
    return made
