"""Signals by which a user ends a command."""

import contextlib
import signal
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any

from senna_py.io.system import STOP_SIGNALS


@contextlib.contextmanager
def on_interrupt(handler: Callable[[int, FrameType | None], Any]) -> Iterator[None]:
    """Call a handler at signals that end a command, unless they are ignored."""
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
    """Let signals stop a TrainingRun in a block; yield the list of those that came."""
    caught: list[int] = []

    def stop(number: int, frame: FrameType | None) -> None:
        caught.append(number)
        training.stop()

    with on_interrupt(stop):
        yield caught
