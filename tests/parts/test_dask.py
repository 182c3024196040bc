"""A Dask cluster: one that is not there, one that goes, and what its workers say."""

import json
import subprocess
import sys
import threading
import time
from queue import Queue
from types import SimpleNamespace

import pytest

dask = pytest.importorskip("dask")
distributed = pytest.importorskip("distributed")
pytest.importorskip("pyarrow")

from senna_py.errors import SennaError  # noqa: E402
from senna_py.parts import cluster  # noqa: E402 - it needs these libraries
from senna_py.parts.cluster import Cluster  # noqa: E402
from senna_py.parts.inputs import Input, Part  # noqa: E402
from senna_py.parts.run import connect, outcomes  # noqa: E402
from senna_py.parts.tasks import PartTask  # noqa: E402

pytestmark = [pytest.mark.extra, pytest.mark.process]


def test_no_scheduler_and_no_worker_are_a_clear_end(monkeypatch):
    with (
        dask.config.set({"distributed.comm.timeouts.connect": "0.5s"}),
        pytest.raises(SennaError, match=r"tcp://127.0.0.1:9: no Dask workers"),
        connect("tcp://127.0.0.1:9", 1),
    ):
        pass
    monkeypatch.setattr(cluster, "_SECONDS_TO_WAIT", 0.3)
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
    command += [
        "--host",
        "127.0.0.1",
        "--port",
        "0",
        "--scheduler-file",
        str(tmp_path / "at"),
    ]
    scheduler = subprocess.Popen(command, stderr=subprocess.DEVNULL, cwd=tmp_path)
    try:
        while not ((tmp_path / "at").exists() and (tmp_path / "at").read_text()):
            assert scheduler.poll() is None
            time.sleep(0.05)
        address = json.loads((tmp_path / "at").read_text())["address"]
        part = Part(Input("a", "memory://a", 1, ""))
        with distributed.Client(address, set_as_default=False) as client:
            work = SimpleNamespace(tag=lambda part, place, tell: None)
            found = outcomes(Cluster(client), work, [[part]], print)
            threading.Timer(0.5, scheduler.kill).start()
            with pytest.raises(
                SennaError, match="the scheduler is gone; what is done stays"
            ):
                next(found)
    finally:
        scheduler.kill()
        scheduler.wait()


def test_what_a_task_tells_before_somebody_waits_is_heard(client, capsys):
    def tell_early(part, place, tell):
        tell(part.input.name, 7, 1)
        return True

    told = Queue()
    cluster = Cluster(client)
    part = Part(Input("early", "memory://early", 1, ""))
    cluster.submit(PartTask(tell_early, part, None))
    while not client.get_events("senna-py"):
        time.sleep(0.01)
    after = Queue()  # What the client hears next, it hears after the task.
    client.subscribe_topic("after", after.put)
    while (
        after.empty()
    ):  # The scheduler may hear of an event before it is asked for it.
        client.log_event("after", True)
        time.sleep(0.01)
    [(_, outcome)] = cluster.finished(lambda *done: told.put(done))
    assert outcome is True
    assert told.get(timeout=60) == ("early", 7, 1)
    assert capsys.readouterr().out == ""


def test_what_goes_wrong_on_a_worker_is_said_and_the_others_go_on(client):
    bad, good = (
        Part(Input(name, f"memory://{name}", 1, "")) for name in ("bad", "good")
    )

    def tag(part, place, tell):
        tell(part.input.name, 7, 1)
        if part.input.name == "bad":
            raise RuntimeError("odd")
        return True

    told = Queue()
    found = dict(
        outcomes(
            Cluster(client),
            SimpleNamespace(tag=tag),
            [[bad], [good]],
            lambda *m: told.put(m),
        )
    )
    assert found == {bad: "bad, part 0: RuntimeError: odd", good: True}
    assert {told.get(timeout=60), told.get(timeout=60)} == {
        ("bad", 7, 1),
        ("good", 7, 1),
    }
