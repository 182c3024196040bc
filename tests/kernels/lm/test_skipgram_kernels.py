"""The kernel of skip-gram against plain NumPy and finite differences; random
integers.
"""

import numpy as np
import pytest

from senna_py.kernels.lm.random_numbers import next_random
from senna_py.kernels.lm.skipgram import Sampling, Scratch, SkipGram, train_sentences
from tests.helpers.finite_differences import slope_of

WORDS, DIM, WINDOW, NEGATIVE = 12, 5, 3, 4
TEXT = np.array([5, 3, 7, 2, 9, 4, 5, 5, 11, 1, 6, 8, 10], np.int32)
STARTS = np.array([0, 6, 7, 13], np.int32)


def small_model(seed=0, window=WINDOW, dtype=np.float32):
    rng = np.random.default_rng(seed)
    shapes = (WORDS, DIM), (2 * window, WORDS, DIM)
    return SkipGram(*(rng.normal(0, 0.7, shape).astype(dtype) for shape in shapes))


def small_scratch(seed=3):
    return Scratch(
        np.array([seed], np.uint64),
        np.empty(1 + NEGATIVE, np.int32),
        np.empty(1 + NEGATIVE, np.float32),
        np.empty(DIM, np.float32),
    )


def small_sampling(keep=1.0):
    noise = np.random.default_rng(1).integers(0, WORDS, 50, dtype=np.int32)
    return Sampling(np.full(WORDS, keep, np.float32), noise)


def trained(model, text, starts, sampling, rate, scratch):
    """A copy of the model after training, and the losses."""
    model, losses = SkipGram(*(array.copy() for array in model)), np.zeros(3)
    train_sentences(model, text, starts, sampling, np.float32(rate), scratch, losses)
    return model, losses


def sigma(scores):
    return 1 / (1 + np.exp(-np.clip(scores, -8, 8)))


def naive(model, text, starts, sampling, rate, state, negative=NEGATIVE):
    """The same by the formulas, in double precision, with the same random numbers."""
    vectors, output = (array.astype(np.float64) for array in model)
    window, losses = len(output) // 2, np.zeros(3)
    for s in range(len(starts) - 1):
        sentence = text[starts[s] : starts[s + 1]]
        padded = [0, *sentence, 0]
        for t, centre in enumerate(sentence, 1):
            if next_random(state, 1 << 24) >= sampling.keep[centre] * (1 << 24):
                continue
            width, move = 1 + next_random(state, window), np.zeros(DIM)
            for near in range(t - width, t + width + 1):
                if near == t or not 0 <= near < len(padded):
                    continue
                table = output[near - t + window - (near > t)]
                noise = [
                    sampling.noise[next_random(state, len(sampling.noise))]
                    for _ in range(negative)
                ]
                words = np.array(
                    [padded[near], *(w for w in noise if w != padded[near])]
                )
                p = sigma(table[words] @ vectors[centre])
                losses += [-np.log(p[0]), -np.log(1 - p[1:]).sum(), 1]
                steps = rate * ((np.arange(len(words)) == 0) - p)
                for word, step in zip(words, steps, strict=True):
                    move += step * table[word]
                    table[word] += step * vectors[centre]
            vectors[centre] += move
    return SkipGram(vectors, output), losses


@pytest.mark.parametrize("keep", [1.0, 0.4])
@pytest.mark.parametrize("seed", range(4))
def test_training_is_the_formula(seed, keep):
    model, sampling = small_model(seed), small_sampling(keep)
    found, losses = trained(model, TEXT, STARTS, sampling, 0.2, small_scratch(9 + seed))
    state = np.array([9 + seed], np.uint64)
    expected, expected_losses = naive(model, TEXT, STARTS, sampling, 0.2, state)
    assert 0 < losses[2] == expected_losses[2]
    np.testing.assert_allclose(losses, expected_losses, rtol=1e-5)
    for own, other in zip(found, expected, strict=True):
        np.testing.assert_allclose(own, other, rtol=1e-4, atol=1e-5)


def test_the_formula_is_the_gradient():
    # One centre, and a word of the noise at each place: no step moves what another is
    # made from.
    text, starts = np.array([3, 7], np.int32), np.array([0, 2], np.int32)
    sampling = Sampling(
        (np.arange(WORDS) == 3).astype(np.float32), np.array([5], np.int32)
    )
    model = small_model(window=1, dtype=np.float64)

    def run(rate):
        return naive(
            model, text, starts, sampling, rate, np.array([3], np.uint64), negative=1
        )

    moved, losses = run(0.5)
    assert losses[2] == 2  # PADDING before it, and the word after it

    def loss():
        return run(0)[1][:2].sum()

    for before, after in zip(model, moved, strict=True):
        slope = slope_of(loss, before)
        assert np.abs(slope).max() > 0.01
        np.testing.assert_allclose((before - after) / 0.5, slope, rtol=1e-6, atol=1e-8)


def test_overflow_is_not_hidden():
    model = small_model()
    model.output[:] = np.nan
    _, losses = trained(model, TEXT, STARTS, small_sampling(), 0.1, small_scratch())
    assert np.isnan(losses[:2]).all()


def test_random_integers_are_even():
    state = np.array([5], np.uint64)
    counts = np.bincount([next_random(state, 7) for _ in range(7000)], minlength=7)
    assert counts.min() > 850
    assert counts.max() < 1150


def test_random_positions_beyond_32_bits():
    state, bound = np.array([5], np.uint64), 3 << 32
    thirds = np.bincount([next_random(state, bound) >> 32 for _ in range(3000)])
    assert len(thirds) == 3
    assert thirds.min() > 850
