"""Word vectors in files: word2vec text and binary, GloVe, NumPy, SENNA's layout,
checkpoints.

docs/train/word-vectors.md has a table of the formats. A row of `word2vec-binary` is a
word, a space, float32 values and a newline; `npy` may have any float type. Two more are
only read: `checkpoint`, what `senna-py vectors train` leaves, and `model`, tensors
`words` and `vectors` or a directory with a `model.lm`. Those of word2vec and GloVe may
be compressed (`.gz`, `.xz`, `.bz2`).
"""

import codecs
import hashlib
import re
from collections.abc import Callable, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from io import BufferedReader
from pathlib import Path
from typing import Any

import numpy as np

from senna_py.errors import SennaError, counted
from senna_py.io import streaming
from senna_py.io.file_errors import prefix_errors, report_os_errors
from senna_py.io.files import AnyPath, replace_file, replace_files
from senna_py.io.numbers import floats_of, int_of
from senna_py.layers.lookup import ByteRows
from senna_py.models.checkpoint import CHECKPOINT, read_arrays, read_npy
from senna_py.models.shipped import shipped_or
from senna_py.models.tensors import read_tensors

_MODELS = ("model.lm", "model.safetensors")  # of a run; what a directory has
_ARPA = re.compile(rb"^\s*\\data\\\s*$", re.MULTILINE)  # where n-gram models begin
_HEAD = 1 << 12
FASTTEXT = b"\xba\x16\x4f\x2f"  # how its models begin
_ENDINGS = re.compile(r"\.(bin|ftz)(\.\w+)?$")
_OF_TEXT = ".txt", ".vec"
_CONTROL = re.compile(
    rb"[\x00-\x08\x0e-\x1f\x7f]"
)  # which four bytes of a number often have
_USUAL = b":;<=>?@A"  # with which numbers of 0.0005 to 32 end
_WORDS = ("hash", "words.lst")
_VECTORS = ("embeddings", "embeddings.txt")
_WORDS_MARK = (
    "# words: sha256 "  # of the comment in a header that tells which words belong to it
)


@dataclass
class Embeddings:
    """words: list of str; vectors: float32[n_words, dim], or float16 as it was
    stored.
    """

    words: list
    vectors: np.ndarray


def read_embeddings(path: AnyPath, form: str | None = None) -> Embeddings:
    """Embeddings at `path`, in one of FORMATS or a checkpoint; None finds out which.

    Those of language models of `train morph` add the vectors of morphemes to those of
    words. Raises SennaError naming the file and the place of whatever is malformed, and
    for models of `train char`, which keep no vectors of words.
    """
    path = shipped_or(path)
    try:
        with report_os_errors(path):
            form = form or _guess(path)
            if form == "model":
                file = next(filter(Path.exists, map(path.joinpath, _MODELS)), path)
                embeddings = _of_tensors(file, *read_tensors(file))
            else:
                embeddings = _READERS[form](path)
    except streaming.decoding_errors() as error:
        raise SennaError(f"{path}: damaged compressed file: {error}") from None
    if not embeddings.vectors.shape[1]:
        raise SennaError(f"{path}: vectors of dimension 0")
    if embeddings.vectors.dtype not in (np.float16, np.float32):
        with np.errstate(over="ignore"):  # see below
            embeddings.vectors = embeddings.vectors.astype(np.float32)
    if not np.isfinite(embeddings.vectors).all():
        row = int(np.argmin(np.isfinite(embeddings.vectors).all(1)))
        raise SennaError(
            f"{path}: the vector of {embeddings.words[row]!r} (number {row + 1:,}) is not finite, "
            "or beyond float32"
        )
    return embeddings


def without_unwritable(
    embeddings: Embeddings, top: int | None = None
) -> tuple[Embeddings, Any]:
    """Embeddings without the words that no file can hold, and how many were left out.

    Those are empty words and words with white space. top: only so many first words that
    can be held; others behind them are not counted.
    """
    words = embeddings.words
    kept = [i for i, word in enumerate(words) if word.split() == [word]][:top]
    n_seen = kept[-1] + 1 if kept and len(kept) == top else len(words)
    return Embeddings([words[i] for i in kept], embeddings.vectors[kept]), n_seen - len(
        kept
    )


