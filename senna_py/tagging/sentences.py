"""Reads labeled sentences from files, for training and scoring."""

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from senna_py.corpora.conll import DOCUMENT_MARK, ColumnFile, ColumnSentence
from senna_py.corpora.layout_files import LayoutFile
from senna_py.corpora.layouts import column_name, layout_of
from senna_py.corpora.tree_files import read_bracketed_trees
from senna_py.corpora.units import read_unit_paragraphs
from senna_py.errors import SennaError, counted
from senna_py.io.files import AnyPath
from senna_py.io.paths import match_paths
from senna_py.labels.tasks import FEATS, POS, TOKENS, Task
from senna_py.labels.trees import bare_tree
from senna_py.models.shipped import find_native
from senna_py.tagging.config import Config
from senna_py.tagging.gold import READERS
from senna_py.tagging.gold.base import Block, Gold
from senna_py.tagging.gold.trees import BRACKETS
from senna_py.tagging.settings import DataSet
from senna_py.text.tokenizer import Tokenizer
from senna_py.text.tokens import Tokens

SPACES = "spaces"  # the column of a Block that becomes `Sentences.spaces`


@dataclass
class Sentences:
    """Labeled sentences.

    Except for `gold`, the attributes are lists with an element for each sentence, or
    dicts of such lists.

    Attributes:
        words: The words of each sentence.
        gold: The gold labels of each task, by its name.
        columns: The values of the words for each feature that has a column, by feature.
        place: The path of the file of each sentence, and the line number of each word.
        until: The fraction of the epochs that use each sentence.
        weight: The factor for the cost of each sentence.
        spaces: Whether white space follows each word of a sentence. The list is empty
            unless the words are units of a text.
        document: The number of the document of each sentence. A file without marks of
            documents is one.
    """

    words: list[list[str]] = field(default_factory=list)
    gold: dict[str, Gold] = field(default_factory=dict)
    columns: dict[str, list[list[str]]] = field(default_factory=dict)
    place: list[tuple[str, Sequence[int]]] = field(default_factory=list)
    until: list[float] = field(default_factory=list)
    weight: list[float] = field(default_factory=list)
    spaces: list[list[bool]] = field(default_factory=list)
    document: list[int] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.words)

    def add(self, block: Block, path: str, features: Iterable[str]) -> None:
        """Add a sentence of a file, without its gold labels.

        Args:
            block: The sentence.
            path: The path of the file.
            features: The features whose values are stored if the file contains them.
        """
        number = self.document[-1] if self.document else 0
        is_first = not self.place or self.place[-1][0] != path
        self.document.append(number + (is_first or block.begins_document))
        self.words.append(block.columns["word"])
        if SPACES in block.columns:
            self.spaces.append(block.columns[SPACES])
        for name in features:
            if (values := block.column(name)) is not None:
                self.columns.setdefault(name, []).append(values)
        self.place.append((path, block.sentence.token_lines))
        self.until.append(block.data.until)
        self.weight.append(float(block.data.weight))

    def tokens(self, tokenizer: Tokenizer) -> Tokens:
        """Return Tokens of the words, looked up in the dictionary of a tokenizer."""
        return tokenizer.pretokenized(self.words, self.spaces or None)

    def place_of(self, task: str, token: int) -> str:
        """Return `FILE: line N` for a token, given its index in the Gold of a task."""
        sentence, within = self.gold[task].place(token)
        path, lines = self.place[sentence]
        return f"{path}: line {lines[within]}"


