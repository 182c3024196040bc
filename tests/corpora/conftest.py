"""Fixtures of the tests of corpora."""

import pytest


@pytest.fixture
def write(tmp_path):
    """A function that writes str or bytes to a file, and returns its path."""

    def write(data, name="corpus.txt"):
        path = tmp_path / name
        path.write_bytes(data if isinstance(data, bytes) else data.encode())
        return path

    return write
