"""Import of word vectors that other programs made."""

import re
from typing import NamedTuple

import numpy as np

from senna_py.errors import SennaError
from senna_py.models.embedding_formats.table import Embeddings
from senna_py.text.characters import fold_words

_KEYS = ("PADDING", "UNKNOWN")
# What other programs call words outside their dictionary.
_UNKNOWN = ("UNKNOWN", "<unk>", "<UNK>", "unk", "UNK", "*UNKNOWN*")
_OTHER_DIGIT = re.compile("[1-9]")


class ImportedVectors(NamedTuple):
    """Word vectors for a tagger's dictionary.

    Attributes:
        embeddings: PADDING, UNKNOWN, and the words in the form in which they are looked
            up.
        n_merged: The number of words that were left out because an earlier word has the
            same form.
        n_unusable: The number of words that were left out because no token can be like
            them: empty words and words with white space.
    """

    embeddings: Embeddings
    n_merged: int
    n_unusable: int


def import_vectors(
    embeddings: Embeddings, name: str = "the vectors"
) -> ImportedVectors:
    """Prepare word vectors that another program made for a tagger.

    Words are folded to the form in which they are looked up. Of words with the same
    form, the first is kept, because such files begin with the most frequent words. If
    PADDING has no vector, it gets zeros; UNKNOWN gets the mean of all vectors. Words
    without a token like them are left out (GloVe's 840B has `. . .` and addresses).

    A dictionary that already has PADDING, UNKNOWN and only folded words keeps its
    words, because they must not be folded twice (`50-50` becomes `00`, and that `0`).

    Args:
        embeddings: The word vectors.
        name: What they are, for messages.

    Raises:
        SennaError: If no word is usable.
    """
    usable = [i for i, word in enumerate(embeddings.words) if word.split() == [word]]
    if not usable:
        raise SennaError(f"{name}: every word is empty or has white space")
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
    # Folded words are lowercase, and have no digit but 0.
    are_folded = (
        row.keys() >= set(_KEYS)
        and not _OTHER_DIGIT.search("\n".join(names))
        and fold_words(names, numbers=False) == names
    )
    first: dict[str, int] = {}  # the first row of each form
    for i, form in zip(others, names if are_folded else fold_words(names), strict=True):
        first.setdefault(form, i)
    keys = np.array([padding, unknown], vectors.dtype)
    rows = np.concatenate([keys, vectors[list(first.values())]])
    return ImportedVectors(
        Embeddings([*_KEYS, *first], rows),
        n_merged=len(others) - len(first),
        n_unusable=len(embeddings.words) - len(usable),
    )
