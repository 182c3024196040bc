"""Corpora: tokenized text on disk, as a word list and memory-mapped word indices.

A corpus is a directory with four files: `words.tsv` has a word and its count on each
line; `train.i32` and `valid.i32` have little-endian int32 indices in that list, with
PADDING after each sentence; and `corpus.json` has the settings and the source files.
The unit of a corpus is one of the following:

- word: Words are in look-up form, sorted by descending frequency, and rare words are
  replaced by UNKNOWN. The dictionary of a model with n words consists of the first n
  words, and the model treats all other indices as UNKNOWN. One corpus therefore serves
  dictionaries of all sizes.
- form: Words keep their case and digits, and are in the order of their first
  occurrence.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from senna_py.errors import SennaError
from senna_py.io.file_errors import report_os_errors
from senna_py.io.locks import lock_directory
from senna_py.io.nesting import parse_json
from senna_py.io.numbers import int_of
from senna_py.kernels.lm.word_stream import LINE_END
from senna_py.lm.text.blocks import Text
from senna_py.lm.text.counts import WordCounts, by_count
from senna_py.lm.text.dictionary import (
    KEYS,
    PADDING,
    UNKNOWN,
    wanted_first,
    words_of_columns,
)
from senna_py.lm.text.raw import text_files, tokenize_files
from senna_py.lm.word_list import UNKNOWN as UNKNOWN_WORD

_INFO, _WORDS = "corpus.json", "words.tsv"
_PARTS = ("train", "valid")
FILES = (*(f"{part}.i32" for part in _PARTS), _WORDS, _INFO)
_CHUNK = 1 << 24  # the number of bytes of indices that are renumbered at a time


if TYPE_CHECKING:
    from numpy.typing import NDArray

    from senna_py.io.files import AnyPath


@dataclass(frozen=True)
class Preparation:
    """The settings for making a corpus from text.

    Attributes:
        unit: `word` or `form`.
        tokenized: Whether the text is already tokenized; see `raw.tokenize_files`.
        cover: For the unit `word`, the paths of column files. Their words are moved
            into the first `size` words of the list, if they occur at least `min_count`
            times in the text.
        size: For the unit `word`, the size of the dictionary that includes the words of
            `cover`.
        min_count: For the unit `word`, the minimum number of occurrences of a word.
            Rarer words are replaced by UNKNOWN.
    """

    unit: str = "word"
    tokenized: bool = False
    cover: tuple[AnyPath, ...] = ()
    size: int = 130_000
    min_count: int = 3

    def made_of(self, files: Sequence[Path]) -> dict[str, Any]:
        """Return the settings and the sizes of text files, as written in `corpus.json`.

        A corpus with the same values need not be made again.
        """
        info: dict[str, Any] = {
            "unit": self.unit,
            "tokenized": self.tokenized,
            "files": [[str(file.resolve()), file.stat().st_size] for file in files],
        }
        if self.unit == "word":
            info |= {
                "cover": [*map(str, self.cover)],
                "cover_size": self.size,
                "min_count": self.min_count,
            }
        return info

    def order(self, words: Sequence[str], counts: NDArray[np.int64]) -> Sequence[int]:
        """Return the indices of the words that the corpus lists, in its order.

        Args:
            words: The distinct words of the text.
            counts: int64[n_words], the number of occurrences of each word.
        """
        if self.unit == "form":
            return range(len(words))
        order = by_count(words, counts, self.min_count)
        covered = words_of_columns(self.cover)
        return wanted_first(order, words, covered, self.size - len(KEYS))


class CorpusSentences(NamedTuple):
    """Sentences of the training or the validation part of a corpus.

    Attributes:
        begin: int64[n], the offset of each sentence in the part.
        length: int32[n], the number of words in each sentence.
        file: int32[n], the index of the file that contains each sentence.
    """

    begin: NDArray[np.int64]
    length: NDArray[np.int32]
    file: NDArray[np.int32]


@dataclass
class Corpus:
    """A corpus on disk.

    Attributes:
        path: The directory of the corpus.
        words: The word list, which begins with PADDING and UNKNOWN.
        counts: int64[n_words], the number of occurrences of each word in both parts,
            but 0 for PADDING and UNKNOWN.
        train: int32[n], the training part as memory-mapped indices in `words`, with
            PADDING after each sentence.
        valid: int32[m], the validation part, in the same format.
        info: The contents of `corpus.json`: the settings of its Preparation, the number
            of words, and `files`, with the path, the size in bytes, and the numbers of
            elements in `train` and in `valid` for each file.
    """

    path: Path
    words: list[str]
    counts: NDArray[np.int64]
    train: NDArray[np.int32]
    valid: NDArray[np.int32]
    info: dict[str, Any]

    def text(self, part: str) -> Text:
        """Return a part of the corpus as a Text in memory.

        Args:
            part: `train` or `valid`.

        Raises:
            SennaError: If the corpus is damaged, or if the text contains `<s>` or
                `</s>`.
        """
        ids = self._indices(part)
        counts = np.bincount(ids, minlength=len(self.words))
        counts[PADDING] = 0
        occur = np.flatnonzero(counts)
        place = np.full(len(self.words), LINE_END, np.int32)
        place[occur] = np.arange(len(occur))
        words = [
            self.words[i].encode("utf-8", "surrogateescape") for i in occur.tolist()
        ]
        if counts[UNKNOWN]:
            words[place[UNKNOWN]] = UNKNOWN_WORD.encode()
        text = Text(words, place[ids], 1, str(self.path), counts[occur])
        text.check_marks(text.name)
        return text

    def _indices(self, part: str) -> NDArray[np.int32]:
        """Return `train` or `valid` after checking that all indices are valid.

        Kernels do not check indices. The result is int32[n].

        Raises:
            SennaError: If an index is out of range.
        """
        ids = getattr(self, part)
        if ids.view(np.uint32).max(initial=0) >= len(self.words):
            raise SennaError(
                f"{self.path}: {part}.i32: an index beyond the words of {_WORDS}"
            )
        return ids

    def sentences(
        self, part: str, shortest: int, longest: int | None = None
    ) -> CorpusSentences:
        """Return the sentences of a part whose lengths are within limits.

        Args:
            part: `train` or `valid`.
            shortest: The minimum number of words.
            longest: The maximum number of words, or None for no limit.

        Raises:
            SennaError: If the corpus is damaged.
        """
        end = np.flatnonzero(self._indices(part) == PADDING)
        begin = np.append(0, end[:-1] + 1)[: len(end)]
        length = (end - begin).astype(np.int32)
        fits = length >= shortest
        if longest is not None:
            fits &= length <= longest
        sizes = [row[2 + _PARTS.index(part)] for row in self.info["files"]]
        file = np.searchsorted(np.cumsum(sizes), begin, side="right").astype(np.int32)
        return CorpusSentences(begin[fits], length[fits], file[fits])

    def is_of(self, paths: Sequence[AnyPath], how: Preparation) -> bool:
        """Return whether `prepare` would make the same corpus from these arguments.

        Source files are compared by their paths and sizes.

        Args:
            paths: The paths of files, or of directories of files.
            how: The settings.

        Raises:
            SennaError: If a path does not exist, or a directory has no text file.
        """
        info = self.info | {"files": [row[:2] for row in self.info["files"]]}
        return how.made_of(text_files(paths)).items() <= info.items()

    def file_counts(self) -> Iterator[NDArray[np.int64]]:
        """Yield, for each file, the counts of words in its training text.

        Each array is int64[n_words]; PADDING is not counted.
        """
        begin = 0
        for _, _, n, _ in self.info["files"]:
            counts = np.bincount(
                self.train[begin : begin + n], minlength=len(self.words)
            )
            counts[PADDING] = 0
            yield counts
            begin += n


def prepare(
    paths: Sequence[AnyPath],
    directory: AnyPath,
    how: Preparation = Preparation(),
    processes: int | None = None,
    report: Callable[[str], object] | None = None,
) -> Corpus:
    """Create a corpus from text files.

    A previous corpus in the directory is replaced only when the new one is complete.
    Programs that have mapped the previous corpus can continue to use it.

    Args:
        paths: The paths of files, or of directories of files.
        directory: The directory of the corpus.
        how: The settings.
        processes: The number of processes; see `raw.tokenize_files`.
        report: A callback for lines that are shown to the user, or None.

    Raises:
        SennaError: If a file cannot be read or written, if another process uses the
            directory, or if the corpus would be empty.
    """
    files, directory = text_files(paths), Path(directory)
    note = report or _ignore
    with (
        report_os_errors(directory),
        lock_directory(directory, note),
        TemporaryDirectory(prefix="blocks-", dir=directory) as name,
    ):
        scratch, info = Path(name), how.made_of(files)
        text = _write_numbers(files, scratch, how, info["files"], processes, note)
        words, counts = text.words(), text.counts()
        order = how.order(words, counts)
        if not order:
            source = files[0] if len(files) == 1 else f"{len(files)} files"
            reason = "no words in the text"
            if words:
                reason = f"no word occurs {how.min_count} times"
            raise SennaError(f"{source}: {reason}: the corpus is empty")
        info["words"] = len(order) + len(KEYS)
        _write_indices(scratch, len(words), order)
        rows = [(key, 0) for key in KEYS] + [(words[i], counts[i]) for i in order]
        with open(scratch / _WORDS, "wb") as file:
            file.writelines(
                f"{word}\t{count}\n".encode("utf-8", "surrogateescape")
                for word, count in rows
            )
        (scratch / _INFO).write_text(json.dumps(info, indent=1) + "\n", "utf-8")
        (directory / FILES[-1]).unlink(missing_ok=True)
        for file_name in FILES:  # a corpus is complete when it has the last file
            os.replace(scratch / file_name, directory / file_name)
    return open_corpus(directory)


def _ignore(line: str) -> None:
    """Do nothing; the default callback for lines to the user."""


def is_corpus(path: AnyPath) -> bool:
    """Return whether a path is the directory of a complete corpus."""
    return os.path.isfile(os.path.join(path, _INFO))  # raises no error for any path


def open_corpus(directory: AnyPath, unit: str | None = None) -> Corpus:
    """Open a corpus.

    Args:
        directory: The directory of the corpus.
        unit: The unit that the corpus must have, or None for any unit.

    Raises:
        SennaError: If a file is missing or damaged, or if the corpus has another unit.
    """
    path = Path(directory)
    try:
        with report_os_errors(path):
            info = parse_json((path / _INFO).read_text("utf-8"))
            text = (path / _WORDS).read_bytes().decode("utf-8", "surrogateescape")
            rows = [line.split("\t") for line in text.split("\n")[:-1]]
            words = [row[0] for row in rows]
            counts = np.array([int_of(row[1]) for row in rows])
            sizes = [sum(row[k] for row in info["files"]) for k in (2, 3)]
            train, valid = (
                _map_indices(path / f"{part}.i32", n)
                for part, n in zip(_PARTS, sizes, strict=True)
            )
            n_words, unit_of_corpus = info["words"], info["unit"]
    except (ValueError, LookupError, TypeError) as error:
        raise SennaError(f"{path}: not a prepared corpus: {error}") from None
    if len(words) != n_words or tuple(words[:2]) != KEYS:
        raise SennaError(f"{path / _WORDS}: {len(words):,} words, expected {n_words:,}")
    if unit not in (None, unit_of_corpus):
        raise SennaError(
            f"{path}: a corpus of {unit_of_corpus}s, expected one of {unit}s"
        )
    return Corpus(path, words, counts, train, valid, info)


def _map_indices(path: Path, count: int) -> NDArray[np.int32]:
    """Return the memory-mapped contents of a file: int32[count].

    Raises:
        OSError: If the file cannot be read.
        SennaError: If the file does not have 4 * count bytes.
    """
    if path.stat().st_size != 4 * count:
        raise SennaError(
            f"{path}: {path.stat().st_size:,} bytes, expected {4 * count:,}"
        )
    if not count:
        return np.empty(0, np.int32)
    return np.memmap(path, "<i4", "r", shape=(count,))


def _write_numbers(
    files: Sequence[Path],
    scratch: Path,
    how: Preparation,
    rows: Sequence[list[Any]],
    processes: int | None,
    report: Callable[[str], object],
) -> WordCounts[str]:
    """Tokenize text files, and write their words as numbers to two files in `scratch`.

    The files `train` and `valid` contain int32 indices of words in the order of their
    first occurrence, with LINE_END after each sentence.

    Args:
        files: The text files.
        scratch: The directory to write to.
        how: The settings of the corpus.
        rows: A list for each file, to which the numbers of elements written to `train`
            and to `valid` are appended.
        processes: The number of processes; see `tokenize_files`.
        report: A callback for lines that are shown to the user.

    Returns:
        The distinct words and their counts.
    """
    text = WordCounts[str]()
    for row in rows:
        row += [0, 0]
    blocks = tokenize_files(files, processes, how.unit == "word", how.tokenized)
    with open(scratch / "train", "wb") as train, open(scratch / "valid", "wb") as valid:
        for file, words, numbers, held_out in blocks:
            counted = text.add(words, numbers)
            for k, (out, chosen) in enumerate(((train, ~held_out), (valid, held_out))):
                rows[file][2 + k] += int(chosen.sum())
                out.write(counted[chosen].tobytes())
            if text.total:
                report(f"{text.total:,} words, {len(text):,} different")
    return text


def _write_indices(scratch: Path, n_words: int, order: Sequence[int]) -> None:
    """Convert the numbers in `scratch` to the indices of the corpus.

    Args:
        scratch: The directory of the files `train` and `valid`, in which `train.i32`
            and `valid.i32` are written.
        n_words: The number of distinct words of the text.
        order: The numbers of the words that the corpus lists, in its order.
    """
    index = np.full(n_words + 1, UNKNOWN, "<i4")
    index[order] = np.arange(len(KEYS), len(order) + len(KEYS))
    index[-1] = PADDING  # in place of LINE_END, which is -1
    for part in _PARTS:
        with (
            open(scratch / part, "rb") as source,
            open(scratch / f"{part}.i32", "wb") as file,
        ):
            while data := source.read(_CHUNK):
                file.write(index[np.frombuffer(data, np.int32)].tobytes())
