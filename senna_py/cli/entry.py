"""Entry points of the console commands; Ctrl-C ends them quietly, even during imports."""

import importlib
import os
import signal

__all__ = ["evaluate", "lm", "model", "tag", "train"]


def tag():
    """Run senna-tag, whose matrix products are too small for threads of their own."""
    _run("tag", blas_threads="1")


def model():
    """Run senna-model."""
    _run("model")


def lm():
    """Run senna-lm; training handles Ctrl-C itself, to write a checkpoint first."""
    _run("lm")


def train():
    """Run senna-train; it handles Ctrl-C itself, to write a checkpoint first.

    Its matrix products are small: threads only get in each other's way, and with one thread the
    same seed gives the same model.
    """
    _run("train", blas_threads="1")


def evaluate():
    """Run senna-eval."""
    _run("eval")


def _run(command, blas_threads=None):
    """Run the command of a module of this package as a process.

    blas_threads: for matrix products, unless the user has set it; it has to be set before NumPy is
    imported.
    """
    _exit_on_interrupt()
    if blas_threads:
        os.environ.setdefault("OPENBLAS_NUM_THREADS", blas_threads)
    importlib.import_module(f"senna_py.cli.{command}").main()


def _exit_on_interrupt():
    """Make Ctrl-C end the process at once with exit code 130.

    Output is written batch by batch, so nothing is pending; raising KeyboardInterrupt instead
    would wait for threads at work and, in the middle of an import, turn into other errors.
    """
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # else it is ignored
        signal.signal(signal.SIGINT, _exit)


def _exit(*_):
    if os.isatty(2):
        os.write(2, b"\x1b[?25h\n")  # a progress bar hides the cursor
    os._exit(130)
