"""Best tag sequences among those that automata accept."""

from functools import lru_cache

import numpy as np

from senna_py.kernels.decoding.constrained import best_accepted, find_broken
from senna_py.labels.constraints import CLOSES_QUOTE, join

_KEPT = 64  # automata of several, each of up to 50 kB
_AT_ONCE = 3  # automata in one search: each makes it take two or three times as long


class Constraints:
    """Finds other tags for sequences whose best tags an automaton does not accept.

    Few are such, and most break one constraint. So the search is Viterbi's over pairs
    of a tag and a state of the automaton that was broken, and is repeated with those of
    two or three if what it finds breaks another. What it ends with is the best of all
    sequences that every automaton accepts; where more than three are needed at once,
    the best for three of them.
    """

    def __init__(self, automata):
        """automata: a list of `labels.constraints.Automaton`, for the same tags."""
        self._automata = automata
        self._joined = lru_cache(_KEPT)(
            lambda chosen: join([automata[k] for k in chosen])
        )
        # All of them as two arrays; states that some lack are never reached.
        shape = np.max([each.follow.shape for each in automata], axis=0)
        follow = np.zeros((len(automata), *shape), np.int8)
        accepting = np.zeros((len(automata), shape[1]), bool)
        for k, each in enumerate(automata):
            follow[k, :, : len(each.accepting)] = each.follow
            accepting[k, : len(each.accepting)] = each.accepting
        self._tables = follow, accepting

    def mend(self, scores, begin, kinds, transitions, tags):
        """Replace the tags of those sequences that are not accepted.

        scores: float32[n, n_tags or more]; begin: int32[n_sequences + 1], where
        sequences begin among the rows; kinds: int8[n], of rows; transitions:
        Transitions of a network; tags: int32[n], the best, changed in place.
        """
        broken = self._find_broken(tags, begin, kinds)
        for s in np.flatnonzero(broken.any(axis=1)).tolist():
            rows = slice(begin[s], begin[s + 1])
            tags[rows] = self._search(scores[rows], kinds[rows], transitions, broken[s])

    def _find_broken(self, tags, begin, kinds):
        """Which automata do not accept each sequence: bool[n_sequences, n_automata]."""
        broken = np.empty((len(begin) - 1, len(self._automata)), bool)
        find_broken(tags, begin, kinds, *self._tables, broken)
        return broken

    def _search(self, scores, kinds, transitions, broken):
        """Tags of a sequence: int32[n]; broken: bool[n_automata], those to begin with.

        A closing quote has no say: chunks that networks learn from end before it.
        """
        scores = np.where((kinds == CLOSES_QUOTE)[:, None], np.float32(0), scores)
        t, tags, chosen = (
            transitions,
            np.empty(len(scores), np.int32),
            np.zeros_like(broken),
        )
        while (
            new := np.flatnonzero(broken & ~chosen)
        ).size and chosen.sum() < _AT_ONCE:
            chosen[new[: _AT_ONCE - chosen.sum()]] = True
            automaton = self._joined(tuple(np.flatnonzero(chosen).tolist()))
            for kind, tag, other in automaton.alike:
                likelier = np.maximum(scores[:, tag], scores[:, other])
                scores[:, tag] = np.where(kinds == kind, likelier, scores[:, tag])
            best_accepted(
                scores,
                t.initial,
                t.steps,
                t.incoming,
                t.final,
                kinds,
                automaton.follow,
                automaton.accepting,
                tags,
            )
            (broken,) = self._find_broken(
                tags, np.array([0, len(tags)], np.int32), kinds
            )
        return tags
