"""Requests a second of `senna-tag --serve`, alone and beside clients that are slow.

    python benchmarks/server.py --clients 1000

All of it on this machine, for a few seconds each. A slow client sends a byte of its request a
second, and begins again when the server has closed its connection.
"""

import argparse
import contextlib
import http.client
import json
import os
import resource
import selectors
import socket
import statistics
import subprocess
import sys
import threading
import time
from pathlib import Path

SENTENCE = "The Bank of England raised interest rates in London on Thursday, and shares fell."
HEAD = b"POST /tag HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nX-Slow: "


def start_server(model, tasks):
    """A server process and its port."""
    command = [str(Path(sys.executable).parent / "senna-tag"), "--serve", "--port", "0", *tasks]
    process = subprocess.Popen(
        command + (["-path", model] if model else []), stderr=subprocess.PIPE, text=True
    )
    line = process.stderr.readline()
    threading.Thread(target=process.stderr.read, daemon=True).start()
    return process, int(line.split("127.0.0.1:")[1].split("/")[0])


def processor_seconds(process):
    """What the server has used so far."""
    fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def rate(process, port, seconds):
    """Of one client that keeps its connection: requests a second, also of the processor, times."""
    used = processor_seconds(process)
    body = json.dumps({"text": SENTENCE})
    headers = {"Content-Type": "application/json"}
    times, end = [], time.monotonic() + seconds
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    with contextlib.closing(connection):
        while (begin := time.monotonic()) < end:
            connection.request("POST", "/tag", body, headers)
            found = json.load(connection.getresponse())
            assert len(found["sentences"]) == 1, found
            times.append(time.monotonic() - begin)
    return len(times) / sum(times), len(times) / (processor_seconds(process) - used), times


class SlowClients:
    """Many connections, each of which sends a byte a second."""

    def __init__(self, port, number):
        self._port, self._selector = port, selectors.DefaultSelector()
        self.opened = self.closed = 0
        self._sockets = set()
        for _ in range(number):
            self._open()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _open(self):
        client = socket.create_connection(("127.0.0.1", self._port), timeout=30)
        client.sendall(HEAD)
        client.setblocking(False)
        self._selector.register(client, selectors.EVENT_READ)
        self._sockets.add(client)
        self.opened += 1

    def _run(self):
        while not self._stop.is_set():
            for key, _ in self._selector.select(0):  # the server has closed it
                self._selector.unregister(key.fileobj)
                self._sockets.remove(key.fileobj)
                key.fileobj.close()
                self.closed += 1
                self._open()
            for client in self._sockets:
                with contextlib.suppress(OSError):
                    client.send(b"x")
            self._stop.wait(1)

    def close(self):
        """Close all of them."""
        self._stop.set()
        self._thread.join()
        for client in self._sockets:
            client.close()


def say(name, found):
    per_second, of_processor, times = found
    slowest = statistics.quantiles(times, n=100)[98] * 1000
    print(f"{name}: {per_second:.0f} requests/s, {of_processor:.0f} in a second of the processor; "
          f"99 % within {slowest:.0f} ms")  # fmt: skip


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model", help="default: that of senna-tag")
    parser.add_argument("--tasks", nargs="*", default=[], help="such as -pos -ner; default: all")
    parser.add_argument("--clients", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=15)
    options = parser.parse_args()
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, options.clients + 200), hard))
    process, port = start_server(options.model, options.tasks)
    try:
        rate(process, port, 5)  # kernels are ready after that
        say("alone", rate(process, port, options.seconds))
        clients = SlowClients(port, options.clients)
        try:
            say(f"beside {options.clients:,} slow clients", rate(process, port, options.seconds))
            memory = Path(f"/proc/{process.pid}/status").read_text().split("VmRSS:")[1].split()[0]
            print(f"the server closed {clients.closed:,} slow connections of {clients.opened:,}; "
                  f"{int(memory) / 1024:.0f} MiB")  # fmt: skip
        finally:
            clients.close()
        say("afterwards", rate(process, port, 3))
    finally:
        process.terminate()
        process.wait()


if __name__ == "__main__":
    main()
