"""Programs that are killed at random moments.

A trainer that was killed goes on from its checkpoint and ends with the same bits as one that was
not; a file that is written is the old one or the new one. Processes are forked from one in which
the kernels are ready, and killed by SIGKILL.
"""

import os
import shutil
import signal
import time

from senna_py.io.locks import LOCK
from tests.fuzz.cases import call, written
from tests.helpers.small_trainers import TRAINERS, assert_same_run

_MOST_STARTS = 200  # of a run that is killed again and again


def _fork(work):
    """Number of a process that does `work`, and prints nothing."""
    child = os.fork()
    if child:
        return child
    code = 1
    try:
        null = os.open(os.devnull, os.O_RDWR)
        for descriptor in (1, 2):
            os.dup2(null, descriptor)
        work()
        code = 0
    finally:
        os._exit(code)


def _killed(work, seconds):
    """Whether a process that does `work` had to be killed after so many seconds.

    Raises AssertionError if it failed.
    """
    child, end = _fork(work), time.monotonic() + seconds
    while not (ended := os.waitpid(child, os.WNOHANG))[0] and time.monotonic() < end:
        time.sleep(0.001)
    if not ended[0]:
        os.kill(child, signal.SIGKILL)
        ended = os.waitpid(child, 0)
    assert os.WIFSIGNALED(ended[1]) or ended[1] == 0, f"it ended with {ended[1]}"
    return os.WIFSIGNALED(ended[1])


def kill_trainer(name, directory, source, kills):
    """Kill the run of a trainer so often, and compare it with one that was not.

    source: random.Random. Returns how often it was killed before its end. Raises AssertionError
    unless both have the same checkpoint, the same model and the same log.
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


class KilledOutput:
    """Something that writes a file, and what it must be.

    write: called with a Path; read: bytes of what is there, None if nothing is.
    """

    def __init__(self, name, write, directory, file=None, overwrites=True):
        """file: of a directory that is written, which comes last; else it is a file.

        overwrites: whether any file may be there already.
        """
        self.name, self._write, self._directory = name, write, directory
        self._file, self._overwrites = file, overwrites and file is None
        begun = time.monotonic()
        write(directory / "whole")
        self.seconds = time.monotonic() - begun
        self._wanted = self._read(directory / "whole")
        assert self._wanted

    def kill(self, source):
        """Kill it once at a random moment; returns whether that was before its end.

        Raises AssertionError if what is there is neither what was there before nor all of the new.
        """
        path = self._directory / "out"
        shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
        old = None
        if self._overwrites and source.random() < 0.5:
            old = self._wanted[:9] + b"old"
            path.write_bytes(old)
        killed = _killed(lambda: self._write(path), source.uniform(0, self.seconds))
        found = self._read(path)
        allowed = (old, self._wanted) if killed else (self._wanted,)
        assert found in allowed, (self.name, killed, None if found is None else len(found))
        return killed

    def kill_often(self, source, kills):
        """Kill it so often before its end."""
        for _ in range(kills):
            while not self.kill(source):
                pass

    def _read(self, path):
        if self._file is None:
            return path.read_bytes() if path.exists() else None
        if not (path / self._file).exists():
            return None
        # A process that is killed leaves the file of its lock, though not the lock.
        files = sorted(each for each in path.rglob("*") if each.is_file() and each.name != LOCK)
        return b"".join(each.read_bytes() for each in files)


_OUT = object()  # stands for what a command writes


def jobs(directory, names=None, n_lines=3000):
    """Yield a KilledOutput for each command that writes files, or for those of some names.

    n_lines: of the text that is tagged.
    """
    from senna_py.cli.root import command
    from senna_py.kernels.runtime.pace import one_way
    from tests.fuzz.of_models import GOLDEN, language_models

    one_way(plain=False)
    source, native = GOLDEN / "model", directory / "native.safetensors"
    prose = written(directory / "prose.txt", b"The dog sees a cat in New York City .\n" * n_lines)
    text = written(directory / "text.txt", b"a dog sees a cat and the cat sees a dog\n" * 500)
    rows = (b"w%d %.4f %.4f %.4f\n" % (i, i / 7, i / 3, 1 / (i + 1)) for i in range(5000))
    vectors = written(directory / "v.txt", b"".join(rows))
    assert call(command, "model", "import", source, native) is None
    models = {path.stem: path for path in language_models(directory / "lm")}
    tag = ("tag", "--path", source, "--pos", "--ner", "--lines", "-o", _OUT, prose, "--format")
    commands = {
        **{f"tag {form}": (*tag, form) for form in ("senna", "jsonl", "conllu")},
        "lm score": ("lm", "score", models["interpolated"], prose, "-o", _OUT),
        "lm export": ("lm", "export", models["ngram"], _OUT, "--to", "lm"),
        "lm train": ("lm", "train", "ngram", _OUT, text, "--order", "3"),
        "vectors export": ("vectors", "export", vectors, _OUT, "--to", "word2vec"),
        "model import": ("model", "import", source, _OUT),
        "model build": ("model", "build", _OUT, native),
        "model export": ("model", "export", _OUT, "--path", source),
    }
    last = {
        "model import": "model.safetensors", "model build": "model.safetensors",
        "model export": "hash/words.lst",
    }  # fmt: skip
    for name in names or commands:
        place = directory / name

        def write(path, arguments=commands[name]):
            assert call(command, *(path if each is _OUT else each for each in arguments)) is None

        place.mkdir()
        overwrites = name not in ("lm export", "lm train")
        yield KilledOutput(name, write, place, last.get(name), overwrites)
