"""How a run in parts scales: two workers measured, up to 1,000 simulated from measured times.

python benchmarks/cluster_scaling.py two --text TEXT [--model MODEL] [--rounds N] [OPTIONS...]
python benchmarks/cluster_scaling.py simulate --text TEXT [--model MODEL] [--tokens N] [OPTIONS...]

OPTIONS are those of senna-tag, after `--`, such as `-- -pos`. `two` runs one process and two local
workers in turns and prints the ratio of their rates, by the clock and by the time of processors,
which other programs on the machine change less. `simulate` measures on a sample what a token, a
part and the start of a worker cost, and simulates runs with these times.
"""

import argparse
import heapq
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
import tracemalloc
from dataclasses import dataclass
from pathlib import Path

BIN = Path(sys.executable).parent
_TASKS = 400  # empty ones, of which the cost of a part is measured


def run(place, *arguments):
    """Run senna-tag; returns seconds by the clock and of processors."""
    begin, before = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
    with open(place / "printed", "wb") as output:
        subprocess.run([BIN / "senna-tag", *map(str, arguments)], stdout=output, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return time.monotonic() - begin, used


def two(arguments, options, place):
    """One process and two workers in turns."""
    model = ["-path", arguments.model] if arguments.model else []
    rows = []
    for i in range(arguments.rounds):
        one = run(place, *model, *options, arguments.text)
        output = place / f"out{i}"
        both = run(
            place, *model, *options, "--cluster", "local", "--jobs", 2, "--output-dir", output,
            "--part-size", arguments.part_size, arguments.text,
        )  # fmt: skip
        manifest = json.loads((output / "_manifest.json").read_text())
        tokens = manifest["tokens"]
        rows.append((one, both))
        print(
            f"{tokens:,} tokens in {len(manifest['parts'])} parts: one process {one[0]:.1f} s "
            f"({one[1]:.1f} s of processors), two workers {both[0]:.1f} s ({both[1]:.1f} s): "
            f"{one[0] / both[0] / 2:.2f} of twice by the clock, {one[1] / both[1]:.2f} by "
            "processors",
            flush=True,
        )


@dataclass
class Costs:
    """What is measured, on one core.

    token: seconds a token; bytes_in, bytes_out: of text and of output a token; scan: seconds a byte
    read for lines and characters; part: seconds of scheduler and command for a part, which are one
    after the other; own: seconds of a worker for a part besides its tokens; start: seconds until a
    worker tags; memory: bytes of the command for a part; model: bytes of the model.
    """

    token: float
    bytes_in: float
    bytes_out: float
    scan: float
    part: float
    own: float
    start: float
    memory: float
    model: float


def measure(arguments, options, place):
    """Costs of tagging TEXT."""
    model = ["-path", arguments.model] if arguments.model else []
    size = arguments.text.stat().st_size
    out = place / "one-part"
    run(place, *model, *options, "--output-dir", place / "warm", arguments.text)  # compiled
    _, whole = run(
        place, *model, *options, "--output-dir", out, "--part-size", "1G", arguments.text
    )
    found = json.loads((out / "_manifest.json").read_text())
    sentence = place / "sentence.txt"
    sentence.write_text("This is one sentence .\n")
    _, start = run(place, *model, *options, "--output-dir", place / "start", sentence)
    n_parts = 100
    _, parts = run(
        place, *model, *options, "--output-dir", place / "parts", "--part-size",
        max(size // n_parts, 1), arguments.text,
    )  # fmt: skip
    imports = cpu_of(place, "import distributed, senna_py.cli.tag_parts")
    tokens = found["tokens"]
    return Costs(
        token=(whole - start) / tokens, bytes_in=size / tokens, bytes_out=found["bytes"] / tokens,
        scan=scan_seconds(arguments.text) / size, part=part_seconds(),
        own=max(parts - whole, 0) / n_parts, start=start + imports, memory=part_memory(),
        model=sum(p.stat().st_size for p in Path(arguments.model or "models/en").rglob("*.*")),
    )  # fmt: skip


def cpu_of(place, code):
    """Seconds of processors of a Python process."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", code], check=True, cwd=place)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def scan_seconds(path):
    """Seconds of a processor to find how many lines and characters a file has."""
    from senna_py.cluster.extents import extent_of
    from senna_py.cluster.inputs import find_inputs
    from senna_py.cluster.parts import Part, PartSource

    (found,), _ = find_inputs([str(path)])
    begin = time.process_time()
    with PartSource(Part(found, 0, 1)) as source:
        extent_of(source)
    return time.process_time() - begin


def part_seconds():
    """Seconds of this process, command and scheduler in one, for a task that does nothing."""
    from senna_py.cluster.engines import local_cluster

    engine = local_cluster(1)
    try:
        engine.slots  # noqa: B018 - waits for the worker
        begin = time.process_time()
        given = 0
        while given < _TASKS or engine.busy:
            while given < _TASKS and engine.busy < 6:
                engine.submit(given, int, given)
                given += 1
            engine.wait()[1]()
        return (time.process_time() - begin) / _TASKS
    finally:
        engine.close()


def part_memory():
    """Bytes of a Part and of its record in the command."""
    from senna_py.cluster.inputs import Input
    from senna_py.cluster.parts import Part, cut
    from senna_py.cluster.work import facts_of

    tracemalloc.start()
    found = Input("s3://bucket/a.txt", "s3://bucket/a.txt", 10_000 << 20, "0" * 32, "text", False)
    parts: list[Part] = cut(found, 1 << 20)
    kept = {
        part.name: json.loads(json.dumps({
            **facts_of(part), "sentences": 1000 + part.number, "tokens": 10000 + part.number,
            "notes": [], "output": part.name, "bytes": 10**6 + part.number, "sha256": "0" * 64,
        }))
        for part in parts
    }  # fmt: skip
    size = tracemalloc.get_traced_memory()[0] / len(kept)
    tracemalloc.stop()
    return size


def simulate(costs, n_tokens, workers, part_bytes, store, machines_fail, seed=24):
    """Seconds of a run.

    store: bytes a second that all workers get together; machines_fail: hours until a worker dies,
    on average, to be replaced after its start.
    """
    chance = random.Random(seed)
    n_parts = -(-int(n_tokens * costs.bytes_in) // part_bytes)
    per_part = n_tokens / n_parts
    moved = per_part * (2 * costs.bytes_in + costs.bytes_out)  # text is read twice, to know lines
    share = store / workers
    base = per_part * costs.token + part_bytes * costs.scan + costs.own + moved / share
    begin = costs.start + costs.model / share
    free = [begin * chance.uniform(0.8, 1.5) for _ in range(workers)]
    speed = [chance.gauss(1, 0.05) for _ in range(workers)]
    rate = sum(1 / each for each in speed) / workers
    speed = [each * rate for each in speed]  # some are slow, but all together are as measured
    heap = [(at, i) for i, at in enumerate(free)]
    heapq.heapify(heap)
    dispatcher = end = 0.0
    mean = machines_fail * 3600
    for _ in range(n_parts):
        at, worker = heapq.heappop(heap)
        dispatcher += 2 * costs.part  # to scan it and to tag it
        at = max(at, dispatcher)
        seconds = base * max(speed[worker] * chance.gauss(1, 0.1), 0.3)
        while chance.random() < seconds / mean:  # it dies somewhere in the part
            lost = chance.random() * seconds
            at += lost + begin
        end = max(end, at + seconds)
        heapq.heappush(heap, (at + seconds, worker))
    return end


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("what", choices=["two", "simulate"])
    parser.add_argument("--text", type=Path, required=True)
    parser.add_argument("--model")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--part-size", default="1M")
    parser.add_argument("--tokens", type=float, default=1e12)
    parser.add_argument("--store", type=float, default=10e9, help="bytes/s of the store")
    parser.add_argument(
        "--machines-fail", type=float, default=500, help="hours to a worker's death"
    )
    split = sys.argv.index("--") if "--" in sys.argv else len(sys.argv)
    arguments, options = parser.parse_args(sys.argv[1:split]), sys.argv[split + 1 :]
    arguments.text = arguments.text.absolute()
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    with tempfile.TemporaryDirectory() as directory:
        place = Path(directory)
        if arguments.what == "two":
            two(arguments, options, place)
            return
        costs = measure(arguments, options, place)
    print(costs, flush=True)
    ideal = arguments.tokens * costs.token
    print(f"\n| workers | {' | '.join(f'{size} MiB' for size in (4, 16, 64, 256))} |")
    print("|---|---|---|---|---|")
    for workers in (1, 10, 100, 1000):
        cells = []
        for size in (4, 16, 64, 256):
            # Few workers finish in the same way a fraction of the text.
            tokens = arguments.tokens * min(1, workers / 1000)
            seconds = simulate(
                costs, tokens, workers, size << 20, arguments.store, arguments.machines_fail
            )
            efficiency = tokens * costs.token / workers / seconds
            cells.append(
                f"{efficiency:.3f}, {workers * seconds / 3600 * arguments.tokens / tokens:,.0f} h"
            )
        print(f"| {workers:,} | {' | '.join(cells)} |", flush=True)
    n_parts = arguments.tokens * costs.bytes_in / (16 << 20)
    print(f"\nideal: {ideal / 3600:,.0f} core hours; parts of 16 MiB: {n_parts:,.0f}, "
          f"{n_parts * costs.memory / 1e9:.2f} GB in the command")  # fmt: skip


if __name__ == "__main__":
    main()
