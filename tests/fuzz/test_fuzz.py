"""A short run of every target, with fixed seeds; `python -m tests.fuzz` runs longer."""

import pytest

from senna_py.errors import SennaError
from tests.fuzz.cases import Finding, Target, make_case, use_case
from tests.fuzz.damage import damage_arrays, damage_text
from tests.fuzz.of_checkpoints import Checkpoints
from tests.fuzz.of_text import _check
from tests.fuzz.targets import TARGETS
from tests.fuzz.workers import fuzz, replay

pytestmark = pytest.mark.fuzz

# Checkpoints of the trainers whose kernels other tests compile anyway.
_SHORT = [Checkpoints(("adagrad", "nplm")) if t.name == "checkpoints" else t for t in TARGETS]
_CASES = 12


@pytest.mark.parametrize("target", _SHORT, ids=lambda target: target.name)
def test_damaged_input_is_used_or_refused(target, tmp_path):
    target.prepare(tmp_path / "base")
    messages = []
    for seed in range(_CASES):
        case = tmp_path / str(seed)
        case.mkdir()
        messages.append(use_case(target, case, make_case(target, seed, case)))
    assert None in messages  # else what it begins with is refused
    assert set(messages) != {None} or target.name == "text"


class Faulty(Target):
    """What a target may do."""

    name = "faulty"

    def make(self, source, directory):
        (directory / "input").write_text(str(source.random()))
        return {"kind": self.kind}

    def use(self, directory, given):
        return _KINDS[given["kind"]]()


def _raise(error):
    raise error


def _stop():
    import os
    import signal

    os.kill(os.getpid(), signal.SIGKILL)


def _warn():
    import numpy as np

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
    counts, kinds = fuzz(target, range(5), tmp_path, float("inf"), said.append)
    expected = kind if kind in ("accepted", "refused") else "found"
    assert dict(counts) == {expected: 5}
    assert sum(kinds.values()) == (5 if expected == "found" else 0)
    saved = sorted((tmp_path / "findings").glob("*")) if expected == "found" else []
    assert len(saved) == len(said) == (3 if expected == "found" else 0)
    if saved and kind != "crash":
        assert (saved[0] / "input").exists()
        assert replay([target], saved[0], tmp_path, said.append)


@pytest.mark.parametrize(
    ("form", "printed"),
    [
        ("senna", b"a\tX\nb\tX\n\n"), ("conll", b"a\tX\n\nbc\tX\n\ncd\tX\n\n"),
        ("tokens", b"a b\n"),
        ("trees", b"(S1 (X a) (X b))\n(S1 (X c))\n"), ("brat", b"T1\tX 1 3\tbc\n"),
        ("jsonl", b'{"text": "a b", "tokens": [{"text": "b", "start_char": 0, "end_char": 1}]}'),
    ],
)  # fmt: skip
def test_lost_characters_are_found(form, printed):
    with pytest.raises(AssertionError):
        _check(form, [], [b"a b\nc d\n"], printed)


def test_damage_follows_from_the_seed():
    import random

    import numpy as np

    found = {damage_text(random.Random(seed), b"a b\nc d\n") for seed in range(50)}
    again = {damage_text(random.Random(seed), b"a b\nc d\n") for seed in range(50)}
    assert found == again and len(found) > 30
    arrays = {"x": np.ones((2, 3), np.float32), "y": np.arange(4, dtype=np.int32)}
    for seed in range(50):
        damage_arrays(random.Random(seed), arrays)
    assert arrays["x"].tolist() == [[1, 1, 1]] * 2 and arrays["y"].tolist() == [0, 1, 2, 3]


def test_a_finding_is_an_exception():
    with pytest.raises(Finding, match="no message"):
        use_case(Faulty(), None, {"kind": "traceback"})
