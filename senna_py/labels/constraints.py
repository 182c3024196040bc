"""Constraints on tag sequences beyond the tag scheme, as finite automata over tags.

The rules for English are data in `english_rules.py`.
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

_WILDCARDS = frozenset("*?[")
_CORE_ROLE = re.compile(r"A[0-9A](-[A-Z]+)?")  # A1, but not AM-TMP


class RowClass(IntEnum):
    """The class of a row, on which rules depend.

    A row is a word, or a pair of a word and a predicate. OPENS, CLOSES and CLOSES_QUOTE
    are brackets and quotation marks that form pairs. FAR, FAR_FROM_FINITE and FAR_NEVER
    are words that belong to a verb other than the predicate. The other classes describe
    how a word is written. See `text.row_classes`.
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
    """An adjustment that raises the score of a tag to that of another tag, if lower.

    Attributes:
        row_class: The RowClass of the rows whose scores are adjusted.
        tag: The index of the tag whose score is raised.
        other: The index of the other tag.
    """

    row_class: int
    tag: int
    other: int


class Automaton(NamedTuple):
    """A finite automaton that accepts or rejects the tags of a sequence.

    The initial state is 0.

    Attributes:
        follow: int8[n_classes, n_states, n_tags], the next state, by the class of the
            row, the current state and the tag; -1 if the tag is rejected.
        accepting: bool[n_states], the states in which a sequence may end.
        alike: The score adjustments to make before decoding.
    """

    follow: NDArray[np.int8]
    accepting: NDArray[np.bool_]
    alike: tuple[Alike, ...] = ()


def tag_automata(labels: Sequence[str]) -> list[Automaton]:
    """Return a list of one automaton for Penn Treebank tags.

    The list is empty for other tag sets.
    """
    return _listed_automata("pos", labels)


def segment_automata(labels: Sequence[str]) -> list[Automaton]:
    """Return a list of one automaton for segments.

    It rejects segments that contain one mark of a pair of brackets or quotes, but not
    the other, and segments with more than two nested pairs.
    """
    return _listed_automata("segments", labels)


def role_automata(labels: Sequence[str]) -> list[Automaton]:
    """Return the automata for roles.

    Besides the automaton of the rules, if they apply to these labels, there is one for
    each core role, which may occur only once; one for each `C-X`, which must follow an
    X; and one for each `R-X`, which may only occur with an X.
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
    """Return an automaton that changes its state where some roles begin.

    In state 1, the role X has been read. States 0 and 1 are accepting.

    Args:
        begins: For each tag, the role that begins with it, or "".
        after: For each role that matters, the next state by the current state, or -1 if
            it is rejected. Other tags do not change the state.
    """
    n_states = len(next(iter(after.values())))
    steps = [after.get(begin, list(range(n_states))) for begin in begins]
    follow = np.array([steps] * len(RowClass), np.int8).transpose(0, 2, 1)
    return Automaton(_laid_out(follow), np.arange(n_states) < 2)


def _listed_automata(section: str, labels: Sequence[str]) -> list[Automaton]:
    """Return the automata in a section that apply to these labels, joined into one.

    The list has one element, or is empty if none apply.
    """
    automata = [
        _listed_automaton(entry, labels)
        for entry in AUTOMATA[section]
        if _has_all(labels, entry.get("needs", ()))
    ]
    return [join(automata)] if automata else []


def _has_all(labels: Sequence[str], patterns: Iterable[str]) -> bool:
    return all(any(_matching(labels, pattern)) for pattern in patterns)


def _matching(labels: Sequence[str], pattern: str) -> list[bool]:
    """Return whether each label matches a pattern."""
    if _WILDCARDS.isdisjoint(pattern):  # Matching most patterns would take longer.
        return [label == pattern for label in labels]
    return [fnmatchcase(label, pattern) for label in labels]


def _listed_automaton(entry: Mapping[str, Any], labels: Sequence[str]) -> Automaton:
    states = entry["states"]
    follow = np.zeros((len(RowClass), len(states), len(labels)), np.int8)
    # The first matching rule applies, so rules are written in reverse order.
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
    """Return whether each label matches one of the patterns: bool[n_labels].

    A pattern `@NAME` stands for the patterns of a set in SETS.
    """
    fits = np.zeros(len(labels), bool)
    for pattern in patterns:
        if pattern.startswith("@"):
            fits |= _fitting(labels, SETS[pattern[1:]])
        else:
            fits |= _matching(labels, pattern)
    return fits


def _laid_out(follow: NDArray[np.int8]) -> NDArray[np.int8]:
    """Return the array in C order, so that kernels are compiled for one order only."""
    return np.ascontiguousarray(follow)


def join(automata: Sequence[Automaton]) -> Automaton:
    """Return the product automaton, which accepts what all the automata accept.

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
