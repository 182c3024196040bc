"""Sentences of column files with labels of several tasks, from which words can be taken.

merged.py and damage.py use this module. The columns are those of teacher/labels.py:
labels may have probabilities, segments and roles are tags such as B-NP in IOBES, and a
cell of `psg` lists the constituents that begin at a word.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from teacher.labels import cell_of

from senna_py.tagging.soft_labels import parse_constituents, parse_shares

SEGMENTS = "chk", "ner", "pt0", "val"
_IS_SOFT = re.compile(r":[0-9.]+(,|$)")
# The joint labels that sentences without punctuation need, all known to the model.
_JOINT = {
    *("FRAG(ADJP", "FRAG(ADVP", "FRAG(INTJ", "FRAG(NP", "FRAG(PP", "FRAG(VP"),
    *("NP(NP", "PRN(NP", "PRN(S", "S(ADJP", "S(NP", "S(PP", "S(VP", "SBAR(S", "SQ(VP"),
}
_UNKNOWN = {"S-A1-DSP"}  # A tag of roles that the model lacks, as does all gold data.
# The prefixes of the neighbors of a word that is taken out, by its own prefix.
_NEXT, _PREVIOUS = {"I": "B", "E": "S"}, {"I": "E", "B": "S"}


@dataclass
class Annotated:
    """A sentence with its columns.

    Attributes:
        words: The words.
        columns: The cells of each column except words and roles, by name.
        roles: A column of roles for each predicate, in the order of the predicates.
    """

    words: list[str]
    columns: dict[str, list[str]] = field(default_factory=dict)
    roles: list[list[str]] = field(default_factory=list)

    def without(self, dropped: set[int]) -> "Annotated | None":
        """Return the sentence without some words, or None if it loses its root.

        Args:
            dropped: The indices of the words.
        """
        kept = [i for i in range(len(self.words)) if i not in dropped]
        if not kept:
            return None
        columns = {
            name: _cut_segments(cells, dropped) if name in SEGMENTS else cells
            for name, cells in self.columns.items()
        }
        if "head" in columns:
            heads = _cut_heads(columns["head"], dropped)
            if heads is None:
                return None
            columns["head"] = heads
        if "psg" in columns:
            columns["psg"] = _cut_constituents(columns["psg"], dropped)
        marks = columns.get("predicate", [])
        predicates = [i for i, mark in enumerate(marks) if mark != "-"]
        roles = [
            _cut_segments(cells, dropped)
            for i, cells in zip(predicates, self.roles, strict=True)
            if i not in dropped
        ]
        return Annotated(
            [self.words[i] for i in kept],
            {name: [cells[i] for i in kept] for name, cells in columns.items()},
            [[cells[i] for i in kept] for cells in roles],
        )

    def lines(self) -> str:
        """Return the lines of the sentence in a column file, with the empty line."""
        columns = [self.words, *self.columns.values(), *self.roles]
        return "".join("\t".join(row) + "\n" for row in zip(*columns, strict=True))


def read_annotated(path: Path, names: Sequence[str]) -> Iterator[Annotated]:
    """Yield the sentences of a column file.

    Args:
        path: The file.
        names: The names of the columns. The first one is `word`; if the last one is
            `roles`, it stands for all remaining columns. Names that begin with `-` are
            copied.
    """
    n_named = len(names) - (names[-1] == "roles")
    rows: list[list[str]] = []
    with open(path, encoding="utf-8") as lines:
        for line in (*lines, "\n"):
            if line != "\n":
                rows.append(re.split("[\t ]", line.rstrip("\n")))
            elif rows:
                words, *columns = map(list, zip(*rows, strict=True))
                named = dict(zip(names[1:n_named], columns, strict=False))
                yield Annotated(words, named, columns[n_named - 1 :])
                rows = []


def write_annotated(path: Path, sentences: Iterator[Annotated]) -> tuple[int, int]:
    """Write a column file, and return the numbers of its sentences and words."""
    path.parent.mkdir(parents=True, exist_ok=True)
    n_sentences = n_words = 0
    with open(path, "w", encoding="utf-8") as file:
        for sentence in sentences:
            file.write(sentence.lines() + "\n")
            n_sentences += 1
            n_words += len(sentence.words)
    return n_sentences, n_words


def _cut_segments(cells: list[str], dropped: set[int]) -> list[str]:
    """Return IOBES tags that fit when the dropped words are gone."""
    cells = list(cells)
    for i in sorted(dropped):
        if _best(cells[i]).startswith("B-"):
            cells[i + 1] = _with_prefixes(cells[i + 1], _NEXT)
    for i in sorted(dropped, reverse=True):
        if _best(cells[i]).startswith("E-"):
            cells[i - 1] = _with_prefixes(cells[i - 1], _PREVIOUS)
    return cells


@cache
def _best(cell: str) -> str:
    """Return the most probable label of a cell."""
    if not _IS_SOFT.search(cell):
        return cell
    return max(parse_shares(cell), key=lambda pair: pair[1])[0]


def _with_prefixes(cell: str, prefixes: dict[str, str]) -> str:
    """Return a cell whose tags have other prefixes."""

    def changed(tag: str) -> str:
        prefix, dash, label = tag.partition("-")
        new = prefixes.get(prefix, prefix) + dash + label if dash else tag
        return "O" if new in _UNKNOWN else new

    if not _IS_SOFT.search(cell):
        return changed(cell)
    shares: dict[str, float] = defaultdict(float)
    for tag, share in parse_shares(cell):
        shares[changed(tag)] += share
    return cell_of(shares)


def _cut_heads(cells: list[str], dropped: set[int]) -> list[str] | None:
    """Return the heads when the dropped words are gone, or None if one was a root.

    A word whose head is gone gets the head of its head.
    """
    heads = [int(cell) for cell in cells]
    if any(heads[i] == 0 for i in dropped):
        return None
    number, n_kept = [0], 0
    for i in range(len(cells)):
        n_kept += i not in dropped
        number.append(n_kept)
    new = list(cells)
    for i in range(len(cells)):
        head, steps = heads[i], 0
        while head - 1 in dropped and steps < len(heads):
            head, steps = heads[head - 1], steps + 1
        if i not in dropped:
            if head - 1 in dropped:  # The heads of teachers may form a circle.
                return None
            new[i] = str(number[head])
    return new


def _cut_constituents(cells: list[str], dropped: set[int]) -> list[str]:
    """Return the constituents when the dropped words are gone.

    Constituents that then have the same words are joined, as in `FRAG(NP`.
    """
    before = [0]
    for i in range(len(cells)):
        before.append(before[-1] + (i not in dropped))
    spans: dict[tuple[int, int], dict[int, dict[str, float]]] = {}
    for begin, cell in enumerate(cells):
        for label, length, share in _constituents(cell):
            place = before[begin], before[begin + length]
            if place[0] < place[1]:
                by_length = spans.setdefault(place, {})
                by_length.setdefault(length, {})[label] = share
    new: list[dict[str, float]] = [{} for _ in cells]
    for (begin, end), by_length in spans.items():
        for label, share in _joined(by_length).items():
            new[begin][f"{label}/{end - begin}"] = share
    # Words that are dropped have no constituents, so the cells are put back in place.
    kept = [cell_of(shares) for shares in new]
    return [kept[before[i]] if i not in dropped else "-" for i in range(len(cells))]


def _joined(by_length: dict[int, dict[str, float]]) -> dict[str, float]:
    """Return the labels of constituents that now have the same words.

    Args:
        by_length: The labels and their probabilities, by the former number of words.
    """
    outer, *others = (by_length[length] for length in sorted(by_length, reverse=True))
    for inner in others:
        if max(inner.values()) > max(outer.values()) + 0.3:
            outer = inner
        elif len(outer) == len(inner) == 1:
            ((first, share),), ((second, other),) = outer.items(), inner.items()
            outer = {_join(first, second): min(share, other)}
    return outer


def _join(outer: str, inner: str) -> str:
    """Return the label of two constituents, or the outer one if there is none."""
    label = outer if outer.endswith(inner) else f"{outer}({inner}"
    return label if label in _JOINT else outer


@cache
def _constituents(cell: str) -> tuple[tuple[str, int, float], ...]:
    return parse_constituents(cell)
