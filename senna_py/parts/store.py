"""The directory of a run's outputs, which has a record of each, and a manifest.

Each output is written in one step. The records are below `_senna`, which readers of
data sets pass over. The names of inputs alone decide which file is written or removed,
never the contents of a file.
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

COUNTS = "bytes", "sentences", "tokens"  # of an output
_LOCAL = "file://"
_UNFINISHED = f"*.{'[0-9a-f]' * 8}.part"  # see `new_file`


@dataclass(frozen=True)
class Store:
    """A directory of outputs.

    Attributes:
        url: The URL of the directory, with its protocol, as fsspec knows it.
        form: The format of the outputs.
    """

    url: str
    form: Format

    @classmethod
    def at(cls, place: str, form: Format) -> Store:
        """Return the store at a path or URL, as any machine finds it; raise SennaError."""
        try:
            fs, root = url_to_fs(place)
            url = fs.unstrip_protocol(root).rstrip("/")
            fs.exists(root)  # a store that cannot be reached is reported at once
            return cls(_LOCAL + _real(root) if url.startswith(_LOCAL) else url, form)
        except Exception as error:  # stores raise what they like
            raise SennaError(f"{place}: {reason_of(error)}") from None

    def __str__(self) -> str:
        return self.url.removeprefix(_LOCAL)

    def name_of(self, part: Part) -> str:
        """Return the name of the output of a part."""
        if self.form.pairs:
            return self.form.paired_name(part.name.rpartition(".")[0])
        return f"{part.name}.{self.form.ending}"

    def holds(self, url: str) -> bool:
        """Return whether a file is below this directory."""
        if url.startswith(_LOCAL):
            url = _LOCAL + _real(url.removeprefix(_LOCAL))
        return url.startswith(f"{self.url}/")

    def lock(self, note: Note) -> AbstractContextManager[Any]:
        """Return a context in which no other run writes to a local directory.

        Raises SennaError if another run does.
        """
        if self.url.startswith(_LOCAL):
            return lock_directory(str(self), note)
        return contextlib.nullcontext()

    def done(self, part: Part, facts: dict[str, Any]) -> dict[str, Any] | None:
        """Return the record of a part if it has these facts, and its output is intact.

        Raises SennaError if the output was made with other settings.
        """
        fs, output, path = self._paths(part)
        try:
            if self.url.startswith(_LOCAL) and not all(
                map(os.path.isfile, (output, path))
            ):
                return None  # reading a pipe might not end
            stored = parse_json(fs.cat_file(path))
            counts = {key: index(stored[key]) for key in COUNTS}
            record = {key: stored[key] for key in (*facts, "sha256")} | counts
            if record | facts == record:
                with fs.open(output, "rb") as file:
                    return record if sha256_digest(file) == record["sha256"] else None
        except (OSError, ValueError, KeyError, TypeError):  # it is written again
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
        """Write the output of a part, and its record, which is returned.

        Args:
            part: The part.
            facts: What the record says of the part and the settings.
            write: Writes to a file, and returns the COUNTS other than bytes.

        Raises:
            WriteError: If the system does not let it be written.
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
        """Write the manifest; remove parts that inputs no longer have, and unfinished files.

        Args:
            manifest: The manifest.
            inputs: The parts of each input.
        """
        fs, root = url_to_fs(self.url)
        files = set(fs.find(root))
        if not self.form.pairs:  # inputs of such formats are never cut
            for parts in inputs:
                self._remove_parts_after(parts, files)
        self._write_json(f"{root}/_manifest.json", manifest)
        if self.url.startswith(_LOCAL):
            for unfinished in Path(root).rglob(_UNFINISHED):
                with contextlib.suppress(OSError):
                    unfinished.unlink()

    def _remove_parts_after(self, parts: list[Part], files: set[str]) -> None:
        """Remove those `files` that are of parts after the last one of an input."""
        for number in itertools.count(len(parts)):
            fs, *paths = self._paths(replace(parts[0], number=number))
            old = files.intersection(paths)
            for path in old:
                fs.rm_file(path)
            if not old:
                return

    def _paths(self, part: Part) -> tuple[Any, str, str]:
        """Return the file system, and the paths of a part's output and of its record."""
        fs, root = url_to_fs(self.url)
        fs.invalidate_cache()  # others write here, too
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
        """Return a context of a new file, which gets its name at the end."""
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
    """Return a local path without symbolic links, with slashes on all systems."""
    return Path(os.path.realpath(path)).as_posix()
