"""Raw text as word indices: a paragraph per line, tokenized in several processes.

Every second paragraph is converted to Treebank spelling, so that the vocabulary
includes both spellings of quotes and brackets. One in 200 paragraphs is held out for
validation.
"""

from __future__ import annotations

import io
import multiprocessing
import os
import re
import signal
import threading
import time
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from senna_py.errors import SennaError
from senna_py.io import streaming
from senna_py.io.parallel import ordered_map
from senna_py.io.system import STOP_SIGNALS, processors
from senna_py.kernels.lm.word_stream import LINE_END
from senna_py.lm.text.counts import fold_numbered
from senna_py.text.sentences import sentence_starts
from senna_py.text.treebank import tokenize, treebank_spelling

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from senna_py.io.files import AnyPath

_NAMES = (*streaming.COMPRESSED, ".txt")
_BLOCK = 1 << 22  # the approximate number of characters that are tokenized at a time
_WORD = re.compile(r"[^ \t-\r]+")  # a word of tokenized text
_LONGEST_WORD = 1000  # in characters; longer words are truncated
_HELD_OUT = 200  # one in this many paragraphs is for validation


def text_files(paths: Iterable[AnyPath]) -> list[Path]:
    """Return the text files at paths of files and directories.

    Directories are searched recursively for files whose names end in .txt, .gz, .xz or
    .bz2. Other files are taken as they are.

    Raises:
        SennaError: If a path does not exist, or if a directory has no text file.
    """
    files: list[Path] = []
    for path in map(Path, paths):
        if path.is_dir():
            inside = sorted(
                file
                for file in path.rglob("*")
                if file.suffix in _NAMES and file.is_file()
            )
            if not inside:
                raise SennaError(
                    f"{path}: no {', '.join(_NAMES)} file in this directory"
                )
            files += inside
        elif path.exists():
            files.append(path)
        else:
            raise SennaError(f"{path}: no such file or directory")
    return files


class NumberedBlock(NamedTuple):
    """A tokenized block of a file.

    Attributes:
        file: The index of the file.
        words: The distinct words of the block.
        numbers: int32[n], the text as indices in `words`, with LINE_END after each
            sentence.
        held_out: bool[n], whether each element of `numbers` is held out for validation.
    """

    file: int
    words: list[str]
    numbers: NDArray[np.int32]
    held_out: NDArray[np.bool_]


def tokenize_files(
    files: Sequence[Path],
    processes: int | None = None,
    fold: bool = True,
    tokenized: bool = False,
) -> Iterator[NumberedBlock]:
    """Yield the tokenized blocks of text files, in order.

    Args:
        files: The files.
        processes: The number of processes, or None for one on each processor.
        fold: Whether words are converted to look-up form.
        tokenized: Whether the text is already tokenized, with a sentence per line and
            white space between words.

    Raises:
        SennaError: If a file cannot be read, or if a process cannot be started or is
            killed.
    """
    processes = processes or processors()
    work = partial(_tokenize, fold=fold, tokenized=tokenized)
    if processes == 1:
        yield from map(work, _blocks(files))
        return
    try:
        _check_room(processes)
        pool = ProcessPoolExecutor(
            processes, initializer=_follow_parent, initargs=(os.getpid(),)
        )
        yield from ordered_map(work, _blocks(files), processes, pool)
    except BrokenProcessPool:
        raise SennaError("a tokenizing process was killed; try fewer --jobs") from None
    # Errors in reading files are SennaErrors.
    except (RuntimeError, OSError) as error:
        problem = getattr(error, "strerror", None) or error
        raise SennaError(
            f"{processes} processes that tokenize cannot be started: {problem}; "
            "try --jobs 1"
        ) from None
    finally:
        # Processes may be left if an interrupt occurred while the pool was starting.
        for process in multiprocessing.active_children():
            process.kill()


