"""Constrained decoding: the best tag sequence that a set of automata accepts."""

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

_KEPT = 64  # the number of joined automata in the cache; each takes up to 50 kB
# The maximum number of automata in a search; each makes it two or three times slower.
_AT_ONCE = 3


class Constraints:
    """Replaces tag sequences that an automaton rejects by the best accepted ones.

    Few sequences are rejected, and most of these by a single automaton. So the search
    is a Viterbi search over pairs of a tag and a state of this automaton. If other
    automata reject its result, it is repeated with a product of two or three automata.
    The final result is the best of all sequences that every automaton accepts. If more
    than three automata are needed at once, it is the best sequence that three of them
    accept.
    """

    def __init__(self, automata: Sequence[Automaton]) -> None:
        """Prepare automata, which must all have the same tags."""
        self._automata = automata
        self._joined = lru_cache(_KEPT)(self._join)
        # Two arrays hold all automata. The states that pad smaller automata are never
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
        """Replace the tags of rejected sequences, in place.

        Args:
            scores: float32[n, n_tags or more], the scores of tags for each row.
            begin: int32[n_sequences + 1], where each sequence begins among the rows.
            row_classes: int8[n], the RowClass of each row.
            transitions: The transition scores of the network.
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
        """Return whether each automaton rejects each sequence.

        The result is bool[n_sequences, n_automata]. See `mend` for the arguments.
        """
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
        """Return the best accepted tags of a sequence: int32[n].

        The scores of closing quotes are ignored, because the chunks in the training
        data end before them. The adjustments in `Automaton.alike` are made first. If no
        sequence is accepted, the result is arbitrary.

        Args:
            scores: float32[n, n_tags or more], the scores of the sequence.
            row_classes: int8[n], the RowClass of each row.
            transitions: The transition scores of the network.
            broken: bool[n_automata], the automata that reject the best tags.
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
