"""The text that is measured: sentences from a file, or drawn, repeated to a size."""

import re
from itertools import cycle, groupby, islice

import numpy as np

__all__ = ["draw_sentences", "join_marks", "read_sentences", "repeat"]


def read_sentences(path):
    """Return the sentences of a file, each a str of tokens separated by one blank.

    The file has a sentence per line, or columns: a token per line, with its word first, and
    an empty line after each sentence.
    """
    with open(path, encoding="utf-8", errors="surrogateescape") as file:
        lines = [line.split() for line in file if not line.startswith("-DOCSTART-")]
    blocks = [list(block) for filled, block in groupby(lines, bool) if filled]
    if _are_columns(blocks[:100]):
        return [" ".join(row[0] for row in block) for block in blocks]
    return [" ".join(tokens) for tokens in lines if tokens]


def _are_columns(blocks):
    """Return whether the lines of each block have equally many fields.

    At least one block must have more than one line.
    """
    longest = max((len(block) for block in blocks), default=0)
    return longest > 1 and all(
        len({len(row) for row in block}) == 1 for block in blocks
    )


def draw_sentences(words, n_tokens, seed=1):
    """Return sentences of 24 tokens, in which frequencies of words fall as 1/rank."""
    rng = np.random.default_rng(seed)
    rank = np.exp(rng.random(n_tokens) * np.log(len(words))).astype(int) - 1
    drawn = [words[i] for i in rank]
    return [" ".join(drawn[i : i + 24]) for i in range(0, n_tokens, 24)]


def repeat(sentences, n_tokens):
    """Repeat the sentences until they have `n_tokens` tokens."""
    lengths = np.array([sentence.count(" ") + 1 for sentence in sentences])
    rounds, rest = divmod(n_tokens, int(lengths.sum()))
    last = int(np.searchsorted(np.cumsum(lengths), rest)) + 1 if rest else 0
    return list(islice(cycle(sentences), rounds * len(sentences) + last))


def join_marks(sentence):
    """Return the sentence in usual spelling: no blank before marks and contractions."""
    sentence = re.sub(
        r" (?=(?:[.,;:?!%)\]}]|''|n't|'(?:s|re|ve|ll|d|m)?)(?: |$))", "", sentence
    )
    return re.sub(r"(?<![^ ])(``|[$#(\[{]) ", r"\1", sentence)
