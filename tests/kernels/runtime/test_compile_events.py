"""Compilation is timed, and told once when it takes long, by functions that no cache holds."""

import logging

import numba
import numpy as np
import pytest

from senna_py.kernels.runtime import compile_events, compiling  # noqa: F401 - compiling listens
from senna_py.kernels.runtime.compile_events import NOTICE, compile_seconds, tell_when_compiling


def compiled(function, module="senna_py.kernels.x"):
    """Numba's dispatcher of a function of a module."""
    function.__module__ = module
    return numba.njit(function)


@pytest.fixture(autouse=True)
def _clock(monkeypatch):
    monkeypatch.setattr(compile_events, "_PATIENCE", 0)
    monkeypatch.setattr(compile_events._clock, "tell", None)


def test_compilation_is_told_once_and_timed():
    inner = compiled(lambda x: x + 1)
    outer = compiled(lambda x: inner(x) * 2)
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


def test_what_takes_no_time_and_what_others_compile_is_not_told(monkeypatch):
    told, before = [], compile_seconds()
    tell_when_compiling(lambda: told.append(1))
    assert compiled(lambda x: x + 1, "their.module")(1) == 2
    assert compile_seconds() == before
    monkeypatch.setattr(compile_events, "_PATIENCE", before + 1000)
    assert compiled(lambda x: x + 1)(1) == 2
    assert not told


def test_python_is_told_by_logging(caplog):
    tell_when_compiling(compile_events._Clock().tell)  # as it begins
    assert compiled(lambda x: x + 1)(1) == 2
    assert caplog.record_tuples == [("senna_py", logging.WARNING, NOTICE)]
