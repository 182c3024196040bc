"""The fallback for `kernels.decoding.viterbi.viterbi`, for all pairs of tags at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from senna_py.kernels.arrays import Floats, Ints


def viterbi(
    emission: Floats,
    first: int,
    starts: Ints,
    initial: Floats,
    steps: tuple[NDArray, ...],
    incoming: Floats,
    final: Floats,
    score: Floats,
    tags: Ints,
) -> None:
    """Decode a block of tokens by examining all pairs of tags."""
    n_tags = len(incoming)
    incoming, final = incoming[:, :n_tags], final[:n_tags]
    s = int(np.searchsorted(starts, first, side="right")) - 1
    for t, row in enumerate(emission, first):
        begin, end = int(starts[s]), int(starts[s + 1])
        k = t - begin
        if k == 0:
            np.add(initial, row, out=score[0])
        else:
            score[k, :n_tags] = (score[k - 1, :n_tags] + incoming).max(axis=1)
            score[k] += row
        if t + 1 == end:
            tags[t] = tag = int((score[k, :n_tags] + final).argmax())
            for k in range(t - begin, 0, -1):
                tags[begin + k - 1] = tag = int(
                    (score[k - 1, :n_tags] + incoming[tag]).argmax()
                )
            # Skip empty sentences.
            s = int(np.searchsorted(starts, t + 1, side="right")) - 1
