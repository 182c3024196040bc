"""Sentences of a paragraph, from its Treebank tokens.

A sentence ends after `.`, `!`, `?`, an ellipsis, a face or an abbreviation, with the
quotes, brackets, emoticons, emoji and footnote marks that close there, where what
follows begins like a sentence: with a capital or a digit, maybe behind an opening quote
or bracket. After an abbreviation it must be a word that often begins sentences
(`sentence_starters.txt`); after a title such as `Mr.` nothing ends, nor after the
number of a list's item that begins the sentence. Directly after `!` or `?`, or after a
word and a full stop, any letter begins a sentence.

A `"` or `'` opens or closes according to the side on which a blank parts it from other
tokens. Where that leaves a choice, `"` alternates and `'` closes.
"""

import re
from collections.abc import Iterable

import numpy as np

from senna_py.errors import one_line
from senna_py.kernels.text.sentences import find_sentences
from senna_py.text.characters import CLASS, cover_characters
from senna_py.text.known_texts import all_abbreviations, known_texts

_END = re.compile(r"(?<![.!?])[.!?]+[\"'”’)\]]*\s+[\"'“‘(\[]*(\w)")
_noted: list[str] = []  # by this process


def sentence_indices(data, begin, end, starts, trie=None, small=True):
    """Index of the first token of each sentence of each paragraph: int64[n_sentences].

    begin, end: int32[n_tokens], bytes in `data`; paragraph p owns the tokens
    `starts[p]:starts[p + 1]`, of which there is at least one; trie: abbreviations,
    marks and beginnings of a language, by default English; small: whether small letters
    may begin sentences.
    """
    cover_characters(data)
    raw = np.frombuffer(data, np.uint8)
    opens, found = np.empty(len(begin), bool), np.empty(len(begin), np.int64)
    trie = known_texts() if trie is None else trie
    starts = starts.astype(np.int32)
    n = find_sentences(raw, begin, end, starts, trie, small, CLASS, opens, found)
    return found[:n]


def sentence_starts(tokens):
    """First tokens of a paragraph's sentences: list of int; tokens: list of str between
    blanks.
    """
    encoded = [token.encode("utf-8", "surrogateescape") for token in tokens]
    length = np.array([len(token) for token in encoded], np.int32)
    begin = np.cumsum(length + 1, dtype=np.int32) - length - 1
    starts = np.array([0, len(tokens)] if tokens else [0])
    return sentence_indices(b" ".join(encoded), begin, begin + length, starts).tolist()


def note_sentences(texts: Iterable[str], advice: str) -> None:
    """Warn, once in a process, if one of `texts` is several sentences; advice: what to
    use.
    """
    if not _noted and (text := next(filter(has_several, texts), None)):
        import logging  # noqa: PLC0415 - a short start

        _noted.append(text)
        logging.getLogger(__name__.partition(".")[0]).warning(
            "a text given as one sentence looks like several: %s; use %s",
            one_line(repr(text), 60),
            advice,
        )


def has_several(text: str) -> bool:
    """Whether a sentence ends within the text, and another begins with a capital."""
    for found in _END.finditer(text):
        last = text[: found.start()].rstrip().rpartition(" ")[2].lstrip("\"'“‘([")
        is_word = len(last) > 1 and last[-2:].isalpha() and last[-1].islower()
        if is_word and found[1].isupper() and last not in all_abbreviations():
            return True
    return False
