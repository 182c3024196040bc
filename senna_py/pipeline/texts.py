"""Tagging of texts in memory, for the methods of `Tagger`."""

from __future__ import annotations

from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from senna_py.arguments import check_predicates, text_length
from senna_py.io.parallel import ordered_map
from senna_py.kernels.runtime.switch import kernels_for_text
from senna_py.text.sentences import note_sentences

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from numpy.typing import NDArray

    from senna_py.answers.document import Document, Sentence
    from senna_py.pipeline.own_tokens import OwnTokens
    from senna_py.tagger import Tagger
    from senna_py.text.tokens import Tokens

# The advice on a text with several sentences.
_ADVICE = "nlp.document(text), or pipe(texts, documents=True)"


def tag_documents(
    tagger: Tagger, texts: list[str], paragraphs: bool = False, by_line: bool = False
) -> list[Document]:
    """Tag running texts, and return a document for each.

    Args:
        tagger: The tagger.
        texts: The texts. Each line is a paragraph.
        paragraphs: Whether a paragraph extends over several lines, up to an empty one.
        by_line: Whether the names of a line or paragraph do not depend on other lines,
            because the texts are pieces of a stream.
    """
    from senna_py.answers.reading import documents  # noqa: PLC0415 - few commands need it

    with kernels_for_text(sum(map(len, texts))):
        tokens, owner = tagger.tokenizer.documents(texts, paragraphs)
        tokens.document = owner
        if by_line:
            newlines = np.flatnonzero(tokens.raw == ord("\n"))
            tokens.document = np.searchsorted(newlines, tokens.text_begin)
        return documents(tagger.annotate(tokens, _marks(tagger, tokens)), texts, owner)


def tag_own_tokens(tagger: Tagger, own: OwnTokens) -> Document:
    """Return the document of tokens that a caller passed.

    Unless the caller divided them into sentences, the rules of the tokenizer do.
    """
    from senna_py.answers.reading import documents  # noqa: PLC0415 - few commands need it

    text, tokenizer = own.text, tagger.tokenizer
    with kernels_for_text(len(text)):
        tokens = tokenizer.pretokenized(own.sentences, own.spaces)
        tokens.line_begin = np.zeros_like(tokens.line_begin)
        if not own.is_divided:
            tokens = tokenizer.split_sentences(tokens, whitespace=True)
        owner = np.zeros(tokens.n_sentences, np.int64)
        tokens.document = owner
        marks = _marks(tagger, tokens)
        return documents(tagger.annotate(tokens, marks), [text], owner)[0]


def tag_sentences(
    tagger: Tagger,
    inputs: list[str | list[str]],
    predicates: Iterable[int] = (),
    owner: NDArray[np.int64] | None = None,
) -> list[Sentence]:
    """Tag sentences, and return a Sentence for each.

    Args:
        tagger: The tagger.
        inputs: The sentences, each a text or a list of tokens.
        predicates: The token indices of the predicates in the only sentence, if the
            tagger takes them from the caller.
        owner: int64[n_sentences], the document of each sentence, in ascending order, if
            all inputs are lists of tokens; by default, each is a document of its own.
    """
    sentences: dict[int, Sentence] = {}
    with kernels_for_text(sum(map(text_length, inputs))):
        texts = {i: each for i, each in enumerate(inputs) if isinstance(each, str)}
        if texts:
            note_sentences(texts.values(), _ADVICE)
            tokens = tagger.tokenizer.texts([*texts.values()])
            sentences |= _read(tagger, tokens, texts, predicates)
        lists = {i: each for i, each in enumerate(inputs) if isinstance(each, list)}
        if lists:
            tokens = tagger.tokenizer.pretokenized([*lists.values()])
            if owner is not None:
                tokens.document = owner[tokens.source]
            sentences |= _read(tagger, tokens, lists, predicates)
    return [sentences[i] for i in range(len(inputs))]


def tag_stream(
    tagger: Tagger,
    batches: Iterable[list[tuple[Any, Any]]],
    documents: bool,
    paragraphs: bool,
    as_tuples: bool,
) -> Iterator[Any]:
    """Tag batches of texts, and yield a Sentence or a Document for each text, in order.

    Args:
        tagger: The tagger. `tagger.jobs` is the number of threads.
        batches: Lists of pairs of a text and its companion.
        documents: Whether the texts are running text; a Document is then yielded for
            each, instead of a Sentence.
        paragraphs: Whether a paragraph of a document extends over several lines.
        as_tuples: Whether results are yielded in pairs with the companions.
    """

    tag_texts: Callable[..., list[Any]] = tag_sentences
    if documents:
        tag_texts = partial(tag_documents, paragraphs=paragraphs)

    def tag(batch: list[tuple[Any, Any]]) -> list[Any]:
        answers = tag_texts(tagger, [text for text, _ in batch])
        if not as_tuples:
            return answers
        return [*zip(answers, (others for _, others in batch), strict=True)]

    return chain.from_iterable(ordered_map(tag, batches, tagger.jobs))


def tag_sentences_of_documents(
    tagger: Tagger, batches: Iterable[list[list[list[str]]]]
) -> Iterator[Sentence]:
    """Tag documents whose sentences are lists of tokens, and yield all sentences.

    Args:
        tagger: The tagger. `tagger.jobs` is the number of threads.
        batches: Lists of documents.
    """

    def tag(batch: list[list[list[str]]]) -> list[Sentence]:
        inputs: list[str | list[str]] = [*chain.from_iterable(batch)]
        owner = np.repeat(np.arange(len(batch)), [*map(len, batch)])
        return tag_sentences(tagger, inputs, owner=owner)

    return chain.from_iterable(ordered_map(tag, batches, tagger.jobs))


def _read(
    tagger: Tagger, tokens: Tokens, inputs: dict[int, Any], predicates: Iterable[int]
) -> dict[int, Sentence]:
    """Return the tagged sentence of each input, by the key of the input.

    `tokens` has the tokens of all inputs, in order.
    """
    from senna_py.answers.reading import sentences  # noqa: PLC0415 - few commands need it

    annotations = tagger.annotate(tokens, _marks(tagger, tokens, predicates))
    tagged = sentences(annotations, dict(enumerate(inputs.values())))
    return dict(zip(inputs, tagged, strict=True))


def _marks(
    tagger: Tagger, tokens: Tokens, predicates: Iterable[int] = ()
) -> np.ndarray[Any, np.dtype[np.bool_]] | None:
    """Return whether the caller marked each token as a predicate: bool[n_tokens].

    The result is None if the tagger finds the predicates itself.
    """
    if tagger.predicates != "given":
        return None
    marks = np.zeros(len(tokens), bool)
    marks[check_predicates(predicates, len(tokens))] = True
    return marks
