import json
from types import SimpleNamespace

import numpy as np
import pytest

from senna_py.errors import SennaError
from senna_py.lm.lstm import training
from senna_py.lm.model_files import open_model
from tests.helpers.small_text import streams
from tests.helpers.small_trainers import lstm_run


def test_the_rate_falls_linearly_over_the_run(tmp_path):
    trainer = lstm_run(tmp_path, epochs=3, least_gain=1e9, final_rate=0.1)
    training, rates, step = trainer.trainable, [], trainer.trainable.step
    training.step = lambda *given: (rates.append(training.scheduled_rate()), step(*given))
    assert trainer.run()
    n = 3 * training.n_batches()
    expected = 0.5 * (1 - 0.9 * np.arange(n) / n)
    np.testing.assert_allclose(rates, expected)
    model = open_model(tmp_path)
    assert dict(model.describe())["final_rate"] == "0.1"
    with pytest.raises(SennaError, match="made with epochs 3, asked for 4"):
        lstm_run(tmp_path, epochs=4, least_gain=1e9, final_rate=0.1).resume()


def test_the_rate_goes_by_the_epoch_before_and_not_by_the_best(tmp_path, monkeypatch):
    course = iter([100.0, 90.0, 95.0, 93.5, 93.0])
    monkeypatch.setattr(
        training, "score_stream", lambda *_: SimpleNamespace(perplexity=next(course))
    )
    trainer = lstm_run(tmp_path, epochs=5, rate=0.5, least_gain=1.0)
    trainer.run()
    rows = [json.loads(line) for line in trainer.log.read_text().splitlines()]
    assert [row["rate"] for row in rows] == [0.5, 0.5, 0.5, 0.25, 0.25]
    assert trainer.trainable.schedule.rate == 0.125 and trainer.best == (90.0, 2)


def test_the_state_is_carried_from_piece_to_piece_and_zero_where_an_epoch_begins(tmp_path):
    run = lstm_run(tmp_path, rate=0.0, dropout=0.0, epochs=2)
    training = run.trainable

    def state_after(n_pieces):
        state, n = training.network.first_state(2), 6 * n_pieces
        training.network.log_probabilities(training._words[:n], training._targets[:n], state)
        return state

    train, states = training.train, []

    def watched(number, worker):
        result = train(number, worker)
        states.append(training._state.copy())
        return result

    training.train = watched
    assert run.run()
    np.testing.assert_allclose(states[1], state_after(2), atol=1e-5)
    assert np.abs(state_after(2) - state_after(1)).max() > 1e-3
    np.testing.assert_allclose(states[training.n_batches()], state_after(1), atol=1e-5)


def test_gradients_are_averaged_over_the_batch_and_clipped(tmp_path):
    def step(**changes):
        training = lstm_run(tmp_path, dropout=0.0, **changes).trainable
        before = {name: a.copy() for name, a in training.network.parameters().items()}
        training.train(0, 0)
        moved = [a - before[name] for name, a in training.network.parameters().items()]
        return np.concatenate([array.ravel() for array in moved])

    free, clipped = step(clip=1e9), step(clip=0.01)
    assert np.linalg.norm(free) > 0.02
    assert np.linalg.norm(clipped) == pytest.approx(0.5 * 0.01, rel=1e-3)
    cosine = free @ clipped / np.linalg.norm(free) / np.linalg.norm(clipped)
    assert cosine == pytest.approx(1, abs=1e-4)


def test_the_stretches_of_the_text_lie_side_by_side(tmp_path):
    text = streams(50, marks=True)
    trainer = lstm_run(tmp_path, text)
    words = text.train[text.train != text.word_list.begin]
    n = len(words) // 2
    np.testing.assert_array_equal(trainer.trainable._targets.T.reshape(-1), words[: 2 * n])
    np.testing.assert_array_equal(trainer.trainable._words[1:], trainer.trainable._targets[:-1])
    assert trainer.trainable._words[0, 0] == text.word_list.end
    np.testing.assert_array_equal(
        trainer.trainable._words[0, 1:], trainer.trainable._targets[-1, :-1]
    )


def test_the_same_morphemes_may_come_from_another_file(tmp_path):
    trainer = lstm_run(tmp_path, input="morph", epochs=1)
    trainer.run()
    moved = lstm_run(tmp_path, input="morph", epochs=2, segmentation="elsewhere")
    moved.resume()
    assert moved.progress.epoch == 1


def test_a_text_shorter_than_the_batch(tmp_path):
    with pytest.raises(SennaError, match="too few for --batch 4"):
        lstm_run(tmp_path, streams(1), batch=4)
