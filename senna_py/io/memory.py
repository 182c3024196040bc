"""Limits of memory, and a check that refuses before the work what cannot fit."""

import os
from pathlib import Path

from senna_py.errors import SennaError

__all__ = ["check_room", "in_bytes", "ints_of", "memory_limit"]

_GROUPS, _OWN = Path("/sys/fs/cgroup"), Path("/proc/self/cgroup")
_STEP = 1 << 13
_UNITS = ("bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB")


def memory_limit():
    """Bytes that this process may have: the least of the machine's, its control group's, ulimit's.

    All of them, not what is free at the moment.
    """
    found = [os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"), *_limits_of_groups()]
    try:
        import resource  # noqa: PLC0415 - not on every system
    except ImportError:
        return min(found)
    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    return min(found if limit == resource.RLIM_INFINITY else [*found, limit])


def _limits_of_groups():
    """Yield the limits of the control groups, of either version, that this process is in."""
    try:
        lines = _OWN.read_text("utf-8", "replace").splitlines()
    except OSError:
        return
    for line in lines:
        _, _, rest = line.partition(":")
        controllers, _, path = rest.partition(":")
        root, name = _GROUPS, "memory.max"
        if controllers:
            if "memory" not in controllers.split(","):
                continue
            root, name = _GROUPS / "memory", "memory.limit_in_bytes"
        group = root / path.strip("/")
        for place in (group, *group.parents):
            try:
                text = (place / name).read_text("ascii").strip()
            except OSError:
                text = ""
            if text.isdigit():
                yield int(text)
            if place == root:
                break


def in_bytes(number):
    """A number of bytes for people: `1.5 GiB`."""
    power = min(max(number.bit_length() - 1, 0) // 10, len(_UNITS) - 1)
    value = number * 10 // (1 << 10 * power)
    shown = f"{value / 10:,.1f}" if power and value < 1000 else f"{value // 10:,}"
    return f"{shown} {_UNITS[power]}"


def check_room(what, needed):
    """Raise SennaError if `what`, a file or else, needs more bytes of memory than there are."""
    if needed > (limit := memory_limit()):
        raise SennaError(
            f"{what}: needs about {in_bytes(needed)} of memory; there are {in_bytes(limit)}"
        )


def ints_of(array):
    """Yield the numbers of an array as int, without a list of all of them."""
    for k in range(0, len(array), _STEP):
        yield from array[k : k + _STEP].tolist()
