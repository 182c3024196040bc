"""The training loop with a tiny model: stops, checkpoints, the best model, and full
disks.
"""

import errno
import math
import os

import numpy as np
import pytest

from senna_py.errors import SennaError, WriteError
from senna_py.io import files
from senna_py.layers.process_group import ALONE
from senna_py.models.checkpoint import read_arrays, write_arrays
from senna_py.training import run as loop
from senna_py.training.log import read_log
from tests.helpers.refusal import refusal
from tests.helpers.small_problem import N_BATCHES, SmallMean, small_run, stop_after


def same(a, b):
    pairs = zip(
        a.trainable.arrays().values(), b.trainable.arrays().values(), strict=True
    )
    return all(np.array_equal(x, y) for x, y in pairs)


def whole_run(directory, **changes):
    run = small_run(directory, **changes)
    assert run.run() and run.finished
    return run


# Where a run ends, and goes on.


def test_batches_come_in_their_order(tmp_path):
    run = whole_run(tmp_path, epochs=3)
    assert run.trainable.seen == [(e, n) for e in range(3) for n in range(N_BATCHES)]
    assert run.progress.steps == 15 and run.progress.examples == 150
    assert [row["epoch"] for row in read_log(run.log)] == [1, 2, 3]


def test_how_long_a_long_run_takes_is_told_once(tmp_path, monkeypatch):
    monkeypatch.setattr(loop, "_SECONDS_BEFORE_ESTIMATE", 0)
    lines = []
    for told, expected in ((0, 1), (1e9, 0)):
        monkeypatch.setattr(loop, "_LONG", told)
        run = small_run(tmp_path / str(told))
        run.report = lambda line, figures: lines.append((line, figures))
        assert run.run()
        found = [pair for pair in lines if pair[0].startswith("about ")]
        assert (
            found
            == [("about 1 minute to go, and the time that scoring takes", None)]
            * expected
        )
        lines.clear()
    assert [*map(loop.duration, (1, 89, 540, 9000))] == [
        "1 minute",
        "1 minute",
        "9 minutes",
        "2.5 hours",
    ]


def test_a_run_killed_beside_its_first_model_goes_on(tmp_path):
    whole = whole_run(tmp_path / "whole")
    run = small_run(tmp_path / "run")
    made = run.trainable.model_writer

    def die(path):
        made()(path)
        raise KeyboardInterrupt

    run.trainable.model_writer = lambda: die
    with pytest.raises(KeyboardInterrupt):
        run.run()
    assert (tmp_path / "run" / "model.txt").exists()
    again = small_run(tmp_path / "run")
    again.resume()
    assert again.run() and same(whole, again) and whole.best == again.best
    assert again.log.read_bytes() == whole.log.read_bytes()


def test_a_run_resumed_after_each_batch_equals_an_uninterrupted_one(tmp_path):
    whole, run, stops = whole_run(tmp_path / "whole"), small_run(tmp_path / "parts"), 0
    while not run.run(time_limit=0):
        stops += 1
        run = small_run(tmp_path / "parts")
        run.resume()
        assert run.progress.steps == stops
    assert stops == 4 * N_BATCHES
    assert same(run, whole) and whole.best == run.best
    for name in ("model.txt", "log.jsonl"):
        assert (run.directory / name).read_bytes() == (
            whole.directory / name
        ).read_bytes()


def test_a_finished_run_stays_and_can_be_made_longer(tmp_path):
    whole_run(tmp_path, epochs=2)
    before = (tmp_path / "checkpoint.npz").read_bytes()
    again = small_run(tmp_path, epochs=2)
    again.resume()
    assert again.finished and again.run() and not again.trainable.seen
    assert (tmp_path / "checkpoint.npz").read_bytes() == before
    longer = small_run(tmp_path, epochs=4)
    longer.resume()
    assert longer.run() and same(longer, whole_run(tmp_path / "whole"))


def test_checkpoints_and_reports_on_the_way(tmp_path):
    run, saved = small_run(tmp_path, epochs=1), []
    save = run.save
    run.save = lambda: (saved.append(run.progress.steps), save())
    assert run.run(checkpoint_every=0, report_every=0)
    assert saved == [1, 2, 3, 4, 5, 5]
    assert [row["batch"] for row in read_log(run.log)] == [1, 2, 3, 4, 5, 0]
    assert all(row["cost"] is not None for row in read_log(run.log)[:5])


def test_show_counts_the_batches_of_an_epoch(tmp_path):
    shown = []
    small_run(tmp_path, epochs=2).run(show=lambda *counts: shown.append(counts))
    assert shown == [(n + 1, N_BATCHES) for n in range(N_BATCHES)] * 2


