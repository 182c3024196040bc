"""Fixtures of the kernel tests."""

import sys

import pytest

from senna_py.kernels.runtime.switch import fixed_kernels


@pytest.fixture(autouse=True)
def compiled_in_fewer_steps():
    """Fail if a kernel needs what `kernel_compiler` leaves out.

    Numba's own compiler would compile it, which takes longer.
    """
    name = "senna_py.kernels.runtime.kernel_compiler"
    before = len(sys.modules[name].FAILED) if name in sys.modules else 0
    yield
    if name in sys.modules:
        assert sys.modules[name].FAILED[before:] == []


@pytest.fixture(scope="module", params=["compiled", "plain"])
def each_way(request):
    """Run a module's tests once with compiled kernels, and once with their NumPy
    fallbacks.
    """
    with fixed_kernels(request.param == "plain"):
        yield
