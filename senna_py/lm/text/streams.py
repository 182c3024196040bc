"""Text as a stream of word indices, as language models are trained on it.

With marks, a stream is `<s> words </s>` for each sentence that has words; without, it
is the words of all sentences and files, one after the other (Bengio et al. 2003 read
the Brown corpus so).
"""

from dataclasses import dataclass

import numpy as np

from senna_py.errors import SennaError
from senna_py.io.streaming import PAUSE, Source
from senna_py.lm.text.blocks import Text, read_blocks
from senna_py.lm.text.corpus import is_corpus, open_corpus
from senna_py.lm.text.counts import WordCounts
from senna_py.lm.word_list import OpenWordList, WordList, read_word_list

_LARGE = (
    1 << 22
)  # bytes; a few dozen blocks for a large corpus, so that few words are met again


def read_text(paths, report=None, part="train"):
    """Text of tokenized files in order (see `blocks`), or of one corpus (see `corpus`).

    paths: files as `streaming.Source` opens them, `-` for standard input; part: that of
    the corpus, train or valid; report: called with the number of words read so far, now
    and then. Raises SennaError naming the file that cannot be read, and if no file has
    a word.
    """
    if len(paths) == 1 and is_corpus(paths[0]):
        return open_corpus(paths[0]).text(part)
    counts, numbers = WordCounts(), []
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


def read_stream(paths, word_list, report=None):
    """Indices of validation text by a WordList: int32[n]; paths and errors as in
    `read_text`.
    """
    return read_text(paths, report, "valid").stream(word_list)


@dataclass
class Streams:
    """Text to train a model on: a WordList, and train and valid: int32[n], word
    indices.
    """

    word_list: WordList
    train: np.ndarray
    valid: np.ndarray


def read_streams(
    paths,
    valid,
    marks,
    vocabulary=None,
    min_count=1,
    size=None,
    report=None,
    opened=False,
):
    """Streams of the texts `paths` and `valid`; without any of `valid` that stream is
    empty.

    If `paths` is one corpus, its held-out part is the default of `valid`. vocabulary:
    file of the words, or None to take those of the training text by `min_count` and
    `size` (see `Text.word_list`); opened: whether the list is an OpenWordList, which
    tells unknown words apart.
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
