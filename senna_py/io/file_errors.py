"""Context managers that add the file and the place to errors."""

import contextlib
from collections.abc import Iterator

from senna_py.errors import SennaError, WriteError


@contextlib.contextmanager
def report_os_errors(path: object) -> Iterator[None]:
    """Turn an OSError into a SennaError about the file that it names, or else `path`."""
    try:
        yield
    except OSError as error:
        name = error.filename or path
        raise SennaError(f"{name}: {error.strerror or error}") from None


@contextlib.contextmanager
def report_write_errors(name: object) -> Iterator[None]:
    """Turn an OSError into a WriteError about the file `name`; let BrokenPipeError pass."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise WriteError(f"{name}: not written: {error.strerror or error}") from None


@contextlib.contextmanager
def prefix_errors(
    place: object, error_class: type[Exception] = SennaError
) -> Iterator[None]:
    """Turn an error of a class into a SennaError whose message begins with `place`."""
    try:
        yield
    except error_class as error:
        raise SennaError(f"{place}: {error}") from None
