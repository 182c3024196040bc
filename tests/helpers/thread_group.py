"""A communicator of threads with what `blocks.MpiGroup` uses of mpi4py's interface."""

import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from senna_py.layers.process_group import MpiGroup


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
