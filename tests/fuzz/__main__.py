"""Look for input that the program does not stand: `python -m tests.fuzz --minutes 60`.

A case follows from its number: `--target NAME --cases 1 --seed NUMBER` runs a finding
again, and leaves its files in the printed directory. Exit code 1 if anything was found.
"""

import argparse
import itertools
import json
import os
import resource
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from pathlib import Path

from tests.fuzz.cases import Finding, run_case
from tests.fuzz.of_annotations import AnnotationFiles
from tests.fuzz.of_files import (
    ColumnFiles,
    Configurations,
    Lists,
    PredicateFiles,
    RecordFiles,
    Scored,
    Vectors,
)
from tests.fuzz.of_models import (
    ArpaFiles,
    LanguageModels,
    NativeModels,
    SennaDirectories,
)
from tests.fuzz.of_parts import Corpora, JsonLines, Requests, Tables
from tests.fuzz.of_redaction import Redactions
from tests.fuzz.of_search import Searches
from tests.fuzz.of_text import Documents, RuleFiles, Texts

TARGETS = (  # in the order in which the long run takes them
    NativeModels(),
    SennaDirectories(),
    LanguageModels(),
    ArpaFiles(),
    Vectors(),
    Lists(),
    ColumnFiles(),
    Scored(),
    PredicateFiles(),
    RecordFiles(),
    AnnotationFiles(),
    Configurations(),
    Texts(),
    Documents(),
    RuleFiles(),
    Redactions(),
    Searches(),
    Requests(),
    Corpora(),
    JsonLines(),
    Tables(),
)
_CASES = 200  # of one process
_SECONDS = 60  # of the processor for one case, which takes milliseconds
_FIRST_SECONDS = 900  # of the first cases of a target, which may compile kernels
_PATIENCE = 900  # seconds of one case, where a process waits and takes no time
_MEMORY = 3 << 30  # bytes of addresses, more than the process has before its first case


def fuzz(target, seeds, directory, end=float("inf"), say=print):
    """Run cases of a Target in processes, so that a crash, a hang or a flood of memory
    is found.

    seeds: iterator of the numbers of the cases; directory: a Path for scratch files;
    end: of time.monotonic(). Returns a Counter of `accepted`, `refused` and `found`.
    """
    target.prepare(directory / "base" / target.name)
    counts, seconds, seeds = Counter(), _FIRST_SECONDS, iter(seeds)
    while time.monotonic() < end and (batch := list(itertools.islice(seeds, _CASES))):
        while batch:
            rows, status = _in_a_process(target, batch, directory, seconds, end)
            if status:
                rows[-1][1:] = (
                    "found",
                    f"ended by {signal.Signals(os.WTERMSIG(status)).name}",
                )
            for seed, state, text in rows:
                counts[state] += 1
                if state == "found":
                    say(f"{target.name}: seed {seed}: {text}")
            batch = batch[len(rows) :] if status else []
        seconds = _SECONDS
    return counts


def _in_a_process(target, seeds, directory, seconds, end):
    """Run cases in a process: rows of seed, state and message, and the status of its
    end.
    """
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        os.close(reader)
        _work(target, seeds, directory / "case", seconds, end, writer)
    os.close(writer)
    rows = []
    with open(reader, encoding="utf-8") as lines:
        for seed, state, text in map(json.loads, lines):
            rows += [[seed, state, text]] if state == "begun" else []
            rows[-1][1:] = state, text
    return rows, os.waitpid(child, 0)[1]


def _work(target, seeds, case, seconds, end, writer):
    """Run cases as a process of its own; never returns."""

    def tell(*what):
        os.write(writer, json.dumps(what).encode() + b"\n")

    _limit(resource.RLIMIT_AS, _addresses() + _MEMORY)
    _limit(resource.RLIMIT_CORE, 0)
    for seed in seeds:
        if time.monotonic() > end:
            break
        tell(seed, "begun", None)
        _limit(resource.RLIMIT_CPU, int(time.process_time()) + seconds)
        signal.alarm(_PATIENCE)
        shutil.rmtree(case, ignore_errors=True)
        case.mkdir(parents=True)
        try:
            message = run_case(target, seed, case)
            tell(seed, "accepted" if message is None else "refused", message)
        except Finding as finding:
            tell(seed, "found", str(finding))
        except BaseException:
            tell(seed, "found", traceback.format_exc())
    os._exit(0)


def _limit(kind, soft):
    hard = resource.getrlimit(kind)[1]
    resource.setrlimit(
        kind, (soft if hard == resource.RLIM_INFINITY else min(soft, hard), hard)
    )


def _addresses():
    """Bytes of addresses that this process has."""
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    return pages * resource.getpagesize()


def main():
    """Run the command; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    names = [target.name for target in TARGETS]
    parser.add_argument(
        "--minutes", type=float, default=60, help="of all targets together"
    )
    parser.add_argument("--cases", type=int, help="of each target at most")
    parser.add_argument(
        "--target", action="append", choices=names, help="default: all, one by one"
    )
    parser.add_argument(
        "--seed", type=int, help="of the first case; default: by the clock"
    )
    given = parser.parse_args()
    targets = [
        each for each in TARGETS if not given.target or each.name in given.target
    ]
    first = int(time.time()) * 1000 if given.seed is None else given.seed
    directory = Path(tempfile.mkdtemp(prefix="fuzz-"))
    print(f"seed {first}, in {directory}", flush=True)
    last, found = time.monotonic() + given.minutes * 60, 0
    for left, target in zip(range(len(targets), 0, -1), targets, strict=True):
        now = time.monotonic()
        seeds = itertools.islice(itertools.count(first), given.cases)
        counts = fuzz(target, seeds, directory, now + (last - now) / left)
        print(f"{target.name}: {dict(counts)}", flush=True)
        found += counts["found"]
    return int(found > 0)


if __name__ == "__main__":
    sys.exit(main())
