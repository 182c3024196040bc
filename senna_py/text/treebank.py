"""Words of raw English text in the manner of the Penn Treebank.

Every token is a span of the raw text: nothing is rewritten, dropped or doubled. Kernels
find them; what they split and keep comes from the lists beside this file.
`tests/helpers/naive_treebank.py` does the same with one regular expression. Three
choices, made by what the labeled sets contain (`docs/train/word-vectors.md`):

- quotes stay `"`, brackets stay brackets: the web, mail and news sets have them so;
  only text taken from the Treebank itself has ``, '' and -LRB-, for which see
  `treebank_spelling`;
- words joined by a hyphen stay whole, as in the Treebank, or are split as in UD English
  EWT and GUM, where prefixes (`non-Arab`), telephone numbers, names of files and hosts
  stay whole;
- a slash splits words (`his / her`) and joins numbers (`1/2`, `9/11`).
"""

import re

import numpy as np

from senna_py.kernels.text import treebank as kernels
from senna_py.labels.brackets import BRACKETS
from senna_py.text.characters import CLASS, cover_characters
from senna_py.text.known_texts import known_texts


def treebank_ranges(data, split_hyphens=False, own=()):
    """Bytes of the Treebank tokens of `data`, in which a newline parts whatever is
    around it.

    split_hyphens: whether words joined by one are apart, as UD English has them; own:
    more abbreviations, str. Returns begin, end: int32[n_tokens]. A byte outside UTF-8
    is a token.
    """
    cover_characters(data)
    raw = np.frombuffer(b"\n%b\n" % data, np.uint8)
    kind = np.empty(len(raw), np.uint8)
    kernels.characters(raw, CLASS, kind)
    begin, end = np.empty(len(raw), np.int32), np.empty(len(raw), np.int32)
    n_tokens = kernels.find_tokens(
        raw, kind, known_texts(own), split_hyphens, begin, end
    )
    return begin[:n_tokens] - np.int32(1), end[:n_tokens] - np.int32(1)


def tokenize(text, split_hyphens=False):
    """Tokens of `text` as a list of str; no token depends on what is in another
    line.
    """
    data = text.encode("utf-8", "surrogateescape")
    begin, end = treebank_ranges(data, split_hyphens)
    return [
        data[i:j].decode("utf-8", "surrogateescape")
        for i, j in zip(begin.tolist(), end.tolist(), strict=True)
    ]


_FRACTION = re.compile(r"(?<=\d)/(?=\d)")


def treebank_spelling(tokens):
    """The same tokens with the Treebank's own forms of brackets, double quotes and
    fractions.

    Quotes alternate between opening `` and closing '' from the start of `tokens`: a
    list of str.
    """
    out = [BRACKETS.get(token, token) for token in tokens]
    marks = ("``", "''")
    for i, k in enumerate(k for k, token in enumerate(out) if token == '"'):
        out[k] = marks[i % 2]
    return [_FRACTION.sub(r"\\/", token) if "/" in token else token for token in out]
