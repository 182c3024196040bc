"""What sequences of labels must hold beyond their tag scheme, as automata that read their tags."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

__all__ = [
    "CLOSES", "CLOSES_QUOTE", "OPENS", "OTHER", "Automaton", "join", "pair_automata",
    "role_automata",
]  # fmt: skip

OTHER, OPENS, CLOSES, CLOSES_QUOTE = range(4)  # kinds of rows: what they do to a pair
_CORE = re.compile(r"A[0-9A](-[A-Z]+)?")  # A1, but not AM-TMP
_ABSENT, _FOUND, _REFERENCE = range(3)  # states: of a role; the last: only R-X was found
_OUTSIDE, _ONE, _TWO = range(3)  # states: how many pairs are open within a segment


class Automaton(NamedTuple):
    """Reads the tags of a sequence from state 0 on, and accepts the sequence or does not.

    follow: int8[n_kinds, n_states, n_tags], the state after a tag on a row of a kind, by the state
    before; -1: none. accepting: bool[n_states], those in which a sequence may end.
    """

    follow: NDArray[np.int8]
    accepting: NDArray[np.bool_]


def role_automata(labels: Sequence[str]) -> list[Automaton]:
    """Automata for the IOBES labels of roles: a core role X once, `C-X` after X, `R-X` beside X.

    There is one for each of these and each X, as far as there are such labels. Every row is OTHER.
    """
    begins = [label[2:] if label[:2] in ("B-", "S-") else "" for label in labels]
    found = []
    for role in sorted({role.removeprefix("C-").removeprefix("R-") for role in begins} - {""}):
        if _CORE.fullmatch(role):
            found.append(_of_begins(begins, {role: [_FOUND, -1]}))
        if (other := f"C-{role}") in begins:
            found.append(_of_begins(begins, {role: [_FOUND, _FOUND], other: [-1, _FOUND]}))
        if (other := f"R-{role}") in begins:
            after = {role: [_FOUND] * 3, other: [_REFERENCE, _FOUND, _REFERENCE]}
            found.append(_of_begins(begins, after))
    return found


def _of_begins(begins: list[str], after: dict[str, list[int]]) -> Automaton:
    """Automaton of the states `after` the beginnings of some roles; others leave it as it is."""
    n_states = len(next(iter(after.values())))
    steps = [after.get(begin, list(range(n_states))) for begin in begins]
    return _automaton([steps], [_ABSENT, _FOUND])


def pair_automata(labels: Sequence[str]) -> list[Automaton]:
    """The automaton for IOBES labels of segments that hold both marks of a pair, or neither.

    It can follow pairs of rows that are nested two deep.
    """
    inside, never = {"I": [_OUTSIDE, _ONE, _TWO]}, [-1, -1, -1]
    opens = {"B": [_ONE, -1, -1], "I": [_ONE, _TWO, -1], "E": never, "S": never}
    closes = {"B": never, "I": [-1, _OUTSIDE, _ONE], "E": [-1, _OUTSIDE, -1], "S": never}
    prefixes = [label[0] if label[1:2] == "-" else "O" for label in labels]
    by_kind = {OTHER: inside, OPENS: opens, CLOSES: closes, CLOSES_QUOTE: closes}
    steps = [[by_kind[kind].get(prefix, [_OUTSIDE, -1, -1]) for prefix in prefixes]
             for kind in sorted(by_kind)]  # fmt: skip
    return [_automaton(steps, [_OUTSIDE])]


def join(automata: Sequence[Automaton]) -> Automaton:
    """The automaton that accepts what all of some accept, with a state for each tuple of theirs."""
    follow, accepting = automata[0]
    for other in automata[1:]:
        n_kinds, _, n_tags = follow.shape
        a, b = follow[:, :, None], other.follow[:, None]
        pairs = np.where((a < 0) | (b < 0), -1, a * len(other.accepting) + b)
        follow = pairs.reshape(n_kinds, -1, n_tags).astype(np.int8)
        accepting = np.outer(accepting, other.accepting).ravel()
    return Automaton(follow, accepting)


def _automaton(steps: list[list[list[int]]], accepting: list[int]) -> Automaton:
    """Make one from the states after each kind, tag and state."""
    follow = np.array(steps, np.int8).transpose(0, 2, 1)
    return Automaton(follow, np.isin(np.arange(follow.shape[1]), accepting))
