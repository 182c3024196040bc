"""Others' vectors made fit for our dictionaries."""

import numpy as np

from senna_py.errors import SennaError
from senna_py.formats.embeddings import Embeddings
from senna_py.text.folding import fold_words

__all__ = ["adopt"]

_KEYS = ("PADDING", "UNKNOWN")
# How others name what stands for words outside their dictionary.
_UNKNOWN = ("UNKNOWN", "<unk>", "<UNK>", "unk", "UNK", "*UNKNOWN*")


def adopt(embeddings):
    """Embeddings with words in look-up form, led by PADDING and UNKNOWN.

    Of words that fold to the same form the first is kept: these files begin with the most frequent
    words. Empty words and words with white space (GloVe's 840B has both `. . .` and addresses) are
    left out, as no token looks like them. Without a vector of their own, PADDING is zero and
    UNKNOWN the mean of all.
    """
    usable = [i for i, word in enumerate(embeddings.words) if word.split() == [word]]
    if not usable:
        raise SennaError("no word of the vectors is without white space")
    words, vectors = [embeddings.words[i] for i in usable], embeddings.vectors[usable]
    row = {}
    for i, word in enumerate(words):
        row.setdefault(word, i)
    padding = vectors[row["PADDING"]] if "PADDING" in row else np.zeros_like(vectors[0])
    known = next((name for name in _UNKNOWN if name in row), None)
    unknown = vectors.mean(0, dtype=np.float64) if known is None else vectors[row[known]]
    first = {}
    for i, form in enumerate(fold_words(words)):
        if words[i] not in _KEYS and words[i] != known:
            first.setdefault(form, i)
    kept = vectors[list(first.values())]
    keys = np.array([padding, unknown], vectors.dtype)
    return Embeddings([*_KEYS, *first], np.concatenate([keys, kept]))
