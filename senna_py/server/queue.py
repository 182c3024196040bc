"""The queue of requests, and the threads that work on them in order."""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from starlette.requests import Request

Result = TypeVar("Result")
_RETRY = {"Retry-After": "1"}  # The number of seconds after which to ask again.


class Queue:
    """Works on requests in threads, in the order in which they come.

    Requests whose clients have disconnected, or whose time is over, lose their turn.

    Attributes:
        n_waiting: The number of requests that wait for a thread.
        n_running: The number of requests on which a thread works.
    """

    def __init__(self, jobs: int, max_concurrent: int) -> None:
        """Prepare the threads.

        Args:
            jobs: The number of threads.
            max_concurrent: The maximum number of requests that wait or are worked on.
        """
        self._threads = ThreadPoolExecutor(jobs, "tagging")
        self._most, self._lock = max_concurrent, threading.Lock()
        self.n_waiting = self.n_running = 0

    async def run(
        self, request: Request, work: Callable[[Callable[[], bool]], Result]
    ) -> Result:
        """Call a function in a thread when one is free, and return its result.

        Args:
            request: The request, whose body has been read.
            work: The function. Its argument is a function that returns whether the
                result is still wanted.

        Raises:
            HTTPException: If too many requests wait.
            ClientDisconnect: If the client disconnects first. Work that has begun is
                then finished or abandoned in its thread.
        """
        if self.n_waiting + self.n_running >= self._most:
            reason = (
                f"{self._most:,} requests are waiting: ask again later, or send several "
                "texts in a request"
            )
            raise HTTPException(429, reason, _RETRY)
        turn, loop = _Turn(), asyncio.get_running_loop()
        with self._lock:
            self.n_waiting += 1
        answer = loop.run_in_executor(self._threads, self._work, work, turn)
        answer.add_done_callback(_read_error)
        leaving = asyncio.ensure_future(_wait_until_left(request))
        try:
            await asyncio.wait((answer, leaving), return_when=asyncio.FIRST_COMPLETED)
            if not answer.done():
                raise ClientDisconnect
            result = answer.result()
            assert result is not None, "only a turn that is over has no result"
            return result
        finally:
            self._end(turn)
            answer.cancel()
            leaving.cancel()

    def _end(self, turn: _Turn) -> None:
        with self._lock:
            turn.is_over = True
            if not turn.has_begun:
                self.n_waiting -= 1

    def _work(
        self, work: Callable[[Callable[[], bool]], Result], turn: _Turn
    ) -> Result | None:
        with self._lock:
            if turn.is_over:
                return None
            turn.has_begun = True
            self.n_waiting -= 1
            self.n_running += 1
        try:
            return work(lambda: not turn.is_over)
        finally:
            with self._lock:
                self.n_running -= 1


@dataclass
class _Turn:
    """The turn of a request: whether a thread has begun with it, and whether it is over."""

    has_begun: bool = False
    is_over: bool = False


def _read_error(answer: asyncio.Future[Any]) -> None:
    """Read the error of an answer, which asyncio would log if nobody waits for it."""
    if not answer.cancelled():
        answer.exception()


async def _wait_until_left(request: Request) -> None:
    """Return when the client disconnects, after it has sent its whole request."""
    while (await request.receive())["type"] != "http.disconnect":
        await asyncio.sleep(1)  # uvicorn sends nothing else.
