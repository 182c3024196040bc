"""Labeled sentences out of files, for training and scoring."""

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from senna_py.corpora.conll import DOCUMENT_MARK, ColumnFile, ColumnSentence
from senna_py.corpora.layouts import LayoutFile, column_name, layout_of
from senna_py.corpora.tree_files import read_bracketed_trees
from senna_py.errors import SennaError, counted
from senna_py.io.files import AnyPath
from senna_py.io.paths import match_paths
from senna_py.labels.tasks import FEATS, POS
from senna_py.labels.trees import bare_tree
from senna_py.models.shipped import find_native
from senna_py.tagging.config import Config
from senna_py.tagging.kinds.base import Block, Kind
from senna_py.tagging.kinds.trees import BRACKETS
from senna_py.tagging.settings import DataSet


@dataclass
class Sentences:
    """Labeled sentences: lists with an element for each sentence.

    words: lists of str; labels: by the name of each task, labels as its kind has them,
    see `tagging.kinds`, or None for a sentence without; columns: {feature: lists of one
    value a word}, what other columns say; place: pairs of the file and the lines of the
    words; until: float, the fraction of the epochs that read it; weight: float, by
    which its cost is multiplied.
    """

    words: list = field(default_factory=list)
    labels: dict = field(default_factory=dict)
    columns: dict = field(default_factory=dict)
    place: list = field(default_factory=list)
    until: list = field(default_factory=list)
    weight: list = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.words)

    @property
    def n_tokens(self) -> int:
        """How many tokens the sentences have."""
        return sum(map(len, self.words))

    def take(self, chosen: Iterable[int]) -> "Sentences":
        """The sentences with the numbers `chosen`."""

        def of(values):
            if isinstance(values, dict):
                return {name: of(each) for name, each in values.items()}
            return [values[i] for i in chosen]

        return Sentences(*map(of, vars(self).values()))

    def labeled(self, task: str) -> list[int]:
        """Numbers of the sentences that have labels of a task: a list."""
        return [i for i, labels in enumerate(self.labels[task]) if labels is not None]


def read_sentences(
    data_sets: Sequence[DataSet],
    kinds: Mapping[str, Kind],
    directory: AnyPath,
    features: Iterable[str] = (),
) -> Sentences:
    """Sentences of a list of config.DataSet; paths are below `directory`.

    kinds: of the tasks whose labels are read, by their names, see `tagging.kinds`;
    features: names of features that are taken from a column where one has that name.
    Labels of segments and roles become IOBES. Raises SennaError naming file and line
    for whatever cannot be read, an unknown tag scheme, or no sentence at all.
    """
    found = Sentences(labels={name: [] for name in kinds})
    blank, labeled = (
        dict[str, Path](),
        set[str](),
    )  # tasks: without a label in a file, with one
    for data in data_sets:
        tasks = data.labeled_tasks(kinds)
        read = _tree_blocks if data.columns == [BRACKETS] else _column_blocks
        for path in _files(data, directory):
            blocks = list(read(path, data))
            for name in {*tasks} - {FEATS}:
                cells = {
                    cell for block in blocks for cell in block.columns.get(name, ())
                }
                if cells == {"_"}:
                    blank.setdefault(name, path)
                elif cells:
                    labeled.add(name)
            first, last = (round(share * len(blocks)) for share in data.part)
            for block in blocks[first:last]:
                labels = {name: kinds[name].read(block) for name in tasks}
                found.words.append(block.columns["word"])
                for name, column in found.labels.items():
                    column.append(labels.get(name))
                for name in features:
                    if (values := block.column(name)) is not None:
                        found.columns.setdefault(name, []).append(values)
                found.place.append((str(path), block.sentence.token_lines))
                found.until.append(data.until)
                found.weight.append(float(data.weight))
    for name in blank.keys() - labeled:
        raise SennaError(
            f"{blank[name]}: no word has a label in its column {name}, only _"
        )
    lacking = [
        name for name, column in found.columns.items() if len(column) != len(found)
    ]
    if lacking:
        raise SennaError(f"column {lacking[0]}: some files have it, others do not")
    if not found.words:
        names = ", ".join(
            str(Path(directory) / f) for data in data_sets for f in data.files
        )
        raise SennaError(f"{names}: no sentence")
    return found


def files_read(config: Config, corpora: AnyPath, directory: AnyPath) -> list[Any]:
    """Paths that a run in `directory` reads: data and resources below `corpora`, and
    models.
    """
    resources = (
        value
        for named in config.resources.values()
        if isinstance(named, dict)
        for value in named.values()
    )
    patterns = [data.files for data in (*config.train, *config.dev)]
    patterns += [[value] if isinstance(value, str) else value for value in resources]
    found = []
    for pattern in itertools.chain(*patterns):
        found += match_paths(corpora, pattern)
    init = config.network.init
    models = [*config.cascade.values(), init, init.rpartition(":")[0]]
    return found + [find_native(directory, model) for model in models if model]


def _files(data, directory):
    for pattern in data.files:
        yield from match_paths(directory, pattern, "file")


def _tree_blocks(path, data):
    """Blocks of a file of bracketed trees; traces are no words, and a sentence has a
    word.
    """
    parsed = {}
    for record in read_bracketed_trees(path):
        if record.problem is not None:
            raise SennaError(record.problem)
        tree = record.tree and bare_tree(record.tree)
        if tree is None:
            continue
        words, tags = (
            [leaf.word for leaf in tree.leaves],
            [leaf.tag for leaf in tree.leaves],
        )
        sentence = ColumnSentence(record.line, [words], [record.line] * len(words))
        columns = {"word": words, POS: tags, BRACKETS: tree}
        yield Block(None, sentence, columns, [], data, False, parsed)


def _column_blocks(path, data):
    names, parsed = [*map(column_name, data.columns)], {}
    has_roles = names[-1] == "roles"
    if has_roles:
        names.pop()
    layout = layout_of(path, data.layout)
    file = _open(path, layout, data, names, has_roles)
    for sentence in file:
        n_columns = len(sentence.columns)
        if n_columns < len(names) or (n_columns > len(names) and not has_roles):
            more = n_columns > len(names)
            raise file.error(
                sentence.line,
                f"expected {counted(len(names), 'column')} ({', '.join(names)}), "
                f"found {n_columns}" + "; what is not read is named -" * more,
            )
        _check_characters(file, sentence)
        columns = dict(zip(names, sentence.columns, strict=False))
        if columns["word"] != [DOCUMENT_MARK]:
            roles = sentence.columns[len(names) :]
            columns |= {"roles": roles} if has_roles else {}
            yield Block(file, sentence, columns, roles, data, bool(layout), parsed)


def _open(path, layout, data, names, has_roles):
    """The file, whose sentences have the columns `names`, and then those of roles."""
    if layout:
        return LayoutFile(path, layout, data.columns, data.multiwords)
    if lacking := next((column for column in data.columns if "=" in column), None):
        raise SennaError(f"{path}: columns: {lacking!r} is for files of a layout")
    n, first = len(names), None if names[0] == "-" else names[0]
    return ColumnFile(
        path, n, not has_roles, first=first, widths=(n,) * (not has_roles)
    )


def _check_characters(file, sentence):
    """Raise SennaError naming the first line of a sentence that is not UTF-8, or has no
    value.
    """
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
