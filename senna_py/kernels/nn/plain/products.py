"""Fallback of the kernel of `kernels.nn.products` that tagging uses."""

import numpy as np


def add_products(
    first, bias, where, kept, fresh, more_where, more_kept, more_fresh, out
):
    parts = [(where, kept, fresh), (more_where, more_kept, more_fresh)][
        : 2 if len(more_where) else 1
    ]
    # The slot of what is fresh counts from the end.
    parts = [
        (slots, np.concatenate((kept, fresh[::-1]))) for slots, kept, fresh in parts
    ]
    out[:] = bias
    for k in range(kept.shape[1]):
        for slots, products in parts:
            out += products[slots[first + k], k]