def write_embeddings(path: AnyPath, embeddings: Embeddings, form: str) -> None:
    """Write Embeddings to `path` in one of FORMATS; each file is replaced in one step.

    Raises SennaError for a word that the format cannot hold, and if writing fails.
    """
    for number, word in enumerate(embeddings.words, 1):
        if not word or word.split() != [word]:
            raise SennaError(
                f"{path}: word {number:,}, {word!r}, is empty or holds white space"
            )
    _WRITERS[form](Path(path), embeddings)


def files_of(path: AnyPath, form: str | None = None) -> list[Path]:
    """The files of embeddings at `path`: all that may be read, or those of a form to be
    written.
    """
    place = Path(path)
    if form == "npy" or (form is None and place.suffix == ".npy"):
        place = _npy_path(place)
        return [place, place.with_suffix(".words")]
    return (
        [place.joinpath(*_WORDS), place.joinpath(*_VECTORS)]
        if form == "senna"
        else [place]
    )


def _npy_path(path):
    return path if path.suffix == ".npy" else path.with_name(f"{path.name}.npy")


def _guess(path):
    if path.suffix == ".lm" or any((path / name).exists() for name in _MODELS):
        return "model"
    if path.is_dir():
        return "checkpoint" if (path / CHECKPOINT).exists() else "senna"
    by_suffix = {".npz": "checkpoint", ".npy": "npy", ".bin": "word2vec-binary"}
    compressed = path.suffix.lower() in streaming.COMPRESSED
    suffix = path.with_suffix("").suffix if compressed else path.suffix
    if suffix in by_suffix:
        if compressed and suffix != ".bin":
            raise SennaError(
                f"{path}: compressed, as arrays are not read; decompress it first"
            )
        return by_suffix[suffix]
    if _holds_tensors(path):
        return "model"
    with _open(path) as file:
        lines = _lines(path, file)
        first, line = next(lines, b""), next(lines, b"")
        more = file.read(_HEAD)
    sizes = _sizes(path, first)
    if sizes is None:
        if len(first.split()) == 2 < len(line.split()):
            raise SennaError(
                f"{path}: line 1: {_decode(first.strip())!r}, expected the number of words and of "
                "dimensions, or a word and as many numbers as in line 2"
            )
        return "glove"
    try:
        is_text = 0 < len(floats_of(line.split()[1:])) <= sizes[1]
    except ValueError:
        is_text = False
    # What has no numbers may be text all the same, whose reader says so.
    is_text = is_text or suffix in _OF_TEXT or _is_text(line + more, sizes[1])
    return "word2vec" if is_text else "word2vec-binary"


def _is_text(data: bytes, dim: int) -> bool:
    """Return whether what follows the sizes has characters only, and none of usual
    numbers.
    """
    head, last = (
        data[:_HEAD],
        data.partition(b" ")[2][3 : 4 * dim : 4],
    )  # bytes of the numbers
    if last and not last.strip(_USUAL):
        return False
    try:
        codecs.getincrementaldecoder("utf-8")().decode(head, final=len(data) <= _HEAD)
    except UnicodeDecodeError:
        return False
    return not _CONTROL.search(head)


def _holds_tensors(path):
    """Whether a file has `models.tensors`, not text; raises SennaError if it is an ARPA
    file.
    """
    with _open(path) as file:
        head = file.read(_HEAD)
    if _ARPA.search(head):
        raise SennaError(
            f"{path}: an n-gram model in the ARPA format, which has no vectors"
        )
    return head[3:9] == b"\0\0\0\0\0{"


@contextmanager
def _open(path):
    """Open a file for reading bytes, decompressed if its name says that it is
    compressed.
    """
    with streaming.Source(path, None) as source:
        file = BufferedReader(source.file)
        head = file.peek(4)
        if head.startswith(FASTTEXT):
            text = _ENDINGS.sub("", str(path)) + ".vec"
            raise SennaError(
                f"{path}: a fastText model, which has its vectors as text in {text}"
            )
        if head.startswith(codecs.BOM_UTF8):
            file.read(3)
        yield file


def _lines(path, file):
    while line := file.readline(streaming.LONGEST_LINE + 1):
        streaming.check_line(path, len(line))
        yield line