def test_threads_train_every_batch_once(tmp_path):
    run = whole_run(tmp_path, threads=3, epochs=30)
    assert sorted(run.trainable.seen) == [
        (e, n) for e in range(30) for n in range(N_BATCHES)
    ]
    assert run.progress.examples == 30 * 50


def test_what_was_logged_after_the_checkpoint_comes_once(tmp_path):
    whole = whole_run(tmp_path / "whole")
    run = small_run(tmp_path / "run")
    stop_after(run, 7)
    before = run.log.read_bytes()
    with open(run.log, "ab") as log:  # as if it had gone on, and been killed
        log.write(before.replace(b'"epoch": 1', b'"epoch": 2') + b'{"epoch": 3, "co')
    again = small_run(tmp_path / "run")
    again.resume()
    assert run.log.read_bytes() == before
    assert again.run() and again.log.read_bytes() == whole.log.read_bytes()


def test_a_new_run_begins_a_new_log(tmp_path):
    whole_run(tmp_path)
    (tmp_path / "checkpoint.npz").unlink()
    assert len(read_log(whole_run(tmp_path, epochs=1).log)) == 1


# The best model.


@pytest.mark.parametrize(
    ("lower", "scores", "best"),
    [
        (False, [1.0, 3.0, 3.0, 2.0], (3.0, 2)),
        (True, [5.0, 3.0, 4.0, 3.0], (3.0, 2)),
        (False, [math.nan, -2.0, -3.0, math.nan], (-2.0, 2)),
        (False, [None] * 4, (None, 4)),
    ],
)
def test_the_best_model_is_kept(tmp_path, lower, scores, best):
    run = small_run(tmp_path, scores=scores)
    run.trainable.lower_is_better = lower
    assert run.run() and run.best == best
    assert (tmp_path / "model.txt").read_text().startswith(f"{best[1]} ")


def test_patience(tmp_path):
    scores = [1.0, 3.0, 2.0, 3.0, 1.0, 4.0]
    run = small_run(tmp_path, epochs=6, patience=2, scores=scores)
    assert run.run() and run.progress.epoch == 4 and run.best == (3.0, 2)
    for patience, epoch in ((2, 4), (4, 6)):
        again = small_run(tmp_path, epochs=6, patience=patience, scores=scores)
        again.resume()
        assert again.finished == (patience == 2)
        assert again.run() and again.progress.epoch == epoch


def test_a_best_model_that_is_gone_is_missed(tmp_path):
    whole_run(tmp_path)
    (tmp_path / "model.txt").unlink()
    with pytest.raises(
        SennaError, match=r"model\.txt: missing: the best model so far, of epoch"
    ):
        small_run(tmp_path).resume()


# What can happen to a run.


@pytest.mark.parametrize("broken", [0, 7])
def test_divergence_keeps_the_checkpoint(tmp_path, broken):
    run = small_run(tmp_path)
    run.trainable.broken = (broken,)
    with pytest.raises(SennaError, match="the weights have overflowed; lower --rate"):
        run.run(checkpoint_every=0)
    assert (tmp_path / "checkpoint.npz").exists() == (broken > 0)
    if broken:
        assert read_arrays(run.checkpoint)[0]["progress"]["steps"] == broken


def test_costs_that_are_too_large_are_divergence(tmp_path):
    run = small_run(tmp_path)
    run.trainable.divergence = 0.1
    with pytest.raises(SennaError, match="overflowed"):
        run.run()


class FullDisk:
    """Lets no file be replaced while `full`."""

    def __init__(self, monkeypatch):
        self.full, replace = True, os.replace

        def fail(source, target):
            if self.full:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            replace(source, target)

        monkeypatch.setattr(files.os, "replace", fail)


def test_training_goes_on_while_the_disk_is_full(tmp_path, monkeypatch):
    disk, run = FullDisk(monkeypatch), small_run(tmp_path)

    def show(done, total):
        disk.full = run.progress.epoch < 2

    assert run.run(checkpoint_every=0, show=show)
    full = "checkpoint.npz: not written: No space left on device; training goes on"
    # And each epoch.
    assert sum(line.endswith(full) for line in run.lines) == 2 * (N_BATCHES + 1)
    assert run.checkpoint.exists() and same(run, whole_run(tmp_path / "whole"))


def test_a_resumed_run_goes_on_without_room_for_a_log(tmp_path, monkeypatch):
    stop_after(small_run(tmp_path), 3)
    (tmp_path / "log.jsonl").unlink()

    def full(path, mode):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))

    monkeypatch.setattr("senna_py.training.run.open", full, raising=False)
    again = small_run(tmp_path)
    again.resume()
    assert again.run()
    problem = f"{again.log}: not written: No space left on device"
    assert again.lines[0] == f"{problem}; training goes on"
    # At once.
    with pytest.raises(SennaError, match=r"log\.jsonl: not written: No space"):
        small_run(tmp_path / "new").run()


