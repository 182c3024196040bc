"""The small model that learns in these tests."""

import pytest

from tests.helpers.small_entities import write_model


@pytest.fixture(scope="session")
def old_model(tmp_path_factory):
    """The path of a model with the tasks pos and ner."""
    return write_model(tmp_path_factory.mktemp("old"))
