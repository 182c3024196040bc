"""Context managers that handle signals such as Ctrl-C in commands."""

import contextlib
import signal
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any

from senna_py.io.system import STOP_SIGNALS


@contextlib.contextmanager
def on_interrupt(handler: Callable[[int, FrameType | None], Any]) -> Iterator[None]:
    """Install a handler for termination signals that are not ignored, for a block."""
    before = {number: signal.getsignal(number) for number in STOP_SIGNALS}
    before = {number: old for number, old in before.items() if old != signal.SIG_IGN}
    for number in before:
        signal.signal(number, handler)
    try:
        yield
    finally:
        for number, old in before.items():
            signal.signal(number, old)


@contextlib.contextmanager
def interrupts(training: Any) -> Iterator[list[int]]:
    """Stop a TrainingRun gracefully if a termination signal arrives in the block.

    Yields:
        A list of the numbers of the signals that have arrived.
    """
    caught: list[int] = []

    def stop(number: int, frame: FrameType | None) -> None:
        caught.append(number)
        training.stop()

    with on_interrupt(stop):
        yield caught
