"""Arrays of NumPy's format: whatever their header is, it is an array or a ValueError."""

import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from senna_py.models.npy import read_npy

ARRAY = np.arange(6, dtype=np.float32).reshape(2, 3)


def written(header=None):
    """Bytes of ARRAY, perhaps with another text as header."""
    file = io.BytesIO()
    np.save(file, ARRAY)
    data = file.getvalue()
    if header is None:
        return data
    return data[:8] + len(header).to_bytes(2, "little") + header + ARRAY.tobytes()


def test_an_array():
    data = written()
    assert read_npy(io.BytesIO(data), len(data)).tolist() == ARRAY.tolist()


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    "header",
    [b"{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3", b"(" * 500, b"'''", b"{}", b"1L",
     b"{'descr': 'O', 'fortran_order': False, 'shape': (2, 3)}"],
)  # fmt: skip
def test_headers_that_are_none(header):
    data = written(header)
    with pytest.raises(ValueError):
        read_npy(io.BytesIO(data), len(data))


@pytest.mark.filterwarnings("ignore")
@given(st.integers(0, 127), st.sampled_from(b"0123456789(),'<>|OfVUx {}:L\n\xff"))
def test_any_byte_of_the_header(place, byte):
    data = bytearray(written())
    data[place] = byte
    try:
        found = read_npy(io.BytesIO(data), len(data))
    except (ValueError, EOFError, TypeError):
        return
    assert found.nbytes == ARRAY.nbytes
