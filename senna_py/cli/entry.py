"""Entry points of the console commands, which Ctrl-C ends without a traceback."""

import gc
import importlib
import os
import signal
import sys
from functools import partial

TYPE_CHECKING = False  # Importing `typing` would slow down the start.
if TYPE_CHECKING:
    from types import ModuleType
    from typing import NoReturn

# The modules of commands with small matrix products, which several BLAS threads would
# slow down. With one thread, training is also reproducible.
_SMALL_PRODUCTS = ("corpus", "redact", "search", "serve", "tag", "train", "warm_up")


def load(name: str) -> "ModuleType":
    """Import the module of a command.

    If its matrix products are small, OpenBLAS is first limited to one thread, unless
    OPENBLAS_NUM_THREADS is set.
    """
    if name in _SMALL_PRODUCTS:
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    return importlib.import_module(f"senna_py.cli.{name}")


def _run(name: str) -> None:
    # Ctrl-C ends the process at once, unless the signal is ignored. Output is written
    # batch by batch, so nothing is lost. A KeyboardInterrupt would wait for running
    # threads, and could turn into another error in an import.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, leave)
    # Imports create many objects but little garbage, so collect less often.
    gc.set_threshold(10_000)
    command = load(name).command
    from senna_py.cli.running import run  # Imported after Ctrl-C is handled.

    run(command)


# The entry points of the console commands. Training handles Ctrl-C itself, to write a
# checkpoint first.
root, tag, model, lm, train, evaluate = (
    partial(_run, name) for name in ("root", "tag", "model", "lm", "train", "eval")
)


def leave(*_: object) -> "NoReturn":
    """End the process at once with exit code 130; a signal handler for Ctrl-C.

    Temporary files that are not finished are deleted.
    """
    if os.isatty(2):
        os.write(2, b"\x1b[?25h\n")  # Show the cursor, which a progress bar hides.
    if (files := sys.modules.get("senna_py.io.files")) is not None:
        files.delete_unfinished()
    os._exit(130)
