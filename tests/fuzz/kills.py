"""Programs that are killed at random moments.

A trainer that was killed goes on from its checkpoint and ends with the same bits as one
that was not; what is written is whole or absent. Processes are forked from one in which
the kernels are ready, and killed by SIGKILL.
"""

import os
import shutil
import signal
import time

from senna_py.io.locks import LOCK
from tests.helpers.commands import files_below
from tests.helpers.small_trainers import TRAINERS, assert_same_run

_MOST_STARTS = 200  # of a run that is killed again and again


def _killed(work, seconds):
    """Whether a process that does `work`, quietly, had to be killed after so many
    seconds.

    Raises AssertionError if it failed.
    """
    child, end, code = os.fork(), time.monotonic() + seconds, 1
    if not child:
        try:
            null = os.open(os.devnull, os.O_RDWR)
            for descriptor in (1, 2):
                os.dup2(null, descriptor)
            work()
            code = 0
        finally:
            os._exit(code)
    while not (ended := os.waitpid(child, os.WNOHANG))[0] and time.monotonic() < end:
        time.sleep(0.001)
    if not ended[0]:
        os.kill(child, signal.SIGKILL)
        ended = os.waitpid(child, 0)
    assert os.WIFSIGNALED(ended[1]) or ended[1] == 0, f"it ended with {ended[1]}"
    return os.WIFSIGNALED(ended[1])


def kill_trainer(name, directory, source, kills):
    """Kill the run of a trainer so often, and compare it with one that was not.

    source: random.Random. Returns how often it was killed before its end. Raises
    AssertionError unless both have the same checkpoint, the same model and the same
    log.
    """
    new, n_killed = TRAINERS[name](directory), 0
    whole = new(directory / "whole")
    assert whole.run(checkpoint_every=0)
    begun = time.monotonic()  # by now, kernels are there
    assert not _killed(lambda: new(directory / "timed").run(checkpoint_every=0), 600)
    seconds = time.monotonic() - begun
    for number in range(_MOST_STARTS):
        place = directory / "killed"

        def work(place=place):
            run = new(place)
            if run.checkpoint.exists():
                run.resume()
            run.run(checkpoint_every=0)

        if n_killed >= kills or number + 1 == _MOST_STARTS:
            assert not _killed(work, 20 * seconds + 600)
            break
        if _killed(work, source.uniform(0, seconds)):
            n_killed += 1
        else:  # it was finished: again from the beginning
            assert_same_run(new(place), whole)
            shutil.rmtree(place)
    assert_same_run(new(place), whole)
    return n_killed


def kill_output(write, directory, source, kills, last=None):
    """Kill what writes a file, or a directory, so often; it must be whole or not be
    there.

    write: called with a Path; source: random.Random; last: of a directory, the file
    that comes last.
    """
    write(directory / "whole")
    begun = time.monotonic()  # by now, kernels are there
    write(directory / "timed")
    seconds, n_killed = time.monotonic() - begun, 0
    path, wanted = directory / "out", _read(directory / "whole", last)
    assert wanted
    while n_killed < kills:
        shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
        killed = _killed(lambda: write(path), source.uniform(0, seconds))
        found = _read(path, last)
        assert found == wanted or (killed and found is None), (
            killed,
            found and len(found),
        )
        n_killed += killed


def _read(path, last):
    """What is there, or None; a process that is killed leaves the file of its lock."""
    if not (path / last if last else path).exists():
        return None
    return files_below(path) | {LOCK: None} if last else path.read_bytes()
