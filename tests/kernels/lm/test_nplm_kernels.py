import numpy as np
import pytest

from senna_py.kernels.lm.nplm import contexts

BEGIN, PADDING = 1, 9


def naive_context(stream, position, width, begin):
    out, inside = [], True
    for t in range(position - 1, position - 1 - width, -1):
        inside = inside and t >= 0
        out.append(stream[t] if inside else PADDING)
        inside = inside and stream[t] != begin
    return out


@pytest.mark.parametrize("begin", [BEGIN, -1])
@pytest.mark.parametrize("width", [1, 3, 8])
def test_contexts_end_where_the_stream_begins(begin, width):
    stream = np.array([1, 3, 4, 5, 2, 1, 6, 2, 1, 7], np.int32)
    positions = np.array([9, 0, 4, 6, 7], np.int64)
    out = np.empty((len(positions), width), np.int32)
    contexts(stream, positions, np.int64(begin), np.int64(PADDING), out)
    expected = [naive_context(stream, p, width, begin) for p in positions]
    np.testing.assert_array_equal(out, expected)
