"""The ranking kernel against plain NumPy and finite differences."""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from senna_py.kernels.lm import ranking as kernels
from senna_py.kernels.lm.ranking import Ranking, train_pairs
from senna_py.lm.ranking.training import new_model, new_scratch
from tests.helpers.finite_differences import slope_of

UNKNOWN = 1
WINDOW, DIM, HIDDEN, WORDS = 5, 3, 7, 20


def small_model(seed=0, dtype=np.float32, scale=1.0):
    rng = np.random.default_rng(seed)
    model = new_model(WORDS, WINDOW, DIM, HIDDEN, 0.5, rng)
    bias = rng.uniform(-0.5, 0.5, HIDDEN)
    model = model._replace(
        bias=bias, context=3 * model.context, output=scale * model.output
    )
    return Ranking(*(np.ascontiguousarray(array, dtype) for array in model))


def window_of(text, position):
    """The window's words, one at a time."""
    half, words = WINDOW // 2, []
    for t in range(position - half, position + half + 1):
        between = text[min(t, position) : max(t, position) + 1]
        inside = 0 <= t < len(text) and 0 not in between
        words.append((text[t] if text[t] < WORDS else UNKNOWN) if inside else 0)
    return words


def score(model, words):
    """f(x) by the formula, with the two blocks of the first layer put back together."""
    half = WINDOW // 2 * DIM
    weight = np.concatenate([model.context[:half], model.center, model.context[half:]])
    hidden = np.concatenate([model.vectors[w] for w in words]) @ weight + model.bias
    return np.clip(hidden, -1, 1) @ model.output


