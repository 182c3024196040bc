"""The shipped English model, and the paths of models in configurations."""

import os
from os import PathLike
from pathlib import Path

from senna_py.models.native import FILE_NAME

SHIPPED = "models/en"  # the English model in configurations, wherever it is
_SHORT = "en"  # the English model in Python and after --path


def shipped_model() -> Path | None:
    """Return the directory of the shipped English model, or None if it is missing."""
    package = Path(__file__).parents[1]
    places = [package / SHIPPED]
    if (package.parent / "pyproject.toml").exists():  # a checkout
        places.append(package.parent / SHIPPED)
    return next((place for place in places if (place / FILE_NAME).is_file()), None)


def shipped_or(path: str | PathLike[str]) -> Path:
    """Return `path`, or the shipped model for `models/en` and `en` if they do not exist."""
    path = Path(path)
    if str(path) in (SHIPPED, _SHORT) and not path.exists():
        return shipped_model() or path
    return path


def find_native(directory: str | PathLike[str], text: str) -> Path | None:
    """Find the native model that the configuration of a run names, or return None.

    `models/en` and `en` are the shipped model, unless there is a model at such a path.

    Args:
        directory: The directory of the configuration.
        text: A path, relative to this directory or to the current one.
    """
    # Not by the file system: the directory of a run need not exist yet.
    for path in (Path(os.path.normpath(Path(directory) / text)), Path(text)):
        if path.is_file() or (path / FILE_NAME).is_file():
            return path
    return shipped_model() if text in (SHIPPED, _SHORT) else None
