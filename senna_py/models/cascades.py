"""Networks that a network needs, and the order in which they run."""

from collections.abc import Callable, Iterable, Iterator

from senna_py.errors import SennaError
from senna_py.labels.tasks import TABLE

MOST_NETWORKS = 100  # of a model: a cascade is no deeper


def needs_of(name: str, reads: Iterable[str]) -> list[str]:
    """Networks that the network `name` needs: those that it reads, and those for what
    it prints.
    """
    needs = [need for need in reads if need != name]
    needs += TABLE[name].needs if name in TABLE else ()
    return list(dict.fromkeys(needs))


def cascade_order(
    names: Iterable[str], needs: Callable[[str], Iterable[str]]
) -> list[str]:
    """The networks `names` and what they need, each after those that it needs.

    needs: gives the networks that one needs; it is asked once of each. Raises
    SennaError if a network needs itself, through others.
    """
    begun: set[str] = set()
    order: dict[str, None] = {}  # those that are done
    for first in names:
        ways: list[tuple[str, Iterator[str]]] = []
        need: str | None = first
        while need is not None or ways:
            if need is None:
                order[ways.pop()[0]] = None
            elif need not in begun:
                begun.add(need)
                ways.append((need, iter(needs(need))))
            elif need not in order:
                circle = [each for each, _ in ways]
                found = ", ".join(circle[circle.index(need) :])
                raise SennaError(f"networks {found}: each needs labels of another")
            need = next(ways[-1][1], None) if ways else None
    return list(order)
