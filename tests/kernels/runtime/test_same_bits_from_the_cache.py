"""Kernels give the same bits in the process that compiles them and in one that loads them."""

import os
import subprocess
import sys

import pytest

SCRIPT = """
import numpy as np
from senna_py.kernels.nn.softmax import exp_rows

scores = np.random.default_rng(0).normal(size=(64, 4866)).astype(np.float32)
total = np.empty(64)
exp_rows(scores, scores.max(1), total)
print(total.tobytes().hex())
"""


@pytest.mark.process
def test_sums_are_the_same_compiled_and_loaded(tmp_path):
    """Without inlining, the first process adds up in another order than those that follow."""
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)}
    first, second = (
        subprocess.run(
            [sys.executable, "-c", SCRIPT], capture_output=True, check=True, env=environment
        ).stdout
        for _ in range(2)
    )
    assert list(tmp_path.rglob("*.nbc"))
    assert first == second
