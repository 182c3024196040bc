"""Processes of a Dask cluster that die."""

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

dask = pytest.importorskip("dask")
distributed = pytest.importorskip("distributed")
pytest.importorskip("pyarrow")

from senna_py.errors import SennaError  # noqa: E402
from senna_py.parts import run  # noqa: E402 - it needs these libraries
from senna_py.parts.inputs import Input, Part  # noqa: E402
from senna_py.parts.run import connect, results  # noqa: E402
from tests.helpers.commands import MODEL, installed  # noqa: E402

pytestmark = [pytest.mark.extra, pytest.mark.process]

MANY = "SENNA_PY_VARIANTS" in os.environ


@pytest.fixture(scope="module")
def client_of_two():
    """A Client of two worker processes, of which two or three may die at one task."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(run._ON_THIS_MACHINE, "distributed.scheduler.allowed-failures", 2 + MANY)
        with connect(None, 2) as client:
            client.wait_for_workers(2)
            yield client


def n_outputs():
    return len(list(Path("out").glob("in.txt.*")))


class Killer(threading.Thread):
    """Kills a worker process each time that there are so many outputs; a nanny begins another."""

    def __init__(self, cluster, at):
        super().__init__(daemon=True)
        self._cluster, self.at, self.killed = cluster, at, []
        self.start()

    def run(self):
        chance = random.Random(1)
        for number in self.at:
            while n_outputs() < number:
                time.sleep(0.005)
            pids = [nanny.pid for nanny in self._cluster.workers.values() if nanny.pid]
            pids = [pid for pid in pids if pid not in self.killed]
            self.killed.append(chance.choice(pids))
            os.kill(self.killed[-1], signal.SIGKILL)


def test_workers_that_are_killed_lose_and_double_nothing(
    tag, client_of_two, golden, in_one_process
):
    Path("in.txt").write_bytes((golden / "random.txt").read_bytes() * 4)
    n_kills = 10 if MANY else 2
    killer = Killer(client_of_two.cluster, sorted(random.Random(1).sample(range(1, 30), n_kills)))
    assert tag("in.txt", by=client_of_two, part_bytes=3000, format="jsonl") == 0, tag.notes
    assert len(killer.killed) == len(killer.at)
    found = sorted(Path("out").glob("in.txt.*"))
    assert b"".join(path.read_bytes() for path in found) == in_one_process("in.txt", format="jsonl")
    assert len(found) == len(json.loads(Path("out/_manifest.json").read_text())["parts"]) == 35
    for line in tag.notes:  # of workers that could not say any more what they had done
        assert line.endswith(" of 35 parts were there already")


def test_an_input_that_kills_its_workers_fails_and_the_others_go_on(client_of_two):
    bad, good = (Part(Input(name, f"memory://{name}", 1, "")) for name in ("bad", "good"))
    work = SimpleNamespace(
        tag=lambda part, place: part.input.name == "good" or os.kill(os.getpid(), signal.SIGKILL)
    )
    found = dict(results(client_of_two, work, [[bad], [good]]))
    assert found[good] is True
    assert found[bad].startswith("bad, part 0: KilledWorker: ")


def test_a_worker_that_is_stopped_is_killed_and_another_does_its_work(monkeypatch):
    key = "distributed.scheduler.worker-ttl"
    assert run._ON_THIS_MACHINE[key] == "60s"
    monkeypatch.setitem(run._ON_THIS_MACHINE, key, "1s")
    part, work = Part(Input("a", "memory://a", 1, "")), SimpleNamespace(tag=lambda part, place: 7)
    with pytest.raises(SennaError, match="a worker stopped answering"), connect(None, 1) as client:
        (nanny,) = client.cluster.workers.values()
        os.kill(nanny.pid, signal.SIGSTOP)
        assert dict(results(client, work, [[part]])) == {part: 7}
        raise TimeoutError  # as the end of a cluster does


def test_no_scheduler_and_no_worker_are_a_clear_end(monkeypatch):
    with (
        dask.config.set({"distributed.comm.timeouts.connect": "0.5s"}),
        pytest.raises(SennaError, match=r"tcp://127.0.0.1:9: no Dask workers"),
        connect("tcp://127.0.0.1:9", 1),
    ):
        pass
    monkeypatch.setattr(run, "_SECONDS_TO_WAIT", 0.3)
    with (
        distributed.LocalCluster(
            n_workers=0, dashboard_address="127.0.0.1:0", host="127.0.0.1"
        ) as empty,
        pytest.raises(SennaError, match="no Dask workers"),
        connect(empty.scheduler_address, 1),
    ):
        pass


def test_a_scheduler_that_is_killed_is_a_clear_end(tmp_path):
    command = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--no-dashboard"]
    command += ["--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(tmp_path / "at")]
    scheduler = subprocess.Popen(command, stderr=subprocess.DEVNULL, cwd=tmp_path)
    try:
        while not ((tmp_path / "at").exists() and (tmp_path / "at").read_text()):
            assert scheduler.poll() is None
            time.sleep(0.05)
        address = json.loads((tmp_path / "at").read_text())["address"]
        part = Part(Input("a", "memory://a", 1, ""))
        with distributed.Client(address, set_as_default=False) as client:
            found = results(client, SimpleNamespace(tag=lambda part, place: None), [[part]])
            threading.Timer(0.5, scheduler.kill).start()
            with pytest.raises(SennaError, match="the scheduler is gone; what is done stays"):
                next(found)
    finally:
        scheduler.kill()
        scheduler.wait()


def test_the_program_of_a_checkout_starts_workers_that_do_not_start_it_again(tmp_path):
    program = Path(__file__).resolve().parents[2] / "bin" / "senna-py"
    (tmp_path / "in.txt").write_text("No.\n")
    arguments = ["corpus", "--path", MODEL, "--pos", "--jobs", "1", "-o", "out", "in.txt"]
    command = [sys.executable, program, *arguments]
    subprocess.run(command, cwd=tmp_path, check=True, stderr=subprocess.PIPE, timeout=240)
    assert [path.name for path in tmp_path.glob("out/in.txt.*")]


def test_who_is_interrupted_leaves_nothing_and_says_nothing(tmp_path):
    (tmp_path / "in.txt").write_text("He reads a book .\n" * 200_000)  # more than is soon done
    command = [installed("senna-py"), "corpus", "--path", MODEL, "--jobs", "2"]
    command += ["-o", "out", "in.txt"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, cwd=tmp_path)
    assert process.stderr.readline() == b"1 part, 3,600,000 bytes\n"
    time.sleep(2)  # while workers begin
    process.send_signal(signal.SIGINT)
    rest = process.communicate(timeout=60)[1]  # all that had it open have ended
    assert all(b" of 3,600,000 bytes" in line for line in rest.splitlines()), rest  # progress
    assert process.returncode == 130


def test_why_no_process_starts(monkeypatch):
    def fails(*_args, **_options):
        try:
            raise OSError(24, "Too many open files")
        except OSError as error:
            raise RuntimeError("Nanny failed to start.") from error

    monkeypatch.setattr(run, "Client", fails)
    with (
        pytest.raises(SennaError, match=r"^local: no Dask workers: .*open files$"),
        connect(None, 2),
    ):
        pass


def test_too_few_open_files_are_a_line(tmp_path):
    (tmp_path / "in.txt").write_text("He reads a book .\n")
    command = f"ulimit -n 32; exec {installed('senna-py')} corpus --path {MODEL} --jobs 4"
    command = ["bash", "-c", command + " -o out in.txt"]
    found = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False, timeout=60)
    assert found.returncode == 1
    first, line = found.stderr.splitlines()
    assert first.startswith(b"1 part, ")
    assert b"only 32 open files are allowed" in line
