import subprocess
import sys

import numpy as np
import pytest

from senna_py.kernels.runtime.jit import by_fallbacks
from senna_py.layers.int8 import Int8Weight, to_int8
from tests.helpers.naive_int8 import rounded_columns, rounded_rows


@pytest.mark.parametrize("plain", [False, True])
def test_a_layer_rounds_inputs_and_weights_but_not_the_bias(plain):
    rng = np.random.default_rng(0)
    x, weight, bias = (
        rng.standard_normal(shape).astype(np.float32) for shape in ((50, 20), (20, 70), (70,))
    )
    weight[:, 3] = 0
    with by_fallbacks(plain):
        found = Int8Weight(weight, bias)(x)
        of_strided = Int8Weight(weight, bias)(np.repeat(x, 2, axis=1)[:, ::2])
    expected = rounded_rows(x) @ rounded_columns(weight) + bias
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-5)
    assert np.array_equal(found, of_strided)


def test_each_column_of_weights_has_its_scale():
    weight = np.float32([[1, -3, 0], [-2, 1.5, 0]])
    numbers, scale = to_int8(weight)
    assert numbers.tolist() == [[64, -127, 0], [-127, 64, 0]]
    np.testing.assert_allclose(scale, [2 / 127, 3 / 127, 1])


# A thread that was there before the permission, one after it, and a child process.
RUN = """
import os, threading
import numpy as np
ready = threading.Event()
def run():
    from senna_py.layers.int8 import Int8Weight
    x = np.ones((40, 40), np.float32)
    found.append(Int8Weight(x, x[0])(x))
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
assert len(found) == (3 if child != 0 else 4) and all(abs(each - 41).max() < 1e-4 for each in found)
"""


@pytest.mark.process
def test_threads_and_child_processes_may_use_what_the_process_may(tmp_path):
    # Elsewhere, so that a checkout does not take the place of the installed package.
    subprocess.run([sys.executable, "-c", RUN], check=True, cwd=tmp_path)
