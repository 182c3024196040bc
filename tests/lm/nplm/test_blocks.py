import threading

import numpy as np
import pytest

from senna_py.cli.lm_nplm import failing_together
from senna_py.errors import SennaError, UsageError
from senna_py.layers.activations import Dropout
from senna_py.layers.process_group import ALONE, MpiGroup, block_of
from senna_py.lm.nplm.build import network_of
from senna_py.training.optimizers import AdaGrad
from tests.helpers.small_networks import N_WORDS, SHAPES, learn, small_batch, small_network
from tests.helpers.thread_group import ThreadCommunicator, run_in_group


@pytest.mark.parametrize(("n_words", "size"), [(11, 2), (11, 3), (12, 3), (5, 4), (1, 1)])
def test_blocks_cover_the_words(n_words, size):
    spans = [block_of(rank, size, n_words) for rank in range(size)]
    words = [w for first, n in spans for w in range(first, first + n)]
    assert words == list(range(n_words))


@pytest.mark.parametrize("size", [2, 3])
@pytest.mark.parametrize("name", ["direct", "hidden only"])
def test_a_group_computes_and_learns_what_one_process_does(name, size):
    shape = SHAPES[name]
    alone = small_network(shape)
    context, target = small_batch(shape)
    start = {key: a.copy() for key, a in alone.parameters().items()}

    def learn_three_times(network):
        optimizer = AdaGrad(network.parameters(), None, decay=0.1, start=1.0)
        return np.array([
            learn(network, optimizer, 0.1, context, target, Dropout(np.random.default_rng(k), 0.2))
            for k in range(3)
        ])  # fmt: skip

    def in_group(group):
        arrays = {key: a.copy() for key, a in start.items()}
        network = network_of(shape, arrays, None, group)
        log_p = learn_three_times(network)
        own = network.parameters()
        assert not np.shares_memory(own["output_weight"], arrays["output_weight"])
        gathered = {k: group.gather(a) if k.startswith("output") else a for k, a in own.items()}
        return log_p, gathered, len(own["output_bias"])

    expected = learn_three_times(alone)
    results = run_in_group(size, in_group)
    assert sum(n for _, _, n in results) == N_WORDS and all(n < N_WORDS for _, _, n in results)
    for log_p, gathered, _ in results:
        np.testing.assert_allclose(log_p, expected, rtol=1e-5)
        for key, array in alone.parameters().items():
            np.testing.assert_allclose(gathered[key], array, rtol=1e-4, atol=1e-5, err_msg=key)


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
