"""Tokens and sentences only: a sentence a line, tokens between spaces, as language models read."""

import re
from itertools import pairwise
from types import SimpleNamespace

__all__ = ["TokenFormat", "TokensOnly", "token_lines"]

_BLANK = re.compile(rb"\s")


def token_lines(tokens):
    """Lines of Tokens, as bytes; white space inside a token is an underscore."""
    data, starts = tokens.data, tokens.starts.tolist()
    texts = [
        data[begin:end]
        for begin, end in zip(tokens.begin.tolist(), tokens.end.tolist(), strict=True)
    ]
    blanks = (i for i, text in enumerate(texts) if len(text.split()) != 1 or text != text.strip())
    for i in blanks:
        texts[i] = _BLANK.sub(b"_", texts[i])
    lines = (texts[a:b] for a, b in pairwise(starts))
    return b"".join(b" ".join(line) + b"\n" for line in lines)


class TokensOnly:
    """In place of a Tagger: finds tokens and nothing else."""

    tasks = networks = ()
    longest_sentence = None

    def __init__(self, tokenizer):
        """tokenizer: a Tokenizer."""
        self.tokenizer = tokenizer

    def annotate(self, tokens, *_):
        """The Tokens, as what was found."""
        return SimpleNamespace(tokens=tokens)


class TokenFormat:
    """Prints batches as bytes; may be shared by threads."""

    splits_lines = True
    wants_places = False

    def header(self):
        """Nothing: every line is a sentence."""
        return b""

    def print(self, found):
        """Lines of the tokens of what TokensOnly found."""
        return token_lines(found.tokens)
