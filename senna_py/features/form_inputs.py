"""The input of networks as sums of their first layer, which are kept for each form."""

from __future__ import annotations

from functools import cached_property, partial
from typing import TYPE_CHECKING

import numpy as np

from senna_py.features.protocol import FormValue
from senna_py.layers.first_layer import InputRows

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from numpy.typing import NDArray

    from senna_py.features.assembly import Assembly
    from senna_py.features.protocol import Batch, ValuesOfTokens
    from senna_py.layers.first_layer import InputSums
    from senna_py.networks.base import TaggerNetwork

    Ints = NDArray[np.int32]

# The largest number of rows of the tables of features that depend on the context.
_MOST_ROWS = 1 << 12


class FormSums:
    """Computes sums of the first layer of a network; several threads may share it.

    The sums over the tables of features that depend on the form alone are a value of
    forms. The sums of each row of the other tables are computed once.
    """

    def __init__(
        self,
        network: TaggerNetwork,
        cache: Any,
        of_form: Sequence[int],
        others: Sequence[int],
        features: Callable[[Batch], Ints],
    ) -> None:
        """Store the parts.

        Args:
            network: The network.
            cache: The cache of its layers.
            of_form: The indices of the features that depend on the form alone.
            others: The indices of all other features.
            features: A function that computes the features `of_form`.
        """
        self._network, self._cache = network, cache
        self._of_form, self._others, self._features = of_form, others, features
        sizes = [len(network.tables[k]) for k in others]
        self._offsets = np.cumsum([0, *sizes], dtype=np.int32)[:-1]

    @property
    def value(self) -> FormValue:
        """The sums over the tables of features that depend on the form alone."""
        bias = getattr(self._network, self._network.input_names[1])
        return FormValue(len(bias), self._compute)

    @property
    def _sums(self) -> InputSums:
        return self._network.input_sums(self._cache)

    @cached_property
    def _rows(self) -> Ints:
        """The sums of the rows of the other tables: int32[n_rows, n_out]."""
        return self._sums.rows_of(self._others)

    def _compute(self, forms: Batch) -> Ints:
        return self._sums.over(self._of_form)(self._features(forms))

    def inputs(self, values: ValuesOfTokens, others: Ints) -> InputRows:
        """Return the input of the network.

        Args:
            values: The `value` of each token.
            others: int32[n_tokens, n_others], the other features.
        """
        return InputRows(*values, others + self._offsets, self._rows)


class FormInputs:
    """Computes the input of the networks of a trunk; several threads may share it.

    Attributes:
        sums: The sums of their first layer, whose value is a value of forms.
    """

    def __init__(self, assembly: Assembly, network: TaggerNetwork, cache: Any) -> None:
        """Divide the features of the networks.

        Args:
            assembly: The features.
            network: The deepest network of the trunk.
            cache: The cache of its layers.
        """
        of_form, others = (assembly.places(each) for each in (True, False))
        features = partial(assembly.columns, places=of_form)
        self.sums = FormSums(network, cache, of_form, others, features)
        self._assembly, self._others = assembly, others

    @staticmethod
    def suit(assembly: Assembly, network: TaggerNetwork) -> bool:
        """Return whether the input of a network can be computed in this way."""
        n_rows = sum(len(network.tables[k]) for k in assembly.places(False))
        return (
            network.has_exact_input
            and bool(assembly.places(True))
            and n_rows <= _MOST_ROWS
        )

    def __call__(self, batch: Batch) -> InputRows:
        """Return the input of the networks for a Batch with values of its forms."""
        others = self._assembly.columns(batch, self._others)
        return self.sums.inputs(batch.values[self.sums], others)
