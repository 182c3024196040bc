"""Prepared corpora: raw text tokenised once, as a dictionary and memory-mapped word indices.

A prepared corpus is a directory: `words.tsv` (word and count, most frequent first), `train.i32` and
`valid.i32` (little-endian int32 indices, PADDING after each sentence) and `corpus.json` (what it
was made from). A dictionary of n words is the first n lines of `words.tsv`; a model of that size
reads every higher index as UNKNOWN, so one corpus serves every size.
"""

import json
import os
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from senna_py.errors import SennaError
from senna_py.io.locks import lock_directory
from senna_py.io.nesting import parse_json
from senna_py.io.numbers import int_of
from senna_py.io.overwriting import reads_all, writes, written
from senna_py.lm.text.counts import WordCounts, by_count
from senna_py.lm.text.dictionary import (
    KEYS,
    PADDING,
    UNKNOWN,
    column_words,
    let_in,
    words_of_columns,
)
from senna_py.lm.text.raw import text_files, tokenise_files

__all__ = [
    "PADDING",
    "UNKNOWN",
    "Corpus",
    "Coverage",
    "coverage",
    "is_prepared",
    "made_from",
    "map_indices",
    "move_into",
    "open_corpus",
    "prepare",
    "writing",
]

_INFO = "corpus.json"
_PARTS = ("train", "valid")
_CHUNK = 1 << 24  # bytes of indices renumbered at a time


@dataclass
class Corpus:
    """A prepared corpus.

    path: its directory; words: list of str; counts: int64[n_words]; train, valid: int32[n], word
    indices with PADDING after each sentence, memory-mapped; info: dict, as in `corpus.json`.
    """

    path: Path
    words: list
    counts: np.ndarray
    train: np.ndarray
    valid: np.ndarray
    info: dict


@dataclass
class Coverage:
    """How much of a labelled file a dictionary knows.

    tokens, types: known shares of its tokens and of its different words, from 0 to 1.
    """

    path: str
    n_tokens: int
    n_types: int
    tokens: float
    types: float


def prepare(paths, directory, cover=(), size=130_000, min_count=3, processes=None, report=None):
    """Tokenise the text files of `paths` (files or directories) into a corpus at `directory`.

    cover: column files whose words are to be among the first `size` words, if they occur at least
    `min_count` times; rarer words of the text become UNKNOWN. report: called with a line of str now
    and then. Returns the Corpus. Until it is whole, an older one at `directory` stays as it is,
    and what has mapped that one keeps it. Raises SennaError for unreadable or empty input.
    """
    files = text_files(paths)
    directory = Path(directory)
    note = report or (lambda line: None)
    with writing(directory), lock_directory(directory, note):
        names = (*(f"{part}.i32" for part in _PARTS), "words.tsv", _INFO)
        for name in names:
            writes(directory / name)
        with TemporaryDirectory(prefix="blocks-", dir=directory) as name:
            scratch = Path(name)
            text = _write_numbers(files, scratch, processes, note)
            found, counts = text.words(), text.counts()
            order = by_count(found, counts, min_count)
            order = let_in(order, found, words_of_columns(cover), size - len(KEYS))
            if not order:
                names = files[0] if len(files) == 1 else f"{len(files)} files"
                raise SennaError(f"{names}: no word occurs {min_count} times: the corpus is empty")
            info = _source(files, cover, size, min_count) | {"words": len(order) + len(KEYS)}
            info |= _write_indices(scratch, len(found), order)
            rows = [(key, 0) for key in KEYS] + [(found[i], counts[i]) for i in order]
            with open(scratch / "words.tsv", "wb") as file:
                file.writelines(
                    f"{word}\t{count}\n".encode("utf-8", "surrogateescape") for word, count in rows
                )
            (scratch / _INFO).write_text(json.dumps(info, indent=1) + "\n", "utf-8")
            move_into(directory, scratch, names)
    return open_corpus(directory)


def is_prepared(path):
    """Whether there is a prepared corpus at `path`."""
    return os.path.isfile(os.path.join(path, _INFO))  # no error, whatever the path is


