"""Output and other files that are replaced when all is there, where others may write,
too.
"""

import errno
import os
import signal
import stat
import subprocess
import sys
import threading

import pytest

from senna_py.errors import SennaError, UsageError
from senna_py.io import files
from senna_py.io.files import replace_file
from senna_py.io.locks import LOCK, lock_directory, open_locked
from senna_py.io.output import open_output
from senna_py.io.overwriting import check_paths
from tests.helpers.commands import files_below


@pytest.fixture
def old(tmp_path):
    path = tmp_path / "out"
    path.write_bytes(b"old")
    return path


def partial(path):
    return path.with_name(f"{path.name}.partial")


def write(path, *parts, error=None, **options):
    with open_output(path, [], **options) as output:
        for part in parts:
            output.write(part)
        if error is not None:
            raise error
    return output


def test_a_file_is_replaced_at_the_end(old, tmp_path):
    with open_output(old, []) as output:
        output.write(b"new")
        assert files_below(tmp_path) == {"out": b"old", "out.partial": b"new"}
        output.write(b"er")
    assert files_below(tmp_path) == {"out": b"newer"}
    assert output.left is None
    write(tmp_path / "first", b"1")
    write(old)
    assert files_below(tmp_path) == {"out": b"", "first": b"1"}


@pytest.mark.parametrize(
    "error", [SennaError("nofile: gone"), KeyboardInterrupt(), BrokenPipeError()]
)
def test_an_old_file_survives_a_run_that_fails(old, tmp_path, error):
    with pytest.raises(type(error)) as caught:
        write(old, b"some", error=error)
    assert files_below(tmp_path) == {"out": b"old", "out.partial": b"some"}
    if isinstance(error, SennaError):
        assert (
            str(caught.value) == f"nofile: gone; what was written is in {partial(old)}"
        )


def test_output_that_is_said_to_be_incomplete(old, tmp_path):
    with open_output(old, []) as output:
        output.write(b"some")
        output.incomplete()
    assert output.left == f"what was written is in {partial(old)}"
    assert files_below(tmp_path) == {"out": b"old", "out.partial": b"some"}


def test_what_an_earlier_run_left_stays_until_there_is_more(old, tmp_path):
    partial(old).write_bytes(b"hours of work")
    with pytest.raises(SennaError) as caught:
        write(old, b"", error=SennaError("x"))
    assert str(caught.value) == "x"
    assert files_below(tmp_path) == {"out": b"old", "out.partial": b"hours of work"}
    write(old, b"new")
    assert files_below(tmp_path) == {"out": b"new"}


def test_a_run_that_fails_before_output_leaves_nothing(tmp_path):
    with pytest.raises(SennaError):
        write(tmp_path / "out", error=SennaError("x"))
    assert not files_below(tmp_path)


def replace(path, data):
    files.replace_file(path, lambda file: file.write(data))


@pytest.mark.parametrize("write", [write, replace])
def test_mode_and_link_stay(write, old, tmp_path):
    old.chmod(0o640)
    link, directory = tmp_path / "link", tmp_path / "sub"
    directory.mkdir()
    link.symlink_to(old)
    before = os.stat(old)
    write(link, b"new")
    assert link.is_symlink() and old.read_bytes() == b"new"
    after = os.stat(old)
    assert stat.S_IMODE(after.st_mode) == 0o640
    assert (after.st_uid, after.st_gid) == (before.st_uid, before.st_gid)
    (tmp_path / "new").symlink_to(directory / "target")  # not there yet
    write(tmp_path / "new", b"new")
    assert sorted(files_below(tmp_path)) == ["link", "new", "out", "sub/target"]
    assert (directory / "target").read_bytes() == b"new"


def test_a_secret_is_no_less_secret_while_it_is_written(old):
    old.chmod(0o600)
    with open_output(old, []) as output:
        output.write(b"secret")
        assert stat.S_IMODE(partial(old).stat().st_mode) == 0o600


def test_a_directory_that_must_not_be_written_is_said_of_the_file(old, monkeypatch):
    def refuse(path, _flags):
        raise PermissionError(errno.EACCES, "Permission denied", str(path))

    monkeypatch.setattr("senna_py.io.output.open_locked", refuse)
    with pytest.raises(
        SennaError, match=r"out: not written: Permission denied in its directory$"
    ):
        write(old, b"new")


