"""Labeled sentences out of column files, for training and scoring."""

import glob
import itertools
import os
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from zlib import crc32

import numpy as np

from senna_py.corpora.conll import DOCUMENT_MARK, ColumnFile
from senna_py.corpora.escapes import split_roles
from senna_py.corpora.layouts import LayoutFile, column_name, layout_of
from senna_py.errors import SennaError, counted
from senna_py.labels.tag_schemes import first_misfit, is_chunk_tag, read_tag, recode
from senna_py.labels.tasks import TABLE, find_task
from senna_py.models.shipped import find_native
from senna_py.tagging.soft_labels import best_labels, parse_shares, rename_shares
from senna_py.tagging.trees import BRACKETS, BracketReader, tree_of_columns, tree_of_shares

__all__ = ["Sentences", "join_sentences", "read_sentences", "rename_tag"]


@dataclass
class Sentences:
    """Labeled sentences: lists with an element for each sentence.

    words: lists of str; labels: lists of one tag a word, for roles {predicate: list of tags}, or
    Trees, also such as `trees.tree_of_shares` gives; columns: {feature: lists of one value a word},
    what other columns say; place: pairs of the file and the lines of the words; until: float,
    the share of the epochs that read it, or an empty list where all do; weight: float, by which its
    cost is multiplied, or an empty list where all are 1; soft: in place of each tag pairs of labels
    and shares, of which `labels` has the best ones, None for a sentence without, or an empty list
    where none has any.
    """

    words: list = field(default_factory=list)
    labels: list = field(default_factory=list)
    columns: dict = field(default_factory=dict)
    place: list = field(default_factory=list)
    until: list = field(default_factory=list)
    weight: list = field(default_factory=list)
    soft: list = field(default_factory=list)

    def __len__(self):
        """Count the sentences."""
        return len(self.words)

    @property
    def n_tokens(self):
        """Number of words."""
        return sum(map(len, self.words))

    def take(self, chosen):
        """The sentences with the numbers `chosen`."""
        return Sentences(
            [self.words[i] for i in chosen],
            [self.labels[i] for i in chosen],
            {name: [column[i] for i in chosen] for name, column in self.columns.items()},
            [self.place[i] for i in chosen],
            *([each[i] for i in chosen] if each else []
              for each in (self.until, self.weight, self.soft)),
        )  # fmt: skip

    def folds(self, count):
        """Fold of each sentence, int64[n_sentences], by its words alone, whatever file it is in."""
        return np.array([crc32("\n".join(w).encode("utf-8", "replace")) % count
                         for w in self.words], np.int64)  # fmt: skip

    def flat_columns(self, names):
        """Columns without the bounds of sentences: a list of one value a word, by name."""
        return {name: [v for values in self.columns[name] for v in values] for name in names}

    def tags(self):
        """All sequences of tags: one a sentence, or one a predicate; for trees there is none."""
        for labels in self.labels:
            if isinstance(labels, dict):
                yield from labels.values()
            else:
                yield labels

    def shares(self):
        """What `soft` has of each sequence of `tags`."""
        for labels, soft in zip(self.labels, self.soft, strict=True):
            if isinstance(labels, dict):
                yield from soft.values() if soft else [None] * len(labels)
            else:
                yield soft


def join_sentences(parts):
    """What features see of several Sentences: words, and the columns that all of them have."""
    found = Sentences([words for part in parts for words in part.words])
    for name in parts[0].columns:
        if all(name in part.columns for part in parts):
            found.columns[name] = [values for part in parts for values in part.columns[name]]
    return found


