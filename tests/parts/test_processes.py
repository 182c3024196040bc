"""Worker processes: those that die or are stopped, and that nobody else can reach
them.
"""

import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

pytest.importorskip("fsspec")
pytest.importorskip("pyarrow")

from senna_py.corpora.places import BatchPlace
from senna_py.errors import SennaError
from senna_py.io.streaming import InputError
from senna_py.parts import processes
from senna_py.parts.inputs import Input, Part
from senna_py.parts.run import connect, outcomes
from tests.helpers.commands import MODEL, installed

pytestmark = [pytest.mark.extra, pytest.mark.process]

MANY = "SENNA_PY_VARIANTS" in os.environ


def n_outputs():
    return len(list(Path("out").glob("in.txt.*")))


class Killer(threading.Thread):
    """Kills a worker process each time that there are so many outputs; another one
    begins.
    """

    def __init__(self, workers, at):
        super().__init__(daemon=True)
        self._workers, self.at, self.killed = workers, at, []
        self.start()

    def run(self):
        chance = random.Random(1)
        for number in self.at:
            while n_outputs() < number:
                time.sleep(0.005)
            pids = [worker.process.pid for worker in self._workers._workers]
            self.killed.append(
                chance.choice([pid for pid in pids if pid not in self.killed])
            )
            os.kill(self.killed[-1], signal.SIGKILL)


def test_workers_that_are_killed_lose_and_double_nothing(tag, golden, in_one_process):
    Path("in.txt").write_bytes((golden / "random.txt").read_bytes() * 4)
    n_kills = 10 if MANY else 2
    with connect(None, 2) as workers:
        killer = Killer(workers, sorted(random.Random(1).sample(range(1, 30), n_kills)))
        assert tag("in.txt", by=workers, part_bytes=3000, format="jsonl") == 0, (
            tag.notes
        )
    assert len(killer.killed) == len(killer.at)
    found = sorted(Path("out").glob("in.txt.*"))
    assert b"".join(path.read_bytes() for path in found) == in_one_process(
        "in.txt", format="jsonl"
    )
    assert (
        len(found)
        == len(json.loads(Path("out/_manifest.json").read_text())["parts"])
        == 35
    )
    for line in tag.notes:  # of workers that could not say any more what they had done
        assert line.endswith(" of 35 parts were there already")


def part_of(name, number=0):
    return Part(Input(name, f"memory://{name}", 1, ""), number)


def die_at_bad(part, place, tell):
    if part.input.name == "bad":
        os.kill(os.getpid(), signal.SIGKILL)
    return True


def test_an_input_that_kills_its_workers_fails_and_the_others_go_on(monkeypatch):
    assert processes.ALLOWED_DEATHS == 12
    monkeypatch.setattr(processes, "ALLOWED_DEATHS", 2)
    bad, good = part_of("bad"), part_of("good")
    work = SimpleNamespace(tag=die_at_bad)
    with connect(None, 2) as workers:
        found = dict(outcomes(workers, work, [[bad], [good]], print))
    assert found == {bad: "bad, part 0: 3 processes died", good: True}


def stop_once(part, place, tell):
    """Stop this process, unless that was done before."""
    mark = Path(part.input.url)
    if not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGSTOP)
    return 7


def test_a_process_that_is_stopped_is_killed_and_another_does_its_work(
    monkeypatch, tmp_path
):
    assert processes._BEAT * processes._MOST_QUIET == 60
    monkeypatch.setattr(processes, "_BEAT", 0.5)
    part = Part(Input("a", str(tmp_path / "mark"), 1, ""))
    with connect(None, 1) as workers:
        assert dict(
            outcomes(workers, SimpleNamespace(tag=stop_once), [[part]], print)
        ) == {part: 7}


def tag_or_fail(part, place, tell):
    tell(part.input.name, part.number, 0)
    if part.input.name == "odd":
        raise RuntimeError("odd")
    if part.input.name == "wrong":
        raise InputError("wrong: line 3")
    return place.line


