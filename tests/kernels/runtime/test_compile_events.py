"""Compilation is timed, and told once when it takes long, by functions that no cache
holds.
"""

import logging

import numba
import numpy as np
import pytest

from senna_py.kernels.runtime import compile_events, compiling  # noqa: F401 - compiling listens
from senna_py.kernels.runtime.compile_events import (
    NO_CACHE,
    NOTICE,
    NUMPY_ALONE,
    compile_seconds,
    notice,
    tell_of_numpy,
    tell_of_waiting,
    tell_when_compiling,
)


def compiled(function, module="senna_py.kernels.x"):
    """Numba's dispatcher of a function of a module."""
    function.__module__ = module
    return numba.njit(function)


@pytest.fixture(autouse=True)
def _clock(monkeypatch):
    monkeypatch.setattr(compile_events, "_PATIENCE", 0)
    monkeypatch.setattr(compile_events._clock, "tell", None)
    monkeypatch.setattr(compile_events._clock, "waited", 0.0)


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


def test_who_waits_for_another_process_is_told_later_than_who_begins_it():
    told = []
    tell_when_compiling(lambda: told.append(1))
    tell_of_waiting(3, least=5)
    assert not told
    tell_of_waiting(2, least=5)
    assert told == [1]


def test_what_no_cache_can_keep_is_said_to_be_slow_every_time(monkeypatch):
    assert notice() == NOTICE

    def none():
        raise RuntimeError

    monkeypatch.setattr(compile_events._clock, "directory", none)
    assert notice() == NO_CACHE
    assert "NUMBA_CACHE_DIR" in NO_CACHE


def test_the_reason_why_nothing_is_compiled_is_told_once(monkeypatch):
    told = []
    monkeypatch.setattr(compile_events._clock, "problem", "")
    tell_when_compiling(lambda: told.append(notice()))
    tell_of_numpy("no Numba")
    tell_of_numpy("no Numba")
    assert told == [NUMPY_ALONE.format("no Numba")]
