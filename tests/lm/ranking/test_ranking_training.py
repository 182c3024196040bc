"""Runs of the ranking language model: curriculum, resuming, and what must be refused."""

import json
from dataclasses import replace

import numpy as np
import pytest

from senna_py.errors import SennaError, UsageError
from senna_py.lm.ranking.model import Validation, new_model, noise_words
from senna_py.lm.ranking.settings import RankingSettings
from senna_py.lm.ranking.training import RankingTraining
from senna_py.models.checkpoint import read_arrays, write_arrays
from senna_py.models.embeddings import read_embeddings
from senna_py.training.run import TrainingRun
from tests.helpers.small_language import PLACES, TIMES, VERBS

SMALL = {"stages": ((12, 1), (20, 1)), "window": 5, "dim": 8, "hidden": 10}


def small_run(corpus, directory, **changes):
    settings = RankingSettings(**(SMALL | {"examples": 40_000} | changes))
    return TrainingRun(RankingTraining(corpus, settings), directory)


def same(a, b):
    return all(
        np.array_equal(x, y) for x, y in zip(a.trainable.model, b.trainable.model, strict=True)
    )


def test_learns_the_language(corpus, tmp_path):
    run = small_run(corpus, tmp_path, examples=200_000, stages=((len(corpus.words), 1),))
    validation = Validation(corpus.valid, len(corpus.words))
    before = validation.errors(run.trainable.model)[1]
    assert run.run()
    assert validation.errors(run.trainable.model)[1] < min(0.1, before / 2)
    vectors = {word: run.trainable.model.vectors[i] for i, word in enumerate(corpus.words)}
    for group in (PLACES, VERBS, TIMES):
        inside = [vectors[word.lower()] for word in group]
        centre = np.mean(inside, axis=0)
        others = [vectors[w.lower()] for g in (PLACES, VERBS, TIMES) if g is not group for w in g]
        nearest_other = min(np.linalg.norm(v - centre) for v in others)
        assert max(np.linalg.norm(v - centre) for v in inside) < nearest_other


def test_same_seed_same_model(corpus, tmp_path):
    runs = [small_run(corpus, tmp_path / str(i), seed=seed) for i, seed in enumerate((3, 3, 4))]
    for run in runs:
        run.run()
    assert same(runs[0], runs[1])
    assert not same(runs[0], runs[2])


def test_resumed_run_equals_an_uninterrupted_one(corpus, tmp_path):
    whole = small_run(corpus, tmp_path / "whole")
    assert whole.run()
    stops = 0
    run = small_run(corpus, tmp_path / "parts")
    while not run.run(time_limit=0):  # one round each
        stops += 1
        run = small_run(corpus, tmp_path / "parts")
        run.resume()
    assert stops > 3
    assert same(whole, run)
    first, second = (read_embeddings(r.directory) for r in (whole, run))
    assert first.words == second.words == corpus.words[:20]
    assert np.array_equal(first.vectors, whole.trainable.model.vectors)


def test_stages_start_from_the_vectors_before(corpus, tmp_path):
    run = small_run(corpus, tmp_path)
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


def test_threads_train_and_resume(corpus, tmp_path):
    run = small_run(corpus, tmp_path, threads=3, examples=100_000)
    run.run(time_limit=0)
    run = small_run(corpus, tmp_path, threads=2, examples=100_000)
    run.resume()
    assert run.run()
    assert all(np.isfinite(array).all() for array in run.trainable.model)


def test_rates_fall_linearly(corpus, tmp_path):
    run = small_run(corpus, tmp_path, vector_rate=0.2, layer_rate=0.3, final_rate=0.1)
    layers = [0.3 / np.sqrt(5 * 8), 0.3 / np.sqrt(10)]
    np.testing.assert_allclose(run.trainable.rates(), [0.2, *layers], rtol=1e-6)
    run.run()
    np.testing.assert_allclose(run.trainable.rates(), [0.02, *np.multiply(layers, 0.1)], rtol=1e-6)


