"""Sentences of a paragraph, from its Treebank tokens.

A sentence ends after `.`, `!`, `?`, an ellipsis or an abbreviation, with the quotes and brackets
that close there, where what follows begins like a sentence: with a capital or a digit, maybe behind
an opening quote or bracket. After an abbreviation or ellipsis it must be a word that often begins
sentences (`sentence_starters.txt`); after a title such as `Mr.` nothing ends.

A `"` or `'` opens or closes according to the side on which a blank parts it from other tokens.
Where that leaves a choice, `"` alternates and `'` closes.
"""

import numpy as np

from senna_py.kernels.sentences import find_sentences
from senna_py.text.characters import CLASS, cover_characters
from senna_py.text.known_texts import known_texts

__all__ = ["sentence_indices", "sentence_starts"]


def sentence_indices(data, begin, end, starts):
    """Index of the first token of each sentence of each paragraph: int64[n_sentences].

    begin, end: int32[n_tokens], bytes in `data`; paragraph p owns the tokens
    `starts[p]:starts[p + 1]`, of which there is at least one.
    """
    cover_characters(data)
    raw = np.frombuffer(data, np.uint8)
    opens, found = np.empty(len(begin), bool), np.empty(len(begin), np.int64)
    n = find_sentences(raw, begin, end, starts.astype(np.int32), known_texts(), CLASS, opens, found)
    return found[:n]


def sentence_starts(tokens):
    """Index of the first token of each sentence of one paragraph: a list of int.

    tokens: a list of str, as if each stood between blanks.
    """
    encoded = [token.encode("utf-8", "surrogateescape") for token in tokens]
    length = np.array([len(token) for token in encoded], np.int32)
    begin = np.cumsum(length + 1, dtype=np.int32) - length - 1
    starts = np.array([0, len(tokens)] if tokens else [0])
    return sentence_indices(b" ".join(encoded), begin, begin + length, starts).tolist()
