"""The best tag sequences among those that automata accept."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from senna_py.kernels.decoding.constrained import best_accepted, find_broken
from senna_py.labels.constraints import Automaton, RowClass, join

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from senna_py.layers.decoder import Transitions

    Classes = NDArray[np.int8]
    Floats = NDArray[np.float32]
    Ints = NDArray[np.int32]

_KEPT = 64  # joined automata, each of up to 50 kB
_AT_ONCE = 3  # automata in one search, each of which makes it two or three times slower


class Constraints:
    """Finds other tags for sequences whose best tags an automaton does not accept.

    There are few such sequences, and most break one constraint. So the search is
    Viterbi's over pairs of a tag and a state of the automaton that was broken. If its
    result breaks other constraints, it is repeated with two or three automata. The
    final result is the best of all sequences that every automaton accepts. If more than
    three automata are needed at once, it is the best for three of them.
    """

    def __init__(self, automata: Sequence[Automaton]) -> None:
        """Prepare automata for the same tags."""
        self._automata = automata
        self._joined = lru_cache(_KEPT)(self._join)
        # All automata in two arrays; additional states of the smaller ones are never
        # reached.
        shape = np.max([automaton.follow.shape for automaton in automata], axis=0)
        follow = np.zeros((len(automata), *shape), np.int8)
        accepting = np.zeros((len(automata), shape[1]), bool)
        for k, automaton in enumerate(automata):
            n_states = len(automaton.accepting)
            follow[k, :, :n_states] = automaton.follow
            accepting[k, :n_states] = automaton.accepting
        self._tables = follow, accepting

    def _join(self, chosen: tuple[int, ...]) -> Automaton:
        return join([self._automata[k] for k in chosen])

    def mend(
        self,
        scores: Floats,
        begin: Ints,
        row_classes: Classes,
        transitions: Transitions,
        tags: Ints,
    ) -> None:
        """Replace the tags of the sequences that are not accepted.

        Args:
            scores: float32[n, n_tags or more].
            begin: int32[n_sequences + 1], where sequences begin among the rows.
            row_classes: int8[n], the RowClass of each row.
            transitions: The transitions of the network.
            tags: int32[n], the best tags, which are changed in place.
        """
        broken = self._find_broken(tags, begin, row_classes)
        for s in np.flatnonzero(broken.any(axis=1)).tolist():
            rows = slice(begin[s], begin[s + 1])
            tags[rows] = self._search(
                scores[rows], row_classes[rows], transitions, broken[s]
            )

    def _find_broken(
        self, tags: Ints, begin: Ints, row_classes: Classes
    ) -> NDArray[np.bool_]:
        """Return which automata reject each sequence: bool[n_sequences, n_automata]."""
        broken = np.empty((len(begin) - 1, len(self._automata)), bool)
        find_broken(tags, begin, row_classes, *self._tables, broken)
        return broken

    def _search(
        self,
        scores: Floats,
        row_classes: Classes,
        transitions: Transitions,
        broken: NDArray[np.bool_],
    ) -> Ints:
        """Find the tags of a sequence: int32[n].

        The score of a closing quote is ignored, because the chunks from which networks
        learn end before it.

        Args:
            scores: The scores of the sequence.
            row_classes: The RowClass of each row.
            transitions: The transitions of the network.
            broken: bool[n_automata], the automata that reject its best tags.
        """
        is_quote = row_classes == RowClass.CLOSES_QUOTE
        scores = np.where(is_quote[:, None], np.float32(0), scores)
        tags, whole = np.empty(len(scores), np.int32), np.array([0, len(scores)], "i4")
        chosen = np.zeros_like(broken)
        while (
            new := np.flatnonzero(broken & ~chosen)
        ).size and chosen.sum() < _AT_ONCE:
            chosen[new[: _AT_ONCE - chosen.sum()]] = True
            automaton = self._joined(tuple(np.flatnonzero(chosen).tolist()))
            for row_class, tag, other in automaton.alike:
                likelier = np.maximum(scores[:, tag], scores[:, other])
                rows = row_classes == row_class
                scores[:, tag] = np.where(rows, likelier, scores[:, tag])
            best_accepted(
                scores,
                transitions.initial,
                transitions.steps,
                transitions.incoming,
                transitions.final,
                row_classes,
                automaton.follow,
                automaton.accepting,
                tags,
            )
            (broken,) = self._find_broken(tags, whole, row_classes)
        return tags
