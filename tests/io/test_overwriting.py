"""Outputs and inputs of a command: by whatever name, in whatever order."""

import os
import subprocess
import sys

import pytest

from senna_py.errors import UsageError
from senna_py.io.overwriting import check_paths


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


def test_an_input_by_any_name_is_no_output(names, tmp_path):
    for name in names:
        for other in names:
            with pytest.raises(UsageError) as error:
                check_paths([None, tmp_path / "none", name], [None, tmp_path / "new", other])
            assert str(error.value) == (
                f"{other}: output would overwrite the input {name}: the same file"
            )


def test_other_files_are_no_matter(names, tmp_path):
    (tmp_path / "b").write_text("a")
    (tmp_path / "empty").mkdir()
    outputs = tmp_path / "b", tmp_path / "new", tmp_path, os.devnull, tmp_path / "no" / "x"
    check_paths([names[0], os.devnull, tmp_path / "empty", tmp_path / "no"], outputs)
    check_paths([], [names[0], names[0]])


def test_a_file_that_is_not_there_yet(tmp_path):
    (tmp_path / "link").symlink_to(tmp_path / "new")
    with pytest.raises(UsageError, match="the same file"):
        check_paths([tmp_path / "new"], [tmp_path / "link"])


def test_all_files_in_a_directory(names, tmp_path):
    (tmp_path / "sub" / "deep").mkdir()
    (tmp_path / "sub" / "deep" / "b").write_text("b")
    for output, source in (("../symbolic", tmp_path), ("deep/b", tmp_path), ("deep/b", ".")):
        with pytest.raises(UsageError, match="the same file"):
            check_paths([source], [output])
    check_paths([tmp_path], [tmp_path / "new", tmp_path / "sub"])


@pytest.mark.process
def test_standard_output_and_input(tmp_path):
    code = (
        "from senna_py.io.overwriting import check_paths\n"
        "import sys\n"
        "for inputs, outputs in ((['out'], ()), (['-'], ['in']), ([], ['out']), (['-'], ())):\n"
        "    try: check_paths(inputs, outputs)\n"
        "    except Exception as error: print(error, file=sys.stderr)\n"
    )
    (tmp_path / "in").write_text("x")
    with open(tmp_path / "in") as source, open(tmp_path / "out", "a") as output:
        result = subprocess.run(
            [sys.executable, "-c", code],
            stdin=source, stdout=output, stderr=subprocess.PIPE, text=True, check=True,
            cwd=tmp_path, timeout=60,
        )  # fmt: skip
    assert result.stderr.splitlines() == [
        "standard output: output would overwrite the input out: the same file",
        "in: output would overwrite the input standard input: the same file",
    ]
