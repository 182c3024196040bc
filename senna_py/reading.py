"""Sentences read out of the arrays of a tagged batch."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from senna_py.annotation import Sentence
from senna_py.kinds import KINDS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from senna_py.tagger import Annotations, Tagger


def sentences(
    tagger: Tagger,
    annotations: Annotations,
    texts: Mapping[int, str | Sequence[str]],
    scheme: str = "iobes",
) -> list[Sentence]:
    """One Sentence for each input of a batch, even if it has no token.

    texts: a dict of the inputs by their number in `annotations.tokens.source`,
    ascending: str, or lists of str tokens, which are joined by a space. An input that
    was cut for the networks is whole again: one root holds the trees of its parts.
    After `Tokens.split` inputs are sentences, whose characters are those of their line.
    scheme: one of tag_schemes.SCHEMES, of tags.
    """
    tokens = annotations.tokens
    readers = []
    for name, kind in KINDS.items():
        if tasks := [task for task in tagger.tasks if tagger.task(task).labels == name]:
            readers.append(kind(tagger, annotations, tasks, scheme))
    first, last = (
        np.searchsorted(tokens.source, [*texts], side) for side in ("left", "right")
    )
    rows = np.stack(
        [first, last, tokens.starts[first], tokens.starts[last]], axis=1
    ).tolist()
    starts, ends = tokens.offsets().T.tolist()
    # The character of its line where each sentence begins.
    inside = (tokens.text_begin != tokens.line_begin).tolist()
    found = []
    for text, (first, last, begin, end) in zip(texts.values(), rows, strict=True):
        sentence = Sentence(
            text if isinstance(text, str) else " ".join(text),
            tuple(starts[begin:end]),
            tuple(ends[begin:end]),
            starts[begin] if first < last and inside[first] else 0,
        )
        for reader in readers:
            sentence.found.update(reader.parts(sentence, (first, last, begin, end)))
        found.append(sentence)
    return found


def sentences_of_lines(
    tagger: Tagger, annotations: Annotations, scheme: str = "iobes"
) -> list[Sentence]:
    """One Sentence for each line of a batch that has tokens, or for each sentence of
    the lines.

    Bytes outside UTF-8 are lone surrogates in their texts; scheme: as of `sentences`.
    """
    tokens = annotations.tokens
    texts = {
        source: tokens.data[begin:end]
        .decode("utf-8", "surrogateescape")
        .removesuffix("\r")
        for source, begin, end in zip(
            tokens.source.tolist(),
            tokens.text_begin.tolist(),
            tokens.text_end.tolist(),
            strict=True,
        )
    }
    return sentences(tagger, annotations, texts, scheme)
