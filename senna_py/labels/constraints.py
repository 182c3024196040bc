"""What sequences of labels must hold beyond their tag scheme, as automata that read
their tags.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

# Kinds of rows: what they do to a pair; whether they belong to another verb than their
# predicate; how words are written.
KINDS = range(13)
(
    OTHER,
    OPENS,
    CLOSES,
    CLOSES_QUOTE,
    FAR,
    FAR_FROM_FINITE,
    FAR_NEVER,
    NUMBER,
    COUNT,
    TWO,
    COMMON,
    ADDRESS,
    TIME,
) = KINDS
_CORE = re.compile(r"A[0-9A](-[A-Z]+)?")  # A1, but not AM-TMP
_ABSENT, _FOUND, _REFERENCE = range(
    3
)  # states: of a role; the last: only R-X was found
_OUTSIDE, _ONE, _TWO = range(3)  # states: how many pairs are open within a segment
_OF_VERB = "AM-NEG", "AM-MOD"  # roles that a verb near the predicate must have
_VERBS = {"VB", "VBD", "VBG", "VBN", "VBP", "VBZ"}
_NO_NUMBERS = _VERBS | {
    "TO",
    "POS",
    "PRP",
    "PRP$",
    "WP",
    "WP$",
    "WDT",
    "WRB",
    "EX",
    "DT",
    "PDT",
    "MD",
    "CC",
    "IN",
    "RP",
    "RB",
    "RBR",
    "RBS",
    "UH",
    ",",
    ".",
    ":",
    "``",
    "''",
    "HYPH",
}
_NEVER = {
    NUMBER: _NO_NUMBERS,
    COUNT: _NO_NUMBERS | {"LS"},
    TWO: _NO_NUMBERS,
    COMMON: set(),
    ADDRESS: set(),
    TIME: set(),
    OTHER: set(),
}
_ONLY = {ADDRESS: "ADD", TIME: "CD"}
_NAMES = {"NNP", "NNPS"}
# What a noun phrase begins with, what it may go on with, and what *to* may follow.
_PHRASE = {"DT", "PDT", "PRP$", "WP$", "POS", "CD", "JJ", "JJR", "JJS", "VBN", "VBG"}
_GO_ON = {"NN", "RB", "HYPH"}
_BEHIND_TO, _IS_TO, _IS_NUMBER = {"VB", "RB"}, 1, 2
_WANT = _VERBS | {"JJ", "NN", "NNS", "NNP", "PRP", "WP", "WRB", "UH"}


class Automaton(NamedTuple):
    """Reads the tags of a sequence from state 0 on, and accepts the sequence or does
    not.

    follow: int8[n_kinds, n_states, n_tags], the state after a tag on a row of a kind,
    by the state before; -1: none. accepting: bool[n_states], those in which a sequence
    may end. alike: (kind, tag, other): on rows of a kind a tag is as likely as another
    one, at least.
    """

    follow: NDArray[np.int8]
    accepting: NDArray[np.bool_]
    alike: tuple[tuple[int, int, int], ...] = ()


def role_automata(labels: Sequence[str]) -> list[Automaton]:
    """Automata for the IOBES labels of roles: a core role X once, `C-X` after X, `R-X`
    beside X.

    There is one for each of these and each X, as far as there are such labels, and one
    that keeps negations from rows that are FAR, modals too from those that are
    FAR_FROM_FINITE, and adverbials of one word from those that are FAR_NEVER.
    """
    begins = [label[2:] if label[:2] in ("B-", "S-") else "" for label in labels]
    found = []
    if {*_OF_VERB} & {*begins}:
        of_one = tuple(label for label in labels if label.startswith("S-AM-"))
        never = {
            OTHER: (),
            FAR: _OF_VERB[:1],
            FAR_FROM_FINITE: _OF_VERB,
            FAR_NEVER: of_one,
        }
        steps = {
            kind: [[-1 if label.endswith(roles) else 0] for label in labels]
            for kind, roles in never.items()
        }
        found.append(_automaton(steps, [0]))
    for role in sorted(
        {role.removeprefix("C-").removeprefix("R-") for role in begins} - {""}
    ):
        if _CORE.fullmatch(role):
            found.append(_of_begins(begins, {role: [_FOUND, -1]}))
        if (other := f"C-{role}") in begins:
            found.append(
                _of_begins(begins, {role: [_FOUND, _FOUND], other: [-1, _FOUND]})
            )
        if (other := f"R-{role}") in begins:
            after = {role: [_FOUND] * 3, other: [_REFERENCE, _FOUND, _REFERENCE]}
            found.append(_of_begins(begins, after))
    return found


def _of_begins(begins: list[str], after: dict[str, list[int]]) -> Automaton:
    """Automaton of the states `after` the beginnings of some roles; others leave it as
    it is.
    """
    n_states = len(next(iter(after.values())))
    steps = [after.get(begin, list(range(n_states))) for begin in begins]
    return _automaton({OTHER: steps}, [_ABSENT, _FOUND])


def pair_automata(labels: Sequence[str]) -> list[Automaton]:
    """The automaton for IOBES segments with both marks of a pair or neither, nested two
    deep.
    """
    inside, never = {"I": [_OUTSIDE, _ONE, _TWO]}, [-1, -1, -1]
    opens = {"B": [_ONE, -1, -1], "I": [_ONE, _TWO, -1], "E": never, "S": never}
    closes = {
        "B": never,
        "I": [-1, _OUTSIDE, _ONE],
        "E": [-1, _OUTSIDE, -1],
        "S": never,
    }
    prefixes = [label[0] if label[1:2] == "-" else "O" for label in labels]
    by_kind = {OTHER: inside, OPENS: opens, CLOSES: closes, CLOSES_QUOTE: closes}
    steps = {
        kind: [after.get(prefix, [_OUTSIDE, -1, -1]) for prefix in prefixes]
        for kind, after in by_kind.items()
    }
    return [_automaton(steps, [_OUTSIDE])]


def tag_automata(labels: Sequence[str]) -> list[Automaton]:
    """The automaton for tags of the Penn Treebank by how words are written; none for
    other tags.

    A NUMBER is no verb, and nothing of a closed class, but for TWO between a word that
    wants *to* and a base form (*want 2 go*), which is no CD; a COUNT is no list mark,
    what is COMMON no name within a noun phrase. An ADDRESS is ADD, a TIME is CD.
    """
    if not {"TO", "CD", "VB", "PRP$", *_NAMES} <= {*labels}:
        return []

    def after(kind, tag, state):
        if _ONLY.get(kind, tag) in labels and tag != _ONLY.get(kind, tag):
            return -1
        two, in_phrase, wants = state // 4, state // 2 % 2, state % 2
        if (two == _IS_TO and tag not in _BEHIND_TO) or (
            two == _IS_NUMBER and tag == "VB"
        ):
            return -1
        never = _NEVER[kind] | (_NAMES if kind == COMMON and in_phrase else set())
        may_be_to = kind == TWO and wants
        if tag in never and not (may_be_to and tag == "TO"):
            return -1
        two = {"TO": _IS_TO, "CD": _IS_NUMBER}.get(tag, 0) if may_be_to else 0
        in_phrase = tag in _PHRASE or (in_phrase and tag in _GO_ON)
        return 4 * two + 2 * in_phrase + (tag in _WANT)

    steps = {
        kind: [[after(kind, tag, state) for state in range(12)] for tag in labels]
        for kind in _NEVER
    }
    found = _automaton(steps, [*range(4), *range(8, 12)])
    return [found._replace(alike=((TWO, labels.index("TO"), labels.index("CD")),))]


def join(automata: Sequence[Automaton]) -> Automaton:
    """The automaton that accepts what all of some accept, with a state for each tuple
    of theirs.
    """
    follow, accepting, alike = automata[0]
    for other in automata[1:]:
        n_kinds, _, n_tags = follow.shape
        a, b = follow[:, :, None], other.follow[:, None]
        pairs = np.where((a < 0) | (b < 0), -1, a * len(other.accepting) + b)
        follow = pairs.reshape(n_kinds, -1, n_tags).astype(np.int8, "C")
        accepting = np.outer(accepting, other.accepting).ravel()
    return Automaton(follow, accepting, alike)


def _automaton(steps: dict[int, list[list[int]]], accepting: list[int]) -> Automaton:
    """Make one from the states after each tag and state, by kind; kinds not named are
    as OTHER.
    """
    by_tag = np.array([steps.get(kind, steps[OTHER]) for kind in KINDS], np.int8)
    follow = np.ascontiguousarray(
        by_tag.transpose(0, 2, 1)
    )  # else kernels compile for others, too
    return Automaton(follow, np.isin(np.arange(follow.shape[1]), accepting))
