import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from senna_py.cli.lm_train import failing_together
from senna_py.errors import SennaError, UsageError, WriteError
from senna_py.layers.process_group import ALONE, MpiGroup, block_of
from senna_py.lm.model_files import open_model
from senna_py.lm.nplm.model import NeuralModel, context_rows
from senna_py.training.schedules import inverse_rate
from tests.helpers.small_networks import learn
from tests.helpers.small_text import streams
from tests.helpers.small_trainers import nplm_run


def fail_once(monkeypatch, kind):
    """Let the first model of class `kind` not be written."""
    write, calls = kind.write, []

    def written(self, path):
        calls.append(path)
        if len(calls) == 1:
            raise WriteError(f"{path}: not written: No space left on device")
        write(self, path)

    monkeypatch.setattr(kind, "write", written)


class ThreadCommunicator:
    """One of `size` ranks, each in a thread; they meet at a barrier.

    aborted: the code of Abort, which lets no rank wait any longer.
    """

    aborted = None

    def __init__(self, rank, barrier, board):
        self._rank, self._barrier, self._board = rank, barrier, board

    def Get_rank(self):
        return self._rank

    def Get_size(self):
        return self._barrier.parties

    def allgather(self, value):
        self._board[self._rank] = value
        self._barrier.wait(60)
        values = list(self._board)
        self._barrier.wait(60)
        return values

    def Allgatherv(self, values, receive):
        out, sizes = receive
        parts = self.allgather(values.copy())
        assert values.flags.c_contiguous and [part.size for part in parts] == sizes
        out.reshape(-1)[...] = np.concatenate([part.reshape(-1) for part in parts])

    def Abort(self, code):
        self.aborted = code
        self._barrier.abort()

    def Allreduce(self, values, out, operation):
        parts = self.allgather(values.copy())
        assert len({part.shape for part in parts}) == 1
        out[...] = operation.reduce(np.stack(parts), 0)

    def bcast(self, value):
        return self.allgather(value)[0]


def run_in_group(size, work):
    """Call work(group) in each rank of a group; returns the list of what it gave."""
    barrier, board = threading.Barrier(size), [None] * size
    groups = [
        MpiGroup(ThreadCommunicator(rank, barrier, board), np.maximum, np.add)
        for rank in range(size)
    ]

    def guarded(group):
        try:
            return work(group)
        except BaseException:
            barrier.abort()
            raise

    with ThreadPoolExecutor(size) as pool:
        return list(pool.map(guarded, groups))


def train(directory, text=None, **changes):
    run = nplm_run(directory, text, **changes)
    assert run.run()
    return run


@pytest.mark.parametrize("output", ["softmax", "classes", "energy"])
def test_the_mark_of_a_beginning_is_not_predicted(tmp_path, output):
    text = streams(marks=True)
    text.train = text.train[:5]  # one sentence
    trainer = nplm_run(tmp_path, text, output=output)
    begin, end = text.word_list.begin, text.word_list.end
    model = trainer.trainable.model()
    p = model.probabilities([begin])
    assert p[begin] < 0.7 * p[end] and begin not in model.unseen.words
    assert p.sum() == pytest.approx(1, rel=1e-5)


def test_there_are_no_more_classes_than_words(tmp_path):
    with pytest.raises(UsageError, match="10 classes for 9 words"):
        nplm_run(tmp_path, output="classes", classes=10)


def test_examples_one_by_one_decay_as_those_of_minibatches(tmp_path):
    changes = {
        "optimizer": "sgd",
        "batch": 1,
        "rate": 0.05,
        "decay": 0.002,
        "direct": True,
    }
    one, other, start = (nplm_run(tmp_path, **changes).trainable for _ in range(3))
    assert one._settings.one_by_one
    one._order = positions = one._examples[2:34]
    one.train(0, 0)
    text, n = other.streams.train, len(positions)
    for i, position in enumerate(positions):
        context = context_rows(text, [position], 3, other.word_list)
        rate = inverse_rate(other.settings()["rate"], other.settings()["decrease"], i)
        learn(other.network, other.optimizer, rate, context, text[[position]])
    start = start.network.parameters()
    for name, array in other.network.parameters().items():
        found = one.network.parameters()[name]
        np.testing.assert_allclose(found, array, atol=1e-4, err_msg=name)
        assert np.abs(found - start[name]).max() > 1e-3
    unused = one.word_list.unknown  # no gradient has reached it
    expected = start["vectors"][unused] * (1 - 0.05 * 0.002) ** n
    np.testing.assert_allclose(one.network.vectors[unused], expected, rtol=1e-5)


