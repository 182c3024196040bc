"""How much memory there is, for a check that refuses before the work what cannot fit."""

import os

from senna_py.errors import SennaError

__all__ = ["check_room", "ints_of", "memory_limit"]

_STEP = 1 << 13


def memory_limit():
    """Bytes of memory that the machine has; all of them, not what is free at the moment."""
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


def check_room(what, needed):
    """Raise SennaError if `what`, a file or else, needs more bytes of memory than there are."""
    if needed > (limit := memory_limit()):
        raise SennaError(
            f"{what}: needs about {needed / 2**30:,.1f} GiB of memory; there are "
            f"{limit / 2**30:,.1f} GiB"
        )


def ints_of(array):
    """Yield the numbers of an array as int, without a list of all of them."""
    for k in range(0, len(array), _STEP):
        yield from array[k : k + _STEP].tolist()
