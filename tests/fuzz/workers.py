"""Processes in which cases run, so that a crash, a hang or a flood of memory is a finding too."""

import json
import os
import re
import resource
import select
import shutil
import signal
import time
import traceback
from collections import Counter
from itertools import islice
from pathlib import Path

from tests.fuzz.cases import Finding, make_case, use_case

__all__ = ["Counts", "fuzz", "replay"]

_CASES = 200  # of one process
_SECONDS = 60  # of the processor for one case, which takes milliseconds
_FIRST_SECONDS = 900  # of the first cases of a target, which may compile kernels
_FIRST_CASES = 50
_PATIENCE = 900.0  # seconds without a sign of life, where a process waits and takes no time
_MEMORY = 3 << 30  # bytes of addresses, more than the process has before its first case
_OF_ONE_CASE = re.compile(r"'[^']*'|\"[^\"]*\"|\(.*\)|\d+")  # what may differ in a message
_KEPT = 3  # findings that are saved of those which end in the same line


class Counts(Counter):
    """How many cases were refused with a message, accepted, and findings; by these names."""

    def __str__(self):
        """One line."""
        n = self["refused"] + self["accepted"] + self["found"]
        return (f"{n:,} cases: {self['accepted']:,} accepted, {self['refused']:,} refused, "
                f"{self['found']:,} findings")  # fmt: skip


def fuzz(target, seeds, directory, end, say=print):
    """Run the cases of a Target with the numbers `seeds`, an iterator, until `end`.

    directory: a Path for scratch files, and for `findings`; end: of time.monotonic(). Returns
    Counts and a dict of the first line of each kind of finding and how often it came.
    """
    counts, kinds, seeds = Counts(), Counter(), iter(seeds)
    base = directory / "base" / target.name
    shutil.rmtree(base, ignore_errors=True)
    target.prepare(base)
    n_cases, limit = _FIRST_CASES, _FIRST_SECONDS
    while batch := list(islice(seeds, n_cases)):
        while batch and time.monotonic() < end:
            batch = _run_batch(target, batch, directory, (end, limit), counts, kinds, say)
        if time.monotonic() >= end:
            break
        n_cases, limit = _CASES, _SECONDS
    shutil.rmtree(base, ignore_errors=True)
    return counts, kinds


def _run_batch(target, seeds, directory, limits, counts, kinds, say):
    """Run cases in a process; returns the seeds that are left when it ended early."""
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        os.close(reader)
        _work(target, seeds, directory, *limits, writer)
    os.close(writer)
    done, running = 0, None
    with os.fdopen(reader, "rb", buffering=0) as lines:
        for line in _lines(lines, child):
            found = json.loads(line)
            running = found["seed"]
            if found["state"] == "begun":
                continue
            done += 1
            counts[found["state"]] += 1
            if found["state"] == "found":
                case = directory / f"case-{running}"
                _save(target, found["seed"], found["given"], found["text"], case, kinds, say)
            running = None
    status = os.waitpid(child, 0)[1]
    if running is not None:
        number = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
        reason = f"ended by {signal.Signals(number).name}" if number else f"ended with {status}"
        if number == signal.SIGXCPU:
            reason = f"hangs: more than {limits[1]} s"
        counts["found"] += 1
        given = None  # unless it was made
        if (directory / "case.json").exists():
            given = json.loads((directory / "case.json").read_text())["given"]
        _save(target, running, given, reason, directory / "case", kinds, say)
        return seeds[done + 1 :]
    return []


def _lines(file, child):
    """Yield the lines of a pipe; ends the child when it gives no sign of life for long."""
    left = b""
    while True:
        if not select.select([file], [], [], _PATIENCE)[0]:
            os.kill(child, signal.SIGKILL)
        data = file.read(1 << 16)
        if not data:
            return
        *lines, left = (left + data).split(b"\n")
        yield from lines


def _work(target, seeds, directory, end, seconds, writer):
    """Run cases as a process of its own; never returns."""
    code = 1
    try:
        _limit(resource.RLIMIT_AS, _addresses() + _MEMORY)
        _limit(resource.RLIMIT_CORE, 0)
        case = directory / "case"
        for seed in seeds:
            if time.monotonic() > end:
                break
            _tell(writer, seed=seed, state="begun")
            _limit(resource.RLIMIT_CPU, int(time.process_time()) + seconds)
            shutil.rmtree(case, ignore_errors=True)
            case.mkdir(parents=True)
            (directory / "case.json").unlink(missing_ok=True)
            given = problem = None
            try:
                given = make_case(target, seed, case)
                # Beside the case, which `use` may write into.
                _note(case.with_name("case.json"), target, seed, given)
                message = use_case(target, case, given)
                _tell(writer, seed=seed, state="accepted" if message is None else "refused")
            except Finding as finding:
                problem = str(finding)
            except BaseException:
                problem = traceback.format_exc()
            if problem is not None:
                case.rename(case.with_name(f"case-{seed}"))  # the next one begins before it is kept
                _tell(writer, seed=seed, state="found", given=given, text=problem)
        code = 0
    finally:
        os._exit(code)


def _note(path, target, seed, given, **more):
    path.write_text(json.dumps({"target": target.name, "seed": seed, "given": given} | more))


def _limit(kind, soft):
    hard = resource.getrlimit(kind)[1]
    resource.setrlimit(kind, (soft if hard == resource.RLIM_INFINITY else min(soft, hard), hard))


def _addresses():
    """Bytes of addresses that this process has."""
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    return pages * resource.getpagesize()


def _tell(writer, **what):
    data = json.dumps(what).encode() + b"\n"
    while data:
        data = data[os.write(writer, data) :]


def _save(target, seed, given, text, case, kinds, say):
    """Keep the files of a finding for a replay, unless enough of its kind are kept."""
    kind = _kind(text)
    kinds[kind] += 1
    if kinds[kind] > _KEPT:
        shutil.rmtree(case, ignore_errors=True)
        return
    place = case.parent / "findings" / f"{target.name}-{seed}"
    shutil.rmtree(place, ignore_errors=True)
    place.parent.mkdir(parents=True, exist_ok=True)
    case.rename(place)
    _note(place / "case.json", target, seed, given, problem=text)
    say(f"{target.name}: seed {seed}: {kind}; saved in {place}")


def _kind(text):
    """What tells findings apart: the error, and the last line of this program in a traceback."""
    lines = text.strip().split("\n")
    places = re.findall(r'File "([^"]*(?:senna_py|tests/fuzz)/[^"]*", line \d+)', text)
    error = _OF_ONE_CASE.sub("#", lines[-1])[:120]
    return f"{error} in {places[-1]}".replace('",', ",") if places else error


def replay(targets, path, directory, say=print):
    """Use a saved finding again, in this process; returns whether it is one still."""
    path = Path(path)
    saved = json.loads((path / "case.json").read_text())
    target = next(each for each in targets if each.name == saved["target"])
    target.prepare(directory / "base" / target.name)
    case = directory / "case"
    shutil.rmtree(case, ignore_errors=True)
    given = saved["given"]
    if given is None:
        case.mkdir(parents=True)
        given = make_case(target, saved["seed"], case)
    else:
        shutil.copytree(path, case, symlinks=True)
    try:
        message = use_case(target, case, given)
    except Finding as finding:
        say(str(finding))
        return True
    say(f"no finding: {'accepted' if message is None else message}")
    return False
