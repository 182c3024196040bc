"""The directory of a run's outputs: parts written in one step, a record of each, a
manifest.

What a run keeps for itself is below `_senna`, which readers of data sets pass over.
Which file is written or removed follows from the names of inputs alone, never from what
a file says.
"""

import contextlib
import errno
import itertools
import json
import os
import tempfile
from dataclasses import dataclass, replace
from operator import index
from pathlib import Path

from fsspec.core import url_to_fs

from senna_py.errors import SennaError, WriteError
from senna_py.formats.registry import Format
from senna_py.io.file_bytes import sha256_digest
from senna_py.io.files import new_file
from senna_py.io.locks import lock_directory
from senna_py.io.nesting import parse_json
from senna_py.io.streaming import InputError
from senna_py.parts.inputs import Part, reason_of

COUNTS = "bytes", "sentences", "tokens"  # of an output
_LOCAL = "file://"
_LEFT = f"*.{'[0-9a-f]' * 8}.part"  # see `new_file`


@dataclass(frozen=True)
class Store:
    """A directory that fsspec knows by its url, with protocol; form: the Format of the
    outputs.
    """

    url: str
    form: Format

    @classmethod
    def at(cls, place, form):
        """The Store at a path or URL, as any machine finds it; raises SennaError."""
        try:
            fs, root = url_to_fs(place)
            url = fs.unstrip_protocol(root).rstrip("/")
            fs.exists(root)  # so that a store that cannot be asked is said at once
            return cls(_LOCAL + _real(root) if url.startswith(_LOCAL) else url, form)
        except Exception as error:  # stores raise what they like
            raise SennaError(f"{place}: {reason_of(error)}") from None

    def __str__(self):
        return self.url.removeprefix(_LOCAL)

    def name_of(self, part: Part) -> str:
        """Return the name of the output of a Part, which goes with that of a text if it
        pairs.
        """
        if self.form.pairs:
            return self.form.paired_name(part.name.rpartition(".")[0])
        return f"{part.name}.{self.form.ending}"

    def holds(self, url):
        """Return whether a file is below this directory."""
        if url.startswith(_LOCAL):
            url = _LOCAL + _real(url.removeprefix(_LOCAL))
        return url.startswith(f"{self.url}/")

    def lock(self, note):
        """A context in which no other run fills a local directory; raises
        SennaError.
        """
        return (
            lock_directory(str(self), note)
            if self.url.startswith(_LOCAL)
            else contextlib.nullcontext()
        )

    def done(self, part, facts):
        """The record of a Part, if it has these facts and its output is as it was, else
        None.

        Raises SennaError if it was made with other settings.
        """
        fs, output, path = self._paths(part)
        try:
            if self.url.startswith(_LOCAL) and not all(
                map(os.path.isfile, (output, path))
            ):
                return None  # a pipe, of which reading would not end
            found = parse_json(fs.cat_file(path))
            counts = {key: index(found[key]) for key in COUNTS}
            record = {key: found[key] for key in (*facts, "sha256")} | counts
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

    def commit(self, part, facts, write):
        """Have `write(file)` write the output of a Part; returns its record.

        write: returns the COUNTS but for the bytes. Raises WriteError for what the
        system raises.
        """
        _, output, path = self._paths(part)
        with self._writing(output) as file:
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

    def finish(self, manifest, parts_of_inputs):
        """Write the manifest, a dict, and remove what longer inputs and killed workers
        left.
        """
        fs, root = url_to_fs(self.url)
        there = set(fs.find(root))
        for parts in () if self.form.pairs else parts_of_inputs:  # those are never cut
            for number in itertools.count(len(parts)):
                paths = self._paths(replace(parts[0], number=number))[1:]
                for path in (old := there.intersection(paths)):
                    fs.rm_file(path)
                if not old:
                    break
        self._write_json(f"{root}/_manifest.json", manifest)
        for left in Path(root).rglob(_LEFT) if self.url.startswith(_LOCAL) else ():
            with contextlib.suppress(OSError):
                left.unlink()

    def _paths(self, part):
        """The file system, and the paths of the output and of the record of a Part."""
        fs, root = url_to_fs(self.url)
        fs.invalidate_cache()  # others write here, too
        paths = f"{root}/{self.name_of(part)}", f"{root}/_senna/{part.name}.json"
        for directory in map(
            os.path.dirname, paths if self.url.startswith(_LOCAL) else ()
        ):
            if _real(directory) != directory:
                raise WriteError(
                    f"{directory}: a symbolic link in the directory of the outputs"
                )
        return fs, *paths

    @contextlib.contextmanager
    def _writing(self, path):
        """A context of a new binary file, which gets its name in the directory at the
        end.
        """
        is_local = self.url.startswith(_LOCAL)
        try:
            if is_local:
                os.makedirs(os.path.dirname(path), exist_ok=True)
            with new_file(path) if is_local else tempfile.NamedTemporaryFile() as file:
                yield file
                if not is_local:
                    file.flush()
                    url_to_fs(self.url)[0].put_file(file.name, path)
        except OSError as error:
            kind = InputError if error.errno == errno.ENAMETOOLONG else WriteError
            raise kind(f"{path}: not written: {reason_of(error)}") from None

    def _write_json(self, path, value):
        with self._writing(path) as file:
            file.write((json.dumps(value, indent=1) + "\n").encode())


def _real(path):
    """A local path without symbolic links, with slashes, as fsspec has it on Windows,
    too.
    """
    return Path(os.path.realpath(path)).as_posix()
