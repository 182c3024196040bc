import numpy as np
import pytest

from senna_py.features.assembly import Assembly
from senna_py.features.form_inputs import FormInputs
from senna_py.features.forms import FormTable
from senna_py.features.protocol import Batch
from senna_py.kernels.runtime.switch import fixed_kernels
from senna_py.networks.batch import WordBatch
from senna_py.text.tokenizer import Tokenizer

SENTENCES = [
    ["New", "York", "City", "and", "the", "Bank", "of", "England", "."],
    ["WHO", "is", "Mary", "Smith", "?"],
    ["NEW", "YORK", "bank"],
]


@pytest.mark.parametrize("plain", [False, True])
@pytest.mark.parametrize("capacity", [0, 5, 1000])
def test_kept_sums_give_the_scores_of_all_features(shipped_model, capacity, plain):
    storage = shipped_model.storage
    network, assembly = storage.network("upos"), Assembly.of_network(storage, "upos")
    tokens = Tokenizer(storage.words).pretokenized(SENTENCES)
    with fixed_kernels(plain):
        cache = network.cache(0)
        expected = network.scores(
            WordBatch(assembly(Batch(tokens)), tokens.starts), cache
        )
        inputs = FormInputs(assembly, network, cache)
        values = {inputs.sums: inputs.sums.value, **assembly.values}
        table = FormTable(values, capacity)
        assert FormInputs.suit(assembly, network)
        for part in (tokens.sentences(1, 3), tokens, tokens.sentences(0, 1), tokens):
            inputs_of_part = inputs(Batch(part, values=table.find(part)))
            found = network.scores(WordBatch(inputs_of_part, part.starts), cache)
            begin = 0 if len(part) > 8 else 9
            assert np.array_equal(found, expected[begin : begin + len(part)])
