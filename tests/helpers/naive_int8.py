"""Rounding to 8 bits by its definition: whole numbers of the 127th part of the largest
one.
"""

import numpy as np


def rounded_rows(x):
    """Rows of inputs, each with a scale of its own: float64 of the shape of x."""
    x = np.float32(x)
    most = np.fmax(np.abs(x).max(axis=1, keepdims=True, initial=0), np.float32(1e-30))
    return np.rint(x * (np.float32(127) / most)) * (most / np.float32(127)).astype(
        float
    )


def rounded_columns(weight):
    """Weights, whose columns have scales, by their largest numbers as float16."""
    weight = np.float32(weight)
    scale = np.abs(weight).max(axis=0).astype(np.float16) / np.float32(127)
    scale[scale == 0] = 1
    return np.rint(weight / scale) * scale.astype(float)
