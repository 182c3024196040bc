"""Creation of networks with random weights."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from senna_py.layers.protocol import check_new, first_values, shape_of, size_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from senna_py.networks.base import TaggerNetwork

    _Network = TypeVar("_Network", bound=TaggerNetwork)


def new_network(
    network_class: type[_Network],
    settings: Any,
    tables: Sequence[Any],
    padding: NDArray[np.int32],
    sizes: dict[str, Any],
    rng: np.random.Generator,
    labels: str = "words",
    sentence_level: bool = True,
) -> _Network:
    """Return a network with the initialization of Collobert et al. (2011), Remark 7.

    Args:
        network_class: The class of the network.
        settings: The settings of the network, an object of `network_class.settings`.
        tables: The lookup tables.
        padding: int32[n_features], the features of padding rows.
        sizes: Further sizes by name, including `tags`, the number of labels.
        rng: The random number generator.
        labels: What the network labels, one of `network_class.tasks`.
        sentence_level: Whether the network has transition scores.

    Raises:
        SennaError: If the settings do not suit what the network labels, or if the
            network does not fit into memory.
    """
    header, planned, groups = network_class.plan(settings, labels)
    wanted = {"", *groups}
    if sentence_level:
        wanted.add("sentence")
    n_input = sum(table.shape[1] for table in tables)
    sizes = network_class.planned_sizes(sizes)
    sizes = {"input": n_input} | header | planned | sizes
    for name, size in sizes.items():
        if isinstance(size, str):
            sizes[name] = size_of(size, sizes)
    declared = [each for each in network_class.declare(header) if each.group in wanted]
    check_new(shape_of(array, sizes) for array in declared)
    arrays = {array.name: first_values(array, sizes, rng) for array in declared}
    return network_class(tables, padding, **header, **arrays)
