"""Entry points of the console commands; Ctrl-C ends them quietly, even during
imports.
"""

import gc
import importlib
import os
import signal
import sys
from functools import partial

# Modules whose matrix products are small: threads of BLAS only get in each other's way,
# and with one thread the same seed gives the same model.
_SMALL_PRODUCTS = ("corpus", "serve", "tag", "train", "warm_up")


def load(name):
    """Import a module with a command, after setting the threads of BLAS unless the user
    has.
    """
    if name in _SMALL_PRODUCTS:
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    return importlib.import_module(f"senna_py.cli.{name}")


def _run(name):
    # Ctrl-C ends the process at once. Output is written batch by batch, so nothing is
    # pending; KeyboardInterrupt would wait for threads at work, and turn into other
    # errors in an import.
    if (
        signal.getsignal(signal.SIGINT) is signal.default_int_handler
    ):  # else it is ignored
        signal.signal(signal.SIGINT, leave)
    gc.set_threshold(
        10_000
    )  # modules are many objects and no garbage: look for it less often
    command = load(name).command
    from senna_py.cli.running import run  # after a handler of Ctrl-C is there

    run(command)


# Functions of the commands. Training handles Ctrl-C itself, to write a checkpoint
# first.
root, tag, model, lm, train, evaluate = (
    partial(_run, name) for name in ("root", "tag", "model", "lm", "train", "eval")
)


def leave(*_):
    """End at once, as for Ctrl-C."""
    if os.isatty(2):
        os.write(2, b"\x1b[?25h\n")  # a progress bar hides the cursor
    if (files := sys.modules.get("senna_py.io.files")) is not None:
        files.delete_unfinished()
    os._exit(130)
