"""What n-gram models of every kind have in common."""

import numpy as np
import pytest
from test_kneser_ney import large_stream

from senna_py.lm.ngram.classes import train_class_model
from senna_py.lm.ngram.interpolated import train_interpolated
from senna_py.lm.ngram.kneser_ney import train_kneser_ney
from tests.helpers.plain_ngrams import word_list

CLASSES = {b"w%d" % i: b"%d" % (i % 5) for i in range(25)}
KINDS = {
    "Kneser-Ney": train_kneser_ney,
    "interpolated": lambda train, *given: train_interpolated(train, train[:100], *given),
    "classes": lambda train, *given: train_class_model(train, train[:0], *given, CLASSES),
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_stream_without_marks_in_parts(kind):
    train = np.array(large_stream(False), np.int32)
    model = KINDS[kind](train, 4, word_list(30, False))
    scorer = model.scorer()
    parts = [scorer.take(part) for part in np.array_split(train, 97)]
    assert np.concatenate(parts).tolist() == model.log10_probabilities(train).tolist()
