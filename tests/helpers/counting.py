"""The count of text that decides whether fallbacks or compiled kernels run."""

from unittest.mock import patch

from senna_py.kernels.runtime import switch


def counting(n_bytes=1 << 11, in_background=False, asks_for_cache=False):
    """A context manager within which text is counted anew, as in a new process.

    Fallbacks take the first `n_bytes` of it. By default, no thread prepares kernels, and
    nothing depends on whether there is a cache of kernels.
    """
    process = switch._Process(n_bytes, in_background, asks_for_cache)
    return patch.object(switch, "_process", process)
