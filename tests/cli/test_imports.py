"""Help, wrong usage and what needs no numbers import neither NumPy nor Numba."""

import subprocess
import sys

import pytest

from tests.helpers.commands import GOLDEN, installed


@pytest.mark.process
@pytest.mark.parametrize(
    "command",
    [
        "senna-tag -h",
        "senna-tag -nope",
        "senna-tag --jobs 0",
        "senna-tag -posvbs -usrvbs x",
        "senna-train --help",
        "senna-model --help",
        "senna-lm train char --help",
        "senna-py --help",
        "senna-py tag --help",
        "senna-py tokenize --port 1",
        "senna-eval chunk ner.iob1.txt",
        "senna-eval tree tree.gold.mrg tree.pred.mrg",
    ],
)
def test_neither_numpy_nor_numba_is_imported(command):
    name, *arguments = command.split()
    program = ["-m", "senna_py"] if name == "senna-py" else [installed(name)]
    result = subprocess.run(
        [sys.executable, "-X", "importtime", *program, *arguments],
        capture_output=True, text=True, check=False, cwd=GOLDEN / "eval",
    )  # fmt: skip
    imported = {line.rpartition("|")[2].strip() for line in result.stderr.splitlines()}
    assert "click" in imported
    assert not {"numpy", "numba"} & imported
