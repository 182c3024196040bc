"""The model of a run on every machine: found by its path, or fetched from where it was sent."""

import contextlib
import hashlib
import os
import socket
import tempfile
import uuid
from dataclasses import dataclass
from pathlib import Path

from senna_py.cluster.store import Store, sha256
from senna_py.errors import SennaError
from senna_py.model import Model
from senna_py.models.native import FILE_NAME
from senna_py.models.shipped import shipped_model

__all__ = ["ModelCopy", "ModelError"]


class ModelError(SennaError):
    """A machine that cannot use the model of the run."""


@dataclass(frozen=True)
class ModelCopy:
    """The model of a run. path: where it is expected; digest: of its files; sent: the Store that
    has them, or None; files: their names below the path, "" for the path itself.
    """

    path: str
    digest: str
    files: tuple
    sent: Store | None = None

    @classmethod
    def of(cls, path, store=None):
        """The model at a path, or the one that commands use without one.

        store: where to send it for machines that lack it. Raises SennaError if it is not usable.
        """
        storage = Model(path).storage
        place = Path(path) if path else Path(storage.path)
        place = place.absolute()
        files = _files(place)
        digest = _digest(place, files)
        if store is not None:
            for name in files:
                store.send(f"model/{digest}/{name or FILE_NAME}", place / name)
        return cls(str(place), digest, files, store)

    def find(self):
        """Path of the model on this machine; raises ModelError if there is none."""
        known = [Path(self.path), *([shipped] if (shipped := shipped_model()) else [])]
        for place in known:
            if self._is_at(place):
                return place
        if self.sent is None:
            what = "another model is at" if known[0].exists() else "no model is at"
            raise ModelError(
                f"{socket.gethostname()}: {what} {self.path}: put it there, or send it by "
                "--send-model"
            )
        return self._fetch()

    def _is_at(self, place):
        try:
            return _digest(place, self.files) == self.digest
        except OSError:
            return False

    def _fetch(self):
        cache = Path(tempfile.gettempdir()) / f"senna-py-models-{os.getuid()}"
        whole = cache / self.digest
        inside = self.files if self.files != ("",) else (FILE_NAME,)
        place = whole if self.files != ("",) else whole / FILE_NAME
        if self._is_at(place):
            return place
        part = cache / uuid.uuid4().hex
        try:
            for name in inside:
                (part / name).parent.mkdir(parents=True, exist_ok=True, mode=0o700)
                self.sent.fetch(f"model/{self.digest}/{name}", part / name)
            with contextlib.suppress(OSError):  # another process was faster
                part.rename(whole)
        except Exception as error:  # stores raise what they like
            raise ModelError(
                f"{socket.gethostname()}: the model was not fetched: {error}"
            ) from None
        if not self._is_at(place):
            raise ModelError(f"{socket.gethostname()}: {place}: damaged; remove it")
        return place


def _files(place):
    """Names of the files of a model below its path."""
    if place.is_file():
        return ("",)
    if (place / FILE_NAME).is_file():
        return (FILE_NAME,)
    found = (path for part in ("hash", "data") for path in (place / part).rglob("*"))
    return tuple(sorted(str(path.relative_to(place)) for path in found if path.is_file()))


def _digest(place, files):
    """SHA-256 of the files, in their order, as hexadecimal digits."""
    if len(files) == 1:
        return sha256(place / files[0])
    return hashlib.sha256("".join(sha256(place / name) for name in files).encode()).hexdigest()
