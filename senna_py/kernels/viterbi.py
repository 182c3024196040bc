"""Best tag sequences under sentence-level scores."""

import numpy as np

from senna_py.kernels.jit import kernel

__all__ = ["viterbi"]


@kernel
def _extend(score, emission, transition, best, back):
    """One step of the recursion: `score` becomes that of the best path to each tag.

    back[j] receives the source of the best path to tag j; ties go to the lowest index.
    """
    n_tags = len(score)
    for j in range(n_tags):
        best[j] = score[0] + transition[0, j]
        back[j] = 0
    for i in range(1, n_tags):
        from_i = score[i]
        for j in range(n_tags):
            value = from_i + transition[i, j]
            better = value > best[j]
            best[j] = value if better else best[j]
            back[j] = i if better else back[j]
    for j in range(n_tags):
        score[j] = best[j] + emission[j]


@kernel
def viterbi(emission, first, starts, initial, transition, final, score, back, tags):
    """Continue the Viterbi decoding of a batch with a block of its tokens (equation 11).

    emission: float32[n_block, n_tags], scores of tokens first to first + n_block of the batch;
    starts: int32[n_sentences + 1]; initial: float32[n_tags]; transition: float32[n_tags, n_tags],
    from source to destination; final: float32[n_tags], added at the last word of a sentence; score:
    float32[n_tags] and back: int16[longest sentence, n_tags], kept by the caller from block to
    block; tags: int32[n_tokens], written where a sentence ends.
    """
    n_tags = emission.shape[1]
    best = np.empty(n_tags, np.float32)
    s = np.searchsorted(starts, first, side="right") - 1
    for t in range(first, first + len(emission)):
        row = emission[t - first]
        if t == starts[s]:
            for j in range(n_tags):
                score[j] = initial[j] + row[j]
        else:
            _extend(score, row, transition, best, back[t - starts[s]])
        if t + 1 == starts[s + 1]:
            tag = 0
            for j in range(1, n_tags):
                if score[j] + final[j] > score[tag] + final[tag]:
                    tag = j
            tags[t] = tag
            for k in range(t, starts[s], -1):
                tag = back[k - starts[s], tag]
                tags[k - 1] = tag
            s += 1
