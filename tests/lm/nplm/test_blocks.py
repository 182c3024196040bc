import threading

import pytest

from senna_py.cli.lm_nplm import failing_together
from senna_py.errors import SennaError, UsageError
from senna_py.layers.process_group import ALONE, MpiGroup, block_of
from tests.helpers.thread_group import ThreadCommunicator


@pytest.mark.parametrize(("n_words", "size"), [(11, 2), (11, 3), (12, 3), (5, 4), (1, 1)])
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
