"""Convert word vectors of other programs for use in a tagger."""

import re
from typing import NamedTuple

import numpy as np

from senna_py.errors import SennaError
from senna_py.models.embedding_formats.table import Embeddings
from senna_py.text.characters import fold_words

_KEYS = ("PADDING", "UNKNOWN")
# The keys that other programs use for unknown words.
_UNKNOWN = ("UNKNOWN", "<unk>", "<UNK>", "unk", "UNK", "*UNKNOWN*")
_OTHER_DIGIT = re.compile("[1-9]")


class ImportedVectors(NamedTuple):
    """Word vectors for a tagger's dictionary.

    Attributes:
        embeddings: The vectors of PADDING, UNKNOWN, and the words in their look-up
            forms.
        n_merged: The number of words that were left out because an earlier word has the
            same look-up form.
        n_unusable: The number of words that were left out because no token equals them:
            empty words and words with white space.
    """

    embeddings: Embeddings
    n_merged: int
    n_unusable: int


def import_vectors(
    embeddings: Embeddings, name: str = "the vectors"
) -> ImportedVectors:
    """Return word vectors of another program in the form that a tagger needs.

    Words are folded to their look-up forms. Of several words with the same form, the
    first is kept, because such files usually begin with the most frequent words. If the
    vectors lack PADDING, its vector is zero; if they lack a key for unknown words, the
    vector of UNKNOWN is the mean of all vectors. Words that no token equals are left
    out (GloVe's 840B vectors have `. . .` and addresses with spaces).

    If a dictionary already has PADDING, UNKNOWN and only folded words, its words do not
    change, because they must not be folded twice (`50-50` becomes `00`, and then `0`).

    Args:
        embeddings: The word vectors.
        name: The name of the vectors, for messages.

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
    # Folded words are in lower case, and have no digit but 0.
    are_folded = (
        row.keys() >= set(_KEYS)
        and not _OTHER_DIGIT.search("\n".join(names))
        and fold_words(names, numbers=False) == names
    )
    first: dict[str, int] = {}  # the first row with each look-up form
    for i, form in zip(others, names if are_folded else fold_words(names), strict=True):
        first.setdefault(form, i)
    keys = np.array([padding, unknown], vectors.dtype)
    rows = np.concatenate([keys, vectors[list(first.values())]])
    return ImportedVectors(
        Embeddings([*_KEYS, *first], rows),
        n_merged=len(others) - len(first),
        n_unusable=len(embeddings.words) - len(usable),
    )
