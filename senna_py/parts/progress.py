"""What workers tell, while they are at work, of what they have done."""

from __future__ import annotations

import contextlib
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_listener: ContextVar[Callable[..., Any] | None] = ContextVar("listener", default=None)


def tell(*message: Any) -> None:
    """Tell whoever reads the results, if anybody does."""
    if (listener := _listener.get()) is not None:
        listener(*message)


@contextlib.contextmanager
def telling(listener: Callable[..., Any]) -> Iterator[None]:
    """A context in which a listener is called with what is told."""
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)
