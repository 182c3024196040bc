"""The contents of the CoNLL-U files of a treebank: words, labels and entities."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from senna_py.corpora.conllu import COLUMNS, KEYS, ConlluFile
from senna_py.errors import SennaError
from senna_py.io.files import AnyPath, replace_files
from senna_py.treebanks.entities import TAG

# The task that is learned from each column.
TASKS = {
    "upos": "upos",
    "xpos": "xpos",
    "feats": "feats",
    "lemma": "lemma",
    "deprel": "dep",
}
_ENTITY_KEYS = (KEYS["ner"], "NE")  # the keys of MISC that may have tags of entities
_DEV_PART = 10  # Without a dev file, one of this many sentences becomes dev.


@dataclass
class Contents:
    """The contents of a CoNLL-U file.

    Attributes:
        n_sentences: The number of sentences.
        n_words: The number of words.
        n_ranges: The number of tokens that consist of several words.
        columns: The names of the columns of TASKS that have values.
        entities: The key of MISC that has tags of entities, or an empty string.
        other_values: For each key of MISC that could have tags of entities but has
            another value, the first such value in alphabetical order.
        n_joined: The number of words that no white space follows, by MISC.
    """

    n_sentences: int
    n_words: int
    n_ranges: int
    columns: set[str]
    entities: str
    other_values: dict[str, str] = field(default_factory=dict)
    n_joined: int = 0

    @property
    def has_spaces(self) -> bool:
        """Whether white space follows most words."""
        return self.n_joined < self.n_words / 2


def read_contents(path: AnyPath) -> Contents:
    """Read a CoNLL-U file, and return a summary of its contents.

    Raises:
        SennaError: If the file cannot be read, a line is malformed, or there is no
            sentence. The message names the file and the line.
    """
    contents = Contents(0, 0, 0, set(), "")
    tags: dict[str, set[str]] = {key: set() for key in _ENTITY_KEYS}
    places = [(name, COLUMNS.index(name)) for name in TASKS]
    for sentence in ConlluFile(path, "tokens"):
        contents.n_sentences += 1
        for rows in sentence.rows:
            contents.n_words += len(rows)
            contents.n_ranges += len(rows) > 1
            for row in rows:
                for name, place in places:
                    if row[place] != "_":
                        contents.columns.add(name)
                for pair in row[-1].split("|"):
                    contents.n_joined += pair == "SpaceAfter=No"
                    key, _, value = pair.partition("=")
                    if key in tags:
                        tags[key].add(value)
    if not contents.n_sentences:
        raise SennaError(f"{path}: there is no sentence in this file")
    for key, values in tags.items():
        others = [value for value in values if not TAG.fullmatch(value)]
        if others:
            contents.other_values[key] = min(others)
        elif values - {"O"}:
            contents.entities = contents.entities or key
    return contents


def split_file(path: AnyPath, n_sentences: int, train: Path, dev: Path) -> int:
    """Split a CoNLL-U file into new files for train and dev.

    Args:
        path: The file.
        n_sentences: The number of its sentences.
        train: The new file for the first nine tenths of the sentences.
        dev: The new file for the last tenth.

    Returns:
        The number of sentences in `dev`.

    Raises:
        SennaError: If the file has fewer than two sentences, or cannot be read; or if
            the new files cannot be written.
    """
    if n_sentences < 2:
        raise SennaError(
            f"{path}: a single sentence, which cannot be divided into train and dev"
        )
    n_dev = max(n_sentences // _DEV_PART, 1)
    sentences = iter(ConlluFile(path, "tokens"))
    replace_files(
        {
            train: lambda file: file.writelines(
                next(sentences).file_bytes() for _ in range(n_sentences - n_dev)
            ),
            dev: lambda file: file.writelines(
                sentence.file_bytes() for sentence in sentences
            ),
        }
    )
    return n_dev


def join_files(paths: Iterable[AnyPath], target: Path) -> None:
    """Write the sentences of CoNLL-U files to one new file.

    Raises:
        SennaError: If a file cannot be read or a line is malformed, or if the new file
            cannot be written. The message names the file and the line.
    """
    sentences = (
        sentence.file_bytes()
        for path in paths
        for sentence in ConlluFile(path, "tokens")
    )
    replace_files({target: lambda file: file.writelines(sentences)})


def word_sentences(path: AnyPath) -> Iterator[list[str]]:
    """Yield the words of each sentence of a CoNLL-U file."""
    for sentence in ConlluFile(path, "words"):
        yield sentence.forms
