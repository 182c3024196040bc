"""Constrained decoding: the best tag sequence that a set of automata accepts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from senna_py.kernels.decoding.constrained import Tables, mend
from senna_py.labels.constraints import Automaton, RowClass

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from senna_py.layers.decoder import Transitions

    Floats = NDArray[np.float32]
    Ints = NDArray[np.int32]


def tables_of(automata: Sequence[Automaton], ignored: int = -1) -> Tables:
    """Return automata, which must all have the same tags, as arrays for the kernel.

    Args:
        automata: The automata.
        ignored: The class of rows whose scores are ignored, or -1; see Tables.
    """
    shape = np.max([automaton.follow.shape for automaton in automata], axis=0)
    follow = np.zeros((len(automata), *shape), np.int8)
    follow[:] = np.arange(shape[1], dtype=np.int8)[:, None]
    accepting = np.zeros((len(automata), shape[1]), bool)
    for k, automaton in enumerate(automata):
        n_states = len(automaton.accepting)
        follow[k, :, :n_states] = automaton.follow
        accepting[k, :n_states] = automaton.accepting
    moves = follow != np.arange(shape[1])[:, None]
    alike = [(k, *each) for k, own in enumerate(automata) for each in own.alike]
    return Tables(
        follow,
        accepting,
        np.array([len(automaton.accepting) for automaton in automata], np.int32),
        *_lists_of(moves.any(axis=2).transpose(1, 2, 0)),
        *_lists_of(moves),
        np.array(alike, np.int32).reshape(-1, 4),
        np.array([ignored], np.int32),
    )


def _lists_of(flags: NDArray[np.bool_]) -> tuple[Ints, Ints]:
    """Return the indices of the true flags on the last axis, for each other index.

    Returns:
        int32[n + 1], where the indices of each row of the last axis begin; and the
        indices, int32.
    """
    rows = flags.reshape(-1, flags.shape[-1])
    first = np.append(0, np.cumsum(rows.sum(axis=1)))
    return first.astype(np.int32), np.nonzero(rows)[1].astype(np.int32)


class Constraints:
    """Replaces tag sequences that an automaton rejects by the best accepted ones.

    Few sequences are rejected, and most of these by a single automaton. So the search
    is a Viterbi search over pairs of a tag and a state of this automaton. If other
    automata reject its result, it is repeated with a product of two or three automata.
    The final result is the best of all sequences that every automaton accepts. If more
    than three automata are needed at once, it is the best sequence that three of them
    accept.

    In a search, the scores of closing quotes are ignored, because the chunks in the
    training data end before them.
    """

    def __init__(self, automata: Sequence[Automaton]) -> None:
        """Prepare automata, which must all have the same tags."""
        self._tables = tables_of(automata, RowClass.CLOSES_QUOTE)

    def mend(
        self,
        scores: Floats,
        begin: Ints,
        row_classes: NDArray[np.int8],
        transitions: Transitions,
        tags: Ints,
    ) -> None:
        """Replace the tags of rejected sequences, in place.

        Args:
            scores: float32[n, width], the scores of tags for each row.
            begin: int32[n_sequences + 1], where each sequence begins among the rows.
            row_classes: int8[n], the RowClass of each row.
            transitions: The transition scores of the network.
            tags: int32[n], the best tags, which are changed in place.
        """
        mend(
            scores,
            begin,
            row_classes,
            transitions.initial,
            transitions.steps,
            transitions.incoming,
            transitions.final,
            self._tables,
            tags,
        )
