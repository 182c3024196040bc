"""Constraints on sequences of labels beyond their tag scheme, as automata over tags.

The rules of English are data, in `english_rules.py`.
"""

from __future__ import annotations

import re
from enum import IntEnum
from fnmatch import fnmatchcase
from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from senna_py.labels.english_rules import AUTOMATA, SETS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

_CORE_ROLE = re.compile(r"A[0-9A](-[A-Z]+)?")  # A1, but not AM-TMP


class RowClass(IntEnum):
    """What rules say of a row: of a word, or of a word beside a predicate.

    What it does to a pair of marks; whether it belongs to another verb than the
    predicate; how the word is written. See `text.row_classes`.
    """

    OTHER = 0
    OPENS = 1
    CLOSES = 2
    CLOSES_QUOTE = 3
    FAR = 4
    FAR_FROM_FINITE = 5
    FAR_NEVER = 6
    NUMBER = 7
    COUNT = 8
    TWO = 9
    COMMON = 10
    ADDRESS = 11
    TIME = 12


class Alike(NamedTuple):
    """On rows of a class, a tag is at least as likely as another one."""

    row_class: int
    tag: int
    other: int


class Automaton(NamedTuple):
    """Reads the tags of a sequence from state 0 on, and accepts the sequence or not.

    Attributes:
        follow: int8[n_classes, n_states, n_tags], the state after a tag on a row of a
            class, by the state before; -1 for none.
        accepting: bool[n_states], the states in which a sequence may end.
        alike: Tags that are as likely as others.
    """

    follow: NDArray[np.int8]
    accepting: NDArray[np.bool_]
    alike: tuple[Alike, ...] = ()


def tag_automata(labels: Sequence[str]) -> list[Automaton]:
    """Make the automaton for tags of the Penn Treebank; there is none for other tags."""
    return _listed_automata("pos", labels)


def segment_automata(labels: Sequence[str]) -> list[Automaton]:
    """Make the automaton for segments with both marks of a pair or neither."""
    return _listed_automata("segments", labels)


def role_automata(labels: Sequence[str]) -> list[Automaton]:
    """Make the automata for roles.

    Besides the listed automaton, there is one for each core role X, which comes once;
    for each `C-X`, which comes after X; and for each `R-X`, which needs an X.
    """
    begins = [label[2:] if label[:2] in ("B-", "S-") else "" for label in labels]
    roles = {role.removeprefix("C-").removeprefix("R-") for role in begins}
    automata = _listed_automata("srl", labels)
    for role in sorted(roles - {""}):
        if _CORE_ROLE.fullmatch(role):
            automata.append(_role_automaton(begins, {role: [1, -1]}))
        if (other := f"C-{role}") in begins:
            automata.append(_role_automaton(begins, {role: [1, 1], other: [-1, 1]}))
        if (other := f"R-{role}") in begins:
            # In state 2, only R-X has been read.
            after = {role: [1, 1, 1], other: [2, 1, 2]}
            automata.append(_role_automaton(begins, after))
    return automata


def _role_automaton(begins: list[str], after: dict[str, list[int]]) -> Automaton:
    """Make one of the states after each state where some roles begin.

    In state 1, the role has been read. Other tags leave the state as it is.
    """
    n_states = len(next(iter(after.values())))
    steps = [after.get(begin, list(range(n_states))) for begin in begins]
    follow = np.array([steps] * len(RowClass), np.int8).transpose(0, 2, 1)
    return Automaton(_laid_out(follow), np.arange(n_states) < 2)


def _listed_automata(section: str, labels: Sequence[str]) -> list[Automaton]:
    """Make one automaton of those that the rules list, if they are for these labels."""
    automata = [
        _listed_automaton(entry, labels)
        for entry in AUTOMATA[section]
        if _has_all(labels, entry.get("needs", ()))
    ]
    return [join(automata)] if automata else []


def _has_all(labels: Sequence[str], patterns: Iterable[str]) -> bool:
    return all(
        any(fnmatchcase(label, pattern) for label in labels) for pattern in patterns
    )


def _listed_automaton(entry: Mapping[str, Any], labels: Sequence[str]) -> Automaton:
    states = entry["states"]
    follow = np.zeros((len(RowClass), len(states), len(labels)), np.int8)
    # The first rule that fits decides: it is written last.
    for rule in reversed(entry["rules"]):
        if not _has_all(labels, rule.get("needs", ())):
            continue
        fits = _fitting(labels, rule.get("tags", ["*"]))
        fits &= ~_fitting(labels, rule.get("except", []))
        to = states.index(rule["to"]) if "to" in rule else -1
        names = rule.get("class") or RowClass.__members__
        for name, state in product(names, rule.get("state", states)):
            follow[RowClass[name], states.index(state), fits] = to
    accepting = np.isin(states, entry.get("accepting", states))
    alike = tuple(
        Alike(
            RowClass[each["class"]],
            labels.index(each["tag"]),
            labels.index(each["other"]),
        )
        for each in entry.get("alike", ())
    )
    return Automaton(_laid_out(follow), accepting, alike)


def _fitting(labels: Sequence[str], patterns: Iterable[str]) -> NDArray[np.bool_]:
    """Tell which labels fit a pattern, or one of a set: bool[n_labels]."""
    fits = np.zeros(len(labels), bool)
    for pattern in patterns:
        if pattern.startswith("@"):
            fits |= _fitting(labels, SETS[pattern[1:]])
        else:
            fits |= [fnmatchcase(label, pattern) for label in labels]
    return fits


def _laid_out(follow: NDArray[np.int8]) -> NDArray[np.int8]:
    """Return the array in C order: else kernels compile for other orders, too."""
    return np.ascontiguousarray(follow)


def join(automata: Sequence[Automaton]) -> Automaton:
    """Make the automaton that accepts what all of some accept.

    It has a state for each tuple of their states.
    """
    follow, accepting, alike = automata[0]
    for other in automata[1:]:
        n_classes, _, n_tags = follow.shape
        a, b = follow[:, :, None], other.follow[:, None]
        pairs = np.where((a < 0) | (b < 0), -1, a * len(other.accepting) + b)
        follow = pairs.reshape(n_classes, -1, n_tags).astype(np.int8, "C")
        accepting = np.outer(accepting, other.accepting).ravel()
        alike = alike + other.alike
    return Automaton(follow, accepting, alike)
