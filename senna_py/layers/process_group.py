"""Groups of processes that share the output units (Bengio et al. 2003, section 3.2).

Each process owns a block of the words: its output weights, their scores and their
updates. All that is below the output units is the same in all of them. What they
exchange is reduced over all: the largest score, the sum of exponentials, and the
gradient of what the output units are fed by.
"""

import math

import numpy as np

from senna_py.errors import UsageError, missing


def block_of(rank, size, n_words):
    """First word and number of words of the block of process `rank` of `size`."""
    length = -(-n_words // size)
    first = min(rank * length, n_words)
    return first, min(length, n_words - first)


class _Alone:
    """A group of one process."""

    rank, size = 0, 1

    def largest(self, values):
        return values

    def sum(self, values):
        return values

    def gather(self, array):
        return array

    def share(self, value):
        return value


ALONE = _Alone()


class MpiGroup:
    """The processes of an MPI communicator, by its Allreduce, Allgatherv, bcast and
    Abort.
    """

    def __init__(self, comm, largest, add):
        """comm: a communicator of mpi4py; largest, add: its operations MAX and SUM."""
        self._comm, self._max, self._add = comm, largest, add
        self.rank, self.size = comm.Get_rank(), comm.Get_size()

    @classmethod
    def world(cls):
        """All processes that `mpirun` started; raises UsageError without mpi4py."""
        try:
            from mpi4py import MPI  # noqa: PLC0415 - an extra
        except (ImportError, RuntimeError) as error:
            needed = missing("--mpi", "mpi", "mpi4py")
            raise UsageError(f"{needed}, and an MPI library: {error}") from None
        return cls(MPI.COMM_WORLD, MPI.MAX, MPI.SUM)

    def largest(self, values):
        """Elementwise maximum over all processes, of arrays of the same shape."""
        return self._reduce(values, self._max)

    def sum(self, values):
        """Elementwise sum over all processes; every process gets the same bits."""
        return self._reduce(values, self._add)

    def _reduce(self, values, operation):
        values = np.ascontiguousarray(values)
        out = np.empty_like(values)
        self._comm.Allreduce(values, out, operation)
        return out

    def gather(self, array):
        """Blocks of all processes, one after the other: along the first dimension."""
        lengths = np.zeros(self.size, np.int64)
        lengths[self.rank] = len(array)
        lengths = self.sum(lengths)
        out = np.empty((int(lengths.sum()), *array.shape[1:]), array.dtype)
        sizes = lengths * math.prod(array.shape[1:])
        self._comm.Allgatherv(np.ascontiguousarray(array), [out, sizes.tolist()])
        return out

    def share(self, value):
        """What process 0 gives, in all of them."""
        return self._comm.bcast(value)

    def abort(self, code):
        """End all processes at once: when one has failed, the others would wait for it
        for ever.
        """
        self._comm.Abort(code)
