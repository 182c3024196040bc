"""Corpora on disk: text tokenized once, as a list of words and memory-mapped places in
it.

A corpus is a directory: `words.tsv` (word and count, a line each), `train.i32` and
`valid.i32` (little-endian int32 places of words in that list, PADDING after each
sentence) and `corpus.json` (what it was made from). Its words are of one of two units:

word: in look-up form, the most frequent first, rare ones UNKNOWN. A dictionary of n
words is the first n; a model of that size reads every higher index as UNKNOWN, so one
corpus serves every size.

form: as they were written, with case and digits; all of them, in the order in which
they came.
"""

import json
import os
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from senna_py.errors import SennaError
from senna_py.io.file_errors import report_os_errors
from senna_py.io.locks import lock_directory
from senna_py.io.nesting import parse_json
from senna_py.io.numbers import int_of
from senna_py.kernels.lm.word_stream import LINE_END
from senna_py.lm.text.blocks import Text
from senna_py.lm.text.counts import WordCounts, by_count
from senna_py.lm.text.dictionary import KEYS, PADDING, UNKNOWN, let_in, words_of_columns
from senna_py.lm.text.raw import text_files, tokenize_files
from senna_py.lm.word_list import UNKNOWN as UNKNOWN_WORD

_INFO, _WORDS, _PARTS = "corpus.json", "words.tsv", ("train", "valid")
FILES = (*(f"{part}.i32" for part in _PARTS), _WORDS, _INFO)
_CHUNK = 1 << 24  # bytes of indices renumbered at a time


