"""The dependencies between networks, and the order in which networks run."""

from collections.abc import Callable, Iterable, Iterator

from senna_py.errors import SennaError
from senna_py.labels.tasks import TABLE

MOST_NETWORKS = 100  # the maximum number of networks in a model


def needs_of(name: str, reads: Iterable[str]) -> list[str]:
    """Return the names of the networks that a network needs directly.

    Args:
        name: The name of the network.
        reads: The names of the networks whose labels it reads as features.
    """
    needs = [need for need in reads if need != name]
    needs += TABLE[name].needs if name in TABLE else ()
    return list(dict.fromkeys(needs))


def cascade_order(
    names: Iterable[str], needs: Callable[[str], Iterable[str]]
) -> list[str]:
    """Return networks and all networks that they need, in topological order.

    Each network comes after those that it needs.

    Args:
        names: The names of the networks.
        needs: A function that returns the names of the networks that a network needs
            directly. It is called once for each network.

    Raises:
        SennaError: If networks need each other in a cycle.
    """
    begun: set[str] = set()
    order: dict[str, None] = {}  # the networks that are finished
    for first in names:
        # The path of a depth-first search: networks, with the needs not yet visited.
        path: list[tuple[str, Iterator[str]]] = []
        need: str | None = first
        while need is not None or path:
            if need is None:
                order[path.pop()[0]] = None
            elif need not in begun:
                begun.add(need)
                path.append((need, iter(needs(need))))
            elif need not in order:
                open_names = [name for name, _ in path]
                circle = ", ".join(open_names[open_names.index(need) :])
                raise SennaError(f"networks {circle}: each needs labels of another")
            need = next(path[-1][1], None) if path else None
    return list(order)