def open_corpus(directory):
    """Corpus at `directory`; raises SennaError naming the file that is missing or damaged."""
    path = Path(directory)
    reads_all(path)
    try:
        info = parse_json((path / _INFO).read_text("utf-8"))
        lines = (path / "words.tsv").read_text("utf-8", "surrogateescape").split("\n")[:-1]
        rows = [line.split("\t") for line in lines]
        words, counts = [row[0] for row in rows], np.array([int_of(row[1]) for row in rows])
        parts = {part: map_indices(path / f"{part}.i32", info[part]) for part in _PARTS}
    except OSError as error:
        raise SennaError(f"{error.filename or path}: {error.strerror or error}") from None
    except (ValueError, IndexError, KeyError, TypeError) as error:
        raise SennaError(f"{path}: not a prepared corpus: {error}") from None
    if len(words) != info["words"] or tuple(words[:2]) != KEYS:
        raise SennaError(f"{path / 'words.tsv'}: {len(words):,} words, expected {info['words']:,}")
    return Corpus(path, words, counts, **parts, info=info)


def coverage(path, words):
    """Coverage of the labelled column file `path` by the dictionary `words`: a set of str."""
    forms = column_words(path)
    types = set(forms)
    known = sum(form in words for form in forms)
    return Coverage(
        path, len(forms), len(types),
        known / max(len(forms), 1), len(types & words) / max(len(types), 1),
    )  # fmt: skip


def made_from(corpus, paths, cover, size, min_count):
    """Whether `prepare` would make this Corpus again."""
    source = _source(text_files(paths), cover, size, min_count)
    return all(corpus.info.get(key) == value for key, value in source.items())


def _source(files, cover, size, min_count):
    return {
        "files": [[str(file.resolve()), file.stat().st_size] for file in files],
        "cover": [str(path) for path in cover], "cover_size": size, "min_count": min_count,
    }  # fmt: skip


def map_indices(path, count):
    """int32[count] mapped from a file; raises SennaError if it has another size, or OSError."""
    if path.stat().st_size != 4 * count:
        raise SennaError(f"{path}: {path.stat().st_size:,} bytes, expected {4 * count:,}")
    return np.memmap(path, "<i4", "r", shape=(count,)) if count else np.empty(0, np.int32)


@contextmanager
def writing(directory):
    """A context in which errors of writing below `directory` become SennaErrors naming the file."""
    try:
        yield
    except OSError as error:
        name = error.filename or directory
        raise SennaError(f"{name}: {error.strerror or error}") from None


def move_into(directory, scratch, names):
    """Let files in `scratch` take their names in `directory`, of which the last makes it whole."""
    (directory / names[-1]).unlink(missing_ok=True)
    for name in names:
        with written(directory / name):
            os.replace(scratch / name, directory / name)


def _write_numbers(files, scratch, processes, report):
    """Tokenise the files into numbers of words, `train` and `valid` in `scratch`: a WordCounts."""
    text = WordCounts()
    with open(scratch / "train", "wb") as train, open(scratch / "valid", "wb") as valid:
        for words, numbers, held_out in tokenise_files(files, processes):
            counted = text.add(words, numbers)
            train.write(counted[~held_out].tobytes())
            valid.write(counted[held_out].tobytes())
            if text.total:
                report(f"{text.total:,} words, {len(text):,} different")
    return text


def _write_indices(scratch, n_words, order):
    """Turn the numbers in `scratch` into its `train.i32` and `valid.i32`: a dict of lengths."""
    index = np.full(n_words + 1, UNKNOWN, "<i4")
    index[order] = np.arange(len(KEYS), len(order) + len(KEYS))
    index[-1] = PADDING  # for LINE_END
    for part in _PARTS:
        with open(scratch / part, "rb") as source, open(scratch / f"{part}.i32", "wb") as file:
            while data := source.read(_CHUNK):
                file.write(index[np.frombuffer(data, np.int32)].tobytes())
    return {part: (scratch / part).stat().st_size // 4 for part in _PARTS}
