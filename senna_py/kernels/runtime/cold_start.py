"""Text in pieces, each with the way in which it is tagged: plain, until kernels are compiled."""

import contextlib
import gc
import sys
import threading
from dataclasses import replace

from senna_py.kernels.runtime.jit import plain_way
from senna_py.kernels.runtime.pace import COMPILED, pace, way_of_text

__all__ = ["ColdStart"]

_PIECE = 1 << 10  # bytes, and the rest of a line, tagged at once while kernels are compiled
_LONGEST_PIECE = 16 * _PIECE  # a longer line is not worth the plain way
# Seconds to wait for kernels before the first piece and after it: those that were compiled before
# are ready within the first, if nothing else keeps the processor busy, or within both.
_PATIENCE = 1.5, 0.5


class ColdStart:
    """Chooses the way of each batch of a process whose kernels are not loaded yet.

    A batch is a dataclass with `text`: bytes, and `way`: the context in which it is tagged; if it
    has a method `cut`, that makes two of it, up to a byte where a line ends and from there on.
    """

    def __init__(self, run_kernels, waits=False):
        """run_kernels: called in a thread with a batch, a sample: calls every kernel.

        waits: whether text beyond the first has to wait for kernels, instead of going the plain
        way meanwhile.
        """
        self._run_kernels, self._waits = run_kernels, waits
        # The thread that gets compiled kernels ready, and whether it was given time for that.
        self._compiling, self._waited = None, False

    def batches(self, batches):
        """Yield batches with their way, those that can be cut in pieces while kernels are compiled.

        None stands for no batch, before a wait.
        """
        for batch in batches:
            if batch is None:
                yield None
            elif hasattr(batch, "cut"):
                yield from self._pieces(batch)
            else:
                yield replace(batch, way=self._way(len(batch.text)))

    def _way(self, n_bytes):
        return way_of_text(n_bytes) if self._compiling is None else COMPILED

    def _pieces(self, batch):
        way = self._way(len(batch.text))
        if way.plain or not pace.in_background:
            yield replace(batch, way=way)
            return
        if self._compiling is None:
            yield from self._begin(batch)
        while batch.text and self._compiling.is_alive():
            end = _line_end(batch.text, _PIECE)
            if end > _LONGEST_PIECE:
                yield None
                self._compiling.join()
                break
            piece, batch = batch.cut(end)
            yield replace(piece, way=plain_way())
            if not self._waited:
                yield None
                self._compiling.join(_PATIENCE[1])
                self._waited = True
        if batch.text:
            yield replace(batch, way=COMPILED)

    def _begin(self, batch):
        """Begin to compile, and give it some time."""
        sample, _ = batch.cut(min(_line_end(batch.text, _PIECE), _LONGEST_PIECE))
        self._compiling = threading.Thread(target=self._compile, args=(sample,), daemon=True)
        self._compiling.start()
        yield None
        self._compiling.join(None if self._waits else _PATIENCE[0])

    def _compile(self, sample):
        with contextlib.suppress(Exception):  # the same will come up where it counts
            _import_numba()
            self._run_kernels(sample)


def _import_numba():
    """Import the compiler without collecting garbage, which its many objects make slow."""
    if "numba" in sys.modules:
        return
    enabled = gc.isenabled()
    gc.disable()  # a fifth of the time
    try:
        import senna_py.kernels.runtime.compiling  # noqa: F401, PLC0415 - a short start
    finally:
        if enabled:
            gc.freeze()  # they stay
            gc.enable()


def _line_end(data, size):
    """End of the line in which byte `size` of `data` stands."""
    return data.find(b"\n", size) + 1 or len(data)
