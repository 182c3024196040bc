"""Runs of the ranking language model: curriculum, resuming, and what must be
refused.
"""

from dataclasses import replace

import numpy as np
import pytest

from senna_py.errors import SennaError
from senna_py.lm.ranking.training import Validation, noise_words
from senna_py.lm.text.corpus import prepare
from tests.helpers.small_language import PLACES, TIMES, VERBS
from tests.helpers.small_trainers import ranking_run


def test_learns_the_language(corpus, tmp_path):
    run = ranking_run(
        corpus, tmp_path, examples=200_000, stages=((len(corpus.words), 1),)
    )
    validation = Validation(corpus.valid, len(corpus.words))
    before = validation.errors(run.trainable.model)[1]
    assert run.run()
    assert validation.errors(run.trainable.model)[1] < min(0.1, before / 2)
    vectors = {
        word: run.trainable.model.vectors[i] for i, word in enumerate(corpus.words)
    }
    for group in (PLACES, VERBS, TIMES):
        inside = [vectors[word.lower()] for word in group]
        centre = np.mean(inside, axis=0)
        others = [
            vectors[w.lower()]
            for g in (PLACES, VERBS, TIMES)
            if g is not group
            for w in g
        ]
        nearest_other = min(np.linalg.norm(v - centre) for v in others)
        assert max(np.linalg.norm(v - centre) for v in inside) < nearest_other


def test_stages_start_from_the_vectors_before(corpus, tmp_path):
    run = ranking_run(corpus, tmp_path)
    sizes = []
    for _ in range(50):
        before = run.trainable.model.vectors
        finished = run.run(time_limit=0)
        after = run.trainable.model.vectors
        if len(after) > len(before):
            # One round of training moves vectors by much less than they are long.
            moved = np.abs(after[: len(before)] - before).mean()
            assert moved < np.abs(before).mean() / 3
        sizes.append(len(after))
        if finished:
            break
    assert sizes == [12] * 25 + [20] * 25


def test_checkpoints_keep_their_names(corpus, tmp_path):
    arrays = ranking_run(corpus, tmp_path).trainable.arrays()
    names = {"words", "vectors", "context", "centre", "bias", "output"}
    assert arrays.keys() == names


def test_rates_fall_linearly(corpus, tmp_path):
    run = ranking_run(corpus, tmp_path, vector_rate=0.2, layer_rate=0.3, final_rate=0.1)
    layers = [0.3 / np.sqrt(5 * 8), 0.3 / np.sqrt(10)]
    np.testing.assert_allclose(run.trainable.rates(), [0.2, *layers], rtol=1e-6)
    run.run()
    np.testing.assert_allclose(
        run.trainable.rates(), [0.02, *np.multiply(layers, 0.1)], rtol=1e-6
    )


@pytest.mark.parametrize("seconds", [0.001, 0.2])
def test_run_by_the_clock_ends_with_the_largest_dictionary(corpus, tmp_path, seconds):
    run = ranking_run(corpus, tmp_path, examples=None, seconds=seconds)
    assert run.run()
    assert len(run.trainable.model.vectors) == 20


def test_breeding_takes_the_given_vectors(corpus, tmp_path):
    run = ranking_run(corpus, tmp_path)
    words = [corpus.words[15], "absent", corpus.words[5]]
    vectors = np.arange(24, dtype=np.float32).reshape(3, 8) / 100
    assert run.trainable.start_from(words, vectors) == 2
    assert np.array_equal(run.trainable.model.vectors[5], vectors[2])
    before = run.trainable.model.vectors.copy()
    run.trainable._settings = replace(run.trainable._settings, vector_rate=0.0)
    run.run()
    assert np.array_equal(run.trainable.model.vectors[:12], before)
    assert np.array_equal(run.trainable.model.vectors[15], vectors[0])


def test_breeding_outlives_a_stop(corpus, tmp_path):
    given = {"words": [corpus.words[15]], "vectors": np.full((1, 8), 0.05, np.float32)}
    run = ranking_run(corpus, tmp_path, vector_rate=0.0)
    run.trainable.start_from(**given)
    run.run(time_limit=0)
    run = ranking_run(corpus, tmp_path, vector_rate=0.0)
    run.trainable.start_from(**given)
    run.resume()
    run.run()
    assert np.array_equal(run.trainable.model.vectors[15], given["vectors"][0])


def test_a_run_goes_on_with_other_threads_but_no_other_stages(corpus, tmp_path):
    run = ranking_run(corpus, tmp_path, threads=2, examples=100_000)
    for threads in (3, 1):
        run.run(time_limit=0)
        run = ranking_run(corpus, tmp_path, threads=threads, examples=100_000)
        run.resume()
    assert run.run()
    assert all(np.isfinite(array).all() for array in run.trainable.model)
    for name, other in (("init", "v.txt"), ("stages", ((12, 1),))):
        with pytest.raises(SennaError, match=rf"checkpoint\.npz: made with {name}"):
            ranking_run(corpus, tmp_path, examples=100_000, **{name: other}).resume()


def test_checkpoint_of_another_corpus(corpus, tmp_path):
    ranking_run(corpus, tmp_path).run(time_limit=0)
    longer = replace(corpus, train=np.append(corpus.train, corpus.train[-9:]))
    with pytest.raises(SennaError, match="made with other corpus"):
        ranking_run(longer, tmp_path).resume()


def test_dictionary_larger_than_the_corpus(corpus, tmp_path):
    with pytest.raises(
        SennaError, match=rf"has {len(corpus.words)} words, a dictionary of 1,000"
    ):
        ranking_run(corpus, tmp_path, stages=((10, 1), (1000, 1)))


def test_noise_follows_the_counts():
    counts = np.array([0, 0, 90, 40, 10])
    assert noise_words(counts, 5, 0).tolist() == [2, 3, 4]
    shares = np.bincount(noise_words(counts, 5, 0.5), minlength=5) / (1 << 22)
    expected = np.sqrt(counts) / np.sqrt(counts).sum()
    np.testing.assert_allclose(shares, expected, atol=1e-5)


def test_validation_without_held_out_text_is_on_text_that_is_trained_on(tmp_path):
    (tmp_path / "text.txt").write_text("the cat sees the dog .\n" * 3)
    corpus = prepare([tmp_path / "text.txt"], tmp_path, processes=1)
    run = ranking_run(corpus, tmp_path, examples=99, stages=((6, 1),))
    assert not run.trainable.has_valid and run.run()
    assert np.isfinite(run.trainable.report(0, False)[1]["inside_margin"])
