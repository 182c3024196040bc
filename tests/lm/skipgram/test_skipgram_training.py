"""Runs of skip-gram: what they learn, resuming, and what must be refused."""

import json
import math

import numpy as np
import pytest

from senna_py.errors import SennaError
from senna_py.lm.skipgram import training
from senna_py.lm.text.corpus import Preparation, prepare
from senna_py.models.checkpoint import read_arrays, write_arrays
from senna_py.models.embeddings import read_embeddings
from tests.helpers.small_language import PLACES, TIMES, VERBS
from tests.helpers.small_trainers import skipgram_run

PER_PASS = 17  # batches


@pytest.fixture(scope="session")
def forms(text_file, tmp_path_factory):
    """The text as a corpus of forms."""
    return prepare(
        [text_file], tmp_path_factory.mktemp("forms") / "c", Preparation("form"), 1
    )


@pytest.fixture(autouse=True)
def small_batches(monkeypatch):
    monkeypatch.setattr(training, "_BATCH", 600)


@pytest.mark.slow
def test_learns_the_language(forms, tmp_path):
    run = skipgram_run(forms, tmp_path, passes=20.0)
    before = run.trainable.validation_loss()
    # No score says anything yet.
    assert before == pytest.approx(-6 * math.log(0.5), rel=0.15)
    assert run.run()
    assert run.trainable.validation_loss() < before / 2
    found = read_embeddings(tmp_path)
    unit = (
        found.vectors / np.maximum(np.linalg.norm(found.vectors, axis=1), 1e-9)[:, None]
    )
    row = {word: unit[i] for i, word in enumerate(found.words)}
    groups = [
        np.array([row[w.lower()] for w in group]) for group in (PLACES, VERBS, TIMES)
    ]
    for group in groups:
        others = np.concatenate([other for other in groups if other is not group])
        assert (group @ group.T).min() > (group @ others.T).max()


@pytest.mark.slow
def test_threads_train_and_resume(forms, tmp_path):
    run = skipgram_run(forms, tmp_path, threads=3)
    run.run(time_limit=0)
    run = skipgram_run(forms, tmp_path, threads=2)
    run.resume()
    assert run.run()
    assert run.progress.batch == 4 * PER_PASS
    assert all(np.isfinite(array).all() for array in run.trainable.model)


@pytest.mark.slow
def test_a_round_ends_with_its_pass(forms, tmp_path):
    trainable = skipgram_run(forms, tmp_path, passes=2.5).trainable
    n, rounds = round(2.5 * PER_PASS), []
    while not trainable.finished():
        rounds.append(trainable.begin_round(10))
        trainable.progress.batch += rounds[-1]
    assert rounds == [10, 7, 10, 7, n - 2 * PER_PASS]


def test_rate_falls_to_nothing(forms, tmp_path):
    rate = skipgram_run(forms, tmp_path).trainable.rate
    found = [rate(n) for n in (0, 2 * PER_PASS, 4 * PER_PASS)]
    np.testing.assert_allclose(found, [0.1, 0.05, 0], rtol=1e-6)


def test_log_and_lines(forms, tmp_path):
    lines = []
    run = skipgram_run(forms, tmp_path)
    run.report = lambda line, figures: lines.append((line, figures))
    run.run(report_every=0)
    logged = [
        json.loads(line) for line in (tmp_path / "log.jsonl").read_text().splitlines()
    ]
    assert logged == [figures for _, figures in lines]
    assert len(logged) == 4 * PER_PASS
    last = logged[-1]
    assert (last["progress"], last["passes"], last["rate"]) == (1, 4, 0)
    assert last["words"] == 4 * run.trainable.n_words
    assert last["validation_loss"] < logged[0]["validation_loss"]
    together = last["loss"] + last["noise_loss"]
    assert together == pytest.approx(last["validation_loss"], rel=0.2)
    assert f"validation loss {last['validation_loss']:.4f}" in lines[-1][0]


def test_vectors_are_scaled_where_they_are_read(forms, tmp_path):
    run = skipgram_run(forms, tmp_path)
    run.run()
    found, own = read_embeddings(tmp_path), run.trainable.model.vectors
    assert found.words[:2] == ["PADDING", "UNKNOWN"]
    assert found.vectors.dtype == np.float32
    assert found.vectors[2:].std() == pytest.approx(0.5, rel=1e-5)
    assert not found.vectors[0].any() and found.vectors[1].any()
    scale = found.vectors[2, 0] / own[2, 0]
    np.testing.assert_allclose(found.vectors, own * scale, rtol=1e-5)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"weight": 2.0}, "made with other corpus"),
        ({"size": 12}, "made with other dictionary"),
    ],
)
def test_checkpoint_of_another_run(forms, changes, message, tmp_path):
    skipgram_run(forms, tmp_path).run(time_limit=0)
    with pytest.raises(SennaError, match=rf"checkpoint\.npz: {message}"):
        skipgram_run(forms, tmp_path, **changes).resume()


@pytest.mark.parametrize("state", [{"scale": "x"}, {"scale": [1, 2]}, [], None])
def test_damaged_scale(forms, state, tmp_path):
    run = skipgram_run(forms, tmp_path)
    run.run(time_limit=0)
    meta, arrays = read_arrays(run.checkpoint)
    write_arrays(run.checkpoint, meta | {"state": state}, **arrays)
    with pytest.raises(
        SennaError, match=r"checkpoint\.npz: damaged: no scale of its vectors"
    ):
        read_embeddings(tmp_path)
