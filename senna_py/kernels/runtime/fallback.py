"""Things of which compiled kernels take one form and NumPy fallbacks another."""

import threading

from senna_py.kernels.runtime.jit import runs_fallbacks


class WithFallback:
    """Both forms of one thing, each made when first asked for; shared by threads."""

    def __init__(self, compiled, plain):
        """compiled, plain: functions that make the forms; threads may call `plain` at a time."""
        self._make_compiled, self._make_plain = compiled, plain
        self._compiled = self._plain = None
        self._lock = threading.Lock()

    def get(self):
        """The form for the way that kernels run in this thread."""
        if runs_fallbacks():  # without the lock, which another thread may hold while it compiles
            if self._plain is None:
                self._plain = self._make_plain()
            return self._plain
        with self._lock:
            if self._compiled is None:
                self._compiled = self._make_compiled()
            return self._compiled
