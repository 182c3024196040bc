"""A short run of every target, with fixed seeds; `python -m tests.fuzz` runs longer."""

import os
import random
import signal
import subprocess
import sys

import numpy as np
import pytest

from senna_py.errors import SennaError
from tests.fuzz.__main__ import fuzz
from tests.fuzz.cases import Target, run_case
from tests.fuzz.damage import damage_arrays, damage_text
from tests.fuzz.of_checkpoints import Checkpoints
from tests.fuzz.of_text import _check
from tests.fuzz.targets import TARGETS

pytestmark = pytest.mark.fuzz

# Checkpoints of the trainers whose kernels other tests compile anyway.
_SHORT = [Checkpoints(("adagrad", "nplm")) if t.name == "checkpoints" else t for t in TARGETS]
_CASES = 12
_EXTRAS = {"server": "uvicorn", "corpus": "fsspec", "records": "fsspec", "tables": "pyarrow"}


@pytest.mark.parametrize("target", _SHORT, ids=lambda target: target.name)
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
    "accepted": lambda: None, "refused": lambda: _raise(SennaError("x: y")),
    "traceback": lambda: _raise(ValueError("no message")), "crash": _stop, "warning": _warn,
    "memory": lambda: bytearray(1 << 40), "lines": lambda: "a\nb",
}  # fmt: skip


@pytest.mark.parametrize("kind", _KINDS)
def test_what_a_finding_is(kind, tmp_path):
    target, said = Faulty(), []
    target.kind = kind
    counts = fuzz(target, range(3), tmp_path, say=said.append)
    assert counts == {kind if kind in ("accepted", "refused") else "found": 3}
    assert len(said) == counts["found"]


@pytest.mark.parametrize(
    ("form", "printed"),
    [
        ("senna", b"a\tX\nb\tX\n\n"), ("conll", b"a\tX\n\nbc\tX\n\ncd\tX\n\n"),
        ("tokens", b"a b\n"),
        ("trees", b"(S1 (X a) (X b))\n(S1 (X c))\n"), ("brat", b"T1\tX 1 3\tbc\n"),
        ("jsonl", b'{"text": "a b", "start_char": 7, '
                  b'"tokens": [{"text": "b", "start_char": 7, "end_char": 8}]}'),
    ],
)  # fmt: skip
def test_lost_characters_are_found(form, printed):
    with pytest.raises(AssertionError):
        _check(form, [], [b"a b\nc d\n"], printed)


def test_damage_follows_from_the_seed():
    found = {damage_text(random.Random(seed), b"a b\nc d\n") for seed in range(50)}
    again = {damage_text(random.Random(seed), b"a b\nc d\n") for seed in range(50)}
    assert found == again and len(found) > 30
    arrays = {"x": np.ones((2, 3), np.float32), "y": np.arange(4, dtype=np.int32)}
    for seed in range(50):
        damage_arrays(random.Random(seed), arrays)
    assert arrays["x"].tolist() == [[1, 1, 1]] * 2 and arrays["y"].tolist() == [0, 1, 2, 3]
