"""What is said of unusable files."""

import pytest

from senna_py.errors import SennaError


def refusal(path, act, *given, **options):
    """The line with which a call refuses the file at `path`, without the path at its
    beginning.
    """
    with pytest.raises(SennaError) as error:
        act(*given, **options)
    message = str(error.value)
    assert message.startswith(f"{path}: ") and "\n" not in message
    return message.removeprefix(f"{path}: ")
