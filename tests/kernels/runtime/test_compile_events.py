"""Compilation is told once and timed, by a function that no cache holds."""

import numba
import numpy as np

from senna_py.kernels.runtime.compile_events import compile_seconds, tell_when_compiling


def test_compilation_is_told_once_and_timed():
    inner = numba.njit(lambda x: x + 1)
    outer = numba.njit(lambda x: inner(x) * 2)
    told, before = [], compile_seconds()
    tell_when_compiling(lambda: told.append(compile_seconds()))
    assert outer(1) == 4
    first = compile_seconds()
    assert told == [before]
    assert first > before
    assert outer(2) == 6
    assert compile_seconds() == first
    assert outer(np.float64(1)) == 4
    assert compile_seconds() > first
    assert told == [before]
