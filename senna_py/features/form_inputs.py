"""The input of a network as sums of its first layer, which are kept for each form."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from senna_py.features.protocol import FormValue
from senna_py.layers.first_layer import InputRows

if TYPE_CHECKING:
    from typing import Any

    from numpy.typing import NDArray

    from senna_py.features.assembly import Assembly
    from senna_py.features.protocol import Batch
    from senna_py.networks.base import TaggerNetwork

    Ints = NDArray[np.int32]

# The largest number of rows of the tables of features that depend on the context.
_MOST_ROWS = 1 << 12


class FormInputs:
    """Computes the input of the networks of a trunk; several threads may share it.

    The sums of the first layer over the tables of features that depend on the form
    alone are a value of forms. The sums of each row of the other tables are computed
    once.
    """

    def __init__(self, assembly: Assembly, network: TaggerNetwork, cache: Any) -> None:
        """Store the parts.

        Args:
            assembly: The features of the networks.
            network: The deepest network of the trunk.
            cache: The cache of its layers.
        """
        self._assembly, self._network, self._cache = assembly, network, cache
        self._forms, self._others = (assembly.places(each) for each in (True, False))
        sizes = [len(network.tables[k]) for k in self._others]
        self._offsets = np.cumsum([0, *sizes], dtype=np.int32)

    @staticmethod
    def suit(assembly: Assembly, network: TaggerNetwork) -> bool:
        """Return whether the input of a network can be computed in this way."""
        n_rows = sum(len(network.tables[k]) for k in assembly.places(False))
        return (
            network.has_exact_input
            and bool(assembly.places(True))
            and n_rows <= _MOST_ROWS
        )

    @property
    def value(self) -> FormValue:
        """The sums over the tables of features that depend on the form alone."""
        bias = getattr(self._network, self._network.input_names[1])
        return FormValue(len(bias), self._compute)

    @property
    def _sums(self) -> Any:
        return self._network.input_sums(self._cache)

    @cached_property
    def _rows(self) -> Ints:
        """The sums of the rows of the other tables: int32[n_rows, n_out]."""
        return self._sums.rows_of(self._others)

    def _compute(self, forms: Batch) -> Ints:
        return self._sums.over(self._forms)(self._assembly.columns(forms, self._forms))

    def __call__(self, batch: Batch) -> InputRows:
        """Return the input of the networks for a Batch with values of its forms."""
        index = self._assembly.columns(batch, self._others) + self._offsets[:-1]
        place, kept, new = batch.values[self]
        return InputRows(place, kept, new, index, self._rows)
