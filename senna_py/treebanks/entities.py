"""Files of words and entities, as in CoNLL-2002, which become CoNLL-U files.

A line has a word and an IOB tag, perhaps with further columns between them. An empty
line or a document mark ends a sentence. Columns are separated by tabs or spaces. A word
may contain spaces: *34 470* is one word in Portuguese. The number of columns is that of
the shortest line, and the first fields of a longer line are parts of its word.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from senna_py.corpora.conll import DOCUMENT_MARK
from senna_py.corpora.conllu import KEYS, numbered_lines
from senna_py.errors import SennaError
from senna_py.io.files import AnyPath, replace_file
from senna_py.io.streaming import Source

KEY = KEYS["ner"]  # the key of MISC for the tags of entities
# A tag of entities in IOB or in one of the schemes that mark ends (`labels.tag_schemes`).
TAG = re.compile(r"O|[BIESLUMW]-[^\s|]+")
TaggedWord = tuple[str, str]  # a word and its tag


def write_entities(path: AnyPath, target: Path) -> None:
    """Write the words and the entities of a file as CoNLL-U.

    Args:
        path: The file.
        target: The CoNLL-U file.

    Raises:
        SennaError: If the file cannot be read, a line is malformed, or there is no
            sentence. The message names the file and the line.
        WriteError: If the CoNLL-U file cannot be written.
    """
    text = "".join(map(_conllu, read_entities(path)))
    if not text:
        raise SennaError(f"{path}: there is no sentence in this file")
    replace_file(target, lambda file: file.write(text.encode()))


def _conllu(sentence: list[TaggedWord]) -> str:
    rows = (
        f"{number}\t{word}\t_\t_\t_\t_\t_\t_\t_\t{KEY}={tag}\n"
        for number, (word, tag) in enumerate(sentence, 1)
    )
    return "".join(rows) + "\n"


def read_entities(path: AnyPath) -> Iterator[list[TaggedWord]]:
    """Yield the sentences of a file, each as pairs of a word and its tag.

    Args:
        path: The file.

    Raises:
        SennaError: If the file cannot be read or a line is malformed. The message names
            the file and the line.
    """
    lines = _lines(path)
    widths = [len(fields) for _, fields in lines if _is_row(fields)]
    n_columns = max(min(widths, default=2), 2)
    sentence: list[TaggedWord] = []
    for number, fields in lines:
        if not _is_row(fields):
            if sentence:
                yield sentence
            sentence = []
            continue
        if len(fields) < 2 or not fields[0]:
            raise SennaError(f"{path}: line {number}: expected a word and a tag")
        if not TAG.fullmatch(fields[-1]):
            raise SennaError(
                f"{path}: line {number}: expected O or a tag such as B-PER, found "
                f"{fields[-1]!r}"
            )
        n_of_word = len(fields) - n_columns + 1
        sentence.append((" ".join(fields[:n_of_word]), fields[-1]))
    if sentence:
        yield sentence


def _is_row(fields: list[str]) -> bool:
    return any(fields) and fields[0] != DOCUMENT_MARK


def _lines(path: AnyPath) -> list[tuple[int, list[str]]]:
    """Return the number and the columns of each line."""
    lines: list[tuple[int, list[str]]] = []
    with Source(path) as source:
        for number, line in numbered_lines(source):
            try:
                text = line.decode()
            except UnicodeDecodeError:
                raise SennaError(
                    f"{path}: line {number}: not UTF-8; convert the file first, with "
                    "iconv"
                ) from None
            fields = text.split("\t") if "\t" in text else text.split()
            lines.append((number, [field.strip() for field in fields]))
    return lines
