"""Who tags the parts of a run: processes of this machine, or the workers of a Dask
cluster.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

from senna_py.parts.processes import Processes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from senna_py.parts.inputs import Part


@contextlib.contextmanager
def connect(address: str | None, jobs: int) -> Iterator[Any]:
    """A context of a Client of the scheduler at an address, or of `jobs` Processes.

    Raises SennaError if there is no scheduler, or no worker within two minutes.
    """
    if address is None:
        with contextlib.closing(Processes(jobs)) as processes:
            yield processes
        return
    from senna_py.parts import cluster  # noqa: PLC0415 - an extra

    with cluster.connect(address) as client:
        yield client


def results(
    workers: Any, work: Any, inputs: Iterable[list[Part]], hear: Callable[..., object]
) -> Iterator[tuple[Part, Any]]:
    """Have all parts tagged; yield each with what `work.tag` returns, or with why not,
    a str.

    workers: of `connect`; work: see `cli.tag_parts.Work`; inputs: a list of Parts for
    each; hear: called with what workers `tell`. Raises SennaError for what concerns
    all, such as a full disk.
    """
    if isinstance(workers, Processes):
        return workers.results(work, inputs, hear)
    from senna_py.parts import cluster  # noqa: PLC0415 - an extra

    return cluster.results(workers, work, inputs, hear)