def test_a_disk_that_stays_full_is_an_error_in_the_end(tmp_path, monkeypatch):
    FullDisk(monkeypatch)
    run = small_run(tmp_path)
    with pytest.raises(
        WriteError, match=r"checkpoint\.npz: not written: No space left"
    ):
        run.run()
    assert run.progress.epoch == 4 and not list(tmp_path.glob("*.part"))


def test_a_model_that_cannot_be_written_is_not_the_best(tmp_path):
    run = small_run(tmp_path, scores=[9.0, 1.0, 2.0, 1.5])
    writer = run.trainable.model_writer

    def fails(path):
        raise WriteError(f"{path}: not written: No space left on device")

    run.trainable.model_writer = lambda: fails if run.progress.epoch == 1 else writer()
    assert run.run() and run.best == (2.0, 3)
    assert run.lines[0].endswith("No space left on device; training goes on")
    assert [row["best"] for row in read_log(run.log)] == [False, True, True, False]


@pytest.mark.parametrize(
    ("scores", "costs", "epoch"),
    [
        ([1.0, 1.0, 1.0, 1.0], [4.0, 2.0, 3.0, 2.0], 2),  # the first of the lowest
        ([0.0, 0.0, 0.0, 0.0], [4.0, 3.0, 2.0, 1.0], 4),
        ([1.0, 2.0, 1.0, 2.0], [1.0, 9.0, 0.0, 8.0], 4),  # the score comes first
        ([1.0, 1.0, 1.0, 1.0], [4.0, math.nan, 3.0, math.inf], 3),
        ([1.0, 1.0, 1.0, 1.0], None, 1),
    ],
)
@pytest.mark.parametrize("n", [0, 7, 12])
def test_of_equal_scores_the_lower_cost_wins(n, scores, costs, epoch, tmp_path):
    run = small_run(tmp_path, scores=scores, costs=costs)
    if n:  # also if it was stopped in between
        assert not stop_after(run, n)
        run = small_run(tmp_path, scores=scores, costs=costs)
        run.resume()
    assert run.run() and run.best == (max(scores), epoch)
    assert (tmp_path / "model.txt").read_text().startswith(f"{epoch} ")
    assert [row["best"] for row in read_log(run.log)][epoch - 1]


def test_a_lower_cost_alone_does_not_prolong_a_run(tmp_path):
    run = small_run(
        tmp_path, scores=[1.0] * 9, costs=[*range(9, 0, -1)], epochs=9, patience=3
    )
    assert run.run() and run.progress.epoch == 4 and run.best == (1.0, 4)


def test_a_log_that_cannot_be_written(tmp_path):
    (tmp_path / "log.jsonl").mkdir()
    with pytest.raises(SennaError, match=r"log\.jsonl: not written: Is a directory"):
        small_run(tmp_path).run()
    (tmp_path / "file").touch()
    with pytest.raises(SennaError, match="file: a file; a run needs a directory"):
        small_run(tmp_path / "file").run()
    run = small_run(tmp_path / "run")
    run.trainable.begin_round = lambda wanted: (  # while it runs
        run.log.unlink(missing_ok=True) if run.log.is_file() else None,
        run.log.mkdir(exist_ok=True),
        1,
    )[2]
    assert run.run()
    assert run.lines.count(f"{run.log}: not written: Is a directory") == 4


# Checkpoints that cannot be used.


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"rate": 0.5}, "made with rate 0.1, asked for 0.5"),
        ({"data": 1}, "made with other numbers"),
    ],
)
def test_other_settings_and_data_are_refused(tmp_path, changes, message):
    run = small_run(tmp_path)
    run.run(time_limit=0)
    before = run.checkpoint.read_bytes()
    assert refusal(run.checkpoint, small_run(tmp_path, **changes).resume) == message
    assert run.checkpoint.read_bytes() == before


@pytest.mark.parametrize("header", [[], {}, 3, {"settings": 1}])
def test_what_is_no_checkpoint_of_a_run(tmp_path, header):
    write_arrays(tmp_path / "checkpoint.npz", header)
    with pytest.raises(
        SennaError, match=r"checkpoint\.npz: not the checkpoint of a training run"
    ):
        small_run(tmp_path).resume()


# Groups of processes.


class SecondOfTwo:
    """A group in which another process writes, and says what to do."""

    rank, size = 1, 2
    share = staticmethod(ALONE.share)
    gather = staticmethod(ALONE.gather)


def test_only_the_first_process_writes(tmp_path, monkeypatch):
    whole = whole_run(tmp_path / "whole")
    monkeypatch.setattr(SmallMean, "group", SecondOfTwo())
    run = small_run(tmp_path / "run")
    assert run.run(checkpoint_every=0, report_every=0)
    assert not (tmp_path / "run").exists() and not run.lines
    assert same(run, whole)
