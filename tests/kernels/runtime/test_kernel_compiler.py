import os
import subprocess
import sys
from pathlib import Path

import numba
import numpy as np
import pytest

from senna_py.kernels.runtime import compiling, kernel_compiler
from senna_py.kernels.runtime.jit import kernel

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def failed(monkeypatch):
    """The kernels that Numba's own compiler has to compile; none comes from a cache."""
    monkeypatch.setattr(compiling, "KernelCache", None)
    monkeypatch.setattr(kernel_compiler, "FAILED", names := [])
    return names


def larger(a, b):
    return max(a, b)


def copy_to(out, x):
    out[:] = x


def test_numbas_functions_are_a_part_of_the_kernel(failed):
    inner = kernel(larger)

    @kernel
    def both(a, b):
        return inner(a, b) + inner(b, np.int64(9)) + max(a, b)

    assert both(3, 4) == 4 + 9 + 4
    assert not failed


def test_a_kernel_of_many_that_call_each_other(failed):
    first = kernel(lambda x: x + 1)
    second = kernel(lambda x: first(x) * 2)

    # Calls `first` after `second`, which calls it too.
    @kernel
    def third(x):
        return second(x) + first(x)

    assert third(3) == 8 + 4
    assert not failed


def test_a_kernel_raises_the_errors_of_numpy(failed):
    copy = kernel(copy_to)
    outer = kernel(lambda out, x: copy(out[:], x))
    out = np.zeros(3)
    copy(out, np.ones(3))
    assert out.tolist() == [1, 1, 1]
    for each in (copy, outer):
        with pytest.raises(ValueError, match="shape"):
            each(out, np.ones(2))
    assert not failed


def test_code_outside_the_package_calls_a_kernel(failed):
    inner = kernel(larger)
    outer = kernel(lambda a, b: inner(a, b) + 1)
    call = numba.njit(lambda a: outer(a, 4) * max(a, 2.5))
    assert call(3) == 15
    assert not failed


@pytest.mark.parametrize("is_inner", [False, True])
def test_code_that_needs_another_pass_is_compiled_by_numba(failed, is_inner):
    def nested(n):
        def square(k):
            return k * k

        return square(n) + square(2)

    compiled = kernel(nested)
    if is_inner:
        inner = compiled
        compiled = kernel(lambda n: inner(n + 1))
    assert compiled(3) == (20 if is_inner else 13)
    assert [name for name, _ in failed] == [nested.__qualname__]


def test_a_kernel_that_cannot_be_compiled_says_why(failed):
    with pytest.raises(numba.TypingError, match="no_such_name"):
        kernel(lambda x: no_such_name + x)(3)  # noqa: F821


@pytest.mark.process
@pytest.mark.parametrize(
    "name",
    [
        "PassManager",
        "_size",
        "_InnerLibrary.finalize",
        "_KernelLibrary._optimize_final_module",
    ],
)
def test_numba_with_other_internals_compiles_kernels(name, tmp_path):
    code = f"""
import sys
sys.path.append({str(ROOT)!r})
import numpy as np
from senna_py.kernels.runtime import kernel_compiler
from tests.helpers.small_kernels import mean, total

def changed(*arguments):
    raise AttributeError("Numba has changed")

kernel_compiler.{name} = changed
print(mean(np.arange(5.0)), total(np.arange(5.0)), len(kernel_compiler.FAILED) > 0)
"""
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "2.0 10.0 True\n"