def _sizes(path, line):
    """The two sizes of a first line of word2vec, or None; raises SennaError for endless
    numbers.
    """
    fields = line.split()
    if len(fields) != 2 or not all(field.isdigit() for field in fields):
        return None
    try:
        return int_of(fields[0]), int_of(fields[1])
    except ValueError:
        longest = max(map(len, fields))
        raise SennaError(f"{path}: line 1: a number of {longest:,} digits") from None


def _decode(data):
    return data.decode("utf-8", "surrogateescape")


def _encode(text):
    return text.encode("utf-8", "surrogateescape")


def _header(path, line):
    sizes = _sizes(path, line)
    if sizes is None or not all(sizes):
        raise SennaError(
            f"{path}: line 1: expected the number of words and of dimensions"
        )
    return sizes


def _numbers(path, number, fields):
    try:
        with np.errstate(
            over="ignore"
        ):  # it becomes infinite, which is an error of its own
            return np.array(floats_of(fields), np.float32)
    except ValueError:
        raise SennaError(
            f"{path}: line {number:,}: not a number among the values"
        ) from None


def _read_rows(path, lines, dim, first):
    """Embeddings of lines that hold a word and `dim` numbers; `first`: the first line's
    number.

    dim None: the first line tells. A word may hold spaces: the last `dim` fields are
    the numbers.
    """
    words, rows = [], []
    for number, line in enumerate((line.rstrip(b"\r\n ") for line in lines), first):
        if dim is None:
            dim = max(len(line.split(b" ")) - 1, 1)
        word, *fields = line.rsplit(b" ", dim)
        if len(fields) != dim:
            raise SennaError(
                f"{path}: line {number:,}: {len(fields)} numbers after a word, expected {dim}"
            )
        words.append(_decode(word))
        rows.append(_numbers(path, number, fields))
    if not words:
        raise SennaError(f"{path}: no vectors")
    return Embeddings(words, np.array(rows))


def _read_word2vec(path):
    with _open(path) as file:
        n_words, dim = _header(path, file.readline(_HEAD))
        embeddings = _read_rows(path, _lines(path, file), dim, 2)
    if len(embeddings.words) != n_words:
        raise SennaError(
            f"{path}: {len(embeddings.words):,} words, line 1 says {n_words:,}"
        )
    return embeddings


def _read_glove(path):
    with _open(path) as file:
        return _read_rows(path, _lines(path, file), None, 1)


def _read_word2vec_binary(path):
    with _open(path) as file:
        data = file.read()
    n_words, dim = _header(path, data[: data.find(b"\n") + 1])
    position, words, rows = data.find(b"\n") + 1, [], []
    for number in range(n_words):
        space = data.find(b" ", position)
        if space < 0 or len(data) < space + 1 + 4 * dim:
            raise SennaError(
                f"{path}: the file ends in word {number + 1:,}, at byte {position:,}; "
                f"line 1 says {n_words:,} words of {dim} dimensions"
            )
        # Some writers end a vector with a newline, others do not.
        words.append(_decode(data[position:space].lstrip(b"\n")))
        rows.append(np.frombuffer(data, "<f4", dim, space + 1))
        position = space + 1 + 4 * dim
    if data[position:].strip(b"\n"):
        raise SennaError(f"{path}: {len(data) - position:,} bytes follow the last word")
    return Embeddings(words, np.array(rows))


def _read_npy(path):
    words_path = path.with_suffix(".words")
    with open(path, "rb") as file:
        size = file.seek(0, 2)
        file.seek(0)
        if file.read(2) == b"PK":
            raise SennaError(f"{path}: an archive of arrays, expected one array")
        file.seek(0)
        try:
            vectors = read_npy(file, size)
        except (ValueError, EOFError, TypeError):
            raise SennaError(f"{path}: not a NumPy array, or damaged") from None
    if vectors.ndim != 2 or vectors.dtype.kind != "f":
        found = f"{vectors.dtype}{list(vectors.shape)}"
        raise SennaError(f"{path}: {found}, expected floats of two dimensions")
    words = _read_lines(words_path)
    if len(words) != len(vectors):
        raise SennaError(
            f"{words_path}: {len(words):,} words, but {path} has {len(vectors):,} vectors"
        )
    if _stored_digest(path) not in (None, _digest(words)):
        raise SennaError(f"{words_path}: not the words that {path} was written with")
    return Embeddings(words, vectors)