@pytest.mark.skipif(
    getattr(os, "geteuid", int)() == 0, reason="root may write everything"
)
def test_what_must_not_be_written(old, tmp_path):
    old.chmod(0o400)
    with pytest.raises(SennaError, match="out: not written: Permission denied"):
        write(old, b"new")
    old.chmod(0o600)
    tmp_path.chmod(0o500)
    with pytest.raises(
        SennaError, match="out: not written: Permission denied in its directory"
    ):
        write(old, b"new")
    write(old, b"live", live=True)
    tmp_path.chmod(0o700)
    assert files_below(tmp_path) == {"out": b"live"}


def test_places_where_no_file_can_be(tmp_path):
    for path in (tmp_path / "no" / "out", tmp_path):
        with pytest.raises(SennaError, match=f"{path}.*: not written: "):
            write(path, b"x")


def test_live_output_is_there_at_once(old, tmp_path):
    with (
        pytest.raises(SennaError, match=r"^x$"),
        open_output(old, [], live=True) as output,
    ):
        assert files_below(tmp_path) == {"out": b""}
        output.write(b"some")
        assert files_below(tmp_path) == {"out": b"some"}
        raise SennaError("x")
    assert files_below(tmp_path) == {"out": b"some"}


def test_a_pipe_and_a_device_are_written_at_once(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    found = []
    reader = threading.Thread(
        target=lambda: found.append((tmp_path / "pipe").read_bytes())
    )
    reader.start()
    write(tmp_path / "pipe", b"some", b" more")
    reader.join(60)
    assert found == [b"some more"] and [*tmp_path.iterdir()] == [tmp_path / "pipe"]
    write(os.devnull, b"x")
    replace(os.devnull, b"x")
    assert stat.S_ISCHR(os.stat(os.devnull).st_mode)


def test_standard_output_by_its_name(capfd, tmp_path):
    write(None, b"a")
    write("/dev/stdout", b"b")
    replace("/dev/stdout", b"c")
    assert capfd.readouterr().out == "abc"


def test_two_cannot_write_one_file(old, tmp_path):
    with open_output(old, []) as output:
        output.write(b"first")
        with pytest.raises(
            SennaError, match=r"out: another process writes it, to .*out\.partial"
        ):
            write(old, b"second")
    assert files_below(tmp_path) == {"out": b"first"}


def test_neither_file_may_be_an_input(old, tmp_path):
    partial(old).write_bytes(b"more")
    for source in (old, partial(old)):
        with (
            pytest.raises(UsageError, match="would overwrite the input"),
            open_output(old, [source]),
        ):
            pass
    assert files_below(tmp_path) == {"out": b"old", "out.partial": b"more"}


def test_a_full_disk_at_the_end(old, tmp_path, monkeypatch):
    def full(descriptor):
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(SennaError) as caught:
        write(old, b"new")
    assert str(caught.value) == (
        f"{old}: not written: No space left on device; what was written is in {partial(old)}"
    )
    assert files_below(tmp_path) == {"out": b"old", "out.partial": b"new"}


@pytest.fixture
def secret(tmp_path):
    """A file elsewhere, which must stay as it is."""
    path = tmp_path / "secret"
    path.write_bytes(b"secret")
    yield path
    assert path.read_bytes() == b"secret"


@pytest.fixture
def place(tmp_path):
    directory = tmp_path / "place"
    directory.mkdir()
    return directory


def test_a_name_that_somebody_foresaw_is_not_taken(place, secret, monkeypatch):
    monkeypatch.setattr(files.os, "urandom", bytes)
    for link in (os.symlink, os.link):
        link(secret, place / "m.00000000.part")
        with pytest.raises(SennaError, match="m: not written: File exists"):
            replace_file(place / "m", lambda file: file.write(b"model"))
        assert os.listdir(place) == ["m.00000000.part"]
        os.unlink(place / "m.00000000.part")


def test_what_is_half_written_has_a_new_name_each_time(place):
    names = set()
    for _ in range(3):
        replace_file(place / "m", lambda file: names.update(os.listdir(place)))
    assert len(names) == 4 and os.listdir(place) == ["m"]


def outputs(place):
    """What opens files of known names in a directory: functions."""

    def output():
        with open_output(place / "out", []) as out:
            out.write(b"tags")

    def locked():
        with lock_directory(place, pytest.fail):
            pass

    return {"out.partial": output, LOCK: locked}


@pytest.mark.parametrize("name", ["out.partial", LOCK])
def test_no_link_is_followed(place, secret, name):
    os.symlink(secret, place / name)
    with pytest.raises(SennaError, match="not written: "):
        outputs(place)[name]()
    assert os.listdir(place) == [name]


def test_a_pipe_is_not_waited_for(place):
    os.mkfifo(place / "out.partial")
    with pytest.raises(SennaError, match="not written: "):
        outputs(place)["out.partial"]()


def test_a_new_file_has_the_rights_that_are_usual(place):
    before = os.umask(0o027)
    try:
        os.close(open_locked(place / "a", os.O_WRONLY)[0])
        replace_file(place / "b", lambda file: file.write(b""))
    finally:
        os.umask(before)
    assert [stat.S_IMODE(os.stat(place / each).st_mode) for each in "ab"] == [0o640] * 2


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
    return [
        path,
        str(path),
        tmp_path / "symbolic",
        tmp_path / "hard",
        "../a",
        tmp_path / "directory" / "a",
        "../sub/../a",
    ]


def test_an_input_by_any_name_is_no_output(names, tmp_path):
    for name in names:
        for other in names:
            with pytest.raises(UsageError) as error:
                check_paths(
                    [None, tmp_path / "none", name], [None, tmp_path / "new", other]
                )
            assert str(error.value) == (
                f"{other}: output would overwrite the input {name}: the same file"
            )


def test_other_files_are_no_matter(names, tmp_path):
    (tmp_path / "b").write_text("a")
    (tmp_path / "empty").mkdir()
    outputs = (
        tmp_path / "b",
        tmp_path / "new",
        tmp_path,
        os.devnull,
        tmp_path / "no" / "x",
    )
    check_paths([names[0], os.devnull, tmp_path / "empty", tmp_path / "no"], outputs)
    check_paths([], [names[0], names[0]])


def test_a_file_that_is_not_there_yet(tmp_path):
    (tmp_path / "link").symlink_to(tmp_path / "new")
    with pytest.raises(UsageError, match="the same file"):
        check_paths([tmp_path / "new"], [tmp_path / "link"])


def test_all_files_in_a_directory(names, tmp_path):
    (tmp_path / "sub" / "deep").mkdir()
    (tmp_path / "sub" / "deep" / "b").write_text("b")
    for output, source in (
        ("../symbolic", tmp_path),
        ("deep/b", tmp_path),
        ("deep/b", "."),
    ):
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
            stdin=source,
            stdout=output,
            stderr=subprocess.PIPE,
            text=True,
            check=True,
            cwd=tmp_path,
            timeout=60,
        )
    assert result.stderr.splitlines() == [
        "standard output: output would overwrite the input out: the same file",
        "in: output would overwrite the input standard input: the same file",
    ]


WRITER = """
import os, sys, threading
from senna_py.cli.entry import leave
from senna_py.io.files import replace_file
import signal
signal.signal(signal.SIGHUP, signal.SIG_DFL)  # which nohup has ignored
if sys.argv[2] == "command":
    signal.signal(signal.SIGINT, leave)
def write(file):
    file.write(b"half")
    file.flush()
    print("begun", flush=True)
    signal.pause()
replace_file(sys.argv[1], write)
"""


@pytest.mark.process
@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="signals of POSIX")
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
@pytest.mark.parametrize("how", ["command", "program"])
def test_a_signal_leaves_no_half_written_file(name, how, place):
    number = getattr(signal, name)
    (place / "m").write_bytes(b"old")
    command = [sys.executable, "-c", WRITER, str(place / "m"), how]
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as process:
        assert process.stdout.readline() == b"begun\n"
        assert len(os.listdir(place)) == 2
        process.send_signal(number)
    ctrl_c = 130 if how == "command" else -number
    assert process.returncode == (ctrl_c if name == "SIGINT" else -number)
    assert os.listdir(place) == ["m"]
    assert (place / "m").read_bytes() == b"old"
