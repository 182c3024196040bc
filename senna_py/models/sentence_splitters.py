"""Add a sentence splitter, trained on treebanks, to a native model."""

from collections.abc import Iterator, Sequence
from itertools import accumulate, chain, groupby
from pathlib import Path

from senna_py.corpora.raw_text import RawSentence, raw_text, read_paragraphs
from senna_py.errors import SennaError
from senna_py.io.files import AnyPath
from senna_py.io.streaming import Source, check_text, read_lines
from senna_py.models.build import build_model
from senna_py.models.native import NativeModel
from senna_py.models.shipped import shipped_or
from senna_py.text.learning import learn_abbreviations, learn_splitter
from senna_py.text.tokenizer import Tokenizer
from senna_py.text.tokenizer_kinds import LEARNED, SENNA

_SENTENCES_PER_TEXT = 200  # the number of sentences in a text without line breaks


def add_splitter(
    path: AnyPath,
    model: AnyPath,
    treebanks: Sequence[AnyPath],
    columns: Sequence[str] | None = None,
    running: AnyPath | None = None,
) -> Path:
    """Train a sentence splitter, and write a copy of a model that includes it.

    The model's own tokenizer finds the tokens. Without `columns`, the abbreviations of
    the CoNLL-U files are learned, too. With `columns`, all treebanks except text files
    are used a second time as texts without line breaks, because the line breaks of
    column files are guessed.

    Args:
        path: The file or directory of the copy.
        model: The path of the model to copy.
        treebanks: Files in CoNLL-U format, text files (`*.txt`) with a sentence on each
            line and an empty line between paragraphs, or column files.
        columns: The names of the columns of column files, which are all files with
            other suffixes; None if there are no such files.
        running: A file of edited text with a paragraph on each line, whose sentences
            are not known; or None.

    Returns:
        The path of the file.

    Raises:
        SennaError: If a file cannot be read, or if the model has SENNA's
            tokenizer or a learned one.
    """
    source = NativeModel(shipped_or(model))
    if source.tokenizer == LEARNED:
        raise SennaError(
            f"{source.path}: its tokenizer is learned, and finds sentences itself"
        )
    tokenizer = Tokenizer(source.words, source.tokenizer)
    texts: list[tuple[str, list[int]]] = []
    tokenized: list[RawSentence] = []
    for treebank in treebanks:
        if str(treebank).endswith(".txt"):
            texts += _plain_text(treebank)
            continue
        is_conllu = str(treebank).endswith(".conllu")
        paragraphs = [*read_paragraphs(treebank, None if is_conllu else columns)]
        texts += map(raw_text, paragraphs)
        if columns:
            sentences = [*chain.from_iterable(paragraphs)]
            texts += (
                raw_text(sentences[begin : begin + _SENTENCES_PER_TEXT])
                for begin in range(0, len(sentences), _SENTENCES_PER_TEXT)
            )
        else:
            tokenized += chain.from_iterable(paragraphs)
    abbreviations = learn_abbreviations(tokenizer, tokenized)
    tokenizer = Tokenizer(source.words, source.tokenizer, abbreviations)
    try:
        splitter = learn_splitter(tokenizer, texts, _lines(running) if running else ())
    except SennaError as error:
        place = ", ".join(map(str, treebanks))
        if tokenizer.kind == SENNA:
            place = str(source.path)
        raise SennaError(f"{place}: {error}") from None
    return build_model(path, [str(model)], splitter=splitter)


def _plain_text(path: AnyPath) -> Iterator[tuple[str, list[int]]]:
    """Yield the paragraphs of a text file with a sentence on each line.

    They are pairs of the text of a paragraph and the offsets of its sentences.
    """
    for is_text, lines in groupby(_lines(path), bool):
        if is_text:
            sentences = [*lines]
            lengths = (len(sentence) + 1 for sentence in sentences[:-1])
            begins = accumulate(lengths, initial=0)
            yield " ".join(sentences), [*begins]


def _lines(path: AnyPath) -> Iterator[str]:
    """Yield the lines of a text file, except those that begin with `#`."""
    with Source(path) as source:
        for number, line in enumerate(read_lines(source), 1):
            check_text(f"{source.name}: line {number}", line)
            if not line.startswith(b"#"):
                yield line.decode("utf-8", "surrogateescape").strip()
