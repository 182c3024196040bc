"""Creates documents and sentences from the layers of a tagged batch."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from senna_py.answers.contents import Contents
from senna_py.answers.document import Document, Sentence
from senna_py.answers.joining import join_parts
from senna_py.answers.layer import Layer
from senna_py.answers.packing import pack_batch
from senna_py.answers.word_forms import WordForms
from senna_py.labels.tag_schemes import convert

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from numpy.typing import NDArray

    from senna_py.answers.annotations import Annotations
    from senna_py.text.tokens import Tokens

    Ints = NDArray[np.integer[Any]]


def documents(
    annotations: Annotations,
    texts: Sequence[str],
    owner: Ints,
    scheme: str = "iobes",
) -> list[Document]:
    """Return a document for each text of a batch, even if it has no token.

    Args:
        annotations: The annotations of the batch.
        texts: The texts.
        owner: int[n_sentences], the index of each sentence's text, in ascending order.
            A long sentence counts once, even if it was cut into pieces for the
            networks; `tokens.source` has the sentence of each piece.
        scheme: The scheme of the tags, one of `tag_schemes.SCHEMES`.
    """
    tokens = annotations.tokens
    characters = tokens.offsets()
    sources = np.arange(len(owner))
    starts = _starts(annotations, sources)
    places = np.stack([characters[starts[:-1], 0], characters[starts[1:] - 1, 1]], 1)
    bounds = np.searchsorted(owner, np.arange(len(texts) + 1))
    contents = _contents(annotations, characters, starts, places, scheme)
    packed = pack_batch(contents, bounds)
    return [*map(Document.of_packed, texts, [0] * len(texts), packed)]


def sentences(
    annotations: Annotations,
    texts: Mapping[int, str | Sequence[str]],
    scheme: str = "iobes",
) -> list[Sentence]:
    """Return a sentence for each input of a batch, even if it has no token.

    Args:
        annotations: The annotations of the batch.
        texts: The inputs by their numbers in `tokens.source`, in ascending order. An
            input is a str or a list of str tokens, which are joined with spaces. If it
            was cut for the networks, its pieces are joined. After `Tokens.split`, the
            inputs are sentences, whose character offsets are relative to their line.
        scheme: The scheme of the tags, one of `tag_schemes.SCHEMES`.
    """
    tokens = annotations.tokens
    characters = tokens.offsets()
    sources = np.array([*texts], np.int64)
    starts = _starts(annotations, sources)
    joined = [
        text if isinstance(text, str) else " ".join(text) for text in texts.values()
    ]
    # The text of a sentence that was split from a line begins at its first token.
    first = np.searchsorted(tokens.source, sources)
    inside = np.append(tokens.text_begin != tokens.line_begin, False)[first]
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
    """Return the sentences of a batch that have tokens.

    They are lines, or the sentences that lines were split into. Bytes that are not
    UTF-8 become lone surrogates in their texts.

    Args:
        annotations: The annotations of the batch.
        scheme: The scheme of the tags, one of `tag_schemes.SCHEMES`.
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
    """Return the first token of each input and the number of tokens: int32[n + 1]."""
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
    hidden = annotations.needed
    layers = {
        name: join_parts(annotations.layers[name], annotations.tokens)
        for name in (*annotations.tasks, *sorted(hidden))
    }
    if scheme != "iobes":
        layers = {name: _in_scheme(each, scheme) for name, each in layers.items()}
    words = _word_forms(annotations.tokens)
    return Contents("", 0, characters, starts, places, layers, hidden, words)


def _word_forms(tokens: Tokens) -> WordForms | None:
    if tokens.continues is None:
        return None
    spelled = np.empty(0, np.int64)
    if tokens.spelling is not None:
        spelled = np.flatnonzero(tokens.spelling >= 0)
    forms = (form.decode("utf-8", "surrogateescape") for form in tokens.texts(spelled))
    return WordForms(
        np.flatnonzero(tokens.continues).astype(np.int32),
        spelled.astype(np.int32),
        tuple(forms),
    )


def _in_scheme(layer: Layer, scheme: str) -> Layer:
    """Return a layer with its tags renamed to another scheme."""
    if layer.tags is None or not layer.shape.flat:
        return layer
    names = tuple(convert(name, scheme) for name in layer.tags.names)
    return Layer(
        layer.task,
        layer.names,
        layer.label,
        layer.begin,
        layer.end,
        score=layer.score,
        tags=layer.tags._replace(names=names),
    )
