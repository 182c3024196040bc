"""Fixtures of the kernel tests."""

import pytest

from senna_py.kernels.runtime.jit import by_fallbacks


@pytest.fixture(scope="module", params=["compiled", "plain"])
def each_way(request):
    """Run a module's tests once with compiled kernels, and once with their NumPy
    fallbacks.
    """
    with by_fallbacks(request.param == "plain"):
        yield
