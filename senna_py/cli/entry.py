"""Where the console commands begin: Ctrl-C ends them quietly, also while they still import."""

import os
import signal

__all__ = ["evaluate", "lm", "model", "tag", "train"]


def tag():
    """Run senna-tag as a process.

    NumPy multiplies matrices only for short texts: other threads would start for nothing.
    """
    _exit_on_interrupt()
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from senna_py.cli.tag import main

    main()


def model():
    """Run senna-model as a process."""
    _exit_on_interrupt()
    from senna_py.cli.model import main

    main()


def lm():
    """Run senna-lm as a process; training takes Ctrl-C over, to write a checkpoint first."""
    _exit_on_interrupt()
    from senna_py.cli.lm import main

    main()


def train():
    """Run senna-train as a process; it takes Ctrl-C over, to write a checkpoint first.

    Its matrix products are small: more threads than one for each only get in each other's way,
    and with one the same seed gives the same model.
    """
    _exit_on_interrupt()
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from senna_py.cli.train import main

    main()


def evaluate():
    """Run senna-eval as a process."""
    _exit_on_interrupt()
    from senna_py.cli.eval import main

    main()


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
