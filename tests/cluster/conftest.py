"""Fixtures of the tests of runs in parts."""

import pytest

from senna_py.kernels.runtime.pace import one_way
from tests.helpers.tagging import tag_paths


@pytest.fixture
def compiled():
    """Let text be tagged as later text of a long run is, so that scores are the same bits."""
    with one_way(plain=False):
        yield


@pytest.fixture
def in_one_process(golden, tmp_path, compiled):
    """A function that gives what one process prints of a file, with options of `tag_files`."""

    def run(path, tasks, **options):
        output = tmp_path / "one-process"
        options = {"path": golden / "model", "note": lambda line: None} | options
        assert tag_paths([str(path)], tasks, output=str(output), **options) == 0
        return output.read_bytes()

    return run