def scan_or_fail(part, place, tell):
    if part.input.name == "cut" and part.number == 1:
        raise InputError("cut: has changed")
    return BatchPlace(part.input.name, place.line + 10)


def test_places_follow_each_other_and_what_goes_wrong_is_said():
    names = "good", "odd", "wrong", "cut"
    inputs = [[part_of(name, number) for number in range(3)] for name in names]
    work, told = SimpleNamespace(tag=tag_or_fail, place_after=scan_or_fail), []
    with connect(None, 3) as workers:
        found = [
            *outcomes(workers, work, inputs, lambda *message: told.append(message))
        ]
    # A part of which no place is known is not begun.
    assert len(found) == len(told) + 1 == 12
    found = dict(found)
    assert [found[part] for part in inputs[0]] == [1, 11, 21]
    assert [found[part] for part in inputs[1]] == [
        f"odd, part {number}: RuntimeError: odd" for number in range(3)
    ]
    assert [found[part] for part in inputs[2]] == ["wrong: line 3"] * 3
    assert [found[part] for part in inputs[3]] == [1, 11, "cut: has changed"]


def fail_for_all(part, place, tell):
    raise SennaError("disk full")


def test_what_concerns_all_ends_all():
    with connect(None, 2) as workers, pytest.raises(SennaError, match="disk full"):
        [
            *outcomes(
                workers, SimpleNamespace(tag=fail_for_all), [[part_of("a")]] * 9, print
            )
        ]


def test_who_is_interrupted_leaves_nothing_and_says_nothing(tmp_path):
    # More than is soon done.
    (tmp_path / "in.txt").write_text("He reads a book .\n" * 200_000)
    command = [installed("senna-py"), "corpus", "--path", MODEL, "--jobs", "2"]
    command += ["-o", "out", "in.txt"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, cwd=tmp_path)
    assert process.stderr.readline() == b"1 part, 3,600,000 bytes\n"
    time.sleep(2)  # while workers begin
    process.send_signal(signal.SIGINT)
    rest = process.communicate(timeout=60)[1]  # all that had it open have ended
    # Progress.
    assert all(b" of 3,600,000 bytes" in line for line in rest.splitlines()), rest
    assert process.returncode == 130


def test_too_few_open_files_are_a_line(tmp_path):
    (tmp_path / "in.txt").write_text("He reads a book .\n")
    command = (
        f"ulimit -n 32; exec {installed('senna-py')} corpus --path {MODEL} --jobs 4"
    )
    command = ["bash", "-c", command + " -o out in.txt"]
    found = subprocess.run(
        command, cwd=tmp_path, capture_output=True, check=False, timeout=60
    )
    assert found.returncode == 1
    first, line = found.stderr.splitlines()
    assert first.startswith(b"1 part, ")
    assert b"only 32 open files are allowed" in line


def test_the_program_of_a_checkout_starts_workers_that_do_not_start_it_again(tmp_path):
    program = Path(__file__).resolve().parents[2] / "bin" / "senna-py"
    (tmp_path / "in.txt").write_text("No.\n")
    arguments = [
        "corpus",
        "--path",
        MODEL,
        "--pos",
        "--jobs",
        "1",
        "-o",
        "out",
        "in.txt",
    ]
    command = [sys.executable, program, *arguments]
    subprocess.run(
        command, cwd=tmp_path, check=True, stderr=subprocess.PIPE, timeout=240
    )
    assert [path.name for path in tmp_path.glob("out/in.txt.*")]


def test_why_no_process_starts(monkeypatch):
    def fails():
        raise BlockingIOError(11, "Resource temporarily unavailable")

    monkeypatch.setattr(processes, "_Worker", fails)
    with (
        pytest.raises(
            SennaError, match=r"^no process can be started: Resource temporarily"
        ),
        connect(None, 2) as workers,
    ):
        [*outcomes(workers, SimpleNamespace(tag=die_at_bad), [[part_of("a")]], print)]


