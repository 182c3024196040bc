"""Fallbacks of `kernels.decoding.viterbi`: one step is a few operations on whole
arrays.
"""

import numpy as np


def viterbi(emission, first, starts, initial, steps, incoming, final, score, tags):
    """Every source is looked at."""
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
            s = (
                int(np.searchsorted(starts, t + 1, side="right")) - 1
            )  # not of an empty sentence
