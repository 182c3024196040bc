"""Look for input that the program does not stand: `python -m tests.fuzz --minutes 60`.

Prints the seed, the counts of each target and what was found, and saves that below --directory,
where `--replay DIRECTORY/findings/NAME` uses it again. Exit code 1 if anything was found.
"""

import argparse
import itertools
import sys
import tempfile
import time
from pathlib import Path

from tests.fuzz.targets import TARGETS
from tests.fuzz.workers import Counts, fuzz, replay


def _arguments():
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    names = [target.name for target in TARGETS]
    parser.add_argument("--minutes", type=float, default=60, help="of all targets together")
    parser.add_argument("--cases", type=int, help="of each target at most")
    parser.add_argument("--target", action="append", choices=names, help="default: all, in turns")
    parser.add_argument("--seed", type=int, default=None, help="of the first case; default: random")
    parser.add_argument("--directory", type=Path, help="default: a new one below /tmp")
    parser.add_argument("--replay", type=Path, metavar="FINDING")
    return parser.parse_args()


def main():
    """Run the command; returns the exit code."""
    given = _arguments()
    directory = given.directory or Path(tempfile.mkdtemp(prefix="fuzz-"))
    targets = [each for each in TARGETS if not given.target or each.name in given.target]
    if given.replay:
        return int(replay(TARGETS, given.replay, directory))
    first = int(time.time()) * 1000 if given.seed is None else given.seed
    print(f"seed {first}, in {directory}", flush=True)
    begun = time.monotonic()
    totals, found = Counts(), 0
    for k, target in enumerate(targets):
        share = (given.minutes * 60 - (time.monotonic() - begun)) / (len(targets) - k)
        end = time.monotonic() + share
        counts, kinds = fuzz(target, _seeds(first, given.cases), directory, end, _say)
        print(f"{target.name}: {counts}", flush=True)
        for kind, times in kinds.most_common():
            print(f"  {times:,} times: {kind}", flush=True)
        totals += counts
        found += counts["found"]
    print(f"all: {Counts(totals)}; {(time.monotonic() - begun) / 60:.1f} minutes", flush=True)
    return int(found > 0)


def _seeds(first, n):
    return itertools.count(first) if n is None else range(first, first + n)


def _say(line):
    print(line, flush=True)


if __name__ == "__main__":
    sys.exit(main())
