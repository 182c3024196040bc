"""Writes units of output, such as lines, in the order of their scores."""

from __future__ import annotations

import tempfile
from array import array
from typing import TYPE_CHECKING, Any

from senna_py.io.file_errors import report_write_errors
from senna_py.pipeline.write import DocumentWriter

if TYPE_CHECKING:
    from senna_py.formats.base import Printer
    from senna_py.io.output import Output
    from senna_py.pipeline.options import Note

_WAITING = "a temporary file"  # The name of the file of units, for messages.


class SortingWriter(DocumentWriter):
    """Writes the units of all documents to one output, the smallest score first.

    The output for a batch is a list of units; see `formats.units`. Units with the same
    score are in the order of the input. They wait in a temporary file; only their
    scores and places are in memory.
    """

    def __init__(self, out: Output, printer: Printer, note: Note) -> None:
        super().__init__(out, printer, note)
        self._file = tempfile.TemporaryFile()  # noqa: SIM115 - it waits for `finish`
        self._scores, self._ends = array("d"), array("q", [0])

    def _write(self, out: Output, data: Any) -> None:
        with report_write_errors(_WAITING):
            for unit in data:
                self._file.write(unit.data)
                self._scores.append(unit.score)
                self._ends.append(self._ends[-1] + len(unit.data))

    def finish(self) -> None:
        """Write all units, and remove the temporary file."""
        assert self._out is not None, "all documents have one output"
        for unit in sorted(range(len(self._scores)), key=self._scores.__getitem__):
            begin, end = self._ends[unit], self._ends[unit + 1]
            with report_write_errors(_WAITING):
                self._file.seek(begin)
                data = self._file.read(end - begin)
            super()._write(self._out, data)
        self._file.close()