def _read_lines(path):
    with streaming.Source(path) as source:
        return [
            _decode(line.removesuffix(b"\r")) for line in streaming.read_lines(source)
        ]


def _read_senna(path):
    words = [word.strip() for word in _read_lines(path.joinpath(*_WORDS))]
    vectors_path = path.joinpath(*_VECTORS)
    rows = []
    with open(vectors_path, "rb") as file:
        for number, line in enumerate(file, 1):
            rows.append(_numbers(vectors_path, number, line.split()))
            if len(rows[-1]) != len(rows[0]) or not len(rows[0]):
                raise SennaError(
                    f"{vectors_path}: line {number:,}: {len(rows[-1])} numbers, "
                    f"expected {len(rows[0]) or 'some'}"
                )
    if len(rows) != len(words):
        raise SennaError(
            f"{vectors_path}: {len(rows):,} vectors for {len(words):,} words in "
            f"{path.joinpath(*_WORDS)}"
        )
    return Embeddings(words, np.array(rows))


def _read_checkpoint(path):
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
    words, vectors = _decode(arrays["words"].tobytes()).split("\n"), arrays["vectors"]
    if vectors.dtype != np.float32 or vectors.ndim != 2 or len(vectors) != len(words):
        found = f"{vectors.dtype}{list(vectors.shape)}"
        raise SennaError(
            f"{file}: damaged: vectors are {found}, for {counted(len(words), 'word')}"
        )
    with np.errstate(over="ignore"):  # see `read_embeddings`
        return Embeddings(words, vectors * np.float32(scale))


def words_in_checkpoint(words: Sequence[str]) -> np.ndarray:
    """Words, a list of str, as the array `words` of a checkpoint: uint8[n]."""
    return np.frombuffer(_encode("\n".join(words)), np.uint8).copy()


def _of_tensors(file, metadata, tensors):
    """Embeddings of the tensors `words` and `vectors` of a model, and of those of
    morphemes.
    """
    if metadata.get("kind") == "lstm" and metadata.get("input") == "char":
        raise SennaError(
            f"{file}: reads words as characters and keeps no vectors of them: see "
            "`senna-py vectors print`, `neighbors --from lm`"
        )
    if not {"words", "vectors"} <= set(tensors):
        raise SennaError(f"{file}: no words and vectors")
    listed, vectors = tensors["words"], tensors["vectors"]
    if listed.dtype != np.uint8 or listed.ndim != 1:
        raise SennaError(
            f"{file}: words are {listed.dtype}{list(listed.shape)}, expected bytes"
        )
    words = _decode(listed.tobytes()).split("\n")[:-1]
    if vectors.dtype == np.int8 and "vector_scales" in tensors:
        with prefix_errors(f"{file}: vector_scales"):
            vectors = ByteRows(vectors, tensors["vector_scales"]).checked().dense()
    if vectors.ndim != 2 or vectors.dtype.kind != "f" or len(vectors) < len(words):
        found = f"{vectors.dtype}{list(vectors.shape)}"
        raise SennaError(f"{file}: vectors are {found}, for {len(words):,} words")
    vectors = vectors[: len(words)]  # without what stands before the beginning
    if "morpheme_vectors" in tensors:
        vectors = _with_morphemes(file, vectors, tensors)
    return Embeddings(words, vectors)


def _with_morphemes(file, vectors, tensors):
    """Vectors with those of the words' morphemes added: what a model of `train morph`
    reads.
    """
    names = ("morpheme_vectors", "word_morphemes", "morpheme_starts")
    if missing := [name for name in names if name not in tensors]:
        raise SennaError(f"{file}: damaged morphemes: {missing[0]} is missing")
    of_morphemes, morphemes, starts = (tensors[name] for name in names)
    if (
        of_morphemes.ndim != 2
        or of_morphemes.dtype.kind != "f"
        or of_morphemes.shape[1] != vectors.shape[1]
        or morphemes.dtype != np.int32
        or morphemes.ndim != 1
        or starts.dtype != np.int32
        or starts.shape != (len(vectors) + 1,)
        or starts[0] != 0
        or starts[-1] != len(morphemes)
        or (np.diff(starts) < 0).any()
        or not ((morphemes >= 0) & (morphemes < len(of_morphemes))).all()
    ):
        raise SennaError(f"{file}: damaged morphemes: they do not fit the words")
    out = vectors.astype(np.float32)
    owner = np.repeat(np.arange(len(out)), np.diff(starts))
    with np.errstate(over="ignore"):  # sums are checked like other vectors
        np.add.at(out, owner, of_morphemes[morphemes])
    return out


