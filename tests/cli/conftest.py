"""Fixtures of the command tests."""

import pytest

from tests.helpers.commands import MODEL


@pytest.fixture
def broken_model(tmp_path):
    """A function that makes a model directory with one file changed.

    It takes the file's name in the directory and a function from its bytes to new ones (None
    removes the file), and returns the directory.
    """

    def make(name, change):
        directory = tmp_path / "model"
        for path in MODEL.rglob("*.*"):
            target = directory / path.relative_to(MODEL)
            target.parent.mkdir(parents=True, exist_ok=True)
            if str(path.relative_to(MODEL)) != name:
                target.symlink_to(path)
            elif change is not None:
                target.write_bytes(change(path.read_bytes()))
        return directory

    return make
