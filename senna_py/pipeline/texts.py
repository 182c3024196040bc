"""Texts in memory: documents and sentences, as Python users have them tagged."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from senna_py.arguments import check_predicates, text_length
from senna_py.io.parallel import ordered_map
from senna_py.kernels.runtime.pace import kernels_for_text
from senna_py.text.sentences import note_sentences

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from senna_py.answers.document import Document, Sentence
    from senna_py.tagger import Tagger
    from senna_py.text.tokens import Tokens

_ADVICE = "nlp.document(text), or pipe(texts, documents=True)"  # for several sentences


def tag_documents(
    tagger: Tagger, texts: list[str], paragraphs: bool = False
) -> list[Document]:
    """Return the documents of running texts.

    Args:
        tagger: The tagger.
        texts: The texts, of which each line is a paragraph.
        paragraphs: Whether lines up to an empty one are a paragraph instead.
    """
    from senna_py.answers.reading import documents  # noqa: PLC0415 - few commands need it

    with kernels_for_text(sum(map(len, texts))):
        tokens, owner = tagger.tokenizer.documents(texts, paragraphs)
        return documents(tagger.annotate(tokens, _marks(tagger, tokens)), texts, owner)


def tag_sentences(
    tagger: Tagger, inputs: list[str | list[str]], predicates: Iterable[int] = ()
) -> list[Sentence]:
    """Return the sentences of inputs, each of which is a text or a list of tokens.

    Args:
        tagger: The tagger.
        inputs: The inputs.
        predicates: The places of the predicates in the only input, if the tagger takes
            them from the caller.
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
            sentences |= _read(tagger, tokens, lists, predicates)
    return [sentences[i] for i in range(len(inputs))]


def tag_stream(
    tagger: Tagger,
    batches: Iterable[list[tuple[Any, Any]]],
    documents: bool,
    as_tuples: bool,
) -> Iterator[Any]:
    """Yield the document or the sentence of each text, in their order.

    Args:
        tagger: The tagger; its `jobs` are the number of threads.
        batches: Pairs of a text and something that comes with it.
        documents: Whether each text is running text, and yields a Document.
        as_tuples: Whether what comes with a text is yielded with its answer.
    """

    tag_texts: Callable[..., list[Any]] = tag_documents if documents else tag_sentences

    def tag(batch: list[tuple[Any, Any]]) -> list[Any]:
        answers = tag_texts(tagger, [text for text, _ in batch])
        if not as_tuples:
            return answers
        return [*zip(answers, (others for _, others in batch), strict=True)]

    return chain.from_iterable(ordered_map(tag, batches, tagger.jobs))


def _read(
    tagger: Tagger, tokens: Tokens, inputs: dict[int, Any], predicates: Iterable[int]
) -> dict[int, Sentence]:
    """Return the sentence of each input by its number; the tokens are theirs in order."""
    from senna_py.answers.reading import sentences  # noqa: PLC0415 - few commands need it

    annotations = tagger.annotate(tokens, _marks(tagger, tokens, predicates))
    tagged = sentences(annotations, dict(enumerate(inputs.values())))
    return dict(zip(inputs, tagged, strict=True))


def _marks(
    tagger: Tagger, tokens: Tokens, predicates: Iterable[int] = ()
) -> np.ndarray[Any, np.dtype[np.bool_]] | None:
    """Return bool[n_tokens], the predicates of the caller; None if others are taken."""
    if tagger.predicates != "given":
        return None
    marks = np.zeros(len(tokens), bool)
    marks[check_predicates(predicates, len(tokens))] = True
    return marks
