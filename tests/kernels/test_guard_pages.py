"""Kernels of tiles neither read nor write outside their arrays, which guard pages would
show.

SENNA_PY_VARIANTS=1 also runs the code that older processors get, as far as this one can
run it.
"""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = Path(__file__).resolve().parents[1] / "helpers" / "guard_pages.py"
AVX2 = "+avx,+avx2,+fma"
VARIANTS = {  # names of processors and features, as LLVM has them
    "this processor": ("", ""),
    "x86-64": ("x86-64", "+sse2"),
    "avx2": ("haswell", AVX2),
    "avx512": (
        "skylake-avx512",
        f"{AVX2},+avx512f,+avx512bw,+avx512cd,+avx512dq,+avx512vl",
    ),
}

if sys.platform != "linux":
    pytest.skip("mprotect is called as on Linux", allow_module_level=True)


def run(*args, variant="this processor"):
    processor, features = VARIANTS[variant]
    limits = (
        {"NUMBA_CPU_NAME": processor, "NUMBA_CPU_FEATURES": features}
        if processor
        else {}
    )
    environment = {**os.environ, **limits}
    command = [sys.executable, str(PROGRAM), *args]
    return subprocess.run(
        command, env=environment, capture_output=True, text=True, check=False
    )


def can_run(variant):
    """Whether this processor has the features of a variant."""
    import llvmlite.binding

    found = llvmlite.binding.get_host_cpu_features()
    return all(found.get(name[1:]) for name in VARIANTS[variant][1].split(",") if name)


@pytest.mark.process
@pytest.mark.parametrize("variant", VARIANTS)
def test_tiles_touch_no_page_beside_their_arrays(variant):
    if variant != "this processor" and not os.environ.get("SENNA_PY_VARIANTS"):
        pytest.skip("SENNA_PY_VARIANTS is not set: its code would have to be compiled")
    if not can_run(variant):
        pytest.skip("not a variant of this processor")
    result = run(variant=variant)
    last = result.stdout.splitlines()[-1]
    assert (result.returncode, last) == (0, "done"), result.stderr
    assert result.stdout.count("\n") > 3000


@pytest.mark.process
@pytest.mark.parametrize("where", ["behind", "before", "scratch"])
def test_a_step_beyond_an_array_is_seen(where):
    result = run(where)
    assert result.returncode == -signal.SIGSEGV
    assert result.stdout.splitlines()[-1] == "inside"