@pytest.mark.parametrize("what", ["model", "directory", "checkpoint"])
def test_what_fails_in_one_process_fails_in_all(tmp_path, monkeypatch, what):
    directory = tmp_path / "file" / "run" if what == "directory" else tmp_path / "run"
    (tmp_path / "file").touch()
    if what == "checkpoint":
        (directory / "checkpoint.npz").mkdir(parents=True)
    elif what == "model":
        fail_once(monkeypatch, NeuralModel)

    def work(group):
        trainer = nplm_run(directory, group=group)
        try:
            trainer.run()
        except SennaError as error:
            return str(error)
        return trainer.best[1]

    one, other = run_in_group(2, work)
    assert one == other
    assert one > 1 if what == "model" else "not written" in one


def test_words_that_training_lacks_have_their_share(tmp_path):
    text = streams()
    corn, unknown = text.word_list.index[b"corn"], text.word_list.unknown
    text.train = text.train[text.train != corn]
    train(tmp_path, text, epochs=2)
    model = open_model(tmp_path)
    assert sorted(model.unseen.words.tolist()) == sorted([corn, unknown])
    share = (text.valid == corn).mean()
    assert model.unseen.share == pytest.approx(share, rel=0.05)
    assert model.probabilities([])[corn] == pytest.approx(
        model.unseen.share / 2, rel=0.2
    )
    without = streams(n_valid=0)
    without.train[5] = unknown
    train(tmp_path / "without", without, epochs=1)
    assert open_model(tmp_path / "without").unseen.words.tolist() == []


@pytest.mark.parametrize(("size", "direct"), [(2, True), (3, False)])
def test_a_group_of_processes_learns_what_one_does(tmp_path, size, direct):
    changes = {"direct": direct, "dropout": 0.1}
    alone = train(tmp_path / "alone", **changes)

    def work(group):
        trainer = nplm_run(tmp_path / "group", group=group, **changes)
        trainer.run()
        own = trainer.trainable.network.output
        assert own.weight.base is None  # a view would keep the whole matrix
        return trainer.best, len(own.bias)

    results = run_in_group(size, work)
    assert sum(n for _, n in results) == 9 and all(n < 9 for _, n in results)
    for (best, epoch), _ in results:
        assert f"{best:.4g}" == f"{alone.best[0]:.4g}" and epoch == alone.best[1]
    expected, found = (
        open_model(tmp_path / name).network for name in ("alone", "group")
    )
    for name, array in expected.parameters().items():
        np.testing.assert_allclose(
            found.parameters()[name], array, atol=1e-4, err_msg=name
        )
    resumed = nplm_run(tmp_path / "group", epochs=4, **changes)
    resumed.resume()
    assert resumed.run() and resumed.best[0] <= alone.best[0] + 1e-3


def test_a_group_resumes_a_run_of_one_process(tmp_path):
    straight = train(tmp_path / "straight")
    trainer = nplm_run(tmp_path / "run")
    assert not trainer.run(0)

    def work(group):
        member = nplm_run(tmp_path / "run", group=group)
        member.resume()
        member.run()
        return member.best[0]

    assert run_in_group(2, work) == pytest.approx([straight.best[0]] * 2, rel=1e-4)


@pytest.mark.parametrize(
    "changes",
    [
        {"output": "classes"},
        {"output": "energy"},
        {"output": "energy", "samples": 5},
        {"threads": 2},
        {"batch": 1, "optimizer": "sgd"},
    ],
)
def test_what_processes_cannot_share_is_refused(tmp_path, changes):
    def work(group):
        nplm_run(tmp_path, group=group, **changes)

    with pytest.raises(UsageError, match="processes"):
        run_in_group(2, work)


def test_given_vectors_begin_the_run(tmp_path):
    text = streams()
    training = nplm_run(tmp_path, text).trainable
    vectors = np.arange(12, dtype=np.float32).reshape(3, 4)
    before = training.network.vectors.copy()
    assert training.start_from(["UNKNOWN", "cat", "zebra"], vectors) == 2
    cat = text.word_list.index[b"cat"]
    np.testing.assert_array_equal(training.network.vectors[cat], vectors[1])
    np.testing.assert_array_equal(
        training.network.vectors[text.word_list.unknown], vectors[0]
    )
    np.testing.assert_array_equal(
        training.network.vectors[cat + 1 :], before[cat + 1 :]
    )


@pytest.mark.parametrize(
    ("n_words", "size"), [(11, 2), (11, 3), (12, 3), (5, 4), (1, 1)]
)
def test_blocks_cover_the_words(n_words, size):
    spans = [block_of(rank, size, n_words) for rank in range(size)]
    words = [w for first, n in spans for w in range(first, first + n)]
    assert words == list(range(n_words))


def test_one_process_that_fails_ends_the_others():
    barrier = threading.Barrier(2)
    comm = ThreadCommunicator(0, barrier, [None] * 2)
    with pytest.raises(SennaError), failing_together(MpiGroup(comm, None, None)):
        raise SennaError("no such file")
    assert comm.aborted == 1 and barrier.broken
    with pytest.raises(SennaError), failing_together(ALONE):
        raise SennaError("no such file")


def test_without_mpi4py_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "mpi4py", None)
    with pytest.raises(UsageError, match="pip install mpi4py"):
        MpiGroup.world()