def read_sentences(data_sets, task, kind, directory, features=()):
    """Sentences of a list of config.DataSet; paths are below `directory`.

    features: names of features that are taken from a column where one has that name. Labels of
    segments and roles become IOBES, trees are bare (`labels.trees.bare_tree`). Raises SennaError
    naming file and line for whatever cannot be read, an unknown tag scheme, or no sentence at all.
    """
    found = Sentences()
    for data in data_sets:
        for path in _files(data, directory):
            brackets = data.columns == [BRACKETS]
            reader = BracketReader(path, data) if brackets else _FileReader(path, data, task, kind)
            sentences = list(reader.read(features))
            first, last = (round(share * len(sentences)) for share in data.part)
            for lines, words, labels, columns in sentences[first:last]:
                found.words.append(words)
                shares = labels if data.soft and kind != "trees" else None
                found.soft.append(shares)
                found.labels.append(labels if shares is None else _best(shares))
                found.weight.append(data.weight)
                found.place.append((str(path), lines))
                found.until.append(data.until)
                for name, column in columns.items():
                    found.columns.setdefault(name, []).append(column)
    if not any(found.soft):
        found.soft = []
    if all(weight == 1 for weight in found.weight):
        found.weight = []
    lacking = [name for name, column in found.columns.items() if len(column) != len(found)]
    if lacking:
        raise SennaError(f"column {lacking[0]}: some files have it, others do not")
    if not found.words:
        names = ", ".join(str(Path(directory) / f) for data in data_sets for f in data.files)
        raise SennaError(f"{names}: no sentence")
    return found


def _best(shares):
    """Labels of a sentence that has shares of labels."""
    if isinstance(shares, dict):
        return {predicate: best_labels(words) for predicate, words in shares.items()}
    return best_labels(shares)


def files_read(config, corpora, directory):
    """Paths that a run reads: data and resources below `corpora`, and models.

    config: a Config or JointConfig; directory: of the run.
    """
    found = []
    for each in getattr(config, "configs", {"": config}).values():
        resources = (value for named in each.resources.values() if isinstance(named, dict)
                     for value in named.values())  # fmt: skip
        patterns = [data.files for data in (*each.train, *each.dev)]
        patterns += [[value] if isinstance(value, str) else value for value in resources]
        for pattern in itertools.chain(*patterns):
            found.append(os.path.join(corpora, pattern))
            found += glob.glob(os.path.join(glob.escape(corpora), pattern))
        init = each.network.init
        models = [*each.cascade.values(), init, init.rpartition(":")[0]]
        found += [find_native(directory, model) for model in models if model]
    return found


def _files(data, directory):
    for pattern in data.files:
        path = Path(directory) / pattern
        matches = sorted(glob.glob(str(path))) if glob.has_magic(pattern) else [str(path)]
        if not matches:
            raise SennaError(f"{path}: no file has such a name")
        yield from matches


