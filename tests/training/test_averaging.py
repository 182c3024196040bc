import numpy as np

from senna_py.training.averaging import Average


def test_the_mean_of_the_last_ends():
    weight, table = np.zeros(3, np.float32), np.zeros((4, 2), np.float32)
    average = Average({"weight": weight, "table": table}, {"table": np.array([1, 3])}, 2)
    assert average.mean()["weight"] is weight
    for value in (1, 2, 6):
        weight[:] = value
        table[[1, 3]] = value
        table[0] = 7  # a row that training cannot change is taken as it is
        average.add()
    mean = average.mean()
    np.testing.assert_array_equal(mean["weight"], [4, 4, 4])
    np.testing.assert_array_equal(mean["table"], [[7, 7], [4, 4], [0, 0], [4, 4]])
    assert (weight == 6).all() and (table[1] == 6).all()


def test_arrays_are_restored_in_place():
    weight = np.arange(3, dtype=np.float32)
    average, other = (Average({"weight": weight}, {}, 2) for _ in range(2))
    for _ in range(3):
        weight += 1
        average.add()
    other.prepare(3)
    assert {k: v.shape for k, v in other.arrays().items()} == {"0 weight": (3,), "1 weight": (3,)}
    for name, array in other.arrays().items():
        array[...] = average.arrays()[name]
    np.testing.assert_array_equal(other.mean()["weight"], average.mean()["weight"])
