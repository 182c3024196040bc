"""What n-gram models of every kind have in common."""

import numpy as np
import pytest
from test_kneser_ney import large_stream

from senna_py.lm.ngram.classes import train_class_model
from senna_py.lm.ngram.interpolated import train_interpolated
from senna_py.lm.ngram.kneser_ney import train_kneser_ney
from tests.helpers.plain_ngrams import BEGIN, word_list

CLASSES = {b"w%d" % i: b"%d" % (i % 5) for i in range(25)}
KINDS = {
    "Kneser-Ney": train_kneser_ney,
    "interpolated": lambda train, *given: train_interpolated(train, train[:100], *given),
    "classes": lambda train, *given: train_class_model(train, train[:0], *given, CLASSES),
}


@pytest.fixture(params=KINDS)
def kind(request):
    return KINDS[request.param]


@pytest.mark.parametrize("marks", [True, False])
@pytest.mark.parametrize("order", [2, 3, 5])
def test_probabilities_sum_to_one(kind, marks, order):
    train = np.array(large_stream(marks), np.int32)
    model = kind(train, order, word_list(30, marks))
    words = np.array([w for w in range(30) if not (marks and w == BEGIN)], np.int32)
    unseen = [[29, 28], [3, 29], [0, 0], [29]]
    seen = [train[i : i + n] for i in range(0, 60, 3) for n in range(order + 1)]
    for context in map(np.int32, [*unseen, *seen]):
        scores = [model.log10_probabilities(words[[i]], context)[0] for i in range(len(words))]
        assert (10 ** np.array(scores)).sum() == pytest.approx(1, abs=1e-5)


def test_a_stream_without_marks_in_parts(kind):
    train = np.array(large_stream(False), np.int32)
    model = kind(train, 4, word_list(30, False))
    scorer = model.scorer()
    parts = [scorer.take(part) for part in np.array_split(train, 97)]
    assert np.concatenate(parts).tolist() == model.log10_probabilities(train).tolist()
