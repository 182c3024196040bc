"""Text made ready for language models: a dictionary and memory-mapped word indices.

A prepared corpus is a directory: `words.tsv` (word and count, most frequent first), `train.i32` and
`valid.i32` (little-endian int32 indices, PADDING between sentences) and `corpus.json` (what it was
made from). A dictionary of n words is the first n lines of `words.tsv`; a model of that size reads
every higher index as UNKNOWN, so one corpus serves every size.
"""

import bz2
import gzip
import json
import lzma
import os
import signal
import zlib
from collections import deque
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain, pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from senna_py.errors import SennaError
from senna_py.text.folding import fold_words
from senna_py.text.sentences import sentence_starts
from senna_py.text.treebank import tokenize, treebank_spelling

__all__ = [
    "PADDING",
    "UNKNOWN",
    "Corpus",
    "Coverage",
    "coverage",
    "made_from",
    "open_corpus",
    "prepare",
]

PADDING, UNKNOWN = 0, 1
_KEYS = ("PADDING", "UNKNOWN")
_INFO = "corpus.json"
_OPENERS = {".gz": gzip.open, ".xz": lzma.open, ".bz2": bz2.open, ".txt": open}
_DAMAGE = (EOFError, lzma.LZMAError, zlib.error, gzip.BadGzipFile, UnicodeDecodeError)
_BLOCK = 1 << 22  # characters tokenised at a time
_HELD_OUT = 200  # one paragraph in so many is for validation


@dataclass
class Corpus:
    """A prepared corpus.

    path: its directory; words: list of str; counts: int64[n_words]; train, valid: int32[n], word
    indices with PADDING between sentences, memory-mapped; info: dict, as in `corpus.json`.
    """

    path: Path
    words: list
    counts: np.ndarray
    train: np.ndarray
    valid: np.ndarray
    info: dict


class Coverage:
    """How much of a labelled file a dictionary knows."""

    def __init__(self, path, forms, known):
        """Take the look-up form of each token of `path`, and the set of known words."""
        types = set(forms)
        self.path = path
        self.n_tokens, self.n_types = len(forms), len(types)
        self.tokens = sum(form in known for form in forms) / max(len(forms), 1)
        self.types = len(types & known) / max(len(types), 1)


def prepare(paths, directory, cover=(), size=130_000, min_count=3, processes=None, report=None):
    """Tokenise the text files of `paths` (files or directories) into a corpus at `directory`.

    cover: column files whose words are to be among the first `size` words, if they occur at least
    `min_count` times; rarer words of the text become UNKNOWN. report: called with a line of str now
    and then. Returns the Corpus. Until it is whole, an older one at `directory` stays as it is,
    and what has mapped that one keeps it. Raises SennaError for unreadable or empty input.
    """
    files = _text_files(paths)
    directory = Path(directory)
    report = report or (lambda line: None)
    with _writing(directory):
        directory.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(prefix="blocks-", dir=directory) as name:
            scratch = Path(name)
            types, counts = _tokenise_files(files, scratch, processes, report)
            wanted = set(chain.from_iterable(map(_column_words, cover)))
            words, counts = _dictionary(types, counts, wanted, size, min_count)
            if not words:
                names = files[0] if len(files) == 1 else f"{len(files)} files"
                raise SennaError(f"{names}: no word occurs {min_count} times: the corpus is empty")
            n_train, n_valid = _write_indices(scratch, types, words)
            _write_words(scratch / "words.tsv", words, counts)
            info = _source(files, cover, size, min_count) | {
                "words": len(words) + len(_KEYS), "train": n_train, "valid": n_valid,
            }  # fmt: skip
            (scratch / _INFO).write_text(json.dumps(info, indent=1) + "\n", "utf-8")
            (directory / _INFO).unlink(missing_ok=True)  # it is the last to come back
            for file in ("train.i32", "valid.i32", "words.tsv", _INFO):
                os.replace(scratch / file, directory / file)
    return open_corpus(directory)


