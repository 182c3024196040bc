import subprocess
import sys

import numpy as np
import pytest

from senna_py.kernels.llvm import bfloat16
from senna_py.kernels.llvm.bfloat16_words import NUMBERS
from senna_py.kernels.runtime.jit import plain_way
from senna_py.layers.bfloat16 import RoundedWeight
from tests.helpers.naive_bfloat16 import rounded


@pytest.mark.parametrize("plain", [False, True])
@pytest.mark.parametrize("way", [None, NUMBERS])
def test_a_layer_rounds_inputs_and_weights_but_not_the_bias(plain, way, monkeypatch):
    if way is not None:  # as on a processor that has no other
        monkeypatch.setattr(bfloat16, "ways_here", lambda: [way])
    rng = np.random.default_rng(0)
    x, weight, bias = (
        rng.standard_normal(shape).astype(np.float32) for shape in ((50, 20), (20, 70), (70,))
    )
    with plain_way(plain):
        found = RoundedWeight(weight, bias)(x)
        of_strided = RoundedWeight(weight, bias)(np.repeat(x, 2, axis=1)[:, ::2])
    np.testing.assert_allclose(found, rounded(x) @ rounded(weight) + bias, rtol=1e-5, atol=1e-5)
    assert np.array_equal(found, of_strided)


# A thread that was there before the permission, one after it, and a child process.
RUN = """
import os, threading
import numpy as np
ready = threading.Event()
def run():
    from senna_py.layers.bfloat16 import RoundedWeight
    x = np.ones((40, 40), np.float32)
    found.append(RoundedWeight(x, x[0])(x))
found = []
early = threading.Thread(target=lambda: (ready.wait(), run()))
early.start()
run()
ready.set()
early.join()
late = threading.Thread(target=run)
late.start()
late.join()
child = os.fork() if hasattr(os, "fork") else None
if child != 0:
    assert child is None or os.waitpid(child, 0)[1] == 0
else:
    run()
assert len(found) == (3 if child != 0 else 4) and all((each == 41).all() for each in found)
"""


@pytest.mark.process
def test_threads_and_child_processes_may_use_what_the_process_may(tmp_path):
    # Elsewhere, so that a checkout does not take the place of the installed package.
    subprocess.run([sys.executable, "-c", RUN], check=True, cwd=tmp_path)
