"""The contents of a document as arrays, and the check that they are consistent."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from senna_py.answers.layer import ROOT
from senna_py.answers.word_forms import check_word_forms
from senna_py.labels.dependencies import depths
from senna_py.labels.tasks import Structure, keys_of

if TYPE_CHECKING:
    from typing import Any

    from numpy.typing import NDArray

    from senna_py.answers.layer import Layer
    from senna_py.answers.word_forms import WordForms

    Ints = NDArray[np.int32]


class Contents(NamedTuple):
    """A text, its tokens and sentences, and the layers over its tokens.

    Attributes:
        text: The text.
        start_char: The offset of `text`, in characters, in the text that was tagged. It
            is 0 unless `text` is a sentence of a longer text.
        characters: int32[n_tokens, 2], the start and end offset of each token in the
            text that was tagged.
        sentence_starts: int32[n_sentences + 1], the first token of each sentence, and
            the number of tokens.
        sentence_characters: int32[n_sentences, 2], the start and end offset of each
            sentence in the text that was tagged.
        layers: The layers by task.
        hidden: The tasks whose layers were not requested but are needed by others: tags
            of the leaves of trees.
        words: The words of multiword tokens, or None if there are no such tokens.
    """

    text: str
    start_char: int
    characters: Ints
    sentence_starts: Ints
    sentence_characters: Ints
    layers: dict[str, Layer]
    hidden: frozenset[str] = frozenset()
    words: WordForms | None = None


def check_contents(contents: Contents) -> None:
    """Raise ValueError unless the contents of a document are consistent."""
    starts, n_tokens = contents.sentence_starts, len(contents.characters)
    limits = contents.start_char, contents.start_char + len(contents.text)
    sentences = contents.sentence_characters
    if starts[0] != 0 or starts[-1] != n_tokens or (np.diff(starts) < 0).any():
        raise ValueError(f"sentences that do not divide {n_tokens} tokens")
    if len(starts) == 1 and not _is_blank(contents.text):
        raise ValueError("a text alone has no sentences")
    for place in sentences.tolist():
        if not limits[0] <= place[0] <= place[1] <= limits[1]:
            raise ValueError(f"no sentence from character {place[0]} to {place[1]}")
    _check_tokens(contents)
    if contents.words is not None:
        check_word_forms(contents.words, contents.characters, starts)
    keys: dict[str, str] = {}
    for name, layer in contents.layers.items():
        for key in keys_of(layer.task):
            if (other := keys.setdefault(key, name)) != name:
                raise ValueError(f"{name}: in JSON, {key!r} is the layer of {other}")
        try:
            _check_layer(layer, starts)
        except ValueError as error:
            raise ValueError(f"{name}: {error}") from None


def _check_tokens(contents: Contents) -> None:
    """Raise ValueError if a token is empty or not within its sentence.

    Also raise it if a sentence without tokens has text other than white space.
    """
    sentences, lengths = contents.sentence_characters, np.diff(contents.sentence_starts)
    if not lengths.all():
        for a, b in (sentences[lengths == 0] - contents.start_char).tolist():
            if not _is_blank(contents.text[a:b]):
                raise ValueError("a text alone has no tokens")
    around = np.repeat(sentences, lengths, axis=0)
    begin, end = contents.characters.T
    inside = (around[:, 0] <= begin) & (begin < end) & (end <= around[:, 1])
    if not inside.all():
        token = int(np.argmin(inside))
        raise ValueError(f"token {token} has no characters of its sentence")


def _is_blank(text: str) -> bool:
    return not text or text.isspace()


def _check_layer(layer: Layer, starts: Ints) -> None:
    """Raise ValueError unless a layer is consistent with its task and the sentences."""
    shape, n_tokens = layer.shape, int(starts[-1])
    if layer.tags is not None:  # Tags are checked first: spans are computed from them.
        _check_tags(layer, n_tokens)
    n_spans = len(layer.label)
    columns: list[Any] = [layer.begin, layer.end]
    columns += [each for each in (layer.anchor, layer.score) if each is not None]
    if any(len(each) != n_spans for each in columns):
        raise ValueError("columns of different lengths")
    if shape.each_token and n_spans != n_tokens:
        raise ValueError(f"{n_spans} labels, but {n_tokens} tokens")
    if n_spans and not 0 <= layer.label.min() <= layer.label.max() < len(layer.names):
        raise ValueError(f"a label that is none of {len(layer.names)}")
    if (layer.anchor is not None) != bool(shape.hangs_on):
        raise ValueError("anchors of spans are missing, or the task has none")
    if layer.score is not None and not _are_probabilities(layer.score):
        raise ValueError("a score that is no probability")
    sentence = _check_places(layer, starts)
    match shape.structure:
        case Structure.SPANS:
            if (layer.begin[1:] < layer.end[:-1]).any():
                raise ValueError("spans that overlap")
        case Structure.TREE:
            _check_nesting(layer, starts, sentence)
        case Structure.FRAMES:
            _check_tokens_as_anchors(layer, starts, sentence)
            _check_order_of_anchors(layer, int(starts[-1]))
        case Structure.HEADS:
            _check_tokens_as_anchors(layer, starts, sentence)
            _check_heads(layer)
        case Structure.LINKS:
            _check_spans_as_anchors(layer)


def _are_probabilities(scores: NDArray[np.floating[Any]]) -> bool:
    # Rounding may make them slightly larger than 1.
    return bool(((scores >= 0) & (scores <= 1.01)).all())


def _check_tags(layer: Layer, n_tokens: int) -> None:
    tags = layer.tags
    assert tags is not None, "a layer with tags"
    if not layer.shape.flat or len(tags.tag) != n_tokens:
        raise ValueError(f"{len(tags.tag)} tags, but {n_tokens} tokens")
    if n_tokens and not 0 <= tags.tag.min() <= tags.tag.max() < len(tags.names):
        raise ValueError(f"a tag that is none of {len(tags.names)}")
    if tags.scores is not None:
        for scores in (tags.scores.tag, tags.scores.next):
            if len(scores) not in (0, n_tokens):
                raise ValueError(f"{len(scores)} scores, but {n_tokens} tokens")
        if len(tags.scores.tag) != n_tokens or not _are_probabilities(tags.scores.tag):
            raise ValueError("scores of tags that are no probabilities of each")


def _check_places(layer: Layer, starts: Ints) -> NDArray[np.int64]:
    """Return the index of each span's sentence, int64[n_spans].

    Raises:
        ValueError: If a span is not within one sentence, or spans are out of order.
    """
    begin, end = layer.begin, layer.end
    wrong = (begin < 0) | (begin >= end) | (end > starts[-1])
    sentence = np.searchsorted(starts, begin, side="right") - 1
    if not wrong.any():
        wrong = end > starts[sentence + 1]
    if wrong.any():
        row = int(np.argmax(wrong))
        raise ValueError(f"no token from {begin[row]} to {end[row]} in a sentence")
    if layer.anchors is None or layer.anchor is None:
        order = sentence if layer.shape.hangs_on else begin
        if (np.diff(order) < 0).any():
            raise ValueError("spans that are not in the order of their tokens")
    return sentence


def _check_spans_as_anchors(layer: Layer) -> None:
    """Raise ValueError unless all anchors are spans of the layer."""
    anchor = layer.anchor
    assert anchor is not None, "spans that hang on spans"
    if len(anchor) and not ROOT <= anchor.min() <= anchor.max() < len(anchor):
        raise ValueError(f"a span that hangs on none of {len(anchor)}")


def _check_tokens_as_anchors(
    layer: Layer, starts: Ints, sentence: NDArray[np.int64]
) -> None:
    """Raise ValueError unless anchors are tokens of the sentences of their spans."""
    anchor = layer.anchor
    assert anchor is not None, "spans that hang on tokens"
    hangs = anchor != ROOT
    place = np.searchsorted(starts, anchor, side="right") - 1
    if (place[hangs] != sentence[hangs]).any() or (anchor[hangs] < 0).any():
        raise ValueError("a span that hangs on no token of its sentence")


def _check_heads(layer: Layer) -> None:
    """Raise ValueError unless the heads of tokens form trees."""
    assert layer.anchor is not None, "each token hangs on its head"
    if None in depths(layer.anchor.tolist()):
        name = layer.task.attribute or layer.task.name
        raise ValueError(f"the heads of the {name} form a circle")


def _check_order_of_anchors(layer: Layer, n_tokens: int) -> None:
    """Raise ValueError unless `anchors` and the anchors of spans are in order."""
    anchor, anchors = layer.anchor, layer.anchors
    assert anchor is not None, "spans that hang on tokens"
    if anchors is None or (np.diff(anchors) <= 0).any() or (np.diff(anchor) < 0).any():
        raise ValueError("spans that are not in the order of what they hang on")
    if len(anchors) and not 0 <= anchors[0] <= anchors[-1] < n_tokens:
        raise ValueError("spans that hang on no token")
    if not np.isin(anchor, anchors).all():
        raise ValueError("spans that hang on no token of those that they may hang on")


def _check_nesting(layer: Layer, starts: Ints, sentence: NDArray[np.int64]) -> None:
    """Raise ValueError unless each sentence has one root and no two spans cross.

    Spans must be in preorder.
    """
    held = np.flatnonzero(np.diff(starts))
    first = np.searchsorted(sentence, held)
    whole = len(layer.begin) > first.max(initial=-1)
    if whole:
        whole = np.array_equal(layer.begin[first], starts[held])
    if not whole or not np.array_equal(layer.end[first], starts[held + 1]):
        raise ValueError("a sentence without a span over all its tokens")
    open_ends: list[int] = []
    before = -1
    for begin, end in zip(layer.begin.tolist(), layer.end.tolist(), strict=True):
        while open_ends and open_ends[-1] <= begin:
            open_ends.pop()
        if open_ends and end > open_ends[-1]:
            raise ValueError(f"{begin} to {end} crosses another span")
        if not open_ends and begin == before:
            raise ValueError(f"{begin} to {end} is not in the order of spans")
        open_ends.append(end)
        before = begin
