"""The log of requests: a line for each on standard error, without texts."""

from __future__ import annotations

import contextlib
import sys
import time
from typing import TYPE_CHECKING
from urllib.parse import quote

if TYPE_CHECKING:
    from starlette.types import Scope

_LONGEST = 100  # The maximum length of a path in the log.


def log_request(scope: Scope, status: int, n_bytes: int, seconds: float) -> None:
    """Write the line of a request that was answered.

    Its fields are the time, the client's address, the method, the path without the
    query, the status, the size of the answer in bytes, and the seconds. None of them
    contains a space.

    Args:
        scope: The request.
        status: The HTTP status code.
        n_bytes: The size of the body of the answer.
        seconds: The time from the headers of the request to the end of the answer.
    """
    client = scope.get("client") or ("-",)
    path = quote(scope["path"][:_LONGEST], errors="replace")
    line = (
        f"{time.strftime('%Y-%m-%dT%H:%M:%S%z')} {client[0]} {scope['method']} {path} "
        f"{status} {n_bytes} {seconds:.3f}"
    )
    with contextlib.suppress(OSError):  # Nobody reads the log.
        print(line, file=sys.stderr, flush=True)
