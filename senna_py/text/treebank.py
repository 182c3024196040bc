"""The English tokenizer, in the style of the Penn Treebank.

Every token is a span of the raw text: nothing is rewritten, dropped or repeated.
Kernels find the tokens, with word lists from files beside this module.
`tests/helpers/naive_treebank.py` does the same with one regular expression. Three
choices follow from the labeled data (`docs/train/word-vectors.md`):

- Quotes stay `"` and brackets stay brackets, as in the web, mail and news data. Only
  text from the Treebank itself has ``, '' and -LRB-; `treebank_spelling` converts to
  them.
- Words with hyphens stay whole, as in the Treebank, or are split as in UD English EWT
  and GUM, in which prefixes (`non-Arab`), telephone numbers, file names and host names
  stay whole.
- A slash splits words (`his / her`) and joins numbers (`1/2`, `9/11`).
"""

from __future__ import annotations

import re
from itertools import cycle
from typing import TYPE_CHECKING

import numpy as np

from senna_py.kernels.text.characters import characters
from senna_py.kernels.text.treebank import find_tokens
from senna_py.labels.brackets import BRACKETS
from senna_py.text.characters import CLASS, cover_characters
from senna_py.text.known_texts import known_texts

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray


def treebank_ranges(
    data: bytes, split_hyphens: bool = False, abbreviations: tuple[str, ...] = ()
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return the first byte of each token and the byte after it: two int32[n_tokens].

    Args:
        data: The text. Tokens do not depend on other lines. A byte that is not valid
            UTF-8 is a token.
        split_hyphens: Whether to split words at hyphens, as in UD English.
        abbreviations: Additional abbreviations, without final periods.
    """
    cover_characters(data)
    raw = np.frombuffer(b"\n%b\n" % data, np.uint8)
    classes = np.empty(len(raw), np.uint8)
    characters(raw, CLASS, classes)
    begin = np.empty(len(raw), np.int32)
    end = np.empty(len(raw), np.int32)
    trie = known_texts(abbreviations)
    n_tokens = find_tokens(raw, classes, trie, split_hyphens, begin, end)
    return begin[:n_tokens] - np.int32(1), end[:n_tokens] - np.int32(1)


def tokenize(text: str, split_hyphens: bool = False) -> list[str]:
    """Return the tokens of a text; they do not depend on other lines.

    Args:
        text: The text.
        split_hyphens: Whether to split words at hyphens, as in UD English.
    """
    data = text.encode("utf-8", "surrogateescape")
    begin, end = treebank_ranges(data, split_hyphens)
    return [
        data[i:j].decode("utf-8", "surrogateescape")
        for i, j in zip(begin.tolist(), end.tolist(), strict=True)
    ]


_FRACTION = re.compile(r"(?<=\d)/(?=\d)")


def treebank_spelling(tokens: Iterable[str]) -> list[str]:
    """Return tokens with the Treebank's escapes for brackets, quotes and fractions.

    Double quotes alternate between `` and '', beginning with ``.
    """
    marks = cycle(("``", "''"))
    escaped = [
        next(marks) if token == '"' else BRACKETS.get(token, token) for token in tokens
    ]
    return [_FRACTION.sub(r"\\/", token) for token in escaped]