def _check_room(processes: int) -> None:
    """Check that the system allows enough processes and threads (ulimit -u).

    The check starts and ends threads. If a thread of the pool could not be started, the
    program would wait forever.

    Raises:
        RuntimeError: If the threads cannot be started.
    """
    done = threading.Event()
    threads = [threading.Thread(target=done.wait) for _ in range(2 * processes + 2)]
    try:
        for thread in threads:
            thread.start()
    finally:
        done.set()


def _follow_parent(parent: int) -> None:
    """Initialize a process of the pool.

    It ignores the stop signals except SIGTERM, and exits soon after the parent has
    ended, even if the parent was killed.
    """
    for number in STOP_SIGNALS:
        action = signal.SIG_DFL if number == signal.SIGTERM else signal.SIG_IGN
        signal.signal(number, action)
    try:
        threading.Thread(target=_end_after, args=[parent], daemon=True).start()
    except RuntimeError:  # no more threads are allowed, which the parent reports
        os._exit(1)


def _end_after(parent: int) -> None:
    # The end of the task pipe is not signaled, because other processes keep it open.
    if multiprocessing.get_start_method() == "forkserver":
        parent = os.getppid()
    while os.getppid() == parent:
        time.sleep(0.5)
    os._exit(1)


def _blocks(files: Sequence[Path]) -> Iterator[tuple[int, list[str]]]:
    """Yield the lines of files in blocks of about _BLOCK characters.

    Each block is a pair of the index of the file and a list of lines.

    Raises:
        SennaError: If a file cannot be read or is not text.
    """
    reading_errors: tuple[type[Exception], ...] = (
        *streaming.decoding_errors(),
        OSError,
    )
    for place, path in enumerate(files):
        with streaming.Source(path) as source:
            lines = io.TextIOWrapper(
                io.BufferedReader(_Bytes(source)), "utf-8-sig", "surrogateescape"
            )
            try:
                while block := lines.readlines(_BLOCK):
                    yield place, block
            except reading_errors as error:
                problem = getattr(error, "strerror", None) or f"damaged file: {error}"
                raise SennaError(f"{path}: {problem}") from None


class _Bytes(io.RawIOBase):
    """The bytes of a source as a binary file.

    It checks that the first bytes are text, and that no line is too long.
    """

    def __init__(self, source: streaming.Source) -> None:
        self._source = source
        self._left = source.read()
        self._line = 0  # the length of the current line so far
        streaming.check_text(source.name, self._left)

    def readable(self) -> bool:
        return True

    def readinto(self, room: Any) -> int:
        data = self._left or self._source.read(len(room))
        n = min(len(room), len(data))
        room[:n], self._left = data[:n], data[n:]
        newline = data.rfind(b"\n", 0, n)
        self._line = self._line + n if newline < 0 else n - newline - 1
        streaming.check_line(self._source.name, self._line)
        return n


def _tokenize(
    block: tuple[int, list[str]], fold: bool, tokenized: bool
) -> NumberedBlock:
    """Tokenize a block from `_blocks`; see `tokenize_files`."""
    file, lines = block
    index: dict[str, int] = {}
    numbers: list[int] = []
    held_out: list[bool] = []
    for place, line in enumerate(lines):
        tokens = _WORD.findall(line) if tokenized else tokenize(line)
        if not tokens:
            continue
        if len(line) > _LONGEST_WORD:
            tokens = [token[:_LONGEST_WORD] for token in tokens]
        starts = [0] if tokenized else sentence_starts(tokens)
        if place % 2 and not tokenized:
            tokens = treebank_spelling(tokens)
        indices = [index.setdefault(token, len(index)) for token in tokens]
        for begin, end in pairwise([*starts, len(tokens)]):
            numbers += indices[begin:end]
            numbers.append(LINE_END)
        is_held_out = place % _HELD_OUT == _HELD_OUT // 2
        held_out += [is_held_out] * (len(numbers) - len(held_out))
    words, text = list(index), np.array(numbers, np.int32)
    if fold:
        words, text = fold_numbered(words, text)
    return NumberedBlock(file, words, text, np.array(held_out, bool))