def difference(model, text, position, noise):
    words = window_of(text, position)
    replaced = [*words[: WINDOW // 2], noise, *words[WINDOW // 2 + 1 :]]
    return score(model, words) - score(model, replaced)


def read_only(words):
    """A text as that of a corpus: another type would be compiled for itself."""
    text = np.array(words, np.int32)
    text.setflags(write=False)
    return text


TEXT = read_only([0, 5, 3, 7, 0, 2, 9, 25, 4, 5, 5, 11, 19, 0, 6, 0])
CENTRES = np.flatnonzero((TEXT > UNKNOWN) & (TEXT < WORDS))


def test_margins_are_the_formula():
    model = small_model()
    noise = np.random.default_rng(1).integers(2, WORDS, len(CENTRES), dtype=np.int32)
    found = np.empty(len(CENTRES), np.float32)
    kernels.margins(model, TEXT, UNKNOWN, CENTRES, noise, new_scratch(model, 1), found)
    expected = [
        difference(model, TEXT, p, w) for p, w in zip(CENTRES, noise, strict=True)
    ]
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-5)


def one_window(noise_word):
    """A text with one possible centre, and its replacement."""
    return read_only([0, 1, 25, 8, 1, 0]), 3, np.array([noise_word], np.int32)


def trained(model, text, noise, rates, n_pairs=1):
    model = Ranking(*(array.copy() for array in model))
    active = train_pairs(
        model,
        text,
        UNKNOWN,
        noise,
        np.array(rates, np.float32),
        n_pairs,
        new_scratch(model, 3),
    )
    return model, active


@pytest.mark.parametrize("seed", range(5))
def test_step_is_the_gradient(seed):
    # One rate at a time, so that no step moves what another gradient is computed from.
    exact = small_model(seed, np.float64, 0.3)
    model = Ranking(*(array.astype(np.float32) for array in exact))
    text, centre, noise = one_window(12)
    assert difference(exact, text, centre, 12) < 1
    rate_of = {"vectors": 0, "context": 1, "center": 1, "bias": 1, "output": 2}
    for name, which in rate_of.items():
        rates = [0.0, 0.0, 0.0]
        rates[which] = 1e-2
        stepped, active = trained(model, text, noise, rates)
        assert active == 1
        step = (
            getattr(stepped, name).astype(np.float64) - getattr(model, name)
        ) / -1e-2
        slope = slope_of(
            lambda: 1 - difference(exact, text, centre, 12), getattr(exact, name)
        )
        np.testing.assert_allclose(step, slope, atol=2e-4)


def test_pair_outside_the_margin_changes_nothing():
    model = small_model()
    text, centre, _ = one_window(2)
    words = [word for word in range(2, WORDS) if word != text[centre]]
    easy = max(words, key=lambda w: difference(model, text, centre, w))
    model = model._replace(
        output=model.output * np.float32(2 / difference(model, text, centre, easy))
    )
    hard = min(words, key=lambda w: difference(model, text, centre, w))
    assert difference(model, text, centre, hard) < 0.9
    same, active = trained(model, text, np.array([easy], np.int32), [0.1, 0.1, 0.1], 20)
    assert active == 0
    assert all(np.array_equal(a, b) for a, b in zip(same, model, strict=True))
    moved, active = trained(model, text, np.array([hard], np.int32), [1e-4, 1e-4, 1e-4])
    assert active == 1
    assert not np.array_equal(moved.vectors, model.vectors)


def test_word_is_no_replacement_of_itself():
    model = small_model()
    text, _, noise = one_window(8)
    same, active = trained(model, text, noise, [0.1, 0.1, 0.1], 20)
    assert active == 0
    assert all(np.array_equal(a, b) for a, b in zip(same, model, strict=True))


def test_remainder_of_a_group_trains_too():
    model = small_model()
    text, _, noise = one_window(12)
    for n_pairs in range(1, 9):
        _, active = trained(model, text, noise, [0.0, 0.0, 0.0], n_pairs)
        assert active == n_pairs


def test_negative_words_are_unknown():
    model = small_model()
    text = read_only([0, -7, 8, -(2**31), 0])
    position, noise = np.array([2]), np.array([12], np.int32)
    found, expected = np.empty(1, np.float32), np.empty(1, np.float32)
    kernels.margins(model, text, UNKNOWN, position, noise, new_scratch(model, 1), found)
    text = read_only(np.where(text < 0, UNKNOWN, text))
    kernels.margins(
        model, text, UNKNOWN, position, noise, new_scratch(model, 1), expected
    )
    assert found == expected


def test_threads_learn_together():
    text, model, scratches = two_halves()
    noise, rates = (
        np.arange(2, WORDS, dtype=np.int32),
        np.array([0.1, 0.01, 0.01], np.float32),
    )
    with ThreadPoolExecutor(len(scratches)) as pool:
        list(
            pool.map(
                lambda s: train_pairs(model, text, UNKNOWN, noise, rates, 60_000, s),
                scratches,
            )
        )
    assert all(np.isfinite(array).all() for array in model)
    halves = np.repeat([1.0, -1.0], 9)[:, None] * (
        model.vectors[2:] - model.vectors[2:].mean(0)
    )
    assert np.linalg.norm(halves.mean(0)) > 0.5 * np.linalg.norm(halves, axis=1).mean()


def two_halves():
    """A text of two kinds of sentences without a common word, a model, scratch for
    threads.
    """
    rng = np.random.default_rng(0)
    text = np.concatenate(
        [np.append(rng.integers(2, 11, 9) + 9 * (s % 2), 0) for s in range(400)]
    )
    model = new_model(WORDS, WINDOW, DIM, HIDDEN, 0.1, rng)
    return read_only(text), model, [new_scratch(model, seed) for seed in (1, 2, 3)]


@pytest.mark.process
@pytest.mark.skipif(
    "SENNA_PY_VARIANTS" not in os.environ,
    reason="SENNA_PY_VARIANTS is not set: kernels with bounds checked would have to be compiled",
)
def test_threads_stay_inside_their_arrays(tmp_path):
    # Compiled with bounds checks, the same test raises IndexError where memory would be
    # corrupted.
    environment = os.environ | {
        "NUMBA_BOUNDSCHECK": "1",
        "NUMBA_CACHE_DIR": str(tmp_path),
    }
    wanted = f"{__file__}::{test_threads_learn_together.__name__}"
    margins = f"{__file__}::{test_margins_are_the_formula.__name__}"
    subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-n",
            "0",
            "-p",
            "no:cacheprovider",
            wanted,
            margins,
        ],
        env=environment,
        check=True,
        stdout=subprocess.DEVNULL,
    )
