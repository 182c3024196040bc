"""The cost of a tree's levels: the likelihood of each among all that its decoding allows."""

import numpy as np

from senna_py.kernels.decoding.level_likelihood import level_likelihood

__all__ = ["LevelLikelihood"]


class LevelLikelihood:
    """-log of the share that the gold labels of a level have of all that may be decoded.

    Collobert et al. (2011), equation 13, but over the paths that `decode_levels`
    chooses from: a constituent that was found before has one label as a whole, and gets none of its
    own length. initial: float32[n_labels]; transition: float32[n_labels, n_labels] (source,
    destination). Fan-in: 1, for one score is added per word.
    """

    def __init__(self, initial, transition):
        """Hold the arrays themselves, not copies: training changes them in place."""
        self.initial, self.transition = initial, transition
        types, by_kind = len(initial) // 4, [np.arange(k, len(initial), 4) for k in range(1, 5)]
        b, i, e, s = by_kind
        self._order = np.concatenate([[0], *by_kind])
        self._closed = np.ix_(np.concatenate(([0], e, s)), np.concatenate(([0], b, s)))
        nothing = np.zeros(types, np.int64)
        self._within = np.stack([b, b, i, i, nothing]), np.stack([i, e, i, e, nothing])

    def parameters(self):
        """Arrays by their names in files."""
        return {"initial": self.initial, "transition": self.transition}

    def fan_in(self):
        """Inputs of a unit, by the parameters' names."""
        return dict.fromkeys(self.parameters(), 1)

    def forward(self, scores, gold, starts, span):
        """Cost, a float, of scores: float32[n, n_labels], and the trace.

        gold: int32[n], labels that decoding allows; starts: int32[n_sentences + 1], where sentences
        begin among the rows; span: int32[n], the outermost constituents found before: words of
        that which begins at a word, 0 for none.
        """
        by_kind, initial = np.ascontiguousarray(scores[:, self._order]), self.initial[self._order]
        parts = by_kind, initial, self.transition[self._closed], self.transition[self._within]
        found = [np.zeros_like(part) for part in parts]
        cost = level_likelihood(by_kind, starts, span, *parts[1:], *found)
        row = np.arange(len(gold))
        first = gold[starts[:-1][np.diff(starts) > 0]]
        inner = np.ones(len(gold), bool)
        inner[starts[:-1][starts[:-1] < len(gold)]] = False
        steps = gold[np.flatnonzero(inner) - 1], gold[inner]
        for part in (scores[row, gold], self.initial[first], self.transition[steps]):
            cost -= float(part.sum(dtype=np.float64))
        return cost, (found, gold, first, steps)

    def backward(self, trace, gradients):
        """d(cost)/d(scores): float32[n, n_labels]; gives `gradients` those of the parameters."""
        (by_kind, d_first, closed, within), gold, first, steps = trace
        d_scores, d_initial = np.empty_like(by_kind), np.empty_like(d_first)
        d_scores[:, self._order], d_initial[self._order] = by_kind, d_first
        d_scores[np.arange(len(gold)), gold] -= 1
        np.subtract.at(d_initial, first, 1)
        d_transition = np.zeros_like(self.transition)
        d_transition[self._closed] = closed
        np.add.at(d_transition, self._within, within)
        np.subtract.at(d_transition, steps, 1)
        gradients.add("initial", d_initial)
        gradients.add("transition", d_transition)
        return d_scores
