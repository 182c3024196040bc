"""The twin of `kernels.viterbi`: one step is a few operations on whole arrays."""

import numpy as np

__all__ = ["viterbi"]


def viterbi(emission, first, starts, initial, transition, final, score, back, tags):
    """See `kernels.viterbi.viterbi`."""
    s = int(np.searchsorted(starts, first, side="right")) - 1
    for t, row in enumerate(emission, first):
        begin, end = int(starts[s]), int(starts[s + 1])
        if t == begin:
            np.add(initial, row, out=score)
        else:
            paths = score[:, None] + transition
            best = paths.argmax(axis=0)
            back[t - begin] = best
            np.add(paths[best, np.arange(len(best))], row, out=score)
        if t + 1 == end:
            tags[t] = tag = int((score + final).argmax())
            for k in range(t, begin, -1):
                tags[k - 1] = tag = back[k - begin, tag]
            s += 1
