"""Find models by name: the English model, and models that have wheels of their own."""

import os
from importlib.util import find_spec
from os import PathLike
from pathlib import Path
from typing import NamedTuple

from senna_py.errors import SennaError
from senna_py.models.native import FILE_NAME

SHIPPED = "models/en"  # the name of the English model in configurations
_ENGLISH = "en"
_FOLDER = "models"  # of the repository, and of the package


class _Separate(NamedTuple):
    """A model that is not in the wheel of the package.

    Attributes:
        language: The language of the model, for messages.
        directory: The directory in `models/`. The wheel `senna-py-DIRECTORY` has its
            files in the package `senna_py_DIRECTORY`.
        file: The name of the file.
    """

    language: str
    directory: str
    file: str = FILE_NAME


_SEPARATE = {
    "pt": _Separate("Portuguese", "pt"),
    "pt-gsd": _Separate("Portuguese", "pt", "gsd.safetensors"),
}


def shipped_model() -> Path | None:
    """Return the directory of the shipped English model, or None if there is none."""
    package = Path(__file__).parents[1]
    return _with_model([package / SHIPPED, *_in_checkout(_ENGLISH)])


def named_model(name: str) -> Path | None:
    """Return the path of the model with a name, or None if it is not installed.

    Args:
        name: A name such as `en` or `models/en`. The result for an unknown name is
            None.

    Returns:
        The directory of the model, or its file if the directory has several models.
    """
    name = name.removeprefix(f"{_FOLDER}/")
    if name == _ENGLISH:
        return shipped_model()
    if name not in _SEPARATE:
        return None
    model = _SEPARATE[name]
    spec = find_spec(f"senna_py_{model.directory}")
    installed = (spec and spec.submodule_search_locations) or []
    places = [*_in_checkout(model.directory), *map(Path, installed)]
    place = _with_model(places, model.file)
    return place if place is None or model.file == FILE_NAME else place / model.file


def _in_checkout(directory: str) -> list[Path]:
    """Return the directory of a model, in a list; it is empty outside a checkout."""
    root = Path(__file__).parents[2]
    return [root / _FOLDER / directory] if (root / "pyproject.toml").exists() else []


def _with_model(places: list[Path], file: str = FILE_NAME) -> Path | None:
    """Return the first directory that contains the file of a model, or None."""
    return next((place for place in places if (place / file).is_file()), None)


def shipped_or(path: str | PathLike[str]) -> Path:
    """Return `path`, or the path of a named model if `path` is one of its names.

    The names are `en`, `pt` and `pt-gsd`, and may begin with `models/`. An existing
    file or directory takes precedence over a name. `en` is returned as it is if no
    English model is shipped.

    Raises:
        SennaError: If `path` names a Portuguese model that is not installed.
    """
    path = Path(path)
    name = path.as_posix().removeprefix(f"{_FOLDER}/")
    if (name != _ENGLISH and name not in _SEPARATE) or path.exists():
        return path
    if (model := named_model(name)) is not None:
        return model
    if name in _SEPARATE:
        model_of_wheel = _SEPARATE[name]
        place = f"{_FOLDER}/{model_of_wheel.directory}"
        file = (
            place
            if model_of_wheel.file == FILE_NAME
            else f"{place}/{model_of_wheel.file}"
        )
        raise SennaError(
            f"{path}: the {model_of_wheel.language} model is not installed; "
            f"in a checkout of senna-py, try: pip install ./{place}, or --path {file}"
        )
    return path


def find_native(directory: str | PathLike[str], text: str) -> Path | None:
    """Return the path of the native model that a configuration names, or None.

    Unless there is a model at such a path, `en` names the shipped English model, and
    `pt` and `pt-gsd` name Portuguese models. Names may begin with `models/`.

    Args:
        directory: The directory of the configuration.
        text: A path, relative to this directory or to the current directory.
    """
    # `normpath` does not use the file system, where the directory may not exist yet.
    for path in (Path(os.path.normpath(Path(directory) / text)), Path(text)):
        if path.is_file() or (path / FILE_NAME).is_file():
            return path
    return named_model(text)