def open_corpus(directory):
    """Corpus at `directory`; raises SennaError naming the file that is missing or damaged."""
    path = Path(directory)
    try:
        info = json.loads((path / _INFO).read_text("utf-8"))
        lines = (path / "words.tsv").read_text("utf-8", "surrogateescape").split("\n")[:-1]
        rows = [line.split("\t") for line in lines]
        words, counts = [row[0] for row in rows], np.array([int(row[1]) for row in rows])
        parts = {
            name: _map_indices(path / f"{name}.i32", info[name]) for name in ("train", "valid")
        }
    except OSError as error:
        raise SennaError(f"{error.filename or path}: {error.strerror or error}") from None
    except (ValueError, IndexError, KeyError, TypeError) as error:
        raise SennaError(f"{path}: not a prepared corpus: {error}") from None
    if len(words) != info["words"] or tuple(words[:2]) != _KEYS:
        raise SennaError(f"{path / 'words.tsv'}: {len(words):,} words, expected {info['words']:,}")
    return Corpus(path, words, counts, **parts, info=info)


def coverage(path, words):
    """Coverage of the labelled column file `path` by the dictionary `words`: a set of str."""
    return Coverage(path, _column_words(path), words)


def made_from(corpus, paths, cover, size, min_count):
    """Whether `prepare` would make this Corpus again."""
    source = _source(_text_files(paths), cover, size, min_count)
    return all(corpus.info.get(key) == value for key, value in source.items())


def _source(files, cover, size, min_count):
    return {
        "files": [[str(file.resolve()), file.stat().st_size] for file in files],
        "cover": [str(path) for path in cover], "cover_size": size, "min_count": min_count,
    }  # fmt: skip


def _map_indices(path, count):
    if path.stat().st_size != 4 * count:
        raise SennaError(f"{path}: {path.stat().st_size:,} bytes, expected {4 * count:,}")
    return np.memmap(path, "<i4", "r", shape=(count,)) if count else np.empty(0, np.int32)


@contextmanager
def _writing(directory):
    try:
        yield
    except OSError as error:
        name = error.filename or directory
        raise SennaError(f"{name}: {error.strerror or error}") from None


def _text_files(paths):
    files = []
    for path in map(Path, paths):
        if path.is_dir():
            found = sorted(p for p in path.rglob("*") if p.suffix in _OPENERS and p.is_file())
            if not found:
                raise SennaError(f"{path}: no {', '.join(_OPENERS)} file in this directory")
            files += found
        elif path.exists():
            files.append(path)
        else:
            raise SennaError(f"{path}: no such file or directory")
    return files


def _blocks(files):
    """Lists of lines, each about _BLOCK characters of one file."""
    for path in files:
        opener = _OPENERS.get(path.suffix, open)
        try:
            with opener(path, "rt", encoding="utf-8", errors="surrogateescape") as file:
                while lines := file.readlines(_BLOCK):
                    yield lines
        except _DAMAGE as error:
            raise SennaError(f"{path}: damaged file: {error}") from None
        except OSError as error:
            problem = error.strerror or f"damaged file: {error}"  # bz2 has no error of its own
            raise SennaError(f"{path}: {problem}") from None


def _column_words(path):
    """Look-up forms of the first column of a column file: a list of str."""
    try:
        text = Path(path).read_text("utf-8", "surrogateescape")
    except OSError as error:
        raise SennaError(f"{path}: {error.strerror or error}") from None
    rows = (line.split(None, 1) for line in text.split("\n"))
    return fold_words([row[0] for row in rows if row])


def _tokenise_block(lines, path):
    """Tokenise a block and save its indices to `path`; returns its words in order of index.

    Indices are those of this block; 0 ends a sentence, and -1 stands before each held-out
    paragraph, -2 after it. Every second paragraph is in the Treebank's spelling, so that quotes and
    brackets get vectors in both.
    """
    index = {"\n": 0}
    out = []
    for number, line in enumerate(lines):
        tokens = tokenize(line)
        if not tokens:
            continue
        starts = [*sentence_starts(tokens), len(tokens)]
        if number % 2:
            tokens = treebank_spelling(tokens)
        found = [index.setdefault(token, len(index)) for token in tokens]
        held_out = number % _HELD_OUT == _HELD_OUT // 2
        if held_out:
            out.append(-1)
        for begin, end in pairwise(starts):
            out += found[begin:end]
            out.append(0)
        if held_out:
            out.append(-2)
    np.save(path, np.array(out, np.int32))
    return list(index)[1:]


