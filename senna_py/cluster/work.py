"""What is done with a part, on whatever machine."""

import threading
from dataclasses import dataclass, field
from typing import Any

from senna_py import __version__
from senna_py.cluster.extents import extent_of
from senna_py.cluster.parts import LINES, PartSource
from senna_py.cluster.store import Store
from senna_py.errors import SennaError

__all__ = ["Work", "scan", "tag"]

_made = {}  # annotators of this process, by the Work that they are for; the last used at the end
_MOST_MADE = 4  # runs that may have this process at a time without making them again
_lock = threading.Lock()


@dataclass(frozen=True)
class Work:
    """What is to be done with every part.

    store: where outputs go; make: a picklable object that, called, makes the annotator of a
    process, which its threads share: `annotate(part, before, path, note)` writes the output of a
    Part to a local path and returns a dict of counts. ending: of outputs; encoding, mark,
    is_blank: how text is read, as of PartSource and `extent_of`.
    """

    store: Store
    make: Any
    ending: str
    encoding: str | None = None
    mark: bytes = LINES
    is_blank: Any = None
    version: str = field(default=__version__)

    def annotator(self):
        """The annotator of this process, made once."""
        with _lock:
            if self not in _made:
                if self.version != __version__:
                    raise SennaError(f"a worker has senna-py {__version__}, this is {self.version}")
                made = self.make()
                while len(_made) >= _MOST_MADE:
                    del _made[next(iter(_made))]
            else:
                made = _made.pop(self)
            _made[self] = made
            return made


def scan(work, part):
    """The Extent of a part of lines; raises InputError."""
    with PartSource(part, work.encoding, work.mark) as source:
        return extent_of(source, work.is_blank)


def tag(work, part, before):
    """Tag a part, unless it is done, and put its output in its place; returns its record.

    before: what stands before it. Raises InputError for its input, and SennaError for whatever
    concerns all parts: the model, the output.
    """
    done = work.store.record(part.name)
    if done is not None and is_of(done, part):
        return done  # by a machine that was thought dead, or whose answer was lost
    annotator, notes = work.annotator(), []
    with work.store.unfinished(part.name) as path:
        counts = annotator.annotate(part, before, path, notes.append)
        facts = {**facts_of(part), **counts, "notes": list(dict.fromkeys(notes))}
        return work.store.commit(part.name, work.ending, path, facts)


def facts_of(part):
    """What a record says of a Part."""
    found = part.input
    return {
        "input": found.name, "input_bytes": found.size, "input_stamp": found.stamp,
        "part": part.number, "of": part.of, "begin": part.begin, "end": part.end,
    }  # fmt: skip


def is_of(record, part):
    """Whether a record is of this Part, of an input that has not changed since."""
    facts = facts_of(part)
    return {key: record.get(key) for key in facts} == facts
