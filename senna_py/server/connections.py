"""Connections of the server, with timeouts for clients that send or read too slowly."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from uvicorn.protocols.http.h11_impl import H11Protocol

from senna_py.io.system import allow_open_files

if TYPE_CHECKING:
    import asyncio

MOST_CONNECTIONS = 1000
PATIENCE = 10  # The timeout for progress of an idle connection, in seconds.
# When the server ends, the time in seconds in which idle connections may still send a
# request. Its answer says that the server ends.
LAST_CALL = 1.0
ENDS = "ends"  # The state of requests that come while the server ends.
_CLOSE = (b"connection", b"close")
_OWN_FILES = 48  # The number of open files reserved for the server itself.


class Connection(H11Protocol):
    """A connection that is closed if it makes no progress between two checks.

    A check takes place every PATIENCE seconds. Progress means that a request has begun
    or ended, or that the client has read some of the response; connections whose
    request is being answered stay open. uvicorn itself has no such timeout. If there
    are more than `most` connections, the one that has been idle for the longest time is
    closed, so that idle clients do not keep out new ones.
    """

    most = MOST_CONNECTIONS

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start the timeout. Close the oldest idle connection if there are too many."""
        super().connection_made(transport)
        self._since = self.loop.time()
        self._seen = self._progress()
        self._timer = self.loop.call_later(PATIENCE, self._look)
        there = [each for each in self.connections if not each.transport.is_closing()]
        idle = [
            each for each in there if isinstance(each, Connection) and not each.is_busy
        ]
        if len(there) > self.most and len(idle) > 1:  # The new connection is idle, too.
            min(idle, key=lambda each: each._since).transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """Cancel the timeout."""
        self._timer.cancel()
        super().connection_lost(exc)

    def on_response_complete(self) -> None:
        """Record when the connection became idle again."""
        self._since = self.loop.time()
        super().on_response_complete()

    @property
    def is_busy(self) -> bool:
        """Whether a request is being answered."""
        return self.cycle is not None and not self.cycle.response_complete

    def shutdown(self) -> None:
        """Answer the request that was accepted, and close the connection afterwards.

        If there is none, a request that is already on its way is told that the server
        ends: otherwise, its client would not know whether it was answered.
        """
        if self.is_busy:
            self.cycle.keep_alive = False
            self.cycle.default_headers = [*self.cycle.default_headers, _CLOSE]
            return
        self.app_state = {**self.app_state, ENDS: True}
        self.loop.call_later(LAST_CALL, self._close_if_idle)

    def _close_if_idle(self) -> None:
        if not self.is_busy and not self.transport.is_closing():
            self.transport.close()

    def _progress(self) -> Any:
        """Return the state that changes if a request or its response makes progress."""
        return self.cycle, self.is_busy, self.transport.get_write_buffer_size()

    def _look(self) -> None:
        before, self._seen = self._seen, self._progress()
        if not self.is_busy and self._seen == before:
            self.transport.abort()
            return
        self._timer = self.loop.call_later(PATIENCE, self._look)


def connection_options() -> dict[str, Any]:
    """Return the options of uvicorn that limit connections.

    Beyond a number of connections, idle ones are closed. The number depends on the
    limit on open files, which is raised if possible, and is at most MOST_CONNECTIONS.
    uvicorn accepts half as many again, because new connections may arrive before old
    ones are closed.
    """
    files = allow_open_files(_OWN_FILES + 2 * MOST_CONNECTIONS) - _OWN_FILES
    most = max(min(files * 2 // 3, MOST_CONNECTIONS), 4)
    # The number of connections that may arrive before old ones are closed.
    backlog = max(most // 2, 1)
    connection = type("Connection", (Connection,), {"most": most})
    return {"http": connection, "backlog": backlog, "limit_concurrency": most + backlog}