def read_sentences(
    data_sets: Sequence[DataSet],
    tasks: Mapping[str, Task],
    directory: AnyPath,
    features: Iterable[str] = (),
    trains: bool = False,
) -> Sentences:
    """Read labeled sentences from files.

    Args:
        data_sets: The files and their columns.
        tasks: The tasks whose labels are read, by name.
        directory: The directory to which the paths of files are relative.
        features: The names of the features whose values are read from a column, or
            derived from other columns, if possible.
        trains: Whether the sentences are training data. Paragraphs of units are then
            joined and cut; see `read_unit_paragraphs`.

    Raises:
        SennaError: If a file cannot be read, a label is invalid, a label column is
            blank in all files, only some files have the column of a feature, or there
            is no sentence. The message names the file and the line, if there is one.
    """
    sentences = Sentences()
    labels: dict[str, list[Any]] = {name: [] for name in tasks}
    labeled: dict[str, list[int]] = {name: [] for name in tasks}
    blank = _BlankColumns()
    for data in data_sets:
        names = data.labeled_tasks(tasks)
        for path in _files(data, directory):
            if data.columns == [TOKENS]:
                blocks = list(_unit_blocks(path, data, trains))
            else:
                blocks = _part_of(path, data, blank, {*names} - {FEATS})
            for block in blocks:
                for name in names:
                    reader = READERS[tasks[name].shape.name]
                    labels[name].append(reader.read(block, tasks[name]))
                    labeled[name].append(len(sentences))
                sentences.add(block, path, features)
    blank.check()
    for name, column in sentences.columns.items():
        if len(column) != len(sentences):
            raise SennaError(f"column {name}: some files have it, others do not")
    if not sentences.words:
        files = ", ".join(
            str(Path(directory) / file) for data in data_sets for file in data.files
        )
        raise SennaError(f"{files}: no sentence")
    for name, task in tasks.items():
        numbers = labeled[name]
        lengths = [len(sentences.words[number]) for number in numbers]
        starts = np.append(0, np.cumsum(lengths, dtype=np.int64))
        reader = READERS[task.shape.name]
        sentences.gold[name] = reader.gold(
            task, labels.pop(name), np.array(numbers, np.int64), starts
        )
    return sentences


def _part_of(
    path: str, data: DataSet, blank: "_BlankColumns", names: set[str]
) -> list[Block]:
    """Return the sentences of a file that belong to a DataSet.

    Args:
        path: The path of the file.
        data: The DataSet.
        blank: Records which label columns are blank in the whole file.
        names: The tasks whose columns `blank` examines.
    """
    read = _tree_blocks if data.columns == [BRACKETS] else _column_blocks
    blocks = list(read(path, data))
    blank.look_at(path, blocks, names)
    first, last = (round(share * len(blocks)) for share in data.part)
    return blocks[first:last]


def _unit_blocks(path: str, data: DataSet, trains: bool) -> Iterator[Block]:
    """Yield the paragraphs of a CoNLL-U file, with units as their words."""
    parsed: dict[Any, Any] = {}
    first, last = data.part
    for units, spaces, labels, lines in read_unit_paragraphs(
        path, (first, last), trains
    ):
        sentence = ColumnSentence(lines[0], [units, labels], lines)
        columns = {"word": units, TOKENS: labels, SPACES: spaces}
        yield Block(None, sentence, columns, [], data, True, parsed)


class _BlankColumns:
    """Finds label columns that consist only of `_`, in all files of a task."""

    def __init__(self) -> None:
        self._labeled: set[str] = set()  # The tasks with a label in some file.
        self._blank: dict[str, str] = {}  # By task, a file whose column has only `_`.

    def look_at(self, path: str, blocks: list[Block], names: set[str]) -> None:
        """Record which label columns of a file are blank.

        Args:
            path: The path of the file.
            blocks: The sentences of the file.
            names: The tasks whose columns are examined.
        """
        for name in names:
            cells = {cell for block in blocks for cell in block.columns.get(name, ())}
            if cells == {"_"}:
                self._blank.setdefault(name, path)
            elif cells:
                self._labeled.add(name)

    def check(self) -> None:
        """Raise SennaError if a task has label columns, but all of them are blank."""
        for name in self._blank.keys() - self._labeled:
            raise SennaError(
                f"{self._blank[name]}: no word has a label in its column {name}, only _"
            )


