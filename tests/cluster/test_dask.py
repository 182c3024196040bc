"""A Dask cluster with worker processes that die."""

import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

distributed = pytest.importorskip("distributed")
pytest.importorskip("pyarrow")

from senna_py.cli import tag_cluster  # noqa: E402 - they need these libraries
from senna_py.cluster.engines import Cluster, local_cluster  # noqa: E402
from senna_py.cluster.store import Store  # noqa: E402
from senna_py.errors import SennaError  # noqa: E402
from tests.helpers.tagging import tag_in_parts as tag_parts  # noqa: E402

pytestmark = pytest.mark.extra


@pytest.fixture(scope="module")
def cluster():
    """A cluster of two worker processes."""
    engine = local_cluster(2)
    while len(engine._client.nthreads()) < 2:
        time.sleep(0.05)
    yield engine._own
    engine.close()


@pytest.fixture
def tag(golden, tmp_path, monkeypatch, cluster):
    """A function that tags inputs by the cluster; `notes` are what it says."""
    monkeypatch.chdir(tmp_path)

    def run(*inputs, to="out", **options):
        options = {"path": golden / "model", "part_size": 3000} | options
        address = cluster.scheduler_address
        return tag_parts(inputs, ["pos"], to, cluster=address, note=run.notes.append, **options)

    run.notes = []
    return run


def joined(name="in.txt", to="out"):
    return b"".join(path.read_bytes() for path in sorted(Path(to).glob(f"{name}.*")))


def n_outputs(to="out"):
    return len(list(Path(to).glob("*.*-of-*")))


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


def test_workers_that_are_killed_lose_and_double_nothing(tag, cluster, golden, in_one_process):
    Path("in.txt").write_bytes((golden / "random.txt").read_bytes() * 4)
    n_kills = 10 if "SENNA_PY_VARIANTS" in os.environ else 2
    killer = Killer(cluster, sorted(random.Random(1).sample(range(1, 30), n_kills)))
    assert tag("in.txt", format="jsonl") == 0, tag.notes
    assert len(killer.killed) == len(killer.at)
    assert joined() == in_one_process("in.txt", ["pos"], format="jsonl")
    assert len(Store.at("out").records()) == n_outputs() == 35
    assert tag.notes == []


def test_bad_inputs_do_not_stop_others(tag, golden, in_one_process):
    Path("in.txt").write_bytes((golden / "random.txt").read_bytes())
    Path("bad.jsonl").write_text('{"text": "a"}\n{"text": 1}\n')
    assert tag("in.txt", "bad.jsonl", "none.txt") == 2
    assert tag.notes == [
        "none.txt: No such file or directory",
        "bad.jsonl: line 2: the field 'text' is not text",
    ]
    assert joined() == in_one_process("in.txt", ["pos"])


def test_a_model_is_sent_to_workers_that_lack_it(tag, copied_model, tmp_path, monkeypatch):
    Path("in.txt").write_text("He sleeps .\n")
    # What workers look for is no longer where it was when the run began.
    with monkeypatch.context() as patch:
        patch.setattr(tag_cluster, "_engine", lambda *_: hidden(copied_model, _))
        with pytest.raises(SennaError, match=r"no model is at .*model: put it there, or send it"):
            tag("in.txt", path=copied_model, to="without")
        copied_model.with_name("hidden").rename(copied_model)
        assert tag("in.txt", path=copied_model, to="with", send_model=True) == 0
    assert joined(to="with")


def hidden(model, arguments):
    """The engine, after the model has been moved away."""
    model.rename(model.with_name("hidden"))
    return Cluster(arguments[0])


def test_no_scheduler_is_a_clear_end(tag, golden):
    with pytest.raises(SennaError, match="no Dask scheduler"):
        Cluster("tcp://127.0.0.1:9", patience=1)


def test_no_worker_is_a_clear_end(monkeypatch):
    with distributed.LocalCluster(
        n_workers=0, dashboard_address="127.0.0.1:0", host="127.0.0.1"
    ) as empty:
        engine = Cluster(empty.scheduler_address, patience=0.3)
        with pytest.raises(SennaError, match="no worker for 0 seconds"):
            print(engine.slots)
        engine.close()


@pytest.mark.process
def test_a_scheduler_that_is_killed_is_a_clear_end(tmp_path):
    command = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--no-dashboard"]
    command += ["--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(tmp_path / "at")]
    scheduler = subprocess.Popen(command, stderr=subprocess.DEVNULL, cwd=tmp_path)
    try:
        while not (tmp_path / "at").exists():
            assert scheduler.poll() is None
            time.sleep(0.05)
        engine = Cluster(json.loads((tmp_path / "at").read_text())["address"], patience=1)
        engine.submit("task", time.sleep, 60)
    finally:
        scheduler.kill()
        scheduler.wait()
    with pytest.raises(SennaError, match="the scheduler is gone"):
        engine.wait()[1]()
    engine.close()
