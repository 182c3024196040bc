"""The sentences of Docs, and the words in them."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from senna_py.arguments import text_length
from senna_py.io.batches import in_batches
from senna_py.io.streaming import BATCH_BYTES
from senna_py.kernels.runtime.switch import kernels_for_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import TypeAlias

    from spacy.tokens import Doc

    from senna_py.answers.document import Sentence
    from senna_py.text.tokenizer import Tokenizer

    # The sentences of a Doc: the indices of their words in the Doc, and their answers.
    Answers: TypeAlias = list[tuple[list[int], Sentence]]


def set_sentence_starts(docs: Iterable[Doc], tokenizer: Tokenizer) -> None:
    """Set the sentence boundaries of Docs to the sentences that a tokenizer finds."""
    for some in in_batches(docs, lambda doc: len(doc.text), BATCH_BYTES):
        for doc, starts in zip(some, _starts(some, tokenizer), strict=True):
            first = next((token.i for token in doc if not token.is_space), 0)
            for token in doc:
                # White space before the first word belongs to its sentence.
                token.is_sent_start = token.i in starts and not 0 < token.i <= first


def words_by_sentence(doc: Doc) -> list[list[int]]:
    """Return the indices of the words of each sentence.

    White space is no word, and a sentence without words is left out.
    """
    sentences = (
        [token.i for token in sentence if not token.is_space] for sentence in doc.sents
    )
    return [*filter(None, sentences)]


def batches_of_tokens(
    docs: Iterable[Doc], places: Iterable[list[list[int]]]
) -> Iterator[list[list[list[str]]]]:
    """Yield batches of Docs, each a list of the tokens of each sentence.

    Args:
        docs: The Docs.
        places: The words of each Doc; see `words_by_sentence`.
    """
    tokens_of_docs = (
        [[doc[i].text for i in words] for words in sentences]
        for doc, sentences in zip(docs, places, strict=True)
    )
    yield from in_batches(
        tokens_of_docs, lambda item: sum(map(text_length, item)), BATCH_BYTES
    )


def _starts(docs: list[Doc], tokenizer: Tokenizer) -> list[set[int]]:
    """Return the indices of the first tokens of sentences, for each Doc."""
    with kernels_for_text():
        tokens, owner = tokenizer.documents([doc.text for doc in docs])
        offsets = tokens.offsets()
    starts = [{0} for _ in docs]
    bounds = pairwise(tokens.starts.tolist())
    for number, (first, last) in zip(owner.tolist(), bounds, strict=True):
        begin, end = int(offsets[first, 0]), int(offsets[last - 1, 1])
        span = docs[number].char_span(begin, end, alignment_mode="expand")
        starts[number].add(span.start)
    return starts
