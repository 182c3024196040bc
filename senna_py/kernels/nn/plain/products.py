"""The fallback for `kernels.nn.products.add_products`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from senna_py.kernels.arrays import Floats, Ints


def add_products(
    first: Ints,
    bias: Floats,
    where: Ints,
    kept: Floats,
    fresh: Floats,
    more_where: Ints,
    more_kept: Floats,
    more_fresh: Floats,
    out: Floats,
) -> None:
    groups = [(where, kept, fresh), (more_where, more_kept, more_fresh)]
    if not len(more_where):
        groups.pop()
    # The slots of fresh products count from the end.
    parts = [
        (slots, np.concatenate((kept, fresh[::-1]))) for slots, kept, fresh in groups
    ]
    out[:] = bias
    for k in range(kept.shape[1]):
        for slots, products in parts:
            out += products[slots[first + k], k]
