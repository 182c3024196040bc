"""Text as a stream of word indices, on which language models are trained.

With marks, a stream is `<s> words </s>` for each sentence with words. Without marks, it
is the words of all sentences and files, one after the other (as Bengio et al. 2003 read
the Brown corpus).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from senna_py.errors import SennaError
from senna_py.io.streaming import PAUSE, Source
from senna_py.lm.text.blocks import Text, read_blocks
from senna_py.lm.text.corpus import is_corpus, open_corpus
from senna_py.lm.text.counts import WordCounts
from senna_py.lm.word_list import OpenWordList, WordList, read_word_list

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from senna_py.io.files import AnyPath

# In bytes. Large blocks repeat fewer words.
_LARGE = 1 << 22


def read_text(
    paths: Sequence[str],
    report: Callable[[int], object] | None = None,
    part: str = "train",
) -> Text:
    """Read tokenized files in order, or one corpus.

    Args:
        paths: The files (see `blocks`), `-` for standard input; or one corpus.
        report: Takes the number of words so far from time to time.
        part: The part of the corpus, `train` or `valid`.

    Raises:
        SennaError: If a file cannot be read, or if no file has a word.
    """
    if len(paths) == 1 and is_corpus(paths[0]):
        return open_corpus(paths[0]).text(part)
    counts = WordCounts[bytes]()
    numbers: list[NDArray[np.int32]] = []
    for path in paths:
        with Source(path) as source:
            for block in read_blocks(source, _LARGE):
                if block is PAUSE:
                    continue
                numbers.append(counts.add(block.words, block.numbers))
                if report:
                    report(counts.total)
    name = str(paths[0]) if len(paths) == 1 else f"{len(paths)} files"
    if not counts:
        raise SennaError(f"{name}: no words in the text")
    return Text(counts.words(), np.concatenate(numbers), 1, name, counts.counts())


def read_stream(
    paths: Sequence[str],
    word_list: WordList,
    report: Callable[[int], object] | None = None,
) -> NDArray[np.int32]:
    """Read validation text as indices in a word list: int32[n]; see `read_text`."""
    return read_text(paths, report, "valid").stream(word_list)


@dataclass
class Streams:
    """Text for training: a word list, and two streams of its indices, int32[n]."""

    word_list: WordList
    train: NDArray[np.int32]
    valid: NDArray[np.int32]


def read_streams(
    paths: Sequence[str],
    valid: Sequence[str],
    marks: bool,
    vocabulary: AnyPath | None = None,
    min_count: int = 1,
    size: int | None = None,
    report: Callable[[int], object] | None = None,
    opened: bool = False,
) -> Streams:
    """Read the training text and the validation text.

    Args:
        paths: The training text; see `read_text`.
        valid: The validation text. If it is empty and `paths` is a corpus, this is the
            corpus's own validation part; otherwise its stream is empty.
        marks: Whether sentences have marks.
        vocabulary: A file of the words, or None to choose words of the training text.
        min_count: How often a chosen word must occur.
        size: The most words to choose.
        report: Takes the number of words so far from time to time.
        opened: Whether the list is an OpenWordList, which tells unknown words apart.
    """
    text = read_text(paths, report)
    if vocabulary is None:
        word_list = text.word_list(min_count, size, marks)
    else:
        word_list = read_word_list(vocabulary, marks)
    if opened:
        word_list = OpenWordList(word_list)
    stream = text.stream(word_list)
    valid = valid or (paths if is_corpus(paths[0]) else ())
    held_out = read_stream(valid, word_list, report) if valid else np.empty(0, np.int32)
    return Streams(word_list, stream, held_out)
