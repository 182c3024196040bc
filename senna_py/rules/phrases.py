"""Search for the words and phrases of rules in batches of tokens."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from senna_py.features.gazetteer import Gazetteer, phrase_lines
from senna_py.features.protocol import Batch

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from senna_py.text.tokenizer import Tokenizer
    from senna_py.text.tokens import Tokens

# A word that is put after phrases, so that their last periods do not end a sentence.
_MORE = "x"


class Listed(NamedTuple):
    """A word or phrase of a rule.

    Attributes:
        text: The text.
        ignore_case: Whether it is found in upper and lower case.
        rule: The index of the rule.
        is_word: Whether it is a word of a rule for words, instead of a phrase.
    """

    text: str
    ignore_case: bool
    rule: int
    is_word: bool


class Place(NamedTuple):
    """Tokens that a rule is about.

    Attributes:
        begin: The first token.
        end: The index after the last token.
        rule: The index of the rule.
    """

    begin: int
    end: int
    rule: int


class Places(NamedTuple):
    """The words and the phrases of a batch, each in text order."""

    words: list[Place]
    phrases: list[Place]


class PhraseFinder:
    """Finds listed words and phrases, which consist of whole tokens of a sentence.

    One search over a batch finds the tokens that are in any phrase, in lower case. Only
    these are compared with the texts. Threads may share a finder.
    """

    def __init__(self, listed: Iterable[Listed], tokenizer: Tokenizer) -> None:
        """Divide the phrases into tokens, as the tokenizer divides them in a text."""
        # The phrases by their tokens, in lower case, and the most tokens of a phrase by
        # its first token. Both are joined by spaces.
        self._listed: dict[str, list[tuple[str, Listed]]] = {}
        self._longest: dict[str, int] = {}
        listed = list(listed)
        phrases = [each for each in listed if not each.is_word]
        words = ([each.text] for each in listed if each.is_word)
        keys = chain(
            zip(words, (each for each in listed if each.is_word), strict=True),
            *(
                zip(variant, phrases, strict=True)
                for variant in _variants([each.text for each in phrases], tokenizer)
            ),
        )
        for tokens, each in keys:
            key = " ".join(tokens)
            known = self._listed.setdefault(key.lower(), [])
            if (key, each) not in known:
                known.append((key, each))
            first = tokens[0].lower()
            self._longest[first] = max(self._longest.get(first, 0), len(tokens))
        self._gazetteer = Gazetteer(phrase_lines(self._listed))

    def find(self, tokens: Tokens) -> Places:
        """Return the places of all words and phrases.

        Args:
            tokens: The tokens, whose forms are all in their text.
        """
        found = Places([], [])
        is_listed = self._gazetteer.has(Batch(tokens))
        rows = np.flatnonzero(is_listed)
        if not len(rows):
            return found
        # The end of the stretch of listed tokens, in the same sentence, around each row.
        breaks = np.flatnonzero(~np.append(is_listed, False))
        stops = np.minimum(
            breaks[np.searchsorted(breaks, rows)],
            tokens.starts[np.searchsorted(tokens.starts, rows, side="right")],
        ).tolist()
        texts = (text.decode("utf-8", "surrogateescape") for text in tokens.texts(rows))
        text_of = dict(zip(rows.tolist(), texts, strict=True))
        for begin, stop in zip(rows.tolist(), stops, strict=True):
            longest = self._longest.get(text_of[begin].lower(), 0)
            key = ""
            for end in range(begin + 1, min(stop, begin + longest) + 1):
                key = f"{key} {text_of[end - 1]}" if key else text_of[begin]
                for exact, listed in self._listed.get(key.lower(), ()):
                    if listed.ignore_case or exact == key:
                        places = found.words if listed.is_word else found.phrases
                        places.append(Place(begin, end, listed.rule))
        return found


def _variants(texts: Sequence[str], tokenizer: Tokenizer) -> Iterator[list[list[str]]]:
    """Yield ways in which the tokens of phrases may stand in a text.

    In raw text, the last token may be divided in two ways, because a period at the end
    may end a sentence. Other inputs may be divided at white space.
    """
    if not texts:
        return
    plain = [" ".join(text.split()) for text in texts]
    yield _tokens_of(plain, tokenizer)
    followed = _tokens_of([f"{text} {_MORE}" for text in plain], tokenizer)
    yield [
        tokens[:-1] if tokens[-1] == _MORE and len(tokens) > 1 else tokens
        for tokens in followed
    ]
    yield [text.split() for text in plain]


def _tokens_of(texts: Sequence[str], tokenizer: Tokenizer) -> list[list[str]]:
    """Return the tokens of each text."""
    data = "\n".join(texts).encode("utf-8", "surrogateescape")
    tokens = tokenizer.lines(data)
    forms = [text.decode("utf-8", "surrogateescape") for text in tokens.texts()]
    lists: list[list[str]] = [text.split() for text in texts]
    bounds = tokens.starts.tolist()
    for number, source in enumerate(tokens.source.tolist()):
        lists[source] = forms[bounds[number] : bounds[number + 1]]
    return lists
