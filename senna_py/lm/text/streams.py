"""Text as a stream of word indices, on which language models are trained.

With sentence marks, a stream has `<s>`, the words and `</s>` for each sentence that is
not empty. Without marks, the words of all sentences are concatenated, as Bengio et al.
(2003) read the Brown corpus. All files of a text form one stream.
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

# The size of a block in bytes. Larger blocks have fewer distinct words in total.
_LARGE = 1 << 22


def read_text(
    paths: Sequence[str],
    report: Callable[[int], object] | None = None,
    part: str = "train",
) -> Text:
    """Read a text from tokenized files or from a corpus.

    Args:
        paths: The paths of files (see `blocks`), which are read in order, with `-` for
            standard input; or the path of one corpus.
        report: A callback that is regularly called with the number of words so far, or
            None.
        part: The part of the corpus to read, `train` or `valid`.

    Raises:
        SennaError: If a file cannot be read, or if no file contains a word.
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
    """Read a validation text as indices in a word list: int32[n].

    Args:
        paths: The paths of files, or of a corpus, whose validation part is read.
        word_list: The word list.
        report: See `read_text`.

    Raises:
        SennaError: See `read_text`.
    """
    return read_text(paths, report, "valid").stream(word_list)


@dataclass
class Streams:
    """The text for training a language model.

    Attributes:
        word_list: The word list.
        train: int32[n], the training text as indices in the list.
        valid: int32[m], the validation text as indices in the list; it may be empty.
    """

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
    """Read the training text and the validation text, and make a word list.

    Args:
        paths: The paths of the training text; see `read_text`.
        valid: The paths of the validation text. If there are none and `paths` is a
            corpus, the validation part of that corpus is used.
        marks: Whether sentences have marks.
        vocabulary: The path of a file of words, or None to choose the frequent words of
            the training text.
        min_count: The minimum number of occurrences of a chosen word.
        size: The maximum number of chosen words, or None for no limit.
        report: A callback that is regularly called with the number of words so far, or
            None.
        opened: Whether to make an OpenWordList, which distinguishes unknown words.

    Raises:
        SennaError: If a file cannot be read, or if a text has no words.
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
