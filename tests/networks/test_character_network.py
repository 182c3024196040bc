import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from senna_py.errors import SennaError
from senna_py.kernels.runtime.jit import plain_way
from senna_py.networks.character_network import Spelling
from tests.helpers.small_spellings import spelling_arrays

KINDS = [{"highway": 0}, {}, {"highway": 2}, {"plain": True}]
WORDS = ["abc", "a", "", "edcba", "cab" * 9, "xé", "\udc80", "b", "abc"]
_START, _END, _UNKNOWN = 1, 2, 3


def slow_vector(arrays, characters, word):
    """The equations of the paper, a window at a time, in double precision."""
    a = {name: array.astype(float) for name, array in arrays.items() if name != "characters"}
    index = [4 + characters.index(c) if c in characters else _UNKNOWN for c in word]
    index = [_START, *index, _END, 0, 0, 0]
    c = a["character_vectors"][index]
    y = []
    for w in (1, 2, 3):
        weight, bias = a[f"filter_weight.{w}"], a[f"filter_bias.{w}"]
        for f in range(len(bias)):
            windows = range(len(c) - w + 1)
            y.append(max(np.tanh((c[i : i + w] * weight[..., f]).sum() + bias[f]) for i in windows))
    y = np.array(y)
    for k in (1, 2):
        if f"highway{k}_weight" in a:
            both = y @ a[f"highway{k}_weight"] + a[f"highway{k}_bias"]
            made, gate = np.maximum(both[: len(y)], 0), 1 / (1 + np.exp(-both[len(y) :]))
            y = gate * made + (1 - gate) * y
    if "plain_weight" in a:
        y = np.maximum(y @ a["plain_weight"] + a["plain_bias"], 0)
    return y @ a["projection_weight"] + a["projection_bias"]


@pytest.mark.parametrize("plain_kernels", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_vectors_are_those_of_the_paper(kind, plain_kernels):
    arrays = spelling_arrays("abcdeé", **kind)
    with plain_way(plain_kernels):
        found = Spelling(arrays).vectors(WORDS)
    expected = [slow_vector(arrays, "abcdeé", word) for word in WORDS]
    np.testing.assert_allclose(found, expected, atol=1e-4)
    assert (found.dtype, found.shape) == (np.float32, (len(WORDS), 5))


@given(st.lists(st.text("abcdefé", max_size=12), max_size=9), st.integers(0, 8))
def test_a_vector_does_not_depend_on_its_company(words, k):
    spelling = Spelling(spelling_arrays())
    together = spelling.vectors(words)
    assert together.shape == (len(words), 5)
    if k < len(words):
        assert np.array_equal(spelling.vectors([words[k]])[0], together[k])
    np.testing.assert_array_equal(spelling.vectors(words * 70), np.tile(together, (70, 1)))


@pytest.mark.parametrize(
    ("characters", "word", "read_as"),
    [
        ("abcN", "ABc", "abc"),  # most capitals are missing: a text in lower case,
        ("abcn0N", "N0N", "n0n"),  # whatever else has a capital
        ("abAB", "aBC", "aB\0"),
        ("abcABD", "CDA", "cDA"),  # which lacks one
        ("abcd", "AÄ", "a\0"),
        ("", "Ab", "\0\0"),
    ],
)
def test_capitals_that_are_missing(characters, word, read_as):
    arrays = spelling_arrays(characters)
    found = Spelling(arrays).vectors([word])[0]
    np.testing.assert_allclose(found, slow_vector(arrays, characters, read_as), atol=1e-4)


def changed(**changes):
    arrays = spelling_arrays()
    for name, array in changes.items():
        arrays[name.replace("__", ".")] = array
    return {name: array for name, array in arrays.items() if array is not None}


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"characters": None}, "array 'characters' is missing"),
        ({"characters": np.frombuffer(b"a\nbb\n", np.uint8)}, "different single characters"),
        ({"characters": np.frombuffer(b"a\na\n", np.uint8)}, "different single characters"),
        ({"characters": np.frombuffer(b"a\nb\n", np.uint8)}, r"shape \[10, 2\], expected \[6, \*"),
        ({"characters": np.zeros(3, np.float16)}, "array 'characters': float16"),
        ({"character_vectors": np.zeros((10, 0), np.float16)}, r"shape \[10, 0\]"),
        ({"filter_weight__1": None}, "array 'filter_weight.1' is missing"),
        ({"filter_weight__2": None}, "array 'highway1_weight': shape"),
        ({"filter_bias__2": np.zeros(4, np.float16)}, r"shape \[4\], expected \[3\]"),
        ({"highway1_bias": None}, "array 'highway1_bias' is missing"),
        ({"highway1_bias": np.full(18, np.nan, np.float16)}, "not finite"),
        ({"highway1_bias": np.zeros((18, 1), np.float16)}, r"float16\[18, 1\]"),
        ({"plain_weight": np.zeros((9, 9), np.float16)}, "'plain_bias' is missing"),
        ({"highway3_bias": np.zeros(1, np.float16)}, "'highway3_bias' belongs to nothing"),
        ({"projection_weight": np.zeros((8, 5), np.float16)}, r"expected \[9, \*\]"),
    ],
)
def test_what_does_not_fit_together(changes, problem):
    with pytest.raises(SennaError, match=problem):
        Spelling(changed(**changes))
