"""Native models that learn to find sentences and abbreviations as a treebank has
them.
"""

from collections.abc import Sequence
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

_LOST_LINES = 200  # sentences of a text without its lines


def add_splitter(
    path: AnyPath,
    model: AnyPath,
    treebanks: Sequence[AnyPath],
    columns: Sequence[str] | None = None,
    running: AnyPath | None = None,
) -> Path:
    """Write a native model to `path` with a splitter that learned from files.

    path: a file or a directory; model: path of it; treebanks: paths of CoNLL-U, of text
    (`*.txt`) with a sentence on each line and an empty line between paragraphs, or, if
    there are columns, of column files, besides those whose names end in `.conllu`;
    running: path of edited text with a paragraph on each line, of which no more is
    known. The model's own tokenizer finds the tokens. If there are no columns, it keeps
    the abbreviations of CoNLL-U; else it also learns from all treebanks without their
    lines, which those of column files only guess. Raises SennaError if a file cannot be
    read, or if the model's tokens are SENNA's.
    """
    source = NativeModel(shipped_or(model))
    tokenizer, texts = Tokenizer(source.words, source.tokenizer), []
    words: list[RawSentence] = []
    for treebank in treebanks:
        if str(treebank).endswith(".txt"):
            texts += _plain_text(treebank)
            continue
        in_columns = columns is not None and not str(treebank).endswith(".conllu")
        paragraphs = [*read_paragraphs(treebank, columns if in_columns else None)]
        texts += map(raw_text, paragraphs)
        if columns:
            sentences = [*chain.from_iterable(paragraphs)]
            texts += (
                raw_text(sentences[begin : begin + _LOST_LINES])
                for begin in range(0, len(sentences), _LOST_LINES)
            )
        else:
            words += chain.from_iterable(paragraphs)
    own = learn_abbreviations(tokenizer, words)
    tokenizer = Tokenizer(source.words, source.tokenizer, own)
    try:
        splitter = learn_splitter(tokenizer, texts, _lines(running) if running else ())
    except SennaError as error:
        at = (
            source.path if tokenizer.kind == "senna" else ", ".join(map(str, treebanks))
        )
        raise SennaError(f"{at}: {error}") from None
    return build_model(path, [str(model)], splitter=splitter)


def _plain_text(path):
    """Yield the paragraphs of a file with a sentence per line, and where their
    sentences begin.
    """
    for is_text, lines in groupby(_lines(path), bool):
        if is_text:
            sentences = [*lines]
            begins = accumulate((len(each) + 1 for each in sentences[:-1]), initial=0)
            yield " ".join(sentences), [*begins]


def _lines(path):
    """Yield the lines of a file of UTF-8 text but those that begin with `#`, as str."""
    with Source(path) as source:
        for number, line in enumerate(read_lines(source), 1):
            check_text(f"{source.name}: line {number}", line)
            if not line.startswith(b"#"):
                yield line.decode("utf-8", "surrogateescape").strip()
