"""A short run of every target, with fixed seeds; `python -m tests.fuzz` runs longer."""

import os
import signal
import subprocess
import sys

import numpy as np
import pytest

from senna_py.errors import SennaError
from tests.fuzz.__main__ import TARGETS, fuzz
from tests.fuzz.cases import Target, run_case

pytestmark = pytest.mark.fuzz

_CASES = 12
_EXTRAS = {"corpus": "fsspec", "records": "fsspec", "tables": "pyarrow"}
_EXTRAS["server"] = "starlette"


@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)
def test_damaged_input_is_used_or_refused(target, tmp_path):
    if target.name in _EXTRAS:
        pytest.importorskip(_EXTRAS[target.name])
    target.prepare(tmp_path / "base")
    messages = []
    for seed in range(_CASES):
        case = tmp_path / str(seed)
        case.mkdir()
        messages.append(run_case(target, seed, case))
        if target.name == "senna" and messages[-1]:
            assert str(case) in messages[-1]  # which file it is
    assert None in messages  # else what it begins with is refused
    assert set(messages) != {None} or target.name in ("text", "corpus")


@pytest.mark.process
@pytest.mark.skipif(
    "SENNA_PY_VARIANTS" not in os.environ,
    reason="SENNA_PY_VARIANTS is not set: kernels with bounds checked would have to be compiled",
)
@pytest.mark.parametrize("name", ["models", "senna"])
def test_damaged_models_never_lead_a_kernel_out_of_bounds(name, tmp_path):
    environment = {"NUMBA_BOUNDSCHECK": "1", "NUMBA_CACHE_DIR": str(tmp_path)}
    command = "-m", "tests.fuzz", "--target", name, "--cases", "500", "--seed", "1"
    subprocess.run([sys.executable, *command], env=os.environ | environment, check=True)


class Faulty(Target):
    """What a target may do."""

    name = "faulty"

    def run(self, source, directory):
        return _KINDS[self.kind]()


def _raise(error):
    raise error


def _stop():
    os.kill(os.getpid(), signal.SIGKILL)


def _warn():
    np.float32(3e38) * np.ones(1, np.float32) * 9


_KINDS = {
    "accepted": lambda: None,
    "refused": lambda: _raise(SennaError("x: y")),
    "traceback": lambda: _raise(ValueError("no message")),
    "crash": _stop,
    "warning": _warn,
    "memory": lambda: bytearray(1 << 40),
    "lines": lambda: "a\nb",
}


@pytest.mark.parametrize("kind", _KINDS)
def test_what_a_finding_is(kind, tmp_path):
    target, said = Faulty(), []
    target.kind = kind
    counts = fuzz(target, range(3), tmp_path, say=said.append)
    assert counts == {kind if kind in ("accepted", "refused") else "found": 3}
    assert len(said) == counts["found"]
