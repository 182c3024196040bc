"""Paths from users: wildcards, and characters that a path cannot contain."""

import os
from collections.abc import Iterable
from pathlib import Path

from senna_py.errors import SennaError


def path_problem(texts: Iterable[str]) -> str | None:
    """Return "a NUL" or "a lone surrogate" if a text contains one, or None.

    No path can contain these characters.
    """
    try:
        return "a NUL" if b"\0" in os.fsencode("".join(texts)) else None
    except UnicodeEncodeError:
        return "a lone surrogate"


def match_paths(
    directory: str | os.PathLike[str], pattern: str, noun: str = ""
) -> list[str]:
    """Return the sorted paths that match a glob pattern.

    If the pattern has no wildcards, or a file has the pattern as its literal name, that
    path is the only result. Without wildcards, the path need not exist.

    Args:
        directory: The directory to which the pattern is relative.
        pattern: A path, which may contain the wildcards `*`, `?` and `[...]`.
        noun: A noun for the files, such as `dictionary`, for the error message. If it
            is empty, the result may be empty.

    Raises:
        SennaError: If nothing matches and `noun` is not empty.
    """
    import glob  # noqa: PLC0415 - only training needs it

    path = os.path.join(directory, pattern)
    if os.path.exists(path) or not glob.has_magic(pattern):
        return [path]
    paths = sorted(glob.glob(os.path.join(glob.escape(str(directory)), pattern)))
    if noun and not paths:
        raise SennaError(f"{Path(directory, pattern)}: no {noun} has such a name")
    return paths
