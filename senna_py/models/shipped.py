"""Find the shipped English model, and models that configurations name."""

import os
from os import PathLike
from pathlib import Path

from senna_py.models.native import FILE_NAME

SHIPPED = "models/en"  # the name of the shipped model in configurations
_SHORT = "en"  # the name of this model in Python and on the command line (--path)


def shipped_model() -> Path | None:
    """Return the directory of the shipped English model, or None if there is none."""
    package = Path(__file__).parents[1]
    places = [package / SHIPPED]
    if (package.parent / "pyproject.toml").exists():  # in a checkout of the repository
        places.append(package.parent / SHIPPED)
    return next((place for place in places if (place / FILE_NAME).is_file()), None)


def shipped_or(path: str | PathLike[str]) -> Path:
    """Return `path`, or the path of the shipped model if `path` is one of its names.

    A file or directory `models/en` or `en` in the current directory takes precedence.
    """
    path = Path(path)
    if str(path) in (SHIPPED, _SHORT) and not path.exists():
        return shipped_model() or path
    return path


def find_native(directory: str | PathLike[str], text: str) -> Path | None:
    """Return the path of the native model that a configuration names, or None.

    `models/en` and `en` name the shipped model unless there is a model at such a path.

    Args:
        directory: The directory of the configuration.
        text: A path, relative to this directory or to the current directory.
    """
    # `normpath` does not use the file system, where the directory may not exist yet.
    for path in (Path(os.path.normpath(Path(directory) / text)), Path(text)):
        if path.is_file() or (path / FILE_NAME).is_file():
            return path
    return shipped_model() if text in (SHIPPED, _SHORT) else None
