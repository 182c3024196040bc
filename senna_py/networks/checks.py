"""Checks that the arrays of a network are complete and have consistent shapes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from senna_py.errors import SennaError
from senna_py.layers.protocol import size_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from senna_py.layers.protocol import Array

# The limit bounds the memory for padding. SENNA's windows have 5 words.
WIDEST_WINDOW = 1001
MOST_TAGS = np.iinfo(np.int16).max  # Transition scores for this number take 4 GB.
_ODD_SIZES = "distances", "positions"


def check_window(size: int) -> None:
    """Raise SennaError unless the size of a window is odd and at most WIDEST_WINDOW."""
    if not 1 <= size <= WIDEST_WINDOW or size % 2 == 0:
        raise SennaError(
            f"window size {size:,}; it must be odd and at most {WIDEST_WINDOW:,}"
        )


def check_tables(tables: Iterable[Any]) -> None:
    """Raise SennaError unless all lookup tables are matrices that are not empty."""
    for number, table in enumerate(tables):
        if len(table.shape) != 2 or not all(table.shape):
            raise SennaError(f"tables/{number}: shape {list(table.shape)}")


def check_padding(
    padding: NDArray[np.int32], tables: Sequence[Any], sizes: dict[str, int]
) -> None:
    """Raise SennaError unless the padding has a valid row index for each lookup table.

    Args:
        padding: int32[n_features].
        tables: The lookup tables.
        sizes: The known sizes, by name. New sizes are added.
    """
    _check_shape("padding", padding, ("features",), sizes)
    for number, (index, table) in enumerate(zip(padding, tables, strict=True)):
        if not 0 <= index < len(table):
            raise SennaError(
                f"padding index {index} of tables/{number}, which has "
                f"{len(table):,} keys"
            )


def check_arrays(
    declared: Sequence[Array], arrays: Mapping[str, Any], sizes: dict[str, int]
) -> None:
    """Raise SennaError unless the arrays of a network are complete and consistent.

    Args:
        declared: The declarations of all arrays that the network may have.
        arrays: The arrays that it has, by name.
        sizes: The known sizes, by name. New sizes are added.
    """
    groups: dict[str, list[str]] = {}
    for array in declared:
        groups.setdefault(array.group, []).append(array.name)
    for group, names in groups.items():
        if group and len({name in arrays for name in names}) > 1:
            raise SennaError(f"{', '.join(names)} must be given together")
    for array in declared:
        if array.name in arrays:
            _check_shape(array.name, arrays[array.name], array.shape, sizes)
        elif not array.group:
            raise SennaError(f"{array.name} is missing")
    for name in _ODD_SIZES:
        if sizes.get(name, 1) % 2 == 0:
            raise SennaError(f"{sizes[name]:,} {name}, expected an odd number")
    if sizes.get("tags", 1) > MOST_TAGS:
        raise SennaError(f"{sizes['tags']:,} labels; the limit is {MOST_TAGS:,}")


def _check_shape(
    name: str, array: Any, expected: Sequence[str], sizes: dict[str, int]
) -> None:
    shape = list(array.shape)
    if len(shape) != len(expected) or not all(shape):
        raise SennaError(f"{name}: shape {shape}, expected {len(expected)} sizes")
    for actual, size in zip(shape, expected, strict=True):
        for factor in size.split("*"):
            sizes.setdefault(factor, actual)
        if actual != (wanted := size_of(size, sizes)):
            raise SennaError(
                f"{name}: shape {shape}, {actual:,} in place of {wanted:,} ({size})"
            )