@pytest.mark.parametrize("seconds", [0.001, 0.2])
def test_run_by_the_clock_ends_with_the_largest_dictionary(corpus, tmp_path, seconds):
    run = small_run(corpus, tmp_path, examples=None, seconds=seconds)
    assert run.run()
    assert len(run.trainable.model.vectors) == 20


def test_log_and_lines(corpus, tmp_path):
    lines = []
    settings = RankingSettings(**SMALL, examples=40_000)
    run = TrainingRun(
        RankingTraining(corpus, settings),
        tmp_path,
        lambda line, figures: lines.append((line, figures)),
    )
    run.run(report_every=0)
    logged = [json.loads(line) for line in (tmp_path / "log.jsonl").read_text().splitlines()]
    assert logged == [figures for _, figures in lines]
    assert logged[-1]["examples"] == 40_000
    assert logged[-1]["progress"] == 1
    assert all(0 <= row["wrong_order"] <= row["inside_margin"] <= 1 for row in logged)
    assert f"{logged[-1]['inside_margin']:.4f}" in lines[-1][0]


def test_breeding_takes_the_given_vectors(corpus, tmp_path):
    run = small_run(corpus, tmp_path)
    words = [corpus.words[15], "absent", corpus.words[5]]
    vectors = np.arange(24, dtype=np.float32).reshape(3, 8) / 100
    assert run.trainable.start_from(words, vectors) == 2
    assert np.array_equal(run.trainable.model.vectors[5], vectors[2])
    before = run.trainable.model.vectors.copy()
    run.trainable._settings = replace(run.trainable._settings, vector_rate=0.0)
    run.run()
    assert np.array_equal(run.trainable.model.vectors[:12], before)
    assert np.array_equal(run.trainable.model.vectors[15], vectors[0])
    with pytest.raises(SennaError, match="have 3 dimensions, not 8"):
        run.trainable.start_from(words, vectors[:, :3])


def test_breeding_outlives_a_stop(corpus, tmp_path):
    given = {"words": [corpus.words[15]], "vectors": np.full((1, 8), 0.05, np.float32)}
    run = small_run(corpus, tmp_path, vector_rate=0.0)
    run.trainable.start_from(**given)
    run.run(time_limit=0)
    run = small_run(corpus, tmp_path, vector_rate=0.0)
    run.trainable.start_from(**given)
    run.resume()
    run.run()
    assert np.array_equal(run.trainable.model.vectors[15], given["vectors"][0])


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"hidden": 12}, "made with hidden 10, asked for 12"),
        ({"init": "v.txt"}, r"made with init none, asked for v\.txt"),
        ({"seed": 9}, "made with seed 1, asked for 9"),
        ({"stages": ((12, 1),)}, "made with stages"),
        ({"noise_power": 0.5}, r"made with noise_power 0\.0, asked for 0\.5"),
    ],
)
def test_checkpoint_of_other_settings(corpus, changes, message, tmp_path):
    small_run(corpus, tmp_path).run(time_limit=0)
    with pytest.raises(SennaError, match=rf"checkpoint\.npz: {message}"):
        small_run(corpus, tmp_path, **changes).resume()


def test_checkpoint_of_another_corpus(corpus, tmp_path):
    small_run(corpus, tmp_path).run(time_limit=0)
    longer = replace(corpus, train=np.append(corpus.train, corpus.train[-9:]))
    with pytest.raises(SennaError, match="made with other corpus"):
        small_run(longer, tmp_path).resume()


