from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from senna_py.features.forms import FormTable
from senna_py.features.protocol import FormValue
from senna_py.kernels.runtime.switch import fixed_kernels
from senna_py.kernels.text.forms import LONGEST
from senna_py.text.tokenizer import Tokenizer
from senna_py.text.vocabulary import Vocabulary

TOKENIZER = Tokenizer(Vocabulary.from_keys(["PADDING", "UNKNOWN", "the", "a"]))


def tokens_of(words):
    return TOKENIZER.lines(" ".join(words).encode(), True)


def number_of(form):
    """A number that depends on the form only."""
    return int.from_bytes(form, "little") % 1000


class Counted:
    """A value of forms that counts how often it was computed."""

    def __init__(self):
        self.n = 0

    def __call__(self, batch):
        forms = [*batch.tokens.texts()]
        self.n += len(forms)
        numbers = [[number_of(form), len(form)] for form in forms]
        return np.array(numbers, np.int32).reshape(-1, 2)


def values_of(table, words):
    place, kept, new = table.find(tokens_of(words))["value"]
    return [(kept[k] if k >= 0 else new[-1 - k]).tolist() for k in place.tolist()]


def expected(words):
    return [[number_of(word.encode()), len(word.encode())] for word in words]


@pytest.fixture(params=[False, True])
def plain(request):
    with fixed_kernels(request.param):
        yield request.param


@pytest.mark.usefixtures("plain")
@pytest.mark.parametrize("capacity", [0, 1, 7, 1000])
def test_values_are_those_of_the_forms(capacity):
    counted = Counted()
    table = FormTable({"value": FormValue(2, counted)}, capacity)
    rng = np.random.default_rng(capacity)
    for _ in range(20):
        words = [f"Wort{n}" for n in rng.geometric(0.1, 30)] + ["x" * (LONGEST + 1)]
        assert values_of(table, words) == expected(words)


@pytest.mark.usefixtures("plain")
def test_a_form_is_computed_once_while_there_is_room():
    counted = Counted()
    table = FormTable({"value": FormValue(2, counted)}, 100)
    words = ["The", "the", "a", "THE", "the", "é", "É"]
    for _ in range(3):
        assert values_of(table, words) == expected(words)
        assert counted.n == 6


@pytest.mark.usefixtures("plain")
def test_the_same_text_may_be_looked_up_in_several_ways():
    """As of tokens that are written with other characters than those of the dictionary."""

    def words_of(batch):
        return batch.tokens.word[:, None]

    table = FormTable({"value": FormValue(1, words_of)}, 100)
    tokens = tokens_of(["the", "it", "a"])
    other = tokens_of(["a", "it", "the"])
    for folded, word in (
        (tokens.folded, tokens.word),
        (other.folded, other.word),
    ) * 2:
        changed = tokens.rows(np.arange(3))
        changed.folded, changed.word = folded, word
        if folded is other.folded:
            changed.folded_begin = other.folded_begin
            changed.folded_end = other.folded_end
        place, kept, new = table.find(changed)["value"]
        found = [int((kept[k] if k >= 0 else new[-1 - k])[0]) for k in place.tolist()]
        assert found == word.tolist()


def test_threads_share_a_table():
    table = FormTable({"value": FormValue(2, Counted())}, 300)
    rng = np.random.default_rng(0)
    texts = [[f"w{n}" for n in rng.geometric(0.005, 300)] for _ in range(40)]
    with ThreadPoolExecutor(4) as pool:
        found = [*pool.map(lambda words: values_of(table, words), texts)]
    assert found == [expected(words) for words in texts]


@pytest.mark.slow
def test_marks_are_cleared_where_many_forms_are_new(plain):
    table = FormTable({"value": FormValue(2, Counted())}, 2)
    for k in range(3):
        words = [f"w{k}x{n}" for n in range(9000)]
        assert values_of(table, words) == expected(words)
