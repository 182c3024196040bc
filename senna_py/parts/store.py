"""The directory of a run's outputs, with a record for each and a manifest.

Outputs are written atomically. The records are in `_senna`, which readers of data sets
ignore. Only the names of inputs determine which files are written or removed, never the
contents of a file.
"""

from __future__ import annotations

import contextlib
import errno
import itertools
import json
import os
import tempfile
from dataclasses import dataclass, replace
from operator import index
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from fsspec.core import url_to_fs

from senna_py.errors import SennaError, WriteError
from senna_py.io.file_bytes import sha256_digest
from senna_py.io.files import new_file
from senna_py.io.locks import lock_directory
from senna_py.io.nesting import parse_json
from senna_py.io.streaming import InputError
from senna_py.parts.inputs import Part, reason_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from contextlib import AbstractContextManager

    from senna_py.formats.registry import Format
    from senna_py.pipeline.options import Note

COUNTS = "bytes", "sentences", "tokens"  # The counts in the record of an output.
_LOCAL = "file://"
_UNFINISHED = f"*.{'[0-9a-f]' * 8}.part"  # see `new_file`


@dataclass(frozen=True)
class Store:
    """A directory of outputs.

    Attributes:
        url: The absolute URL of the directory for fsspec, with the protocol.
        form: The format of the outputs.
    """

    url: str
    form: Format

    @classmethod
    def at(cls, place: str, form: Format) -> Store:
        """Return the store at a path or URL, which is made absolute.

        Raises:
            SennaError: If it cannot be reached.
        """
        try:
            fs, root = url_to_fs(place)
            url = fs.unstrip_protocol(root).rstrip("/")
            fs.exists(root)  # This fails if the store cannot be reached.
            return cls(_LOCAL + _real(root) if url.startswith(_LOCAL) else url, form)
        except Exception as error:  # Stores raise errors of any type.
            raise SennaError(f"{place}: {reason_of(error)}") from None

    def __str__(self) -> str:
        return self.url.removeprefix(_LOCAL)

    def name_of(self, part: Part) -> str:
        """Return the name of a part's output, relative to the directory."""
        if self.form.pairs:
            return self.form.paired_name(part.name.rpartition(".")[0])
        return f"{part.name}.{self.form.ending}"

    def holds(self, url: str) -> bool:
        """Return whether the file at a URL is in this directory or below it."""
        if url.startswith(_LOCAL):
            url = _LOCAL + _real(url.removeprefix(_LOCAL))
        return url.startswith(f"{self.url}/")

    def lock(self, note: Note) -> AbstractContextManager[Any]:
        """Return a context manager that locks the directory, if it is local.

        Raises:
            SennaError: If another run holds the lock.
        """
        if self.url.startswith(_LOCAL):
            return lock_directory(str(self), note)
        return contextlib.nullcontext()

    def done(self, part: Part, facts: dict[str, Any]) -> dict[str, Any] | None:
        """Return the record of a part if its output is up to date, otherwise None.

        The record must have the same facts, and the hash of the output.

        Args:
            part: The part.
            facts: The description of the part and the settings; see `commit`.

        Raises:
            SennaError: If the output was made with other settings.
        """
        fs, output, path = self._paths(part)
        try:
            if self.url.startswith(_LOCAL) and not all(
                map(os.path.isfile, (output, path))
            ):
                return None  # Reading a pipe might block.
            stored = parse_json(fs.cat_file(path))
            counts = {key: index(stored[key]) for key in COUNTS}
            record = {key: stored[key] for key in (*facts, "sha256")} | counts
            if record | facts == record:
                with fs.open(output, "rb") as file:
                    return record if sha256_digest(file) == record["sha256"] else None
        # The output is written again.
        except (
            OSError,
            ValueError,
            KeyError,
            TypeError,
        ):
            return None
        if record["settings"] != facts["settings"]:
            raise SennaError(
                f"{self}: {part.name} was made with other settings: name another -o"
            )
        return None

    def commit(
        self,
        part: Part,
        facts: dict[str, Any],
        write: Callable[[BinaryIO], dict[str, int]],
    ) -> dict[str, Any]:
        """Write the output of a part and its record, and return the record.

        The record contains `facts`, the SHA-256 of the output, and COUNTS.

        Args:
            part: The part.
            facts: The description of the part and the settings, for the record.
            write: A function that writes the output to a file, and returns the COUNTS
                except bytes.

        Raises:
            WriteError: If it cannot be written.
            InputError: If its name is too long.
        """
        _, output, path = self._paths(part)
        with self._new_file(output) as file:
            counts = write(file)
            file.seek(0)
            record = {
                **facts,
                "sha256": sha256_digest(file),
                "bytes": file.tell(),
                **counts,
            }
        self._write_json(path, record)
        return record

    def finish(self, manifest: dict[str, Any], inputs: Iterable[list[Part]]) -> None:
        """Write the manifest, and remove old and unfinished files.

        Old files are the outputs and records of parts that an input no longer has.

        Args:
            manifest: The manifest.
            inputs: The parts of each input.

        Raises:
            WriteError: If the manifest cannot be written.
        """
        fs, root = url_to_fs(self.url)
        files = set(fs.find(root))
        if not self.form.pairs:  # For such formats, inputs are never cut.
            for parts in inputs:
                self._remove_parts_after(parts, files)
        self._write_json(f"{root}/_manifest.json", manifest)
        if self.url.startswith(_LOCAL):
            for unfinished in Path(root).rglob(_UNFINISHED):
                with contextlib.suppress(OSError):
                    unfinished.unlink()

    def _remove_parts_after(self, parts: list[Part], files: set[str]) -> None:
        """Remove the files of parts after the last one of an input."""
        for number in itertools.count(len(parts)):
            fs, *paths = self._paths(replace(parts[0], number=number))
            old = files.intersection(paths)
            for path in old:
                fs.rm_file(path)
            if not old:
                return

    def _paths(self, part: Part) -> tuple[Any, str, str]:
        """Return the file system, and the paths of a part's output and of its record.

        Raises:
            WriteError: If a directory inside the output directory is a symbolic link.
        """
        fs, root = url_to_fs(self.url)
        fs.invalidate_cache()  # Other processes write here, too.
        paths = f"{root}/{self.name_of(part)}", f"{root}/_senna/{part.name}.json"
        if self.url.startswith(_LOCAL):
            for directory in map(os.path.dirname, paths):
                if _real(directory) != directory:
                    raise WriteError(
                        f"{directory}: a symbolic link in the directory of the outputs"
                    )
        return fs, *paths

    @contextlib.contextmanager
    def _new_file(self, path: str) -> Iterator[BinaryIO]:
        """Return a context manager that yields a new file, which becomes `path`.

        Raises:
            WriteError: If it cannot be written.
            InputError: If its name is too long.
        """
        is_local = self.url.startswith(_LOCAL)
        try:
            if is_local:
                os.makedirs(os.path.dirname(path), exist_ok=True)
            file: Any
            with new_file(path) if is_local else tempfile.NamedTemporaryFile() as file:
                yield file
                if not is_local:
                    file.flush()
                    url_to_fs(self.url)[0].put_file(file.name, path)
        except OSError as error:
            is_of_input = error.errno == errno.ENAMETOOLONG
            error_class = InputError if is_of_input else WriteError
            raise error_class(f"{path}: not written: {reason_of(error)}") from None

    def _write_json(self, path: str, value: dict[str, Any]) -> None:
        with self._new_file(path) as file:
            file.write((json.dumps(value, indent=1) + "\n").encode())


def _real(path: str) -> str:
    """Return a local path with symbolic links resolved, and slashes on all systems."""
    return Path(os.path.realpath(path)).as_posix()
