"""Faults of a cluster, tried one after the other: what is lost, what is doubled, how a run ends.

python benchmarks/cluster_faults.py --model MODEL --text TEXT [--kills 10]

Each row of the table that is printed is a run of `senna-tag --cluster` on a scheduler and two
worker processes of its own, to which something happens. Outputs are compared byte for byte with
those of one process. TEXT should take about a minute. A server of moto takes the place of S3, if
moto and s3fs are installed; a full disk is a small tmpfs, if one may be mounted.
"""

import argparse
import importlib.util
import json
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import psutil

BIN = Path(sys.executable).parent


class Cluster:
    """A scheduler and workers as processes."""

    def __init__(self, place, environment=None):
        self.environment = {
            **os.environ, "DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "12",
            "DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT": "5s", **(environment or {}),
        }  # fmt: skip
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.address = f"tcp://127.0.0.1:{port}"
        self.place = place
        at = ["--host", "127.0.0.1", "--port", str(port), "--no-dashboard"]
        self.scheduler = self._start("scheduler", *at)
        self.nanny = self._start(
            "worker", self.address, "--nworkers", "2", "--nthreads", "1", "--no-dashboard"
        )

    def _start(self, what, *arguments):
        return subprocess.Popen(
            [BIN / "dask", what, *arguments], env=self.environment, cwd=self.place,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip

    def workers(self):
        """Processes of workers."""
        children = psutil.Process(self.nanny.pid).children(recursive=True)
        return [each for each in children if "resource_tracker" not in " ".join(each.cmdline())]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        family = (
            [psutil.Process(self.nanny.pid), *self.workers()] if self.nanny.poll() is None else []
        )
        for process in family:
            try:
                process.kill()
            except psutil.NoSuchProcess:
                continue
        for process in (self.scheduler, self.nanny):
            process.kill()
            process.wait()


class Trial:
    """A text, its tags by one process, and runs on clusters."""

    def __init__(self, place, model, text):
        self.place, self.model, self.text = place, model, text
        self.options = ["-path", str(model), "-pos", "-ner", "--format", "jsonl"]
        self.part_size = max(text.stat().st_size // 40, 1)
        begin = time.monotonic()
        one = subprocess.run(
            [BIN / "senna-tag", *self.options, text.name],
            cwd=place,
            stdout=subprocess.PIPE,
            check=True,
        )
        self.expected, self.seconds = one.stdout, time.monotonic() - begin

    def start(self, cluster, output, *arguments, inputs=None, environment=None):
        """Begin a run; returns the process."""
        return subprocess.Popen(
            [BIN / "senna-tag", *self.options, "--cluster", cluster.address, "--output-dir", output,
             "--part-size", str(self.part_size), *arguments, *(inputs or [self.text.name])],
            cwd=self.place, stderr=subprocess.PIPE, text=True,
            env=environment or cluster.environment,
        )  # fmt: skip

    def outputs(self, output):
        """Outputs of the text, in order."""
        return sorted((self.place / output).glob(f"{self.text.name}.*-of-*"))

    def wait_for(self, output, number, process):
        """Wait until there are so many outputs."""
        while len(self.outputs(output)) < number:
            if process.poll() is not None:
                raise SystemExit(f"ended too soon: {process.stderr.read()}")
            time.sleep(0.01)

    def verdict(self, output):
        """Whether the bytes are those of one process, and the manifest says that all is there."""
        manifest = json.loads((self.place / output / "_manifest.json").read_text())
        data = b"".join(path.read_bytes() for path in self.outputs(output))
        same = "same bytes" if data == self.expected else "OTHER BYTES"
        return f"{same}, {'complete' if manifest['complete'] else 'INCOMPLETE'}"


def end(process):
    """Exit code and last line of a run."""
    _, said = process.communicate()
    line = said.strip().splitlines()[-1] if said.strip() else "nothing"
    return (
        f"exit {process.returncode}, `{line[:160]}`"
        if said.strip()
        else f"exit {process.returncode}"
    )


def killed_workers(trial, n_kills):
    """Workers killed by SIGKILL at random moments."""
    chance, killed = random.Random(24), 0
    with Cluster(trial.place) as cluster:
        process = trial.start(cluster, "kills")
        trial.wait_for("kills", 1, process)
        while killed < n_kills and process.poll() is None:
            time.sleep(chance.uniform(0.2, 2))
            alive = cluster.workers()
            if alive:
                chance.choice(alive).kill()
                killed += 1
        result = end(process)
    return f"{killed} workers killed (SIGKILL)", f"{result}; {trial.verdict('kills')}"


def killed_scheduler(trial):
    """The scheduler killed in the middle, and the run repeated on another."""
    with Cluster(trial.place) as cluster:
        process = trial.start(cluster, "scheduler")
        trial.wait_for("scheduler", 5, process)
        cluster.scheduler.kill()
        first = end(process)
    with Cluster(trial.place) as cluster:
        second = end(trial.start(cluster, "scheduler"))
    return "scheduler killed", f"{first}; again: {second}; {trial.verdict('scheduler')}"


def killed_client(trial):
    """The command itself killed, and repeated while its workers may still be at work."""
    with Cluster(trial.place) as cluster:
        process = trial.start(cluster, "client")
        trial.wait_for("client", 5, process)
        process.kill()
        process.wait()
        second = end(trial.start(cluster, "client"))
    return "senna-tag killed (SIGKILL)", f"again: {second}; {trial.verdict('client')}"


def full_disk(trial):
    """A full disk, made larger afterwards."""
    disk = trial.place / "disk"
    disk.mkdir()
    size = len(trial.expected) // 2
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", disk],
        capture_output=True,
        check=False,
    )
    if mounted.returncode:
        return "full disk", "not tried: no tmpfs may be mounted"
    try:
        with Cluster(trial.place) as cluster:
            first = end(trial.start(cluster, "disk/out"))
            subprocess.run(["mount", "-o", f"remount,size={8 * size}", disk], check=True)
            second = end(trial.start(cluster, "disk/out"))
        return "full disk", f"{first}; made larger: {second}; {trial.verdict('disk/out')}"
    finally:
        subprocess.run(["umount", disk], check=False)


def no_model(trial):
    """Workers that do not have the model, which is where the run begins."""
    hidden = trial.place / "only-here"
    shutil.copytree(trial.model, hidden)
    # The directory is on their disk as well, so they are made not to see it.
    plugin = trial.place / "sitecustomize.py"
    plugin.write_text(
        "import os\nif os.environ.get('SENNA_FAULT'):\n"
        "    import senna_py.cluster.models as models\n"
        "    is_at = models.ModelCopy._is_at\n"
        "    models.ModelCopy._is_at = lambda self, place: "
        "'only-here' not in str(place) and is_at(self, place)\n"
    )
    options, trial.options = trial.options, ["-path", "only-here", *trial.options[2:]]
    fault = {"PYTHONPATH": str(trial.place), "SENNA_FAULT": "1"}
    try:
        with Cluster(trial.place, fault) as cluster:
            plain = dict(os.environ)
            first = end(trial.start(cluster, "model", environment=plain))
            second = end(trial.start(cluster, "model", "--send-model", environment=plain))
    finally:
        trial.options = options
        plugin.unlink()
    return "workers without the model", f"{first}; --send-model: {second}; {trial.verdict('model')}"


def bad_inputs(trial):
    """Inputs that cannot be read, among others."""
    (trial.place / "bad.jsonl").write_text('{"text": "a"}\n{"text": 1}\n')
    (trial.place / "bad.txt.xz").write_bytes(b"\xfd7zXZ\0 and no more")
    (trial.place / "bad.bin").write_bytes(bytes(1000))
    with Cluster(trial.place) as cluster:
        names = ["bad.jsonl", "none.txt", "bad.txt.xz", trial.text.name, "bad.bin"]
        process = trial.start(cluster, "bad", inputs=names)
        _, said = process.communicate()
    lines = [line.removeprefix("senna-tag: ") for line in said.strip().splitlines()]
    shown = "; ".join(f"`{line[:90]}`" for line in lines)
    return (
        "four bad inputs",
        f"exit {process.returncode}, {shown}; {trial.verdict('bad')} without them",
    )


def object_store(trial):
    """Inputs and outputs on S3, and a worker killed."""
    if not (importlib.util.find_spec("moto") and importlib.util.find_spec("s3fs")):
        return "S3, a worker killed", "not tried: no moto or no s3fs"
    import fsspec

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = subprocess.Popen(
        [BIN / "moto_server", "-p", str(port)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    keys = {
        "AWS_ENDPOINT_URL": f"http://127.0.0.1:{port}", "AWS_ACCESS_KEY_ID": "x",
        "AWS_SECRET_ACCESS_KEY": "x", "AWS_DEFAULT_REGION": "us-east-1",
    }  # fmt: skip
    os.environ.update(keys)
    try:
        store = fsspec.filesystem("s3", use_listings_cache=False)
        for _ in range(100):
            try:
                store.mkdir("corpus")
                break
            except Exception:  # the server is not there yet
                time.sleep(0.2)
        store.put_file(str(trial.text), f"corpus/{trial.text.name}")
        with Cluster(trial.place) as cluster:
            process = trial.start(cluster, "s3://corpus/out", inputs=["s3://corpus/*.txt"])
            while (
                len(store.ls("corpus/out/corpus") if store.exists("corpus/out/corpus") else []) < 3
            ):
                time.sleep(0.1)
            cluster.workers()[0].kill()
            result = end(process)
        found = [path for path in store.find("corpus/out/corpus") if "-of-" in path]
        data = b"".join(store.cat_file(path) for path in sorted(found))
        expected = trial.expected.replace(
            f'"{trial.text.name}"'.encode(), f'"s3://corpus/{trial.text.name}"'.encode()
        ).replace(
            f'"id": "{trial.text.name}'.encode(), f'"id": "s3:__corpus_{trial.text.name}'.encode()
        )
        manifest = json.loads(store.cat_file("corpus/out/_manifest.json"))
        same = "same bytes" if data == expected else "OTHER BYTES"
        whole = "complete" if manifest["complete"] else "INCOMPLETE"
        return "S3, a worker killed", f"{result}; {same}, {whole}"
    finally:
        server.kill()
        server.wait()
        for key in keys:
            os.environ.pop(key, None)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--text", type=Path, required=True, help="a file of lines")
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--only", help="names of functions here, with commas")
    arguments = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    with tempfile.TemporaryDirectory() as directory:
        place = Path(directory)
        text = Path(shutil.copy(arguments.text, place / "text.txt"))
        trial = Trial(place, arguments.model.absolute(), text)
        print(
            f"one process: {trial.seconds:.1f} s\n\n| fault | what came out |\n|---|---|",
            flush=True,
        )
        faults = [
            lambda trial: killed_workers(trial, arguments.kills), killed_scheduler, killed_client,
            full_disk, no_model, bad_inputs, object_store,
        ]  # fmt: skip
        for fault in faults:
            name = getattr(fault, "__name__", "")
            if arguments.only and name.replace("<lambda>", "killed_workers") not in arguments.only:
                continue
            row = fault(trial)
            print(f"| {row[0]} | {row[1].replace(str(place), '.')} |", flush=True)


if __name__ == "__main__":
    main()