def test_fewer_processes_do_if_no_more_start(monkeypatch):
    begin, begun = processes._Worker, []

    def begin_one():
        if begun:
            raise BlockingIOError(11, "Resource temporarily unavailable")
        begun.append(begin())
        return begun[0]

    monkeypatch.setattr(processes, "_Worker", begin_one)
    parts = [part_of(name) for name in "abc"]
    with connect(None, 2) as workers:
        work = SimpleNamespace(tag=die_at_bad)
        assert dict(
            outcomes(workers, work, [[part] for part in parts], print)
        ) == dict.fromkeys(parts, True)
    assert not begun[0].process.is_alive()


def tree_of(pid):
    """A process and all that it began, as far as they are there."""
    found = [pid]
    for each in found:
        for path in Path(f"/proc/{each}/task").glob("*/children"):
            try:
                found += map(int, path.read_text().split())
            except OSError:
                continue
    return found


def lives(pid):
    """Whether a process is there, and not just its exit code."""
    try:
        return (
            Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
        )
    except OSError:
        return False


def sockets_of(pids):
    """Inodes of the sockets that processes have open."""
    inodes = set()
    for pid in pids:
        for path in Path(f"/proc/{pid}/fd").glob("*"):
            try:
                kind, _, number = os.readlink(path).partition(":")
            except OSError:
                continue
            if kind == "socket":
                inodes.add(number.strip("[]"))
    return inodes


def listening():
    """Inodes of the sockets of this machine that others can connect or send to."""
    rows = [
        line.split()
        for name in ("tcp", "tcp6", "udp", "udp6")
        for line in Path("/proc/net", name).read_text().splitlines()[1:]
    ]
    found = {row[9] for row in rows if row[3] in ("0A", "07")}  # LISTEN, and UDP
    units = [
        line.split() for line in Path("/proc/net/unix").read_text().splitlines()[1:]
    ]
    # That accept.
    return found | {unit[6] for unit in units if int(unit[3], 16) & 0x10000}


@pytest.mark.skipif(not Path("/proc/net/tcp").exists(), reason="needs Linux")
def test_nobody_else_can_reach_the_processes(tmp_path):
    # Three parts of a megabyte, and few tokens.
    (tmp_path / "in.txt").write_text(f"{'He' * 50} reads .\n" * 20_000)
    command = [installed("senna-py"), "corpus", "--path", MODEL, "--pos", "--jobs", "2"]
    command += ["--part-size", "1", "-o", "out", "in.txt"]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL, cwd=tmp_path)
    most, reachable = 0, set()
    try:
        while process.poll() is None:
            pids = tree_of(process.pid)
            reachable |= listening() & sockets_of(pids)
            most = max(most, len(pids))
            time.sleep(0.05)
    finally:
        process.kill()
        process.wait()
    assert process.returncode == 0
    assert most >= 3  # the workers were there
    assert not reachable
    assert len(list(tmp_path.glob("out/in.txt.*"))) == 3


@pytest.mark.skipif(not Path("/proc/net/tcp").exists(), reason="needs Linux")
def test_no_process_outlives_a_command_that_is_killed(tmp_path):
    # More than is soon done.
    (tmp_path / "in.txt").write_text("He reads a book .\n" * 200_000)
    command = [installed("senna-py"), "corpus", "--path", MODEL, "--pos", "--jobs", "2"]
    command += ["--part-size", "1", "-o", "out", "in.txt"]
    process, pids = (
        subprocess.Popen(command, stderr=subprocess.DEVNULL, cwd=tmp_path),
        [],
    )
    while len(pids) < 3 and process.poll() is None:
        pids = tree_of(process.pid)
    process.kill()
    assert process.wait() == -signal.SIGKILL
    for _ in range(600):
        if not any(map(lives, pids)):
            break
        time.sleep(0.1)
    assert not [*filter(lives, pids)]
