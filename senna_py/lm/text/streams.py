"""Text as a stream of word indices, as language models are trained on it.

With marks, a stream is `<s> words </s>` for each sentence that has words; without, it is the words
of all sentences and files, one after the other (Bengio et al. 2003 read the Brown corpus so).
"""

from dataclasses import dataclass

import numpy as np

from senna_py.errors import SennaError
from senna_py.io.streaming import BY_MARK, Source
from senna_py.kernels.lm.word_stream import LINE_END
from senna_py.lm.text.blocks import mark_sentences, read_blocks
from senna_py.lm.text.counts import WordCounts, by_count
from senna_py.lm.text.prepared import PADDING, UNKNOWN, is_prepared, open_corpus
from senna_py.lm.word_list import SPECIAL, OpenWordList, WordList, read_word_list
from senna_py.lm.word_list import UNKNOWN as UNKNOWN_WORD

__all__ = ["Streams", "Text", "read_stream", "read_streams", "read_text"]

_LARGE = 1 << 22  # bytes; a few dozen blocks for a large corpus, so that few words are met again


@dataclass
class Text:
    """Text that was read once, to make a WordList of it and then its stream.

    name: of its files, for messages; words: list of bytes, the different words; counts:
    int64[n_words]; numbers: int32[n], for each word of the text its place in `words`, and LINE_END
    (-1) after each sentence.
    """

    name: str
    words: list
    counts: np.ndarray
    numbers: np.ndarray

    def word_list(self, min_count=1, size=None, marks=True):
        """WordList of the words that occur `min_count` times or more, the most frequent first.

        size: how many words at most, `<unk>` and the marks not counted.
        """
        ranked = (self.words[i] for i in by_count(self.words, self.counts, min_count))
        words = [word.decode("utf-8", "surrogateescape") for word in ranked]
        return WordList.of_words([w for w in words if w not in SPECIAL][:size], marks, self.name)

    def stream(self, word_list):
        """Word indices of the text, with the marks that the list has: int32[m]."""
        occur = np.flatnonzero(self.counts)  # of a prepared corpus, not all words do
        indices = np.zeros(len(self.words), np.int32)
        indices[occur] = word_list.indices([self.words[i] for i in occur.tolist()])
        return mark_sentences(self.numbers, indices, word_list.around)


def read_text(paths, report=None, part="train"):
    """Text of tokenised files in order (see `blocks`), or of one prepared corpus.

    paths: files as `streaming.Source` opens them, `-` for standard input; part: that of the corpus,
    train or valid; report: called with the number of words read so far, now and then. Raises
    SennaError naming the file that cannot be read, and if no file has a word.
    """
    if len(paths) == 1 and is_prepared(paths[0]):
        return _read_corpus(paths[0], part)
    counts, numbers = WordCounts(), []
    for path in paths:
        with Source(path, BY_MARK) as source:
            for block in filter(None, read_blocks(source, _LARGE)):
                numbers.append(counts.add(block.words, block.numbers))
                if report:
                    report(counts.total)
    name = str(paths[0]) if len(paths) == 1 else f"{len(paths)} files"
    if not counts:
        raise SennaError(f"{name}: no words in the text")
    return Text(name, counts.words(), counts.counts(), np.concatenate(numbers))


def _read_corpus(path, part):
    corpus = open_corpus(path)
    words = [word.encode("utf-8", "surrogateescape") for word in corpus.words]
    words[UNKNOWN] = UNKNOWN_WORD.encode()
    numbers = np.array(getattr(corpus, part))
    if numbers.view(np.uint32).max(initial=0) >= len(words):
        raise SennaError(f"{path}: {part}.i32: an index that no word of words.tsv has")
    numbers[numbers == PADDING] = LINE_END
    counts = np.bincount(numbers[numbers != LINE_END], minlength=len(words))
    return Text(str(path), words, counts, numbers)


def read_stream(paths, word_list, report=None):
    """Word indices of held-out text by a WordList: int32[n]; paths and errors as in `read_text`."""
    return read_text(paths, report, "valid").stream(word_list)


@dataclass
class Streams:
    """What a model is trained on.

    word_list: WordList; train, valid: int32[n], word indices.
    """

    word_list: WordList
    train: np.ndarray
    valid: np.ndarray


def read_streams(
    paths, valid, marks, vocabulary=None, min_count=1, size=None, report=None, opened=False
):
    """Streams of the texts `paths` and `valid`; without any of `valid` that stream is empty.

    If `paths` is one prepared corpus, its held-out part is the default of `valid`. vocabulary: file
    of the words, or None to take those of the training text by `min_count` and `size` (see
    `Text.word_list`); opened: whether the list is an OpenWordList, by which unknown words are told
    from each other.
    """
    text = read_text(paths, report)
    if vocabulary is None:
        word_list = text.word_list(min_count, size, marks)
    else:
        word_list = read_word_list(vocabulary, marks)
    if opened:
        word_list = OpenWordList(word_list)
    stream = text.stream(word_list)
    valid = valid or (paths if is_prepared(paths[0]) else ())
    held_out = read_stream(valid, word_list, report) if valid else np.empty(0, np.int32)
    return Streams(word_list, stream, held_out)
