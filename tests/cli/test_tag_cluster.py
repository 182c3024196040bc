"""senna-tag --output-dir: its options, exit codes and messages."""

import pytest
from click.testing import CliRunner

from senna_py.cli.tag import command
from tests.helpers.commands import assert_one_line_error, tag

WRONG = {
    "--cluster local a": "--cluster goes with --output-dir only",
    "--text-field x a": "--text-field goes with --output-dir only",
    "--part-size 1M a": "--part-size goes with --output-dir only",
    "--send-model a": "--send-model goes with --output-dir only",
    "--format parquet a": "--format parquet goes with --output-dir only",
    "--output-dir o": "--output-dir takes files, directories, globs and URLs",
    "--output-dir o a -": "--output-dir takes files, directories, globs and URLs",
    "--output-dir o -o x a": "--output does not go with --output-dir",
    "--output-dir o -usrvbs x a": "-usrvbs does not go with --output-dir",
    "--output-dir o --layout conll2003 a": "--layout does not go with --output-dir",
    "--output-dir o --limit 3 a": "--limit does not go with --output-dir",
    "--output-dir o --format html a": "--format html does not go with --output-dir",
    "--output-dir o --part-size 0M a": "is not a size such as 16M",
    "--output-dir o --part-size 1x a": "is not a size such as 16M",
    "--output-dir o --send-model a": "--send-model goes with --cluster ADDRESS only",
    "--output-dir o --cluster tcp://x:1 --jobs 2 a": "--jobs does not go with --cluster ADDRESS",
}


@pytest.mark.parametrize("arguments", WRONG)
def test_options_that_do_not_go_together(arguments):
    result = CliRunner().invoke(command, arguments.split())
    assert result.exit_code == 2
    assert WRONG[arguments] in result.output


@pytest.mark.extra
def test_outputs_of_a_command(tmp_path):
    pytest.importorskip("pyarrow")
    pytest.importorskip("distributed")
    (tmp_path / "a.txt").write_text("He sleeps .\nThey slept .\n")
    arguments = ["-pos", "--output-dir", "out", "--part-size", "12", "a.txt"]
    result = tag(*arguments, "b.txt", cwd=tmp_path)
    assert_one_line_error(result, "senna-tag: b.txt: No such file or directory")
    result = tag(*arguments, "--progress", cwd=tmp_path)
    assert result.returncode == 0
    said = result.stderr.decode().splitlines()
    assert said[0] == "senna-tag: 3 parts of 3 done before"
    assert said[1].startswith("3 of 3 parts, 0 tokens")
    outputs = sorted((tmp_path / "out").glob("a.txt.*"))
    printed = b"".join(path.read_bytes() for path in outputs)
    assert printed == tag("-pos", "a.txt", cwd=tmp_path).stdout


def test_without_the_extra_it_is_named(tmp_path, monkeypatch):
    import importlib.util

    # The others are said to be there, though they may not be.
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: name != "dask")
    result = CliRunner().invoke(command, ["--output-dir", str(tmp_path / "out"), "a"])
    assert "--output-dir needs dask: install senna-py with its extra dask" in str(result.exception)
