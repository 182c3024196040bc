"""The shipped English model, and native models by what configurations call them."""

import os
from os import PathLike
from pathlib import Path

from senna_py.models.native import FILE_NAME

SHIPPED = "models/en"  # how configurations call the English model, wherever it is
_SHORT = "en"  # how it is called in Python and by --path


def shipped_model() -> Path | None:
    """Directory of the English model that comes with the package, if it is there."""
    package = Path(__file__).parents[1]
    places = [package / SHIPPED]
    if (package.parent / "pyproject.toml").exists():  # a checkout
        places.append(package.parent / SHIPPED)
    return next((place for place in places if (place / FILE_NAME).is_file()), None)


def shipped_or(path: str | PathLike[str]) -> Path:
    """The shipped model for `models/en` or `en`, if there is none there; else the path
    itself.
    """
    path = Path(path)
    if str(path) in (SHIPPED, _SHORT) and not path.exists():
        return shipped_model() or path
    return path


def find_native(directory: str | PathLike[str], text: str) -> Path | None:
    """The model that a run calls `text`, or None: a path from its directory, or from
    the current.

    `models/en` and `en` are the shipped model, if there is none there.
    """
    # Not by the file system: the directory of a run need not exist yet.
    for path in (Path(os.path.normpath(Path(directory) / text)), Path(text)):
        if path.is_file() or (path / FILE_NAME).is_file():
            return path
    return shipped_model() if text in (SHIPPED, _SHORT) else None