def _as_text(row):
    return " ".join(row.astype(str).tolist()).encode()


def _as_bytes(row):
    return row.astype("<f4").tobytes()


def _write_rows(path, embeddings, form, has_sizes):
    """Write a line per word, with its vector as `form` has it, behind a line of both
    sizes.
    """

    def write(file):
        if has_sizes:
            file.write(b"%d %d\n" % embeddings.vectors.shape)
        for word, row in zip(embeddings.words, embeddings.vectors, strict=True):
            file.write(b"%b %b\n" % (_encode(word), form(row)))

    replace_file(path, write)


def _write_npy(path, embeddings):
    path = _npy_path(path)
    words = _encode("".join(f"{word}\n" for word in embeddings.words))
    vectors = np.ascontiguousarray(embeddings.vectors)

    def write(file):
        file.write(_npy_header(vectors, _digest(embeddings.words)))
        file.write(vectors.data)

    replace_files(
        {path: write, path.with_suffix(".words"): lambda file: file.write(words)}
    )


def _digest(words: Sequence[str]) -> str:
    """Return a digest of words, by which a file of vectors tells which belong to it."""
    return hashlib.sha256(_encode("\n".join(words))).hexdigest()


def _npy_header(vectors: np.ndarray, digest: str) -> bytes:
    """Return the header of a `.npy` file, with the digest of the words that belong to
    it.

    The header is an expression of Python (NumPy, `numpy.lib.format`), and the digest a
    comment.
    """
    described = np.lib.format.header_data_from_array_1_0(vectors)
    fields = "".join(f"{name!r}: {described[name]!r}, " for name in sorted(described))
    header = f"{{{fields}}} {_WORDS_MARK}{digest}"
    size = len(np.lib.format.MAGIC_PREFIX) + 4 + len(header) + 1
    header += " " * (-size % np.lib.format.ARRAY_ALIGN) + "\n"
    return (
        np.lib.format.magic(1, 0) + len(header).to_bytes(2, "little") + header.encode()
    )


def _stored_digest(path: Path) -> str | None:
    """Return the digest in the header of a `.npy` file; None for one of another
    program.
    """
    with open(path, "rb") as file:
        header = file.read(_HEAD).partition(b"\n")[0].decode("latin-1")
    found = re.search(f"{_WORDS_MARK}([0-9a-f]{{64}}) *$", header)
    return found[1] if found else None


def _write_senna(path, embeddings):
    order = sorted(
        range(len(embeddings.words)), key=lambda i: _encode(embeddings.words[i])
    )
    in_order = Embeddings(
        [embeddings.words[i] for i in order], embeddings.vectors[order]
    )
    words = _encode("".join(f"{word}\n" for word in in_order.words))
    lines = (b"%b\n" % _as_text(row) for row in in_order.vectors)
    replace_files(
        {
            path.joinpath(*_VECTORS): lambda file: file.writelines(lines),
            path.joinpath(*_WORDS): lambda file: file.write(words),
        }
    )


_READERS = {
    "word2vec": _read_word2vec,
    "word2vec-binary": _read_word2vec_binary,
    "glove": _read_glove,
    "npy": _read_npy,
    "senna": _read_senna,
    "checkpoint": _read_checkpoint,
}
_WRITERS: dict[str, Callable[[Path, Embeddings], None]] = {
    "word2vec": partial(_write_rows, form=_as_text, has_sizes=True),
    "word2vec-binary": partial(_write_rows, form=_as_bytes, has_sizes=True),
    "glove": partial(_write_rows, form=_as_text, has_sizes=False),
    "npy": _write_npy,
    "senna": _write_senna,
}
FORMATS = tuple(_WRITERS)
