"""Whole processes: their time, their first output, and their memory.

What is measured is started by a small process, which is this file run as a program: the
peak memory of a child counts that of the process from which it was forked.
"""

import fcntl
import json
import os
import signal
import subprocess
import sys
import time
from statistics import median

__all__ = ["ONE_THREAD", "Launch", "median_ratio"]

ONE_THREAD = dict.fromkeys(
    ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1"
)


class Launch:
    """Starts one command with different arguments, inputs and environments."""

    def __init__(self, command, environment):
        """Take the command, a list of str, and the variables to add to the environment."""
        self._command, self._environment = command, environment

    def __call__(
        self, *arguments, text=os.devnull, n_bytes=None, first_byte=False, **environment
    ):
        """Run the command; return a dict with `seconds`, `processor` and `peak_bytes`.

        Args:
            arguments: The arguments of the command.
            text: The file that is its standard input.
            n_bytes: Repeat the text to about as many bytes, in whole lines, through a pipe.
            first_byte: Stop the command when it has printed a byte; the result is then about
                the time until that.
            environment: Further variables.

        The standard error of the command is only shown if it fails.
        """
        given = json.dumps(
            [[*self._command, *map(str, arguments)], str(text), n_bytes, first_byte],
        )
        result = subprocess.run(
            [sys.executable, "-I", "-S", __file__, given],
            env={**_plain_environment(), **self._environment, **environment},
            capture_output=True,
            check=False,
        )
        if result.returncode:
            sys.stderr.buffer.write(result.stderr)
            result.check_returncode()
        return json.loads(result.stdout)


def _plain_environment():
    """Return the environment without limits on threads, which are only for this
    process.
    """
    return {name: value for name, value in os.environ.items() if name not in ONE_THREAD}


def median_ratio(run, base, n_pairs):
    """Return the median of run() / base(), and both medians in seconds.

    They run alternately, after one run of each.
    """
    run(), base()
    pairs = [(run(), base()) for _ in range(n_pairs)]
    ratios = [a / b for a, b in pairs]
    return tuple(median(values) for values in (ratios, *zip(*pairs, strict=True)))


def _main(command, text, n_bytes, first_byte):
    source = os.open(text, os.O_RDONLY) if n_bytes is None else _feed(text, n_bytes)
    output, target = (
        os.pipe() if first_byte else (None, os.open(os.devnull, os.O_WRONLY))
    )
    actions = [(os.POSIX_SPAWN_DUP2, source, 0), (os.POSIX_SPAWN_DUP2, target, 1)]
    begin = time.perf_counter()
    child = os.posix_spawn(command[0], command, os.environ, file_actions=actions)
    os.close(source)
    os.close(target)
    printed = first_byte and os.read(output, 1)
    if printed:
        os.kill(child, signal.SIGKILL)
    _, status, usage = os.wait4(child, 0)
    seconds = time.perf_counter() - begin
    if status and not printed:
        sys.exit(f"{' '.join(command)}: status {status}")
    result = {
        "seconds": seconds,
        "processor": usage.ru_utime + usage.ru_stime,
        "peak_bytes": usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024),
    }
    print(json.dumps(result))


def _feed(path, n_bytes):
    """Return the descriptor of a pipe into which a process writes the text repeatedly."""
    read, write = os.pipe()
    if sys.platform == "linux":
        fcntl.fcntl(write, fcntl.F_SETPIPE_SZ, 1 << 20)  # as large as a batch at least
    if os.fork():
        os.close(write)
        return read
    os.close(read)
    with open(path, "rb") as file:
        data = file.read()
    left = max(n_bytes, data.find(b"\n") + 1)  # a line at least
    try:
        while data:
            data = data[: data.rfind(b"\n", 0, left) + 1]
            left -= len(data)
            view = memoryview(data)
            while view:
                view = view[os.write(write, view) :]
    except BrokenPipeError:
        pass
    os._exit(0)


if __name__ == "__main__":
    _main(*json.loads(sys.argv[1]))
