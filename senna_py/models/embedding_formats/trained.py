"""Read the word vectors of models and checkpoints.

A checkpoint is written by `senna-py vectors train`. A model is a file of tensors that
include `words` and `vectors`, or a directory with such a file.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from senna_py.errors import SennaError, counted
from senna_py.io.file_errors import prefix_errors
from senna_py.layers.lookup import ByteRows
from senna_py.models.checkpoint import CHECKPOINT, read_arrays
from senna_py.models.embedding_formats.table import Embeddings, decode, encode
from senna_py.models.tensors import read_tensors

MODEL_FILES = ("model.lm", "model.safetensors")  # names of model files in a directory
_MORPHEMES = ("morpheme_vectors", "word_morphemes", "morpheme_starts")


def read_checkpoint_vectors(path: Path) -> Embeddings:
    """Read the words and vectors of a checkpoint, which is a file or in a directory.

    Raises:
        SennaError: If the file is damaged, or is not the checkpoint of a language model.
    """
    file = path / CHECKPOINT if path.is_dir() else path
    header, arrays = read_arrays(file, ("words", "vectors"))
    if len(arrays) < 2:
        raise SennaError(
            f"{file}: no words and vectors: not a checkpoint of a language model"
        )
    try:
        scale = header["state"].get("scale", 1)
        if type(scale) not in (int, float) or not 0 < scale < 1e30:
            raise ValueError
    except (LookupError, TypeError, ValueError, AttributeError):
        raise SennaError(f"{file}: damaged: no scale of its vectors") from None
    words, vectors = decode(arrays["words"].tobytes()).split("\n"), arrays["vectors"]
    if vectors.dtype != np.float32 or vectors.ndim != 2 or len(vectors) != len(words):
        actual = f"{vectors.dtype}{list(vectors.shape)}"
        raise SennaError(
            f"{file}: damaged: vectors are {actual}, for {counted(len(words), 'word')}"
        )
    with np.errstate(over="ignore"):  # `read_embeddings` refuses infinite numbers
        return Embeddings(words, vectors * np.float32(scale))


def words_in_checkpoint(words: Sequence[str]) -> NDArray[np.uint8]:
    """Return words as a checkpoint stores them, joined by newlines: uint8[n_bytes]."""
    return np.frombuffer(encode("\n".join(words)), np.uint8).copy()


def read_model_vectors(path: Path) -> Embeddings:
    """Read the words and vectors of a model, which is a file or in a directory.

    In models with morphemes, the vectors of a word's morphemes are added to its vector.

    Raises:
        SennaError: If the model is damaged or has no word vectors.
    """
    file = next(filter(Path.exists, map(path.joinpath, MODEL_FILES)), path)
    metadata, tensors = read_tensors(file)
    if metadata.get("kind") == "lstm" and metadata.get("input") == "char":
        raise SennaError(
            f"{file}: reads words as characters and keeps no vectors of them: see "
            "`senna-py vectors print`, `neighbors --from lm`"
        )
    if not {"words", "vectors"} <= set(tensors):
        raise SennaError(f"{file}: no words and vectors")
    word_lines, vectors = tensors["words"], tensors["vectors"]
    if word_lines.dtype != np.uint8 or word_lines.ndim != 1:
        actual = f"{word_lines.dtype}{list(word_lines.shape)}"
        raise SennaError(f"{file}: words are {actual}, expected bytes")
    words = decode(word_lines.tobytes()).split("\n")[:-1]
    if vectors.dtype == np.int8 and "vector_scales" in tensors:
        with prefix_errors(f"{file}: vector_scales"):
            vectors = ByteRows(vectors, tensors["vector_scales"]).checked().dense()
    if vectors.ndim != 2 or vectors.dtype.kind != "f" or len(vectors) < len(words):
        actual = f"{vectors.dtype}{list(vectors.shape)}"
        raise SennaError(f"{file}: vectors are {actual}, for {len(words):,} words")
    vectors = vectors[: len(words)]  # the next row is for the beginning of a text
    if "morpheme_vectors" in tensors:
        vectors = _with_morphemes(file, vectors, tensors)
    return Embeddings(words, vectors)


def _with_morphemes(
    file: Path, vectors: NDArray[Any], tensors: Mapping[str, NDArray[Any]]
) -> NDArray[np.float32]:
    """Return the sum of each word's vector and the vectors of its morphemes.

    vectors: float[n_words, dim].
    tensors: The arrays of a model that `train morph` wrote.
    """
    if missing := [name for name in _MORPHEMES if name not in tensors]:
        raise SennaError(f"{file}: damaged morphemes: {missing[0]} is missing")
    morpheme_vectors, morphemes, starts = (tensors[name] for name in _MORPHEMES)
    if (
        morpheme_vectors.ndim != 2
        or morpheme_vectors.dtype.kind != "f"
        or morpheme_vectors.shape[1] != vectors.shape[1]
        or morphemes.dtype != np.int32
        or morphemes.ndim != 1
        or starts.dtype != np.int32
        or starts.shape != (len(vectors) + 1,)
        or starts[0] != 0
        or starts[-1] != len(morphemes)
        or (np.diff(starts) < 0).any()
        or not ((morphemes >= 0) & (morphemes < len(morpheme_vectors))).all()
    ):
        raise SennaError(f"{file}: damaged morphemes: they do not fit the words")
    sums = vectors.astype(np.float32)
    word = np.repeat(np.arange(len(sums)), np.diff(starts))
    with np.errstate(over="ignore"):  # `read_embeddings` refuses infinite numbers
        np.add.at(sums, word, morpheme_vectors[morphemes])
    return sums
