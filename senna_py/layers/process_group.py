"""Groups of processes that share the output units (Bengio et al. 2003, section 3.2).

Each process owns a block of the vocabulary: its output weights, its scores and their
updates. All layers below the output units are replicated in all processes. For each
example, the processes exchange the largest score, the sum of exponentials, the score of
the target, and the gradient of the input of the output units.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from senna_py.errors import UsageError, missing

if TYPE_CHECKING:
    from typing import Any

    from numpy.typing import NDArray


def block_of(rank: int, size: int, n_words: int) -> tuple[int, int]:
    """Return the first word and the number of words in the block of a process.

    Args:
        rank: The index of the process.
        size: The number of processes.
        n_words: The number of words of the vocabulary.
    """
    length = -(-n_words // size)
    first = min(rank * length, n_words)
    return first, min(length, n_words - first)


class _Alone:
    """A group of one process, whose operations return their arguments."""

    rank, size = 0, 1

    def largest(self, values: NDArray) -> NDArray:
        return values

    def sum(self, values: NDArray) -> NDArray:
        return values

    def gather(self, array: NDArray) -> NDArray:
        return array

    def share(self, value: Any) -> Any:
        return value


ALONE = _Alone()


class MpiGroup:
    """The processes of an MPI communicator."""

    def __init__(self, comm: Any, largest: Any, add: Any) -> None:
        """Store a communicator and the operations MAX and SUM of mpi4py."""
        self._comm, self._max, self._add = comm, largest, add
        self.rank, self.size = comm.Get_rank(), comm.Get_size()

    @classmethod
    def world(cls) -> MpiGroup:
        """Return the group of all processes that `mpirun` started.

        Raises:
            UsageError: If mpi4py or an MPI library is missing.
        """
        try:
            from mpi4py import MPI  # noqa: PLC0415 - an extra
        except (ImportError, RuntimeError) as error:
            needed = missing("--mpi", "mpi", "mpi4py")
            raise UsageError(f"{needed}, and an MPI library: {error}") from None
        return cls(MPI.COMM_WORLD, MPI.MAX, MPI.SUM)

    def largest(self, values: NDArray) -> NDArray:
        """Return the elementwise maximum of the arrays of all processes.

        All arrays have the same shape and dtype.
        """
        return self._reduce(values, self._max)

    def sum(self, values: NDArray) -> NDArray:
        """Return the elementwise sum of the arrays of all processes.

        All arrays have the same shape and dtype. All processes get the same bits.
        """
        return self._reduce(values, self._add)

    def _reduce(self, values: NDArray, operation: Any) -> NDArray:
        values = np.ascontiguousarray(values)
        out = np.empty_like(values)
        self._comm.Allreduce(values, out, operation)
        return out

    def gather(self, array: NDArray) -> NDArray:
        """Return the concatenation of the arrays of all processes, in order of rank.

        The arrays may differ in length, but not in the other axes or in dtype.
        """
        lengths = np.zeros(self.size, np.int64)
        lengths[self.rank] = len(array)
        lengths = self.sum(lengths)
        out = np.empty((int(lengths.sum()), *array.shape[1:]), array.dtype)
        sizes = lengths * math.prod(array.shape[1:])
        self._comm.Allgatherv(np.ascontiguousarray(array), [out, sizes.tolist()])
        return out

    def share(self, value: Any) -> Any:
        """Return the value that process 0 passes; the others' values are ignored."""
        return self._comm.bcast(value)

    def abort(self, code: int) -> None:
        """End all processes at once, with an exit code.

        A process that fails must call this, or the others wait for it forever.
        """
        self._comm.Abort(code)
