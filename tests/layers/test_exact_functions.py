"""exp and log out of operations that all processors round alike."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from senna_py.layers import exact_functions as exact


@given(st.floats(-700, 700))
def test_exp_is_that_of_the_library(x):
    found = exact.exp(np.array([x]))[0]
    assert found == pytest.approx(math.exp(x), rel=1e-13)


@given(st.floats(1e-300, 1e300))
def test_log_is_that_of_the_library(x):
    found = exact.log(np.array([x]))[0]
    assert found == pytest.approx(math.log(x), rel=1e-14, abs=1e-15)


def test_numbers_out_of_range_are_clipped():
    found = exact.exp(np.array([-np.inf, -1e9, np.nan, 0.0]))
    assert (found[:3] == exact.exp(np.array([-700.0]))).all()
    assert found[3] == 1
    assert exact.log(np.ones(1))[0] == 0