def _tokenise_files(files, scratch, processes, report):
    """Tokenise every block into `scratch`; returns all types and their counts.

    types: dict from look-up form to index in counts: int64[n_types].
    """
    types, counts, n_tokens = {}, np.zeros(1 << 16, np.int64), 0
    pending = deque()
    processes = processes or os.cpu_count()

    def collect():
        nonlocal counts, n_tokens
        number, future = pending.popleft()
        path = scratch / f"{number}.npy"
        forms = fold_words(future.result())
        to_type = np.array([types.setdefault(f, len(types)) for f in forms], np.int64)
        while len(counts) < len(types):
            counts = np.append(counts, np.zeros_like(counts))
        occurrences = np.bincount(np.maximum(np.load(path), 0), minlength=len(forms) + 1)[1:]
        np.add.at(counts, to_type, occurrences)
        np.save(scratch / f"{number}.types.npy", to_type)
        n_tokens += int(occurrences.sum())
        if n_tokens:
            report(f"{n_tokens:,} words, {len(types):,} different")

    with _workers(processes) as pool:
        for number, lines in enumerate(_blocks(files)):
            future = pool.submit(_tokenise_block, lines, scratch / f"{number}.npy")
            pending.append((number, future))
            if len(pending) > 2 * processes:
                collect()
        while pending:
            collect()
    return types, counts[: len(types)]


@contextmanager
def _workers(processes):
    """Give a ProcessPoolExecutor that ends without its pending work when the block fails."""
    pool = ProcessPoolExecutor(processes, initializer=_leave_signals_to_parent)
    try:
        yield pool
    except BrokenProcessPool:
        raise SennaError("a tokenizing process was killed; try fewer --processes") from None
    finally:
        pool.shutdown(cancel_futures=True)


def _leave_signals_to_parent():
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _dictionary(types, counts, wanted, size, min_count):
    """Words from the most frequent to the rarest kept one, and their counts.

    The first `size` (less the two keys) contain every kept word of `wanted`.
    """
    forms = list(types)
    kept = np.flatnonzero(counts >= min_count)
    order = sorted(kept.tolist(), key=lambda i: (-counts[i], forms[i]))
    rank = {i: n for n, i in enumerate(order)}
    room = size - len(_KEYS)
    forced = [i for i in order if forms[i] in wanted]
    others = [i for i in order if forms[i] not in wanted]
    first = sorted(forced[:room] + others[: max(room - len(forced), 0)], key=rank.__getitem__)
    chosen = set(first)
    order = first + [i for i in order if i not in chosen]
    return [forms[i] for i in order], counts[order]


def _write_indices(scratch, types, words):
    """Turn the blocks of `scratch` into its `train.i32` and `valid.i32`; returns their lengths."""
    final = np.full(len(types), UNKNOWN, np.int32)
    for index, word in enumerate(words):
        final[types[word]] = index + len(_KEYS)
    lengths = [0, 0]
    with open(scratch / "train.i32", "wb") as train, open(scratch / "valid.i32", "wb") as valid:
        for number in range(len(list(scratch.glob("*.types.npy")))):
            to_type = np.load(scratch / f"{number}.types.npy")
            block = np.load(scratch / f"{number}.npy")
            held_out = np.cumsum((block == -1).astype(np.int8) - (block == -2)) > 0
            to_final = np.append(np.int32(PADDING), final[to_type])
            indices = to_final[np.maximum(block, 0)].astype("<i4")
            for i, (file, part) in enumerate(((train, ~held_out), (valid, held_out))):
                chosen = indices[part & (block >= 0)]
                lengths[i] += len(chosen)
                file.write(chosen.tobytes())
    return lengths


def _write_words(path, words, counts):
    rows = chain(((key, 0) for key in _KEYS), zip(words, counts.tolist(), strict=True))
    with open(path, "w", encoding="utf-8", errors="surrogateescape", newline="\n") as file:
        file.writelines(f"{word}\t{count}\n" for word, count in rows)
