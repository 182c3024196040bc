"""Batches of sentences of files with weights."""

import numpy as np
import pytest

from senna_py.errors import SennaError
from senna_py.lm.text.corpus import Preparation, prepare
from senna_py.lm.text.sentences import WeightedSentences


def test_weights_say_how_often_a_file_is_read(tmp_path):
    files = []
    for name in "abc":
        files.append(tmp_path / f"{name}.txt")
        files[-1].write_text("".join(f"{name} {name} {name} x{i} .\n" for i in range(100)))
    corpus = prepare(files, tmp_path / "forms", Preparation("form"), 1)
    sentences = WeightedSentences(corpus, "train", [2.5, 1.0, 0.25], 4, 50, 1)
    assert sentences.n_words == 5 * (250 + 100 + 25)
    batches = [sentences.batch(k) for k in range(2 * sentences.n_batches)]
    words = np.concatenate([forms for forms, _ in batches[: sentences.n_batches]])
    n = {name: int((words == corpus.words.index(name)).sum()) / 3 for name in "abc"}
    assert n == {"a": 250, "b": 100, "c": 25}
    again = WeightedSentences(corpus, "train", [2.5, 1.0, 0.25], 4, 50, 1)
    last = len(batches) - 1
    assert np.array_equal(again.batch(last)[0], batches[last][0])
    assert not np.array_equal(batches[0][0], batches[sentences.n_batches][0])
    with pytest.raises(SennaError, match="no sentence of 6 or more words in the train text"):
        WeightedSentences(corpus, "train", [1.0] * 3, 6, 50, 1)
