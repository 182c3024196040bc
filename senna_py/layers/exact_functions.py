"""Exponentials and logarithms that have the same bits on every machine.

NumPy's own functions may differ in the last bit from one processor to another. These
consist of operations that IEEE 754 rounds in one way only.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Doubles = NDArray[np.float64]

_LEAST = -700.0  # exp of it is a normal number
# ln 2 in two parts. The first part has few bits, so that its multiples are exact.
_LN2 = 0.693359375
_LN2_REST = math.log(2) - _LN2
_EXP_TERMS = tuple(1 / math.factorial(k) for k in range(13, -1, -1))
_LOG_TERMS = tuple(1 / (2 * k + 1) for k in range(11, -1, -1))


def exp(x: Doubles) -> Doubles:
    """Return e ** x, with a relative error of about 1e-15.

    Args:
        x: Numbers of at most 700. Numbers below -700 count as -700, and so does NaN.
    """
    x = np.fmax(x, _LEAST)
    power = np.rint(x * (1 / math.log(2)))
    rest = (x - power * _LN2) - power * _LN2_REST
    return np.ldexp(_polynomial(_EXP_TERMS, rest), power.astype(np.int32))


def log(x: Doubles) -> Doubles:
    """Return the natural logarithm of positive numbers, with an error of about 1e-15."""
    mantissa, power = np.frexp(x)
    is_small = mantissa < math.sqrt(0.5)
    mantissa = np.where(is_small, 2 * mantissa, mantissa)
    power = power - is_small
    ratio = (mantissa - 1) / (mantissa + 1)
    of_mantissa = 2 * ratio * _polynomial(_LOG_TERMS, ratio * ratio)
    return power * _LN2 + (power * _LN2_REST + of_mantissa)


def _polynomial(coefficients: tuple[float, ...], x: Doubles) -> Doubles:
    """Return a polynomial by Horner's rule; the highest power is the first."""
    value = np.full_like(x, coefficients[0])
    for coefficient in coefficients[1:]:
        value = value * x + coefficient
    return value
