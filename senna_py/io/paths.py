"""Paths that users name: patterns, and texts that no path can contain."""

import os
from collections.abc import Iterable
from pathlib import Path

from senna_py.errors import SennaError


def path_problem(texts: Iterable[str]) -> str | None:
    """Return why some texts cannot be parts of a path, or None if they can."""
    try:
        return "a NUL" if b"\0" in os.fsencode("".join(texts)) else None
    except UnicodeEncodeError:
        return "a lone surrogate"


def match_paths(
    directory: str | os.PathLike[str], pattern: str, noun: str = ""
) -> list[str]:
    """List the paths below a directory that match a glob pattern, sorted.

    A file whose name is the pattern itself, and a pattern without wildcards, stand for
    themselves, whether or not there is such a file.

    Args:
        directory: The directory that the pattern is relative to.
        pattern: A path, which may contain the wildcards `*`, `?` and `[...]`.
        noun: What the paths are, such as `dictionary`, if there must be at least one.

    Raises:
        SennaError: If `noun` is given and nothing matches.
    """
    import glob  # noqa: PLC0415 - only training needs it

    path = os.path.join(directory, pattern)
    if os.path.exists(path) or not glob.has_magic(pattern):
        return [path]
    paths = sorted(glob.glob(os.path.join(glob.escape(str(directory)), pattern)))
    if noun and not paths:
        raise SennaError(f"{Path(directory, pattern)}: no {noun} has such a name")
    return paths
