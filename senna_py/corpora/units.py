"""Read CoNLL-U files as labeled units, to train the learned tokenizer.

The text is restored from the surface tokens and the spaces between them. It is divided
into units (`text.units`), each of which has a label.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from senna_py.corpora.conllu import ConlluFile, ConlluSentence
from senna_py.text.units import INSIDE, find_units, unit_label

_MOST_SENTENCES = 12  # the maximum number of sentences in a random paragraph
# The maximum number of characters of a training paragraph with several sentences.
_LONGEST = 2000
_SEED = 1


class UnitParagraph(NamedTuple):
    """The units of a paragraph.

    Attributes:
        units: The texts of the units.
        spaces: Whether white space follows each unit.
        labels: The label of each unit, from `unit_label`, or INSIDE.
        lines: The line number of the token that contains each unit.
    """

    units: list[str]
    spaces: list[bool]
    labels: list[str]
    lines: list[int]


class _TokenRow(NamedTuple):
    """A surface token.

    Attributes:
        form: The form.
        has_space: Whether white space follows the token.
        line: The line number.
        label: The label of the last unit of the token.
    """

    form: str
    has_space: bool
    line: int
    label: str


def read_unit_paragraphs(
    path: str | os.PathLike[str],
    part: tuple[float, float] = (0.0, 1.0),
    trains: bool = False,
) -> Iterator[UnitParagraph]:
    """Yield the paragraphs of a CoNLL-U file.

    A file without comments that mark paragraphs is divided into paragraphs of random
    lengths. In other files, half of the training paragraphs are joined to the next one,
    so that a network also learns ends of sentences within paragraphs. Long training
    paragraphs are cut between sentences.

    Args:
        path: The file.
        part: The sentences to read, as two fractions of the file: start and end.
        trains: Whether the paragraphs are training data.

    Raises:
        SennaError: If the file cannot be read or a line is malformed. The message names
            the file and the line.
    """
    sentences = list(ConlluFile(path, "tokens"))
    first, last = (round(share * len(sentences)) for share in part)
    rng = np.random.default_rng(_SEED)
    paragraphs = _paragraphs(sentences[first:last])
    if len(paragraphs) == 1:
        paragraphs = _random_paragraphs(sentences[first:last], rng)
    elif trains:
        paragraphs = _joined(paragraphs, rng)
    for paragraph in paragraphs:
        for piece in _pieces(paragraph) if trains else [paragraph]:
            yield _label_units(piece)


def _paragraphs(sentences: Sequence[ConlluSentence]) -> list[Sequence[ConlluSentence]]:
    """Return the paragraphs, which begin at sentences with certain comments."""
    begins = [i for i, sentence in enumerate(sentences) if sentence.begins_paragraph]
    bounds = dict.fromkeys((0, *begins, len(sentences)))
    return [sentences[begin:end] for begin, end in pairwise(bounds)]


def _random_paragraphs(
    sentences: Sequence[ConlluSentence], rng: np.random.Generator
) -> list[Sequence[ConlluSentence]]:
    bounds = [0]
    while bounds[-1] < len(sentences):
        bounds.append(bounds[-1] + int(rng.integers(1, _MOST_SENTENCES + 1)))
    return [sentences[begin:end] for begin, end in pairwise(bounds)]


def _joined(
    paragraphs: Sequence[Sequence[ConlluSentence]], rng: np.random.Generator
) -> list[Sequence[ConlluSentence]]:
    """Join each paragraph to the next one with a probability of one half."""
    joined: list[Sequence[ConlluSentence]] = []
    waiting: list[ConlluSentence] = []
    for paragraph, waits in zip(
        paragraphs, (rng.random(len(paragraphs)) < 0.5).tolist(), strict=True
    ):
        waiting += paragraph
        if not waits:
            joined.append(waiting)
            waiting = []
    return [*joined, waiting] if waiting else joined


def _pieces(paragraph: Sequence[ConlluSentence]) -> Iterator[Sequence[ConlluSentence]]:
    """Yield a paragraph, cut between sentences into pieces of at most _LONGEST.

    A sentence that is longer than this is a piece of its own.
    """
    piece: list[ConlluSentence] = []
    length = 0
    for sentence in paragraph:
        n_characters = sum(map(len, sentence.forms))
        if piece and length + n_characters > _LONGEST:
            yield piece
            piece, length = [], 0
        piece.append(sentence)
        length += n_characters
    yield piece


def _token_rows(paragraph: Sequence[ConlluSentence]) -> Iterator[_TokenRow]:
    for sentence in paragraph:
        last = len(sentence.forms) - 1
        columns = zip(
            sentence.forms,
            sentence.spaces,
            sentence.lines,
            sentence.ranges,
            strict=True,
        )
        for number, (form, has_space, line, words) in enumerate(columns):
            label = unit_label(words is not None, number == last)
            yield _TokenRow(form, has_space, line, label)


def _label_units(paragraph: Sequence[ConlluSentence]) -> UnitParagraph:
    """Restore the text of a paragraph, and label its units.

    The label of a unit is the label of the token that ends with the unit, or INSIDE if
    there is none. The label of a token that ends inside a unit is therefore lost.
    """
    rows = [*_token_rows(paragraph)]
    forms = [row.form.encode("utf-8", "surrogateescape") for row in rows]
    text = b"".join(
        form + b" " * row.has_space for form, row in zip(forms, rows, strict=True)
    )
    sizes = np.array([len(form) for form in forms])
    begin = np.cumsum(sizes + [row.has_space for row in rows]) - sizes
    begin -= np.array([row.has_space for row in rows])
    labels = dict(
        zip((begin + sizes).tolist(), (row.label for row in rows), strict=True)
    )
    units = find_units(text, np.zeros(1, np.int32), np.array([len(text)], np.int32))
    token = np.searchsorted(begin, units.begin, "right") - 1
    ends = units.end.tolist()
    spaces = [*(units.begin[1:] > units.end[:-1]).tolist(), True]
    return UnitParagraph(
        [
            text[first:last].decode("utf-8", "surrogateescape")
            for first, last in zip(units.begin.tolist(), ends, strict=True)
        ],
        spaces[: len(ends)],
        [labels.get(end, INSIDE) for end in ends],
        [rows[number].line for number in token.tolist()],
    )
