"""Context managers that turn errors into SennaErrors with a file name or a place."""

import contextlib
from collections.abc import Iterator

from senna_py.errors import SennaError, WriteError


@contextlib.contextmanager
def report_os_errors(path: object) -> Iterator[None]:
    """Turn an OSError into a SennaError.

    The message begins with the file that the error names or, if it names none, `path`.
    """
    try:
        yield
    except OSError as error:
        name = error.filename or path
        raise SennaError(f"{name}: {error.strerror or error}") from None


@contextlib.contextmanager
def report_write_errors(name: object) -> Iterator[None]:
    """Turn an OSError other than BrokenPipeError into a WriteError.

    The message states that `name` was not written.
    """
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
    """Turn an `error_class` exception into a SennaError.

    The message begins with `place`, followed by the original message.
    """
    try:
        yield
    except error_class as error:
        raise SennaError(f"{place}: {error}") from None
