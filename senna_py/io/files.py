"""Files that are replaced in one step."""

import contextlib
import os
from pathlib import Path

from senna_py.errors import WriteError

__all__ = ["replace_file"]


def replace_file(path, write):
    """Write a file by `write(file)` so that `path` is the old one or the new one, never a part.

    Raises WriteError if that fails, as on a full disk; the old file is then untouched.
    """
    path = Path(path)
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with open(part, "wb") as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, path)
    except OSError as error:
        raise WriteError(f"{path}: not written: {error.strerror or error}") from None
    finally:
        with contextlib.suppress(OSError):  # it is gone, unless writing ended early
            part.unlink()
