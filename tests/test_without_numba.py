"""Where Numba is not installed, text is tagged by NumPy alone."""

import os
import subprocess
import sys

import pytest

from senna_py.kernels.runtime.compile_events import NUMPY_ALONE
from tests.helpers.commands import MODEL, tag

pytestmark = pytest.mark.process

# A command of a Python in which Numba cannot be imported.
WITHOUT = """
import sys

class Refuse:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("numba", "llvmlite"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Refuse())
from senna_py.cli.entry import root
root()
"""
NEEDED = "senna-py: training and language models need Numba, which is not installed: "


def without_numba(*words):
    """The result of `senna-py` with these words, where Numba is not installed."""
    return subprocess.run(
        [sys.executable, "-c", WITHOUT, *map(str, words)],
        capture_output=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        check=False,
        timeout=120,
    )


def test_text_is_tagged_with_the_same_bytes(write):
    path = write("He reads a book in Chicago .\n" * 300)
    found = without_numba("tag", "--path", MODEL, "--jobs", 2, path)
    line = NUMPY_ALONE.format("Numba cannot be used: No module named 'numba'")
    assert found.returncode == 0
    assert found.stderr.decode() == f"senna-py: {line}\n"
    assert found.stdout == tag(path).stdout


def test_training_and_language_models_name_what_is_missing(write, tmp_path):
    text = write("He reads a book .\n" * 20)
    words = (
        "1\tIt\tit\tPRON\tPRP\t_\t2\tnsubj\t_\t_\n"
        "2\tis\tbe\tVERB\tVBZ\t_\t0\troot\t_\t_\n\n"
    )
    write(words * 60, "en-train.conllu")
    for words in (
        ["lm", "train", "ngram", tmp_path / "model.arpa", text],
        ["train", tmp_path, tmp_path / "run"],
    ):
        found = without_numba(*words)
        assert found.returncode == 1, words
        assert found.stderr.decode().splitlines()[-1].startswith(NEEDED)