@dataclass(frozen=True)
class Preparation:
    """Settings of how a corpus is made of text.

    unit: `word` or `form`; tokenized: see `raw.tokenize_files`. Of words: cover: column
    files whose words are to be among the first `size`; what occurs less than
    `min_count` times is UNKNOWN.
    """

    unit: str = "word"
    tokenized: bool = False
    cover: tuple = ()
    size: int = 130_000
    min_count: int = 3

    def made_of(self, files):
        """The identity of a corpus of some files, as `corpus.json` has it: a dict."""
        info = {
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

    def order(self, words, counts):
        """Places of the words of a text in the order of the corpus: a sequence of
        int.
        """
        if self.unit == "form":
            return range(len(words))
        order = by_count(words, counts, self.min_count)
        return let_in(order, words, words_of_columns(self.cover), self.size - len(KEYS))


@dataclass
class Corpus:
    """A corpus.

    path: its directory; words: list of str, first PADDING and UNKNOWN; counts:
    int64[n_words], of both parts; train, valid: int32[n], places in `words` with
    PADDING after each sentence, memory-mapped; info: dict, as in `corpus.json`:
    `files`, a list of path, bytes, and how many numbers of train and of valid came from
    it, and what its Preparation says.
    """

    path: Path
    words: list
    counts: np.ndarray
    train: np.ndarray
    valid: np.ndarray
    info: dict

    def text(self, part):
        """Text of `train` or `valid`, in memory; raises SennaError for words that none
        can have.
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

    def _indices(self, part):
        """One of `train` and `valid`, which kernels trust; raises SennaError if it is
        damaged.
        """
        ids = getattr(self, part)
        if ids.view(np.uint32).max(initial=0) >= len(self.words):
            raise SennaError(
                f"{self.path}: {part}.i32: an index that no word of {_WORDS} has"
            )
        return ids

    def sentences(self, part, shortest, longest=None):
        """Sentences of `train` or `valid` with so many words: begin, length, and file
        of each.

        longest: None for any length. Returns int64[n], int32[n] and int32[n]. Raises
        SennaError.
        """
        end = np.flatnonzero(self._indices(part) == PADDING)
        begin = np.append(0, end[:-1] + 1)[: len(end)]
        length = (end - begin).astype(np.int32)
        kept = length >= shortest
        if longest is not None:
            kept &= length <= longest
        sizes = [row[2 + _PARTS.index(part)] for row in self.info["files"]]
        file = np.searchsorted(np.cumsum(sizes), begin, side="right").astype(np.int32)
        return begin[kept], length[kept], file[kept]

    def is_of(self, paths, how):
        """Tell if `prepare` would make it again, by the Preparation `how`."""
        found = self.info | {"files": [row[:2] for row in self.info["files"]]}
        return how.made_of(text_files(paths)).items() <= found.items()

    def file_counts(self):
        """Yield how often the training text of each file has each word:
        int64[n_words].
        """
        begin = 0
        for _, _, n, _ in self.info["files"]:
            counts = np.bincount(
                self.train[begin : begin + n], minlength=len(self.words)
            )
            counts[PADDING] = 0
            yield counts
            begin += n


def prepare(paths, directory, how=Preparation(), processes=None, report=None):
    """Make a Corpus at `directory` of the text files of `paths` (files or directories).

    how: Preparation; processes: see `raw.tokenize_files`; report: called with a line of
    str now and then. Until it is whole, an older corpus at `directory` stays as it is,
    and what has mapped that one keeps it. Raises SennaError for unreadable or empty
    input.
    """
    files, directory = text_files(paths), Path(directory)
    note = report or (lambda line: None)
    with (
        report_os_errors(directory),
        lock_directory(directory, note),
        TemporaryDirectory(prefix="blocks-", dir=directory) as name,
    ):
        scratch, info = Path(name), how.made_of(files)
        text = _write_numbers(files, scratch, how, info["files"], processes, note)
        found, counts = text.words(), text.counts()
        order = how.order(found, counts)
        if not order:
            given = files[0] if len(files) == 1 else f"{len(files)} files"
            why = (
                f"no word occurs {how.min_count} times"
                if found
                else "no words in the text"
            )
            raise SennaError(f"{given}: {why}: the corpus is empty")
        info["words"] = len(order) + len(KEYS)
        _write_indices(scratch, len(found), order)
        rows = [(key, 0) for key in KEYS] + [(found[i], counts[i]) for i in order]
        with open(scratch / _WORDS, "wb") as file:
            file.writelines(
                f"{word}\t{count}\n".encode("utf-8", "surrogateescape")
                for word, count in rows
            )
        (scratch / _INFO).write_text(json.dumps(info, indent=1) + "\n", "utf-8")
        (directory / FILES[-1]).unlink(missing_ok=True)
        for file_name in FILES:  # the last makes the corpus whole
            os.replace(scratch / file_name, directory / file_name)
    return open_corpus(directory)


def is_corpus(path):
    """Tell if there is a corpus at `path`."""
    return os.path.isfile(os.path.join(path, _INFO))  # no error, whatever the path is


def open_corpus(directory, unit=None):
    """Corpus of a directory, of `unit` if given; raises SennaError naming a missing or
    bad file.
    """
    path = Path(directory)
    try:
        with report_os_errors(path):
            info = parse_json((path / _INFO).read_text("utf-8"))
            lines = (
                (path / _WORDS)
                .read_bytes()
                .decode("utf-8", "surrogateescape")
                .split("\n")[:-1]
            )
            rows = [line.split("\t") for line in lines]
            words, counts = (
                [row[0] for row in rows],
                np.array([int_of(row[1]) for row in rows]),
            )
            sizes = [sum(row[k] for row in info["files"]) for k in (2, 3)]
            parts = [
                _map_indices(path / f"{part}.i32", n)
                for part, n in zip(_PARTS, sizes, strict=True)
            ]
            n_words, found = info["words"], info["unit"]
    except (ValueError, LookupError, TypeError) as error:
        raise SennaError(f"{path}: not a prepared corpus: {error}") from None
    if len(words) != n_words or tuple(words[:2]) != KEYS:
        raise SennaError(f"{path / _WORDS}: {len(words):,} words, expected {n_words:,}")
    if unit not in (None, found):
        raise SennaError(f"{path}: a corpus of {found}s, expected one of {unit}s")
    return Corpus(path, words, counts, *parts, info)


def _map_indices(path, count):
    """int32[count] mapped from a file; raises SennaError if it has another size, or
    OSError.
    """
    if path.stat().st_size != 4 * count:
        raise SennaError(
            f"{path}: {path.stat().st_size:,} bytes, expected {4 * count:,}"
        )
    return (
        np.memmap(path, "<i4", "r", shape=(count,)) if count else np.empty(0, np.int32)
    )


def _write_numbers(files, scratch, how, rows, processes, report):
    """Tokenize files into numbers of words, `train` and `valid` in `scratch`: a
    WordCounts.

    rows: a list for each file, which gets how many numbers of each came from the file.
    """
    text = WordCounts()
    for row in rows:
        row += [0, 0]
    found = tokenize_files(files, processes, how.unit == "word", how.tokenized)
    with open(scratch / "train", "wb") as train, open(scratch / "valid", "wb") as valid:
        for file, words, numbers, held_out in found:
            counted = text.add(words, numbers)
            for k, (out, part) in enumerate(((train, ~held_out), (valid, held_out))):
                rows[file][2 + k] += int(part.sum())
                out.write(counted[part].tobytes())
            if text.total:
                report(f"{text.total:,} words, {len(text):,} different")
    return text


def _write_indices(scratch, n_words, order):
    """Turn the numbers in `scratch` into its `train.i32` and `valid.i32`."""
    index = np.full(n_words + 1, UNKNOWN, "<i4")
    index[order] = np.arange(len(KEYS), len(order) + len(KEYS))
    index[-1] = PADDING  # for LINE_END
    for part in _PARTS:
        with (
            open(scratch / part, "rb") as source,
            open(scratch / f"{part}.i32", "wb") as file,
        ):
            while data := source.read(_CHUNK):
                file.write(index[np.frombuffer(data, np.int32)].tobytes())
