"""Read and write word vectors in any of their file formats.

The formats are in `models/embedding_formats/`, and described in
`docs/train/word-vectors.md`.
"""

from collections.abc import Callable
from pathlib import Path

import numpy as np

from senna_py.errors import SennaError
from senna_py.io.file_errors import report_os_errors
from senna_py.io.files import AnyPath
from senna_py.io.streaming import decoding_errors
from senna_py.models.embedding_formats import npy, senna, trained, word2vec
from senna_py.models.embedding_formats.detection import detect_format
from senna_py.models.embedding_formats.table import Embeddings
from senna_py.models.shipped import shipped_or

_READERS: dict[str, Callable[[Path], Embeddings]] = {
    "word2vec": word2vec.read_word2vec,
    "word2vec-binary": word2vec.read_word2vec_binary,
    "glove": word2vec.read_glove,
    "npy": npy.read_npy_vectors,
    "senna": senna.read_senna_vectors,
    "checkpoint": trained.read_checkpoint_vectors,
    "model": trained.read_model_vectors,
}
_WRITERS: dict[str, Callable[[Path, Embeddings], None]] = {
    "word2vec": word2vec.write_word2vec,
    "word2vec-binary": word2vec.write_word2vec_binary,
    "glove": word2vec.write_glove,
    "npy": npy.write_npy_vectors,
    "senna": senna.write_senna_vectors,
}
FORMATS = tuple(_WRITERS)


def read_embeddings(path: AnyPath, format: str | None = None) -> Embeddings:
    """Read word vectors.

    Args:
        path: A file or a directory.
        format: One of FORMATS, `checkpoint` or `model`. By default it is detected.

    Returns:
        The words, and their vectors as float16 or float32. All numbers are finite.

    Raises:
        SennaError: If the file is damaged, or has no word vectors (such as a model of
            `lm train char`). The message names the file and the place.
    """
    path = shipped_or(path)
    try:
        with report_os_errors(path):
            embeddings = _READERS[format or detect_format(path)](path)
    except decoding_errors() as error:
        raise SennaError(f"{path}: damaged compressed file: {error}") from None
    vectors = embeddings.vectors
    if not vectors.shape[1]:
        raise SennaError(f"{path}: vectors of dimension 0")
    if vectors.dtype not in (np.float16, np.float32):
        with np.errstate(over="ignore"):  # overflow is reported below
            vectors = embeddings.vectors = vectors.astype(np.float32)
    if not np.isfinite(vectors).all():
        row = int(np.argmin(np.isfinite(vectors).all(1)))
        raise SennaError(
            f"{path}: the vector of {embeddings.words[row]!r} (number {row + 1:,}) is not finite, "
            "or beyond float32"
        )
    return embeddings


def without_unwritable(
    embeddings: Embeddings, top: int | None = None
) -> tuple[Embeddings, int]:
    """Return word vectors without the words that a file cannot hold.

    A file cannot hold empty words and words with white space.

    Args:
        embeddings: The word vectors.
        top: The maximum number of words to return; None for no limit.

    Returns:
        The word vectors, and the number of words that were skipped up to the last word
            of the result if it has `top` words, and otherwise of all words.
    """
    words = embeddings.words
    rows = [i for i, word in enumerate(words) if _is_writable(word)][:top]
    n_seen = rows[-1] + 1 if rows and len(rows) == top else len(words)
    written = Embeddings([words[i] for i in rows], embeddings.vectors[rows])
    return written, n_seen - len(rows)


def _is_writable(word: str) -> bool:
    return word.split() == [word]


def write_embeddings(path: AnyPath, embeddings: Embeddings, format: str) -> None:
    """Write word vectors to a file, which is replaced in one step.

    The formats `npy` and `senna` consist of two files.

    Args:
        path: The file, or the directory for the format `senna`.
        embeddings: The word vectors.
        format: One of FORMATS.

    Raises:
        SennaError: If the format cannot hold a word, or writing fails.
    """
    for number, word in enumerate(embeddings.words, 1):
        if not _is_writable(word):
            raise SennaError(
                f"{path}: word {number:,}, {word!r}, is empty or holds white space"
            )
    _WRITERS[format](Path(path), embeddings)


def files_of(path: AnyPath, format: str | None = None) -> list[Path]:
    """Return the paths of the files that hold the word vectors at `path`.

    Args:
        path: The file or directory.
        format: The format in which the vectors will be written. None means that they
            will be read, in a format that the file name determines.
    """
    path = Path(path)
    if format == "npy" or (format is None and path.suffix == ".npy"):
        return npy.npy_paths(path)
    return senna.senna_paths(path) if format == "senna" else [path]