class _FileReader:
    """Reads one file."""

    def __init__(self, path, data, task, kind):
        self.path, self.data, self.task, self.kind = path, data, task, kind
        self._layout = layout_of(path, data.layout)
        self.names, self._known_shares = list(map(column_name, data.columns)), {}
        self.has_roles = self.names[-1] == "roles"
        if self.has_roles:
            self.names.pop()

    def read(self, features):
        """Yield the lines of the words, words, labels and the columns of each sentence."""
        file = self._open()
        for sentence in file:
            n_columns = len(sentence.columns)
            if n_columns < len(self.names) or (n_columns > len(self.names) and not self.has_roles):
                more = n_columns > len(self.names)
                raise file.error(
                    sentence.line,
                    f"expected {counted(len(self.names), 'column')} ({', '.join(self.names)}), "
                    f"found {n_columns}" + "; what is not read is named -" * more,
                )
            _check_characters(file, sentence)
            columns = dict(zip(self.names, sentence.columns, strict=False))
            words = columns["word"]
            if words == [DOCUMENT_MARK]:
                continue
            labels = self._labels(file, sentence, columns)
            kept = {name: columns[name] if name in columns
                    else self._derived(file, sentence, name, columns)
                    for name in features if name in columns or self._has_source(name)}  # fmt: skip
            yield sentence.token_lines, words, labels, kept

    def _open(self):
        """The file, whose sentences have the columns `names`, and then those of roles."""
        if self._layout:
            data = self.data
            return LayoutFile(self.path, self._layout, data.columns, data.multiwords)
        if lacking := next((column for column in self.data.columns if "=" in column), None):
            raise SennaError(f"{self.path}: columns: {lacking!r} is for files of a layout")
        n, first = len(self.names), None if self.names[0] == "-" else self.names[0]
        same = not self.has_roles
        return ColumnFile(self.path, n, same, first=first, widths=(n,) * same)

    def _has_source(self, name):
        """Whether another column tells the values of the column `name`."""
        task = find_task(name)
        return task.derive is not None and task.gold[0] in self.names

    def _derived(self, file, sentence, name, columns):
        task = find_task(name)
        try:
            return task.derive(columns[task.gold[0]])
        except ValueError as error:
            token, problem = error.args
            raise file.error(sentence.line_of(token), problem) from None

    def _labels(self, file, sentence, columns):
        if self.kind == "roles":
            return self._roles(file, sentence, columns)
        if self.kind == "trees":
            if self.data.soft:
                return tree_of_shares(file, sentence, columns[self.task], self.data.labels)
            return tree_of_columns(file, sentence, columns, self.data.labels)
        if self.data.soft:
            return self._shares(file, sentence, columns[self.task])
        if self.task in columns:
            tags = columns[self.task]
            if self._layout and self.kind == "segments":
                tags = ["O" if tag == "_" else tag for tag in tags]  # CoNLL-U has nothing there
            return self._segments(file, sentence, tags) if self.kind == "segments" else (
                [self._rename(tag) for tag in tags] if self.data.labels else tags
            )  # fmt: skip
        return self._derived(file, sentence, self.task, columns)

    def _rename(self, label):
        return self.data.labels.get(label, label)

    def _shares(self, file, sentence, cells):
        """Pairs of labels and shares for each word."""
        found = []
        for i, cell in enumerate(cells):
            shares = self._known_shares.get(cell)
            if shares is None:
                try:
                    shares = self._read_shares(cell)
                except ValueError as error:
                    raise file.error(sentence.line_of(i), error) from None
                self._known_shares[cell] = shares
            found.append(shares)
        return found

    def _read_shares(self, cell):
        shares, rename = parse_shares(cell), self._rename
        if self.kind != "tags":
            for tag, _ in shares:
                if not is_chunk_tag(tag):
                    raise ValueError(
                        f"expected probabilities of IOBES tags such as B-NP, found {tag!r}"
                    )
            rename = partial(rename_tag, names=self.data.labels)
        return rename_shares(shares, rename) if self.data.labels else shares

    def _segments(self, file, sentence, tags):
        tags = [*map(read_tag, tags)]
        for i, tag in enumerate(tags):
            if not is_chunk_tag(tag):
                tags_instead = '; tags of single words need kind = "tags"'
                raise file.error(
                    sentence.line_of(i),
                    f"expected O or a tag such as B-NP (B, I, E or S), found {tag!r}"
                    + tags_instead * (self.task not in TABLE),
                )
        if self.data.scheme != "any":
            wrong = first_misfit(tags, self.data.scheme)
            if wrong is not None:
                expected = recode(tags, self.data.scheme)[wrong]
                raise file.error(
                    sentence.line_of(wrong),
                    f"expected {expected} in {self.data.scheme.upper()}, found {tags[wrong]}",
                )
        tags = recode(tags, "iobes")  # first: neighbors may get the same name
        return [rename_tag(tag, self.data.labels) for tag in tags] if self.data.labels else tags

    def _roles(self, file, sentence, columns):
        predicates = [i for i, mark in enumerate(columns["predicate"]) if mark != "-"]
        roles = split_roles(sentence.columns[len(self.names) :], len(predicates))
        if len(roles) != len(predicates):
            raise file.error(
                sentence.line,
                f"expected {counted(len(self.names) + len(predicates), 'column')} in a sentence of "
                f"{counted(len(predicates), 'predicate')}, found {len(sentence.columns)}",
            )
        read = self._shares if self.data.soft else self._segments
        return {
            predicate: read(file, sentence, tags)
            for predicate, tags in zip(predicates, roles, strict=True)
        }


def _check_characters(file, sentence):
    """Raise SennaError naming the first line of a sentence that is not UTF-8."""
    for column in sentence.columns:
        text = "\n".join(column)
        try:
            text.encode()
        except UnicodeEncodeError as error:
            line = sentence.line_of(text.count("\n", 0, error.start))
            raise file.error(line, "not UTF-8; convert the file first, with iconv") from None


def rename_tag(tag, names):
    """A tag of a segment whose type has another name in `names`, or is no segment there (O)."""
    prefix, dash, kind = tag.partition("-")
    kind = names.get(kind, kind)
    return "O" if not dash or kind == "O" else f"{prefix}-{kind}"
