"""The layers of networks, kept from batch to batch."""

from __future__ import annotations

from typing import Any

from senna_py.kernels.runtime.switch import runs_fallbacks


class LayerCache:
    """Keeps the layers of networks, which pack weights on first use.

    Threads may share it.
    """

    def __init__(self) -> None:
        self._layers: dict[int, Any] = {}

    def layers_of(self, network: Any) -> Any:
        """Return the cached layers of a network.

        They are created again when kernels switch from fallbacks to compiled code,
        because the two pack weights differently.
        """
        plain = runs_fallbacks()
        entry = self._layers.get(id(network))
        if entry is None or entry[0] != plain:
            entry = self._layers[id(network)] = plain, network.layers(self), network
        return entry[1]
