"""Trees of a batch as arrays: what networks of trees are trained on."""

from typing import NamedTuple

import numpy as np

__all__ = ["Constituents"]


class Constituents(NamedTuple):
    """The constituents of some sentences, see `labels.tree_levels`; roots are none.

    starts: int64[n_sentences + 1], those of sentence s are `starts[s]:starts[s + 1]`, each before
    those that it holds. begin, end: int32[n], the first token in its sentence and the one after the
    last. label: int32[n], the number of its label among the types of constituents, from 0 on; the
    tags B, I, E and S of type t are `1 + 4 * t` and what follows.
    """

    starts: np.ndarray
    begin: np.ndarray
    end: np.ndarray
    label: np.ndarray

    def take(self, chosen: np.ndarray) -> "Constituents":
        """Those of the sentences with the numbers chosen: int64[n]."""
        counts = np.diff(self.starts)[chosen]
        starts = np.append(0, np.cumsum(counts))
        rows = np.repeat(self.starts[:-1][chosen] - starts[:-1], counts) + np.arange(starts[-1])
        return Constituents(starts, *(array[rows] for array in self[1:]))
