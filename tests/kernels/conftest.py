"""Fixtures of the kernel tests."""

import pytest

from senna_py.kernels.runtime.jit import plain_way


@pytest.fixture(scope="module", params=["compiled", "plain"])
def each_way(request):
    """Run a module's tests once with compiled kernels, and once with their twins."""
    with plain_way(request.param == "plain"):
        yield
