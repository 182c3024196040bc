"""Raw text as numbered words: paragraphs, a line each, cut into sentences and words by
processes.

Every second paragraph gets the Treebank's spelling, so that its quotes and brackets
become words beside the plain ones, and one in 200 is held out for validation.
"""

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

import numpy as np

from senna_py.errors import SennaError
from senna_py.io import streaming
from senna_py.io.parallel import ordered_map
from senna_py.io.system import STOP_SIGNALS, processors
from senna_py.kernels.lm.word_stream import LINE_END
from senna_py.lm.text.counts import fold_numbered
from senna_py.text.sentences import sentence_starts
from senna_py.text.treebank import tokenize, treebank_spelling

_NAMES = (*streaming.COMPRESSED, ".txt")
_BLOCK = 1 << 22  # characters tokenized at a time
_WORD = re.compile(r"[^ \t-\r]+")  # as in other text that is tokenized
_LONGEST_WORD = 1000  # characters; of a longer one, these are kept
_HELD_OUT = 200  # one paragraph in so many is for validation


def text_files(paths):
    """The files that `paths` are or contain: list of Path; raises SennaError if one has
    none.
    """
    files = []
    for path in map(Path, paths):
        if path.is_dir():
            found = sorted(
                p for p in path.rglob("*") if p.suffix in _NAMES and p.is_file()
            )
            if not found:
                raise SennaError(
                    f"{path}: no {', '.join(_NAMES)} file in this directory"
                )
            files += found
        elif path.exists():
            files.append(path)
        else:
            raise SennaError(f"{path}: no such file or directory")
    return files


def tokenize_files(files, processes=None, fold=True, tokenized=False):
    """Yield the words of raw text files block by block: file, words, numbers, held_out.

    file: place of its file in `files`; words: list of str, the different words of the
    block, in look-up form if `fold`; numbers: int32[n], for each word of the text its
    place in `words`, and LINE_END after each sentence; held_out: bool[n]. processes:
    how many work at once, one for each core by default; tokenized: whether lines are
    sentences, and their words are separated by white space. Raises SennaError naming a
    file that cannot be read, and if a process is killed.
    """
    processes = processes or processors()
    work = partial(_tokenize, fold=fold, tokenized=tokenized)
    if processes == 1:
        yield from map(work, _blocks(files))
        return
    try:
        _check_room(processes)
        pool = ProcessPoolExecutor(
            processes, initializer=_follow_parent, initargs=[os.getpid()]
        )
        yield from ordered_map(work, _blocks(files), processes, pool)
    except BrokenProcessPool:
        raise SennaError("a tokenizing process was killed; try fewer --jobs") from None
    except (
        RuntimeError,
        OSError,
    ) as error:  # of the system; those of files are SennaErrors
        problem = getattr(error, "strerror", None) or error
        raise SennaError(
            f"{processes} processes that tokenize cannot be started: {problem}; try --jobs 1"
        ) from None
    finally:
        for (
            process
        ) in multiprocessing.active_children():  # an interrupt stopped the pool's start
            process.kill()


def _check_room(processes: int) -> None:
    """Raise RuntimeError if the system does not allow as many processes and threads
    (ulimit -u).

    Where a thread of the pool could not be started, results would be waited for without
    end.
    """
    done = threading.Event()
    threads = [threading.Thread(target=done.wait) for _ in range(2 * processes + 2)]
    try:
        for thread in threads:
            thread.start()
    finally:
        done.set()


def _follow_parent(parent):
    """Leave signals to the parent, and end soon after it, however it ends."""
    for number in STOP_SIGNALS:
        signal.signal(
            number, signal.SIG_IGN if number != signal.SIGTERM else signal.SIG_DFL
        )
    try:
        threading.Thread(target=_end_after, args=[parent], daemon=True).start()
    except RuntimeError:  # no more threads are allowed: the parent says so
        os._exit(1)


def _end_after(parent):
    # The pipe of tasks has no end, since the other processes hold it open, too.
    if multiprocessing.get_start_method() == "forkserver":
        parent = os.getppid()
    while os.getppid() == parent:
        time.sleep(0.5)
    os._exit(1)


def _blocks(files):
    """Yield the place of a file and a list of its lines, about _BLOCK characters."""
    for place, path in enumerate(files):
        with streaming.Source(path) as source:
            lines = io.TextIOWrapper(
                io.BufferedReader(_Bytes(source)), "utf-8-sig", "surrogateescape"
            )
            try:
                while block := lines.readlines(_BLOCK):
                    yield place, block
            except (*streaming.decoding_errors(), OSError) as error:
                problem = getattr(error, "strerror", None) or f"damaged file: {error}"
                raise SennaError(f"{path}: {problem}") from None


class _Bytes(io.RawIOBase):
    """The bytes of a Source as a binary file, of which the first are checked to be of a
    text.
    """

    def __init__(self, source):
        self._source, self._left, self._line = source, source.read(), 0
        streaming.check_text(source.name, self._left)

    def readable(self):
        return True

    def readinto(self, room):
        data = self._left or self._source.read(len(room))
        n = min(len(room), len(data))
        room[:n], self._left = data[:n], data[n:]
        self._line = (
            n - data.rfind(b"\n", 0, n) - 1 + self._line * (b"\n" not in data[:n])
        )
        streaming.check_line(self._source.name, self._line)
        return n


def _tokenize(block, fold, tokenized):
    """File, words, numbers and held_out of one of the `_blocks`; see
    `tokenize_files`.
    """
    file, lines = block
    index, numbers, held_out = {}, [], []
    for place, line in enumerate(lines):
        tokens = _WORD.findall(line) if tokenized else tokenize(line)
        if not tokens:
            continue
        if len(line) > _LONGEST_WORD:
            tokens = [token[:_LONGEST_WORD] for token in tokens]
        starts = [*([0] if tokenized else sentence_starts(tokens)), len(tokens)]
        if place % 2 and not tokenized:
            tokens = treebank_spelling(tokens)
        found = [index.setdefault(token, len(index)) for token in tokens]
        for begin, end in pairwise(starts):
            numbers += found[begin:end]
            numbers.append(LINE_END)
        is_held_out = place % _HELD_OUT == _HELD_OUT // 2
        held_out += [is_held_out] * (len(numbers) - len(held_out))
    words, numbers = list(index), np.array(numbers, np.int32)
    if fold:
        words, numbers = fold_numbered(words, numbers)
    return file, words, numbers, np.array(held_out, bool)
