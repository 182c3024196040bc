"""Learn abbreviations and sentence splitters from treebanks."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING, Protocol

import numpy as np

from senna_py.errors import SennaError
from senna_py.text.known_texts import COLON
from senna_py.text.splitter import RuleSentences, SentenceSplitter
from senna_py.text.tokenizer_kinds import SENNA

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from senna_py.text.tokenizer import Tokenizer

_SENTENCES = 1000  # the number of sentences that are tokenized at a time
_ABBREVIATION = re.compile(r"[^\W\d_](?:[.'’/-]*[^\W\d_])*\.")
_WITH_COLON = re.compile(r"[^\W\d_]+:[^\W\d_]+")


class SpacedSentence(Protocol):
    """A sentence of a treebank: its forms, and whether a space follows each form."""

    @property
    def forms(self) -> Sequence[str]: ...

    @property
    def spaces(self) -> Sequence[bool]: ...


def learn_abbreviations(
    tokenizer: Tokenizer, sentences: Iterable[SpacedSentence]
) -> tuple[str, ...]:
    """Return the abbreviations of a treebank that a tokenizer splits.

    Their final periods are removed. A word must be more frequent with a period than
    without one. Initials are left out, because the tokenizer's rules find them.
    COLON is included if colons occur inside tokens (`SVT:s`) more often than as tokens
    between two letters.
    """
    sentences = list(sentences)
    abbreviated: Counter[str] = Counter()  # the keys of both are lower-case words
    ordinary: Counter[str] = Counter()
    spellings: dict[str, str] = {}
    split_forms = _split_forms(tokenizer, sentences)
    for sentence in sentences:
        for form in sentence.forms:
            if _WITH_COLON.fullmatch(form):
                spellings[COLON] = COLON
                abbreviated[COLON] += 1
            elif _ABBREVIATION.fullmatch(form) and (len(form) > 2 or form.islower()):
                word = form[:-1].lower()
                abbreviated[word] += 1
                if form in split_forms:
                    spellings.setdefault(word, form[:-1])
            elif form != COLON:
                ordinary[form.lower()] += 1
        ordinary[COLON] += _n_colons_between_letters(sentence)
    return tuple(
        spelling
        for word, spelling in spellings.items()
        if abbreviated[word] > ordinary[word]
    )


def _split_forms(tokenizer: Tokenizer, sentences: Sequence[SpacedSentence]) -> set[str]:
    """Return the forms that are not among the tokenizer's tokens of their sentences."""
    split: set[str] = set()
    for begin in range(0, len(sentences), _SENTENCES):
        block = sentences[begin : begin + _SENTENCES]
        tokens = tokenizer.texts([_text_of(sentence) for sentence in block])
        spans = pairwise(tokens.starts)
        for number, (first, end) in zip(tokens.source, spans, strict=True):
            texts = {tokens.text(token) for token in range(first, end)}
            split.update({*block[number].forms} - texts)
    return split


def _text_of(sentence: SpacedSentence) -> str:
    pairs = zip(sentence.forms, sentence.spaces, strict=True)
    return "".join(f"{form} " if space else form for form, space in pairs)


def _n_colons_between_letters(sentence: SpacedSentence) -> int:
    """Return the number of tokens `:` directly between two letters, without spaces."""
    forms, spaces = sentence.forms, sentence.spaces
    return sum(
        forms[i] == COLON
        and not (spaces[i - 1] or spaces[i])
        and forms[i - 1][-1].isalpha()
        and forms[i + 1][0].isalpha()
        for i in range(1, len(forms) - 1)
    )


def learn_splitter(
    tokenizer: Tokenizer,
    paragraphs: Iterable[tuple[str, Sequence[int]]],
    edited: Iterable[str] = (),
) -> SentenceSplitter:
    """Learn a sentence splitter from paragraphs whose sentences are known.

    Args:
        tokenizer: The tokenizer of the model that will use the splitter.
        paragraphs: Pairs of a text without newlines, and the character offsets at which
            its sentences begin.
        edited: Further paragraphs, from edited text whose sentences are not known.

    Raises:
        SennaError: If the paragraphs have no token, or if the tokenizer is SENNA's.
    """
    if tokenizer.kind == SENNA:
        raise SennaError(
            "SENNA's tokens have no splitter; the tokenizer must be another"
        )
    lines: list[bytes] = []
    begins: list[int] = []
    n_bytes = 0
    for text, starts in paragraphs:
        lines.append(text.encode("utf-8", "surrogateescape"))
        begins += [
            n_bytes + len(text[:start].encode("utf-8", "surrogateescape"))
            for start in starts
        ]
        n_bytes += len(lines[-1]) + 1
    tokens = tokenizer.lines(b"\n".join(lines))
    if not len(tokens):
        raise SennaError("no sentence to learn from")
    more = tokenizer.lines("\n".join(edited).encode("utf-8", "surrogateescape"))
    return SentenceSplitter.learn(
        RuleSentences(tokens, tokenizer.rule_starts(tokens)),
        np.unique(np.searchsorted(tokens.begin, begins)),
        RuleSentences(more, tokenizer.rule_starts(more)),
        tokenizer.abbreviations,
    )