def test_checkpoint_of_other_words(corpus, tmp_path):
    small_run(corpus, tmp_path).run(time_limit=0)
    other = replace(corpus, words=[*corpus.words[:5], "other", *corpus.words[6:]])
    with pytest.raises(SennaError, match="made with other corpus"):
        small_run(other, tmp_path).resume()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"meta": []}, "not the checkpoint of a training run"),
        ({"meta": {}}, "not the checkpoint of a training run"),
        ({"context": None}, "damaged: the array context is missing"),
        ({"vectors": np.zeros((12, 7), np.float32)}, r"damaged: vectors is float32\[12, 7\], not"),
        ({"centre": np.zeros((8, 10))}, "damaged: centre is float64"),
        ({"bias": np.full(10, np.nan, np.float32)}, "damaged: bias has numbers that are not"),
        ({"state": {"stage": 2, "random": [1]}}, "damaged: it is in stage 2"),
        ({"state": {"stage": 0, "random": [0]}}, "damaged: its random numbers"),
        ({"state": {"stage": 1, "random": [1]}}, r"damaged: words is"),
    ],
)
def test_checkpoint_of_other_arrays(corpus, change, message, tmp_path):
    run = small_run(corpus, tmp_path)
    run.run(time_limit=0)
    meta, arrays = read_arrays(run.checkpoint)
    if "state" in change:
        meta |= change
        change = {}
    changed = {key: value for key, value in (arrays | change).items() if value is not None}
    write_arrays(run.checkpoint, changed.pop("meta", meta), **changed)
    with pytest.raises(SennaError, match=message):
        small_run(corpus, tmp_path).resume()


def test_damaged_or_missing_checkpoint(corpus, tmp_path):
    with pytest.raises(SennaError, match=r"checkpoint\.npz: No such file"):
        small_run(corpus, tmp_path).resume()
    run = small_run(corpus, tmp_path)
    run.run(time_limit=0)
    data = run.checkpoint.read_bytes()
    run.checkpoint.write_bytes(data[: len(data) // 2])
    with pytest.raises(SennaError, match="not a checkpoint, or damaged"):
        run.resume()


def test_stopped_run_continues_as_if_it_had_not_been(corpus, tmp_path):
    run = small_run(corpus, tmp_path)
    rounds, train = iter(range(3)), run.trainable.train

    def interrupted(number, worker):
        if next(rounds, None) is None:  # in the middle of a round
            run.stop()
        return train(number, worker)

    run.trainable.train = interrupted
    assert not run.run()
    again = small_run(corpus, tmp_path)
    again.resume()
    assert again.run()
    whole = small_run(corpus, tmp_path / "whole")
    whole.run()
    assert same(whole, again)


def test_diverging_run_stops_and_keeps_its_checkpoint(corpus, tmp_path):
    run = small_run(corpus, tmp_path)
    run.run(time_limit=0)
    before = run.checkpoint.read_bytes()
    run.trainable._settings = replace(run.trainable._settings, layer_rate=1e30)
    with pytest.raises(SennaError, match="the weights have overflowed; lower"):
        run.run()
    assert run.checkpoint.read_bytes() == before


def test_dictionary_larger_than_the_corpus(corpus, tmp_path):
    with pytest.raises(SennaError, match=rf"has {len(corpus.words)} words, a dictionary of 1,000"):
        small_run(corpus, tmp_path, stages=((10, 1), (1000, 1)))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"stages": ((20, 1), (10, 1))}, "must grow"),
        ({"stages": ((2, 1),)}, "4 at least"),
        ({"examples": None}, "one of them"),
        ({"seconds": 5.0}, "one of them"),
        ({"window": 4}, "odd"),
    ],
)
def test_unusable_settings(changes, message):
    with pytest.raises(UsageError, match=message):
        RankingSettings(**(SMALL | {"examples": 10} | changes))


def test_noise_follows_the_counts():
    counts = np.array([0, 0, 90, 40, 10])
    assert noise_words(counts, 5, 0).tolist() == [2, 3, 4]
    shares = np.bincount(noise_words(counts, 5, 0.5), minlength=5) / (1 << 22)
    expected = np.sqrt(counts) / np.sqrt(counts).sum()
    np.testing.assert_allclose(shares, expected, atol=1e-5)


def test_validation_without_held_out_text_is_not_a_number():
    model = new_model(5, 5, 3, 4, 0.1, np.random.default_rng(0))
    errors = Validation(np.array([0, 1, 0], np.int32), 5).errors(model)
    assert np.isnan(errors).all()
