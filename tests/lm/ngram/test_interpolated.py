"""Interpolated n-grams against the formulas; EM against what it must do."""

import numpy as np
import pytest
from test_kneser_ney import large_stream

from senna_py.errors import SennaError
from senna_py.lm.ngram.interpolated import frequency_bins, learn_weights, train_interpolated
from tests.helpers.plain_ngrams import BEGIN, PlainInterpolated, contexts, word_list


def trained(marks, order=3):
    train, valid = large_stream(marks), large_stream(marks, n_lines=60)[::-1]
    if marks:
        valid = large_stream(marks, n_lines=90)[-300:]
        valid = valid[valid.index(BEGIN) :]
    arrays = (np.array(stream, np.int32) for stream in (train, valid))
    return train, valid, train_interpolated(*arrays, order, word_list(30, marks))


def test_an_impossible_word_gives_no_warning():
    _, valid, model = trained(True)
    model.weights[:] = 0
    with np.errstate(divide="raise"):
        found = model.log10_probabilities(np.array(valid, np.int32))
    assert (found[np.array(valid) != BEGIN] == -np.inf).all()


@pytest.mark.parametrize("marks", [True, False])
@pytest.mark.parametrize("order", [2, 3])
def test_probabilities_are_those_of_the_formula(marks, order):
    train, valid, model = trained(marks, order)
    plain = PlainInterpolated(train, order, 30, marks, model.weights.tolist())
    assert model.size == plain.size
    found = model.log10_probabilities(np.array(valid, np.int32))
    bins = model.bins(np.array(valid, np.int32))
    for word, context, value, bin_ in zip(
        valid, contexts(valid, order, marks), found, bins, strict=True
    ):
        if marks and word == BEGIN:
            assert value == 0
            continue
        assert 10**value == pytest.approx(plain.probability(word, context), rel=1e-5)
        assert bin_ == plain.bin(context)


def test_bins_are_those_of_footnote_4():
    assert frequency_bins(np.array([0, 1, 2, 100, 799_999, 10**7]), 800_000).tolist() == [
        14, 13, 13, 9, 0, 0,
    ]  # fmt: skip


def test_em_never_lowers_the_likelihood_and_finds_the_better_part():
    rng = np.random.default_rng(1)
    parts = rng.random((400, 3))
    bins = rng.integers(0, 2, 400)
    parts[bins == 1, 2] += 3
    weights, course = learn_weights(parts, bins, 3)
    assert (np.diff(course) > -1e-12).all()
    assert course[-1] > course[0]
    np.testing.assert_allclose(weights.sum(1), 1)
    assert weights[1, 2] > 0.95
    pooled = (weights[:2] * np.bincount(bins)[:, None]).sum(0) / 400
    np.testing.assert_allclose(weights[2], pooled, atol=0.05)  # no word is in bin 2


def test_a_stream_longer_than_a_piece(monkeypatch):
    train, _, model = trained(True)
    whole = model.log10_probabilities(np.array(train, np.int32))
    monkeypatch.setattr("senna_py.lm.ngram.interpolated._PIECE", 7)
    assert model.log10_probabilities(np.array(train, np.int32)).tolist() == whole.tolist()


def test_no_held_out_text():
    with pytest.raises(SennaError, match="give --valid"):
        train_interpolated(np.array([1, 2]), np.empty(0, np.int32), 3, word_list(3, False))
