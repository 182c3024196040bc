"""Fixtures of the training tests."""

import pytest

from tests.helpers.small_corpora import write_corpora, write_vectors


@pytest.fixture(scope="session")
def corpora(tmp_path_factory):
    """Directory with small corpora and vectors."""
    directory = write_corpora(tmp_path_factory.mktemp("corpora"))
    write_vectors(directory / "vectors.txt")
    return directory
