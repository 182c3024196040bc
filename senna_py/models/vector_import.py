"""Import of word vectors that other programs made."""

import re

import numpy as np

from senna_py.errors import SennaError
from senna_py.models.embeddings import Embeddings
from senna_py.text.characters import fold_words

_KEYS = ("PADDING", "UNKNOWN")
# Names of other programs for words outside their dictionary.
_UNKNOWN = ("UNKNOWN", "<unk>", "<UNK>", "unk", "UNK", "*UNKNOWN*")
_OTHER_DIGIT = re.compile("[1-9]")


def import_vectors(
    embeddings: Embeddings, name: str = "the vectors"
) -> tuple[Embeddings, int, int]:
    """Embeddings with words in look-up form after PADDING and UNKNOWN, and two counts.

    A dictionary that already has PADDING, UNKNOWN and only look-up forms keeps its
    words: they must not be folded twice (`50-50` becomes `00`, and that `0`).
    Otherwise, of words that fold to the same form the first is kept, as such files
    begin with the most frequent words. Empty words and words with white space are left
    out (GloVe's 840B has `. . .` and addresses): no token is like them. If they have no
    vector, PADDING becomes zero and UNKNOWN the mean of all vectors. The counts are of
    words left out because an earlier one has their form, and because no token is like
    them. Raises SennaError, with `name`, if no word is usable.
    """
    usable = [i for i, word in enumerate(embeddings.words) if word.split() == [word]]
    if not usable:
        raise SennaError(f"{name}: no word is without white space")
    words, vectors = [embeddings.words[i] for i in usable], embeddings.vectors[usable]
    row: dict[str, int] = {}
    for i, word in enumerate(words):
        row.setdefault(word, i)
    padding = vectors[row["PADDING"]] if "PADDING" in row else np.zeros_like(vectors[0])
    known = next((name for name in _UNKNOWN if name in row), None)
    unknown = (
        vectors.mean(0, dtype=np.float64) if known is None else vectors[row[known]]
    )
    others = [i for i, word in enumerate(words) if word not in _KEYS and word != known]
    names = [words[i] for i in others]
    # Whether all words are lower case already, with no digit but 0.
    folded = row.keys() >= set(_KEYS) and not _OTHER_DIGIT.search("\n".join(names))
    folded = folded and fold_words(names, numbers=False) == names
    first: dict[str, int] = {}
    for i, form in zip(others, names if folded else fold_words(names), strict=True):
        first.setdefault(form, i)
    kept = vectors[list(first.values())]
    keys = np.array([padding, unknown], vectors.dtype)
    imported = Embeddings([*_KEYS, *first], np.concatenate([keys, kept]))
    return imported, len(others) - len(first), len(embeddings.words) - len(usable)
