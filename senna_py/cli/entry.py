"""Entry points of the console commands; Ctrl-C ends them quietly, even in imports."""

import gc
import importlib
import os
import signal
import sys
from functools import partial

TYPE_CHECKING = False  # importing `typing` takes time
if TYPE_CHECKING:
    from types import ModuleType
    from typing import NoReturn

# Modules whose matrix products are small. Several threads of BLAS would slow them down;
# with one thread, the same seed gives the same model.
_SMALL_PRODUCTS = ("corpus", "serve", "tag", "train", "warm_up")


def load(name: str) -> "ModuleType":
    """Import the module of a command; before, set the threads of BLAS if need be."""
    if name in _SMALL_PRODUCTS:
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    return importlib.import_module(f"senna_py.cli.{name}")


def _run(name: str) -> None:
    # Ctrl-C ends the process at once. Output is written batch by batch, so nothing is
    # pending. KeyboardInterrupt would wait for threads at work, and turn into other
    # errors in an import. If the signal is ignored, it stays so.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, leave)
    # Modules make many objects and no garbage: look for garbage less often.
    gc.set_threshold(10_000)
    command = load(name).command
    from senna_py.cli.running import run  # only now: Ctrl-C is handled

    run(command)


# The functions that the console commands call. Training handles Ctrl-C itself, because
# it writes a checkpoint first.
root, tag, model, lm, train, evaluate = (
    partial(_run, name) for name in ("root", "tag", "model", "lm", "train", "eval")
)


def leave(*_: object) -> "NoReturn":
    """End the process at once, as a handler of Ctrl-C."""
    if os.isatty(2):
        os.write(2, b"\x1b[?25h\n")  # show the cursor, which a progress bar hides
    if (files := sys.modules.get("senna_py.io.files")) is not None:
        files.delete_unfinished()
    os._exit(130)
