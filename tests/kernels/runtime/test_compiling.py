import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]

# Arguments: names of kernels of small_kernels, besides the one that is called, that are
# to run.
RUN = f"""
import sys
sys.path.append({str(ROOT)!r})
import numpy as np
from tests.helpers.small_kernels import mean, total
x = np.arange(5.0)
assert total(x) == 10
if "mean" in sys.argv:
    assert mean(x) == 2
print(*(sum(k.dispatcher.stats.cache_hits.values()) for k in (total, mean)))
"""


def run(directory, *names, before="", **more):
    """Cache hits of the two kernels in a process of its own.

    before: what it does first; more: of its environment.
    """
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(directory), **more}
    command = [sys.executable, "-c", before + RUN, *names]
    return subprocess.run(
        command, env=environment, capture_output=True, text=True, check=True
    )


@pytest.mark.process
def test_a_kernel_is_compiled_into_one_that_comes_later(tmp_path):
    assert run(tmp_path).stdout.split() == ["0", "0"]
    # With the other from the cache.
    assert run(tmp_path, "mean").stdout.split() == [
        "1",
        "0",
    ]
    assert run(tmp_path, "mean").stdout.split() == ["1", "1"]


@pytest.mark.process
def test_only_kernels_that_python_calls_have_files(tmp_path):
    before = f"""
import sys
sys.path.append({str(ROOT)!r})
import numpy as np
from tests.helpers.small_kernels import mean
print(mean(np.arange(5.0)))
exit()
"""
    assert run(tmp_path, before=before).stdout == "2.0\n"
    names = [path.name for path in tmp_path.rglob("*.nbc")]
    assert len(names) == 1 and "small_kernels.mean." in names[0]


@pytest.fixture(scope="module")
def cached(tmp_path_factory):
    """Directory of a cache with both kernels."""
    directory = tmp_path_factory.mktemp("cache")
    run(directory, "mean")
    return directory


@pytest.mark.process
@pytest.mark.parametrize(
    "change",
    [
        "del codegen.JITCodeLibrary",
        "del caching.IndexDataCacheFile.__init__",
        "del caching.Cache._index_key",
        "del compiler.CompileResult._rebuild",
    ],
)
def test_a_numba_with_other_internals_compiles_anew(change, cached):
    before = (
        f"import numba; from numba.core import caching, codegen, compiler; {change}"
    )
    assert run(cached, "mean", before=before).stdout.split() == ["0", "0"]


@pytest.mark.process
def test_a_numba_that_cannot_be_imported_is_said_in_a_line(tmp_path):
    before = """
from tests.helpers.small_kernels import total
for _ in range(2):
    try:
        total(())
    except ImportError as error:
        print(error)
exit()
"""
    before = f"import sys; sys.path.append({str(ROOT)!r})" + before
    line = "Numba cannot be used: Number of threads specified must be > 0."
    assert run(tmp_path, before=before, NUMBA_NUM_THREADS="0").stdout == f"{line}\n" * 2


@pytest.mark.process
def test_kernels_that_python_runs_are_as_quiet_as_compiled_ones(tmp_path):
    before = f"""
import sys
sys.path.append({str(ROOT)!r})
from tests.helpers.small_kernels import total
assert total([1e308] * 9) == float("inf")
import numpy as np
assert total(np.full(9, 1e308)) == float("inf")
exit()
"""
    assert run(tmp_path, before=before, NUMBA_DISABLE_JIT="1").stderr == ""


@pytest.mark.process
def test_code_of_another_processor_is_not_run(tmp_path, cached):
    directory = shutil.copytree(cached, tmp_path / "cache")
    other = {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": ""}
    assert run(directory, "mean", **other).stdout.split() == ["0", "0"]
    assert run(directory, "mean", **other).stdout.split() == ["1", "1"]
    assert run(directory, "mean").stdout.split() == ["1", "1"]
