"""Outputs and inputs of one call: by whatever name, in whatever order."""

import os
import subprocess
import sys

import pytest

from senna_py.errors import UsageError
from senna_py.io.overwriting import (
    check_output,
    no_inputs,
    one_call,
    reads,
    reads_all,
    writes,
    written,
)


@pytest.fixture
def names(tmp_path, monkeypatch):
    """Names of one file: its path, a symbolic and a hard link, and relative ones."""
    (tmp_path / "sub").mkdir()
    monkeypatch.chdir(tmp_path / "sub")
    path = tmp_path / "a"
    path.write_text("a")
    (tmp_path / "symbolic").symlink_to(path)
    os.link(path, tmp_path / "hard")
    (tmp_path / "directory").symlink_to(tmp_path)
    return [path, str(path), tmp_path / "symbolic", tmp_path / "hard", "../a",
            tmp_path / "directory" / "a", "../sub/../a"]  # fmt: skip


def test_an_input_by_any_name_is_not_written_nor_an_output_read(names):
    for name in names:
        for other in names:
            with one_call():
                reads(name)
                for check in (writes, check_output):
                    with pytest.raises(UsageError) as error:
                        check(other)
                    assert str(error.value) == (
                        f"{other}: output would overwrite the input {name}: the same file"
                    )
            with one_call(), pytest.raises(UsageError, match="the same file"):
                writes(name)
                reads(other)


def test_other_files_are_no_matter(names, tmp_path):
    (tmp_path / "b").write_text("a")
    with one_call():
        reads(names[0])
        for path in (tmp_path / "b", tmp_path / "new", tmp_path, os.devnull, tmp_path / "no" / "x"):
            writes(path)
            writes(path)
        reads(os.devnull)
        reads(tmp_path)


def test_a_file_that_is_not_there_yet(tmp_path):
    (tmp_path / "link").symlink_to(tmp_path / "new")
    with one_call(), pytest.raises(UsageError, match="the same file"):
        reads(tmp_path / "new")
        writes(tmp_path / "link")


def test_nothing_is_compared_outside_of_a_call_and_nothing_is_left_of_one(names):
    reads(names[0])
    writes(names[0])
    for _ in range(2):
        with one_call():
            with one_call():
                reads(names[0])
            with pytest.raises(UsageError):
                writes(names[1])
        with one_call():
            writes(names[0])


def test_what_was_written_may_be_read(names):
    with one_call():
        writes(names[0])
        with written(names[1]):
            pass
        reads(names[0])
    with one_call():
        with pytest.raises(OSError, match="full"), written(names[0]):
            raise OSError("full")
        reads(names[0])


def test_own_files_may_be_replaced(names):
    with one_call():
        reads(names[0])
        with written(names[0], own=True):
            pass
        writes(names[0])
    with one_call():
        with no_inputs():
            reads(names[0])
        writes(names[0])


def test_a_new_file_may_get_the_inode_of_an_old_one(tmp_path):
    """As a model may that of a checkpoint which was read and replaced."""
    path = tmp_path / "checkpoint"
    path.write_text("a")
    with one_call():
        reads(path)
        with written(path, own=True):
            os.replace(path, tmp_path / "model")  # keeps the inode
        writes(tmp_path / "model")


def test_all_files_of_a_directory(names, tmp_path):
    with one_call():
        reads_all(tmp_path)
        reads_all(tmp_path / "none")
        with pytest.raises(UsageError):
            writes(names[0])


@pytest.mark.process
def test_standard_output_and_input(tmp_path):
    code = (
        "from senna_py.io.overwriting import one_call, reads, writes\n"
        "import sys\n"
        "with one_call():\n"
        "    for kind, path in zip(sys.argv[1::2], sys.argv[2::2]):\n"
        "        try: {'r': reads, 'w': writes}[kind](path)\n"
        "        except Exception as error: print(error, file=sys.stderr)\n"
    )
    (tmp_path / "in").write_text("x")
    with open(tmp_path / "in") as source, open(tmp_path / "out", "a") as output:
        result = subprocess.run(
            [sys.executable, "-c", code, "r", "out", "w", "in", "r", "-"],
            stdin=source, stdout=output, stderr=subprocess.PIPE, text=True, check=True,
            cwd=tmp_path, timeout=60,
        )  # fmt: skip
    assert result.stderr.splitlines() == [
        "standard output: output would overwrite the input out: the same file",
        "in: output would overwrite the input standard input: the same file",
    ]
