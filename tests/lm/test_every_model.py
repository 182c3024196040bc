"""What language models of every kind have in common."""

import numpy as np
import pytest

from senna_py.lm.model_files import open_model
from tests.helpers.language_models import language_models

KINDS = (
    "ngram", "interpolated", "classes", "nplm-direct", "nplm-classed", "nplm-energy", "mixture",
    "char", "word", "clusters", "morph",
)  # fmt: skip
IDS = np.array([1, 3, 4, 5, 2, 1, 0, 7, 2, 1, 9, 9, 9, 3, 2] * 60, np.int32)


@pytest.fixture(scope="module")
def directory(tmp_path_factory):
    directory = tmp_path_factory.mktemp("models")
    language_models(directory)
    return directory


@pytest.mark.parametrize("kind", [*KINDS, "spelled"])
def test_a_stream_in_parts_has_the_same_probabilities(kind, directory):
    model = open_model(directory / f"{kind}.lm")
    whole, scorer = model.log10_probabilities(IDS), model.scorer()
    assert (whole[IDS == 1] == 0).all() and (whole[IDS != 1] < 0).all()
    parts = [scorer.take(part) for part in np.split(IDS, [0, 1, 2, 2, 3, 50, 51, 700])]
    np.testing.assert_allclose(np.concatenate(parts), whole, atol=1e-5)
    np.testing.assert_allclose(model.log10_probabilities(IDS[5:], IDS[:5]), whole[5:], atol=1e-5)


@pytest.mark.parametrize("kind", KINDS)
def test_probabilities_of_all_words_are_those_of_each(kind, directory):
    model = open_model(directory / f"{kind}.lm")
    for before in ([1], [1, 3, 4], [1, 9, 9, 9], [1, 0, 7]):
        p = model.probabilities(before)
        assert p.sum() == pytest.approx(1, rel=1e-5)
        for word in range(len(p)):
            if word != model.word_list.begin:
                (found,) = model.log10_probabilities(np.int32([word]), np.int32(before))
                assert 10**found == pytest.approx(p[word], rel=1e-4, abs=1e-9)


@pytest.mark.parametrize("kind", KINDS)
def test_a_model_that_is_read_is_written_again(kind, directory):
    path = directory / f"{kind}.lm"
    open_model(path).write(directory / "again")
    assert (directory / "again").read_bytes() == path.read_bytes()
