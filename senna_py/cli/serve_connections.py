"""Connections of the server: those whose request does not come are closed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from uvicorn.protocols.http.h11_impl import H11Protocol

from senna_py.io.system import allow_open_files

if TYPE_CHECKING:
    import asyncio

MOST_CONNECTIONS = 1000
PATIENCE = 10  # seconds in which something of a connection has to come to its end
_OWN_FILES = 48  # which the server has open besides connections


class Connection(H11Protocol):
    """A connection that has PATIENCE seconds, once or twice, to send the head of a
    request.

    uvicorn has no such limit, nor one for a client that does not read its answer: each
    of them would keep a connection from others. If there are more than `most`, the
    oldest one without a request is closed, so that a new client is always heard.
    """

    most = MOST_CONNECTIONS

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to look whether it gets any further, and make room for it."""
        super().connection_made(transport)
        self._since = self.loop.time()
        self._seen = self._progress()
        self._timer = self.loop.call_later(PATIENCE, self._look)
        there = [each for each in self.connections if not each.transport.is_closing()]
        idle = [
            each for each in there if isinstance(each, Connection) and not each.is_busy
        ]
        if len(there) > self.most and len(idle) > 1:  # this is one of them
            min(idle, key=lambda each: each._since).transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """Look no more."""
        self._timer.cancel()
        super().connection_lost(exc)

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        self._since = self.loop.time()
        super().on_response_complete()

    @property
    def is_busy(self) -> bool:
        """Whether there is a request without its answer."""
        return self.cycle is not None and not self.cycle.response_complete

    def _progress(self) -> Any:
        """Return what changes when a request begins, is answered, or an answer is
        read.
        """
        return self.cycle, self.is_busy, self.transport.get_write_buffer_size()

    def _look(self) -> None:
        before, self._seen = self._seen, self._progress()
        if not self.is_busy and self._seen == before:
            self.transport.abort()
            return
        self._timer = self.loop.call_later(PATIENCE, self._look)


def connection_options() -> dict[str, Any]:
    """Options of uvicorn for as many connections as open files allow, up to
    MOST_CONNECTIONS.
    """
    files = allow_open_files(_OWN_FILES + 2 * MOST_CONNECTIONS) - _OWN_FILES
    most = max(min(files * 2 // 3, MOST_CONNECTIONS), 4)
    backlog = max(most // 2, 1)  # as many may come at once, before others are closed
    connection = type("Connection", (Connection,), {"most": most})
    return {"http": connection, "backlog": backlog, "limit_concurrency": most + backlog}
