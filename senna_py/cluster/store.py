"""The directory of a run's outputs: parts written in one step, records of them, a manifest.

What a run keeps for itself is below `_senna`, which readers of data sets pass over.
"""

import contextlib
import hashlib
import json
import os
import shutil
import tempfile
import uuid
from dataclasses import dataclass
from pathlib import Path

from fsspec.core import url_to_fs

from senna_py.cluster.inputs import reason_of
from senna_py.errors import SennaError, WriteError
from senna_py.io.nesting import parse_json
from senna_py.io.overwriting import writes

__all__ = ["MANIFEST", "Store"]

MANIFEST = "_manifest.json"
_OWN = "_senna"
_SETTINGS, _RECORDS, _UNFINISHED = f"{_OWN}/settings.json", f"{_OWN}/parts", f"{_OWN}/unfinished"
# Where a file that is put is there whole or not at all; elsewhere it is renamed at the end.
_OBJECT_STORES = {"s3", "s3a", "gs", "gcs", "abfs", "abfss", "az", "adl", "oss", "oci"}
_BLOCK = 1 << 20
_AT_ONCE = 1000  # records that are asked for together


@dataclass(frozen=True)
class Store:
    """A directory of any file system that fsspec knows; url: with its protocol."""

    url: str

    @classmethod
    def at(cls, place):
        """The Store at a path or URL, as any machine finds it."""
        try:
            fs, root = url_to_fs(str(place))
            return cls(fs.unstrip_protocol(root))
        except Exception as error:
            raise SennaError(f"{place}: {reason_of(error)}") from None

    @property
    def _place(self):
        fs, root = url_to_fs(self.url)
        return fs, root.rstrip("/")

    @property
    def shown(self):
        """The directory as messages name it."""
        return self.url.removeprefix("file://")

    @property
    def _is_local(self):
        return self.url.startswith(("file://", "local://"))

    def holds(self, url):
        """Whether a file is below this directory."""
        return url.startswith(self.url.rstrip("/") + "/")

    def check_outputs(self, names):
        """Raise UsageError if an output, or what a run keeps, would go over a file that is read.

        names: of outputs, below the directory.
        """
        if self._is_local:
            for name in (MANIFEST, _SETTINGS, *names):
                writes(os.path.join(self._place[1], name))

    def begin(self, settings):
        """Make the directory for a run with `settings`, a dict of what its bytes depend on.

        Raises SennaError if it has outputs of other settings, WriteError if it cannot be written.
        """
        before = self._read_json(_SETTINGS)
        if before is not None and before != settings:
            names = sorted(key for key in {*before, *settings}
                           if before.get(key) != settings.get(key))  # fmt: skip
            pairs = (f"{key}: {before.get(key)}, now {settings.get(key)}" for key in names)
            raise SennaError(
                f"{self.shown}: has outputs of other settings ({'; '.join(pairs)}): name another "
                "--output-dir"
            )
        if before is None:
            self._write_json(_SETTINGS, settings)

    def records(self):
        """The records of all parts that are there, dicts by name of part.

        A part is there if its record is, and its output has the size that the record says.
        """
        fs, root = self._place
        fs.invalidate_cache()
        with _writing(self.shown):
            sizes = {info["name"]: info["size"] for info in fs.find(root, detail=True).values()}
            below = f"{root}/{_RECORDS}/"
            paths = sorted(path for path in sizes if path.startswith(below))
            texts = {}
            for i in range(0, len(paths), _AT_ONCE):
                texts |= fs.cat(paths[i : i + _AT_ONCE]) if paths[i:] else {}
        found = {}
        for path, text in texts.items():
            with contextlib.suppress(ValueError, KeyError):  # else it is written anew
                record = parse_json(text)
                if sizes.get(f"{root}/{record['output']}") == record["bytes"]:
                    found[path.removeprefix(below).removesuffix(".json")] = record
        return found

    def record(self, name):
        """The record of a part, if its output is there, else None."""
        record = self._read_json(f"{_RECORDS}/{name}.json")
        if record is None:
            return None
        fs, root = self._place
        try:
            size = fs.info(f"{root}/{record['output']}")["size"]
            return record if size == record["bytes"] else None
        except (OSError, KeyError):
            return None

    def forget(self, name, record):
        """Remove the output and the record of a part whose input has changed."""
        fs, root = self._place
        for path in (f"{_RECORDS}/{name}.json", record["output"]):
            with contextlib.suppress(FileNotFoundError):
                fs.rm_file(f"{root}/{path}")

    @contextlib.contextmanager
    def unfinished(self, name):
        """Context of a local path to write the output of a part to, which is gone afterwards.

        Raises WriteError, naming the part, for what the system raises in it.
        """
        directory = Path(tempfile.gettempdir())
        if self._is_local:  # beside the outputs, to be renamed
            directory = Path(self._place[1]) / _UNFINISHED
        path = directory / f"senna-tag-{uuid.uuid4().hex}"
        try:
            with _writing(f"{self.shown}: {name}", OSError):
                directory.mkdir(parents=True, exist_ok=True)
                yield path
        finally:
            with contextlib.suppress(OSError):
                path.unlink()

    def commit(self, name, ending, path, facts):
        """Put the finished output at a local path in its place, then its record; returns that.

        name: of the part; ending: of the output; facts: what else the record has.
        """
        output = f"{name}.{ending}"
        record = {**facts, "output": output, "bytes": path.stat().st_size, "sha256": sha256(path)}
        self._put(path, output)
        self._write_json(f"{_RECORDS}/{name}.json", record)
        return record

    def finish(self, manifest):
        """Write the manifest, a dict, and remove what killed workers left."""
        self._write_json(MANIFEST, manifest)
        if self._is_local:
            fs, root = self._place
            with contextlib.suppress(OSError):
                fs.rm(f"{root}/{_UNFINISHED}", recursive=True)

    def send(self, name, path):
        """Put a local file below what the run keeps for itself, unless it is there."""
        fs, root = self._place
        if not fs.exists(f"{root}/{_OWN}/{name}"):
            with self.unfinished(name) as copy:
                shutil.copyfile(path, copy)
                self._put(copy, f"{_OWN}/{name}")

    def fetch(self, name, path):
        """Copy what `send` put to a local path."""
        fs, root = self._place
        fs.get_file(f"{root}/{_OWN}/{name}", str(path))

    def _put(self, path, name):
        fs, root = self._place
        target = f"{root}/{name}"
        with _writing(f"{self.shown}: {name}"):
            if self._is_local:
                _sync(path)
                os.makedirs(os.path.dirname(target), exist_ok=True)
                os.replace(path, target)
            elif self.url.split("://")[0] in _OBJECT_STORES:
                fs.put_file(str(path), target)
            else:
                fs.makedirs(os.path.dirname(target), exist_ok=True)
                part = f"{root}/{_UNFINISHED}/{uuid.uuid4().hex}"
                fs.makedirs(os.path.dirname(part), exist_ok=True)
                fs.put_file(str(path), part)
                if fs.exists(target):
                    fs.rm_file(target)
                fs.mv(part, target)

    def _write_json(self, name, value):
        data = (json.dumps(value, ensure_ascii=False, indent=1) + "\n").encode()
        with self.unfinished(name) as path:
            path.write_bytes(data)
            self._put(path, name)

    def _read_json(self, name):
        fs, root = self._place
        try:
            return parse_json(fs.cat_file(f"{root}/{name}"))
        except (FileNotFoundError, ValueError):
            return None
        except Exception as error:
            raise SennaError(f"{self.shown}: {reason_of(error)}") from None


def sha256(path):
    """SHA-256 of a local file, as hexadecimal digits."""
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        while block := file.read(_BLOCK):
            digest.update(block)
    return digest.hexdigest()


def _sync(path):
    with open(path, "rb") as file:
        os.fsync(file.fileno())


@contextlib.contextmanager
def _writing(name, kinds=Exception):
    """A context in which what stores raise, exceptions of some kinds, becomes a WriteError."""
    try:
        yield
    except (SennaError, MemoryError):
        raise
    except kinds as error:
        raise WriteError(f"{name}: not written: {reason_of(error)}") from None