def files_read(config: Config, corpora: AnyPath, directory: AnyPath) -> list[Any]:
    """Return the paths of the data, the resources and the models that a run reads.

    Models that do not exist are None.

    Args:
        config: The configuration of the run.
        corpora: The directory to which the paths of data and resources are relative.
        directory: The directory of the run, to which the paths of models are relative.
    """
    resources = (
        value
        for named in config.resources.values()
        if isinstance(named, dict)
        for value in named.values()
    )
    patterns = [data.files for data in (*config.train, *config.dev)]
    patterns += [[value] if isinstance(value, str) else value for value in resources]
    paths: list[Any] = []
    for pattern in itertools.chain(*patterns):
        paths += match_paths(corpora, pattern)
    init = config.network.init
    models = [*config.cascade.values(), init, init.rpartition(":")[0]]
    return paths + [find_native(directory, model) for model in models if model]


def _files(data: DataSet, directory: AnyPath) -> Iterator[str]:
    for pattern in data.files:
        yield from match_paths(directory, pattern, "file")


def _tree_blocks(path: str, data: DataSet) -> Iterator[Block]:
    """Yield the sentences of a file of bracketed trees; skip traces and empty trees.

    Raises SennaError if a tree is malformed.
    """
    parsed: dict[Any, Any] = {}
    for record in read_bracketed_trees(path):
        if record.problem is not None:
            raise SennaError(record.problem)
        tree = record.tree and bare_tree(record.tree)
        if tree is None:
            continue
        leaves = tree.leaves
        words = [leaf.word for leaf in leaves]
        tags = [leaf.tag for leaf in leaves]
        sentence = ColumnSentence(record.line, [words], [record.line] * len(words))
        columns = {"word": words, POS: tags, BRACKETS: tree}
        yield Block(None, sentence, columns, [], data, False, parsed)


def _column_blocks(path: str, data: DataSet) -> Iterator[Block]:
    """Yield the sentences of a column file.

    Raises SennaError if a sentence has the wrong number of columns, a line is not
    UTF-8, or a cell is only white space.
    """
    names = [column_name(column) for column in data.columns]
    parsed: dict[Any, Any] = {}
    has_roles = names[-1] == "roles"
    if has_roles:
        names.pop()
    layout = layout_of(path, data.layout)
    file = _open(path, layout, data, names, has_roles)
    begins_document = False
    for sentence in file:
        n_columns = len(sentence.columns)
        if n_columns < len(names) or (n_columns > len(names) and not has_roles):
            problem = (
                f"expected {counted(len(names), 'column')} ({', '.join(names)}), "
                f"found {n_columns}"
            )
            if n_columns > len(names):
                problem += "; what is not read is named -"
            raise file.error(sentence.line, problem)
        _check_characters(file, sentence)
        columns: dict[str, Any] = dict(zip(names, sentence.columns, strict=False))
        if columns["word"] == [DOCUMENT_MARK]:
            begins_document = True
            continue
        roles = sentence.columns[len(names) :]
        if has_roles:
            columns["roles"] = roles
        begins_document = begins_document or sentence.begins_document
        in_layout = bool(layout)
        yield Block(
            file, sentence, columns, roles, data, in_layout, parsed, begins_document
        )
        begins_document = False


def _open(
    path: str, layout: Any, data: DataSet, names: list[str], has_roles: bool
) -> Any:
    """Open a column file, whose named columns may be followed by columns of roles."""
    if layout:
        return LayoutFile(path, layout, data.columns, data.multiwords)
    for column in data.columns:
        if "=" in column:
            raise SennaError(f"{path}: columns: {column!r} is for files of a layout")
    n_columns = len(names)
    return ColumnFile(
        path,
        n_columns,
        not has_roles,
        first=None if names[0] == "-" else names[0],
        widths=() if has_roles else (n_columns,),
    )


def _check_characters(file: Any, sentence: ColumnSentence) -> None:
    """Raise SennaError if a line is not UTF-8, or has a cell of only white space."""
    for column in sentence.columns:
        if blank := next((value for value in column if value.isspace()), None):
            line = sentence.line_of(column.index(blank))
            raise file.error(line, f"a cell that is only white space, {blank!r}")
        text = "\n".join(column)
        try:
            text.encode()
        except UnicodeEncodeError as error:
            line = sentence.line_of(text.count("\n", 0, error.start))
            raise file.error(
                line, "not UTF-8; convert the file first, with iconv"
            ) from None
