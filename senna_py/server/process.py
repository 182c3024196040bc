"""The process of the server: how it starts, and how signals end it."""

from __future__ import annotations

import contextlib
import math
import os
from typing import TYPE_CHECKING

import uvicorn

from senna_py.server.connections import connection_options

if TYPE_CHECKING:
    from types import FrameType

    from starlette.types import ASGIApp

# Answers that were ready at the last moment have this time to be sent, in seconds.
_TIME_TO_SEND = 2


class Server(uvicorn.Server):
    """A server that a second signal ends at once, whichever signal it is."""

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Begin to end the server or, at the second signal, end the process."""
        if self.should_exit:
            # The first process of a container ignores signals that it sends itself.
            os._exit(128 + sig)
        super().handle_exit(sig, frame)


def serve(application: ASGIApp, host: str, port: int, timeout: float) -> None:
    """Serve an application until a signal ends the process.

    After the signal, there are no new connections, and accepted requests are answered.

    Args:
        application: The application.
        host: The address to listen on.
        port: The port, or 0 for any.
        timeout: The time limit for a request in seconds.
    """
    config = uvicorn.Config(
        application,
        host=host,
        port=port,
        ws="none",
        lifespan="off",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=math.ceil(timeout) + _TIME_TO_SEND,
        **connection_options(),
    )
    with contextlib.suppress(KeyboardInterrupt):
        Server(config).run()
