"""The order of the work: parts that can be tagged, and parts to scan for those behind them."""

from collections import deque

from senna_py.cluster.extents import NOTHING
from senna_py.cluster.inputs import PARQUET

__all__ = ["SCAN", "TAG", "Schedule"]

SCAN, TAG = "scan", "tag"


class Schedule:
    """What is to be done next, as results come in.

    A part in the middle of a text may be tagged when it is known how many lines are before it: all
    parts before have been scanned then. Inputs are taken in their order, and no part is scanned
    while another can be tagged.
    """

    def __init__(self, parts, is_done, places):
        """Begin with lists of Parts, one for each input.

        is_done: function of a Part; places: function of an Input: whether what is printed depends
        on the place in it.
        """
        self._chains = {}
        self._ready, self._unscanned, self.n_missing = deque(), deque(), 0
        for of_input in parts:
            missing = [part for part in of_input if not is_done(part)]
            self.n_missing += len(missing)
            found = of_input[0].input
            if not places(found) or found.kind == PARQUET:
                self._ready += ((part, NOTHING) for part in missing)
            elif missing:
                self._chains[found] = _Chain(of_input, missing)
                self._unscanned += of_input[: missing[-1].number]
                self._ready += self._chains[found].ready()

    def next(self):
        """TAG, a Part and what is Before it; SCAN, a Part and None; or None if nothing is ready."""
        if self._ready:
            return TAG, *self._ready.popleft()
        if self._unscanned:
            return SCAN, self._unscanned.popleft(), None
        return None

    def scanned(self, part, extent):
        """Take the Extent of a part."""
        if chain := self._chains.get(part.input):
            chain.extents[part.number] = extent
            self._ready += chain.ready()

    def drop(self, found):
        """Do nothing more of an Input; returns how many of its parts had not been given out."""
        chain = self._chains.pop(found, None)
        before = len(self._ready)
        self._ready = deque(pair for pair in self._ready if pair[0].input != found)
        self._unscanned = deque(part for part in self._unscanned if part.input != found)
        return before - len(self._ready) + (len(chain.missing) if chain else 0)


class _Chain:
    """The parts of one input, of which each needs the extents of those before."""

    def __init__(self, parts, missing):
        self._parts, self.missing = parts, {part.number for part in missing}
        self._known, self._before = 0, NOTHING  # the first part that is not, what is before it
        self.extents = {}

    def ready(self):
        """Parts that became ready, with what is before them."""
        found = []
        while self.missing:
            if self._known in self.missing:
                found.append((self._parts[self._known], self._before))
                self.missing.remove(self._known)
            if self._known not in self.extents:
                break
            self._before = self._before.after(self.extents.pop(self._known))
            self._known += 1
        return found
