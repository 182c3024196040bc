"""Tokens and sentences only: a sentence per line, tokens between spaces, as LMs
read.
"""

import re
from itertools import pairwise

from senna_py.formats.base import Printer

_BLANK = re.compile(rb"\s")


def token_lines(tokens):
    """Lines of Tokens, as bytes; white space inside a token is an underscore."""
    texts, starts = [*tokens.texts()], tokens.starts.tolist()
    blanks = (
        i
        for i, text in enumerate(texts)
        if len(text.split()) != 1 or text != text.strip()
    )
    for i in blanks:
        texts[i] = _BLANK.sub(b"_", texts[i])
    lines = (texts[a:b] for a, b in pairwise(starts))
    return b"".join(b" ".join(line) + b"\n" for line in lines)


class TokenPrinter(Printer):
    """Prints tokens and sentences, and nothing that is found."""

    splits_lines = True

    @classmethod
    def tasks(cls, model, asked, predicates):
        return ()

    def print(self, found, place):
        return token_lines(found.tokens)
