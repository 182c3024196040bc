"""The networks that a network needs, and the order in which they run."""

from collections.abc import Callable, Iterable, Iterator

from senna_py.errors import SennaError
from senna_py.labels.tasks import TABLE

MOST_NETWORKS = 100  # in a model, and so in a cascade


def needs_of(name: str, reads: Iterable[str]) -> list[str]:
    """List the networks that another one needs.

    Args:
        name: The name of the network.
        reads: The networks whose labels it reads as features.
    """
    needs = [need for need in reads if need != name]
    needs += TABLE[name].needs if name in TABLE else ()
    return list(dict.fromkeys(needs))


def cascade_order(
    names: Iterable[str], needs: Callable[[str], Iterable[str]]
) -> list[str]:
    """List networks and all that they need, each after the networks that it needs.

    Args:
        names: The networks.
        needs: Returns the networks that one needs. It is called once for each.

    Raises:
        SennaError: If a network needs itself, through others.
    """
    begun: set[str] = set()
    order: dict[str, None] = {}  # the networks that are done
    for first in names:
        # Depth first: the networks that are begun, with the needs that are left.
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
