"""Training of word vectors and word classes on a file of sentences."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import BinaryIO

from senna_py.errors import SennaError
from senna_py.io.class_files import write_word_classes
from senna_py.io.files import replace_file
from senna_py.lm.brown.clustering import BrownClustering, read_words
from senna_py.lm.skipgram.settings import SkipGramSettings
from senna_py.lm.skipgram.training import SkipGramTraining
from senna_py.lm.text.corpus import Corpus, Preparation, is_corpus, open_corpus, prepare
from senna_py.lm.text.dictionary import dictionary_of
from senna_py.models.checkpoint import write_arrays
from senna_py.models.embedding_formats.trained import words_in_checkpoint
from senna_py.treebanks.settings import TextSettings

_SPACE = "\N{OPEN BOX}"  # a space within a word
_LARGEST_DICTIONARY = 130_000
_SMALL_TEXT = 8_000  # A text of fewer bytes has some 1,000 words; none are left out.


def write_sentences(
    path: Path, sentences: Iterable[list[str]], progress: Callable[[int], object]
) -> int:
    """Write sentences to a file, one per line, with spaces between the words.

    Spaces within words, as in Vietnamese, are written as another character.

    Args:
        path: The file.
        sentences: The words of each sentence.
        progress: A callback that is called with the number of bytes written so far.

    Returns:
        The number of words.

    Raises:
        WriteError: If the file cannot be written.
    """
    n_words = 0

    def write(file: BinaryIO) -> None:
        nonlocal n_words
        for sentence in sentences:
            line = " ".join(_SPACE.join(word.split()) for word in sentence)
            file.write(f"{line}\n".encode("utf-8", "surrogateescape"))
            n_words += len(sentence)
            progress(file.tell())

    replace_file(path, write)
    return n_words


def skipgram(text: Path, place: Path, settings: TextSettings) -> SkipGramTraining:
    """Prepare the training of word vectors on a file of sentences.

    Args:
        text: The file, with one sentence per line.
        place: The directory of the prepared corpus, which is created if necessary.
        settings: The settings.

    Raises:
        SennaError: If no word is frequent enough.
    """
    corpus = _corpus(text, place)
    min_count = _min_count(text, settings)
    try:
        words = dictionary_of(corpus, [1.0], (), _LARGEST_DICTIONARY, min_count)
    except SennaError:
        raise _rare_words(min_count) from None
    sizes = SkipGramSettings(dim=settings.dim, passes=settings.passes)
    return SkipGramTraining(corpus, [1.0], words, sizes)


def _min_count(text: Path, settings: TextSettings) -> int:
    return 1 if text.stat().st_size < _SMALL_TEXT else settings.min_count


def _rare_words(min_count: int) -> SennaError:
    return SennaError(
        f"--set text.min_count={min_count}: no two adjacent words of the text are as "
        "frequent"
    )


def _corpus(text: Path, place: Path) -> Corpus:
    how = Preparation("form", tokenized=True)
    if is_corpus(place):
        corpus = open_corpus(place, how.unit)
        if corpus.is_of([text], how):
            return corpus
    place.mkdir(parents=True, exist_ok=True)
    return prepare([text], place, how, 1)


def clustering(text: Path, settings: TextSettings) -> BrownClustering:
    """Prepare the Brown clustering of the words in a file of sentences.

    Raises:
        SennaError: If no word is frequent enough, or no two such words are adjacent.
    """
    min_count = _min_count(text, settings)
    try:
        words = read_words([str(text)], min_count=min_count)
    except SennaError:
        raise _rare_words(min_count) from None
    first, second = words.stream[:-1], words.stream[1:]
    if not ((first >= 0) & (second >= 0)).any():
        raise _rare_words(min_count)
    return BrownClustering(words, settings.clusters)


def write_classes(path: Path, classes: BrownClustering) -> None:
    """Write the classes of a finished clustering."""
    rows = ((name, _with_spaces(word), count) for name, word, count in classes.rows())
    write_word_classes(path, rows)


def write_vectors(path: Path, training: SkipGramTraining) -> int:
    """Write the word vectors of a finished training, and return their number.

    The file is a checkpoint without anything else, because other formats cannot hold
    words with spaces.

    Args:
        path: The file, with the suffix `.npz`.
        training: The training.
    """
    words = [*map(_with_spaces, training.words)]
    header = {"state": {"scale": training.state()["scale"]}}
    arrays = {"words": words_in_checkpoint(words), "vectors": training.model.vectors}
    write_arrays(path, header, **arrays)
    return len(words)


def _with_spaces(word: str) -> str:
    return word.replace(_SPACE, " ")
