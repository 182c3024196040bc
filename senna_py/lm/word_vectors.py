"""Word vectors of files of any kind, language models among them."""

import numpy as np

from senna_py.errors import SennaError
from senna_py.models.embeddings import Embeddings, read_embeddings, words_and_vectors


def read_vectors(path, form=None):
    """Embeddings at `path`, as `read_embeddings` gives them, but for language models.

    Those of `train morph` add the vectors of morphemes to those of words; those of `train char`
    have none: raises SennaError, as for whatever is malformed.
    """
    return read_embeddings(path, form, _of_model)


def _of_model(file, metadata, tensors):
    if metadata.get("kind") == "lstm" and metadata.get("input") == "char":
        raise SennaError(
            f"{file}: reads words as characters and keeps no vectors of them: see "
            "`senna-py vectors print`, `neighbors --from lm`"
        )
    found = words_and_vectors(file, tensors)
    if "morpheme_vectors" not in tensors:
        return found
    return Embeddings(found.words, _with_morphemes(file, found.vectors, tensors))


def _with_morphemes(file, vectors, tensors):
    """Vectors with those of the words' morphemes added: what a model of `train morph` reads."""
    names = ("morpheme_vectors", "word_morphemes", "morpheme_starts")
    if missing := [name for name in names if name not in tensors]:
        raise SennaError(f"{file}: damaged morphemes: {missing[0]} is missing")
    of_morphemes, morphemes, starts = (tensors[name] for name in names)
    if (
        of_morphemes.ndim != 2 or of_morphemes.dtype.kind != "f"
        or of_morphemes.shape[1] != vectors.shape[1]
        or morphemes.dtype != np.int32 or morphemes.ndim != 1
        or starts.dtype != np.int32 or starts.shape != (len(vectors) + 1,)
        or starts[0] != 0 or starts[-1] != len(morphemes) or (np.diff(starts) < 0).any()
        or not ((morphemes >= 0) & (morphemes < len(of_morphemes))).all()
    ):  # fmt: skip
        raise SennaError(f"{file}: damaged morphemes: they do not fit the words")
    out = vectors.astype(np.float32)
    owner = np.repeat(np.arange(len(out)), np.diff(starts))
    with np.errstate(over="ignore"):  # sums are checked like other vectors
        np.add.at(out, owner, of_morphemes[morphemes])
    return out
