"""Counts of requests, texts and tokens, as text in the format of Prometheus."""

from __future__ import annotations

import threading
import time
from bisect import bisect_left
from typing import TYPE_CHECKING

from senna_py.io.system import resident_memory

if TYPE_CHECKING:
    from collections.abc import Iterable

    from senna_py.server.queue import Queue

MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8"
# The upper bounds of the buckets of the histogram, in seconds.
_BOUNDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)


class Metrics:
    """Counts what the server has done. Threads may share it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._began = time.time()
        self._requests: dict[tuple[str, int], int] = {}
        self._buckets = [0] * (len(_BOUNDS) + 1)
        self._seconds = 0.0
        self._n_texts = self._n_tokens = 0

    def add_request(self, path: str, status: int, seconds: float) -> None:
        """Count a request that was answered.

        Args:
            path: The path of the route; its values should be few.
            status: The HTTP status code.
            seconds: The time from the headers of the request to the end of the answer.
        """
        with self._lock:
            key = (path, status)
            self._requests[key] = self._requests.get(key, 0) + 1
            self._buckets[bisect_left(_BOUNDS, seconds)] += 1
            self._seconds += seconds

    def add_texts(self, n_texts: int, n_tokens: int) -> None:
        """Count texts that were tagged, and their tokens."""
        with self._lock:
            self._n_texts += n_texts
            self._n_tokens += n_tokens

    def to_text(self, queue: Queue) -> str:
        """Return all values in the text format of Prometheus."""
        with self._lock:
            requests = [
                (f'{{path="{path}",status="{status}"}}', number)
                for (path, status), number in sorted(self._requests.items())
            ]
            buckets, seconds = [*self._buckets], self._seconds
            texts, tokens = self._n_texts, self._n_tokens
        memory = resident_memory()
        lines = [
            *_metric("senna_requests_total", "counter", "Requests answered.", requests),
            *_histogram(buckets, seconds),
            *_metric("senna_texts_total", "counter", "Texts tagged.", [("", texts)]),
            *_metric("senna_tokens_total", "counter", "Tokens tagged.", [("", tokens)]),
            *_metric(
                "senna_queue_length",
                "gauge",
                "Requests that wait for a thread.",
                [("", queue.n_waiting)],
            ),
            *_metric(
                "senna_requests_running",
                "gauge",
                "Requests on which a thread works.",
                [("", queue.n_running)],
            ),
            *_metric(
                "process_start_time_seconds",
                "gauge",
                "Start of the process, in seconds since 1970.",
                [("", round(self._began, 3))],
            ),
        ]
        if memory is not None:
            text = "Memory of the process in bytes."
            name = "process_resident_memory_bytes"
            lines += _metric(name, "gauge", text, [("", memory)])
        return "\n".join([*lines, ""])


def _metric(
    name: str, sort: str, text: str, values: Iterable[tuple[str, float]]
) -> list[str]:
    """Return the lines of a metric, given its values by their labels."""
    lines = [f"# HELP {name} {text}", f"# TYPE {name} {sort}"]
    return lines + [f"{name}{labels} {value}" for labels, value in values]


def _histogram(buckets: list[int], seconds: float) -> list[str]:
    """Return the lines of the histogram of the seconds of requests."""
    name, below, lines = "senna_request_seconds", 0, list[str]()
    for bound, count in zip((*_BOUNDS, "+Inf"), buckets, strict=True):
        below += count
        lines.append(f'{name}_bucket{{le="{bound}"}} {below}')
    text = "Seconds from the headers of a request to the end of its answer."
    lines += [f"{name}_sum {seconds:.6f}", f"{name}_count {below}"]
    return [f"# HELP {name} {text}", f"# TYPE {name} histogram", *lines]
