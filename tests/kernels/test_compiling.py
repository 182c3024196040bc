import os
import shutil
import subprocess
import sys

import pytest

# Arguments: names of kernels of kernels.viterbi that are to run.
RUN = """
import sys
import numpy as np
from senna_py.kernels.viterbi import largest_sums, viterbi
score, transition = np.arange(3, dtype=np.float32), np.eye(3, 16, dtype=np.float32)
out = np.empty(16, np.float32)
largest_sums(score, transition, 3, out)
assert out[:4].tolist() == [2, 2, 3, 2]
if "viterbi" in sys.argv:
    zeros, tags = np.zeros(16, np.float32), np.empty(2, np.int32)
    emission = np.zeros((2, 16), np.float32)
    incoming, scores = np.ascontiguousarray(transition[:, :3].T), np.empty((2, 16), np.float32)
    extremes = np.zeros((2, 1, 16), np.float32)
    extremes[0] = 1
    none = np.empty(0, np.int64), np.empty((2, 0), np.int64), *np.empty((2, 2, 0), np.float32)
    within = none[0], none[1], none[2], none[3][0], zeros
    layer = zeros, transition, extremes, within, incoming, score
    viterbi(emission, 0, np.array([0, 2]), *layer, scores, tags)
    assert tags.tolist() == [2, 2]
print(*(sum(k.dispatcher.stats.cache_hits.values()) for k in (largest_sums, viterbi)))
"""


def run(directory, *names, before=""):
    """Cache hits of the two kernels in a process of its own; before: what it does first."""
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(directory)}
    command = [sys.executable, "-c", before + RUN, *names]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=True)


def test_a_kernel_is_compiled_into_one_that_comes_later(tmp_path):
    assert run(tmp_path).stdout.split() == ["0", "0"]
    assert run(tmp_path, "viterbi").stdout.split() == [
        "1",
        "0",
    ]  # with the other one from the cache
    assert run(tmp_path, "viterbi").stdout.split() == ["1", "1"]


@pytest.fixture(scope="module")
def cached(tmp_path_factory):
    """Directory of a cache with both kernels."""
    directory = tmp_path_factory.mktemp("cache")
    run(directory, "viterbi")
    return directory


@pytest.mark.parametrize(
    "internal",
    [
        "codegen.JITCodeLibrary",
        "caching.IndexDataCacheFile.__init__",
        "caching.Cache._index_key",
        "compiler.CompileResult._rebuild",
    ],
)
def test_a_numba_that_lacks_an_internal_compiles_anew(internal, cached):
    before = f"import numba; from numba.core import caching, codegen, compiler; del {internal}"
    assert run(cached, "viterbi", before=before).stdout.split() == ["0", "0"]


def test_a_numba_whose_libraries_are_made_otherwise_compiles_anew(cached):
    before = """
from senna_py.kernels.cold_start import code_cache
class Library:
    __slots__ = ()
code_cache._Library = Library  # no library becomes one, but by then its code is loaded
"""
    assert run(cached, "viterbi", before=before).stdout.split() == ["0", "0"]


def test_code_with_a_flipped_bit_is_compiled_anew(tmp_path, cached):
    directory = shutil.copytree(cached, tmp_path / "cache")
    files = sorted(directory.rglob("*.viterbi.viterbi.*.nbc"))
    assert files
    damaged = {}
    for path in files:
        data = bytearray(path.read_bytes())
        data[data.index(b"\x7fELF") + 0x29] ^= 8  # where its sections are: LLVM would abort
        damaged[path] = bytes(data)
        path.write_bytes(data)
    assert run(directory, "viterbi").stdout.split() == ["1", "0"]
    assert any(path.read_bytes() != data for path, data in damaged.items())  # it was replaced
