import numpy as np
import pytest

from senna_py.kernels.nn.linear import linear_of_rows, panels_of


def test_layers_that_do_not_fit_are_refused():
    x, weight, bias = (np.ones(shape, np.float32) for shape in ((9, 4), (4, 20), 20))
    rows, panels = np.arange(9), panels_of(weight)
    for panels_given, out in ((panels[1:], np.ones((9, 20))), (panels, np.ones((9, 19)))):
        with pytest.raises(ValueError, match="do not fit"):
            linear_of_rows(x, rows, weight, panels_given, bias, out.astype(np.float32))
