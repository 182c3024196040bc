import pytest
from hypothesis import given
from hypothesis import strategies as st

from senna_py.errors import SennaError
from senna_py.evaluation.counts import Counts
from senna_py.evaluation.tokens import score_tokens

tags = st.sampled_from(["NN", "VB", "O", "."])
sentences = st.lists(st.lists(st.tuples(tags, tags), min_size=1, max_size=6), max_size=5)


@given(sentences)
def test_counts_equal_those_of_a_naive_count(sentences):
    scores = score_tokens(tuple(zip(*sentence, strict=True)) for sentence in sentences)
    tokens = [pair for sentence in sentences for pair in sentence]
    assert scores.n_tokens == len(tokens)
    assert scores.overall.correct == scores.n_correct == sum(a == b for a, b in tokens)
    for tag, counts in scores.labels.items():
        assert counts == Counts(
            sum(a == tag for a, _ in tokens),
            sum(b == tag for _, b in tokens),
            tokens.count((tag, tag)),
        )
    assert scores.confusions == {(a, b): tokens.count((a, b)) for a, b in tokens if a != b}
    assert list(scores.labels) == sorted({tag for pair in tokens for tag in pair})


def test_accuracy():
    assert score_tokens([("ab", "ab"), ("ab", "ba")]).accuracy == 50
    assert score_tokens([]).accuracy == 0


def test_lengths_have_to_agree():
    with pytest.raises(SennaError, match="sentence 1: expected 1 predicted tags, found 2"):
        score_tokens([("a", "ab")])
