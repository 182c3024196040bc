import pytest
from hypothesis import given
from hypothesis import strategies as st

from senna_py.errors import SennaError
from senna_py.evaluation.chunks import score_chunks, strict_encodings
from senna_py.evaluation.counts import Counts
from senna_py.evaluation.roles import join_continued, score_roles
from senna_py.evaluation.tokens import score_tokens
from senna_py.labels.tag_schemes import (
    ENCODINGS,
    encode,
    recode,
    segments,
    strict_segments,
)
from tests.helpers.confusions import assert_confusions_add_up

KINDS = ("NP", "VP")
TAGS = ["O", *(f"{prefix}-{kind}" for prefix in "BIES" for kind in KINDS)]
pairs = st.lists(
    st.lists(
        st.tuples(st.sampled_from(TAGS), st.sampled_from(TAGS)), min_size=1, max_size=9
    ).map(lambda tokens: tuple(zip(*tokens, strict=True))),
    max_size=4,
)


@given(pairs)
def test_confusions_are_what_is_missed_and_in_excess(sentences):
    scores = score_chunks(sentences)
    assert_confusions_add_up(scores)
    right = [a == b for pair in sentences for a, b in zip(*pair, strict=True)]
    assert (scores.n_tokens, scores.n_correct) == (len(right), sum(right))
    assert all(gold != predicted for gold, predicted in scores.confusions)


@given(pairs, st.sampled_from(ENCODINGS))
def test_a_perfect_prediction_has_100_percent_in_any_scheme(sentences, encoding):
    tags = [recode(gold, encoding) for gold, _ in sentences]
    scores = score_chunks(zip(tags, tags, strict=True))
    for counts in (scores.overall, *scores.labels.values()):
        expected = 100 if counts.gold else 0
        assert (counts.precision, counts.recall, counts.f1) == (expected,) * 3
    assert scores.accuracy == (100 if tags else 0)
    assert not scores.confusions


@given(pairs, st.sampled_from(ENCODINGS))
def test_the_scheme_does_not_change_the_chunk_counts(sentences, encoding):
    recoded = [[recode(tags, encoding) for tags in pair] for pair in sentences]
    assert score_chunks(recoded).labels == score_chunks(sentences).labels


@pytest.mark.parametrize(
    ("encoding", "tags", "chunks"),
    [
        ("iob2", "I-A O B-A I-A I-B B-B B-B", [("A", 2, 4), ("B", 5, 6), ("B", 6, 7)]),
        ("iob2", "B-A E-A S-A I-A B-A", [("A", 4, 5)]),
        ("iobes", "B-A I-A O B-A E-A E-A S-B I-B", [("A", 3, 5), ("B", 6, 7)]),
        ("iobes", "B-A B-A I-A E-A B-A E-B I-A E-A", [("A", 1, 4)]),
    ],
)
def test_strictly_only_well_formed_chunks_count(encoding, tags, chunks):
    assert strict_segments(tags.split(), encoding) == chunks


def test_the_encodings_of_strict_scoring():
    gold, found = ["B-A", "I-A", "O", "B-A"], ["B-A", "I-A", "O", "I-A"]
    in_iobes = [recode(tags, "iobes") for tags in (gold, found)]
    for pair, expected in (
        ((gold, found), Counts(2, 1, 1)),
        ((in_iobes[0], found), Counts(2, 0, 0)),  # read as gold is
        ((gold, in_iobes[1]), Counts(2, 2, 2)),
        (in_iobes, Counts(2, 2, 2)),
    ):
        assert score_chunks([pair], strict=strict_encodings([pair])).overall == expected
    assert score_chunks([(gold, found)]).overall == Counts(2, 2, 2)


@given(pairs)
def test_strict_scores_are_those_of_the_chunks_that_are_well_formed(sentences):
    kept = [
        [encode(strict_segments(tags, "iobes"), len(tags), "iobes") for tags in pair]
        for pair in sentences
    ]
    scores = score_chunks(sentences, strict=("iobes", "iobes"))
    assert scores.labels == score_chunks(kept).labels
    assert scores.n_correct == score_chunks(sentences).n_correct
    assert_confusions_add_up(scores)


def test_sentences_end_chunks():
    together = score_chunks([(["B-NP", "I-NP"], ["B-NP", "I-NP"])])
    apart = score_chunks([(["B-NP"], ["B-NP"]), (["I-NP"], ["I-NP"])])
    assert (together.overall.gold, apart.overall.gold) == (1, 2)


def test_raw_counts_every_tag_but_o():
    scores = score_chunks([(["NN", "NN", "O", "."], ["NN", "O", "NN", "."])], raw=True)
    assert scores.labels == {"NN": Counts(2, 2, 1), ".": Counts(1, 1, 1)}
    assert scores.accuracy == 50
    assert scores.confusions == {("NN", "-"): 1, ("-", "NN"): 1}


def test_precision_recall_and_f1():
    counts = Counts(gold=8, predicted=4, correct=3)
    assert (counts.precision, counts.recall, counts.f1) == (75, 37.5, 50)
    assert (counts.excess, counts.missed) == (1, 5)
    nothing = Counts()
    assert (nothing.precision, nothing.recall, nothing.f1) == (0, 0, 0)


tags = st.sampled_from(["NN", "VB", "O", "."])
sentences = st.lists(
    st.lists(st.tuples(tags, tags), min_size=1, max_size=6), max_size=5
)


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
    assert scores.confusions == {
        (a, b): tokens.count((a, b)) for a, b in tokens if a != b
    }
    assert list(scores.labels) == sorted({tag for pair in tokens for tag in pair})


def test_accuracy():
    assert score_tokens([("ab", "ab"), ("ab", "ba")]).accuracy == 50
    assert score_tokens([]).accuracy == 0


def test_lengths_have_to_agree():
    for score in (score_tokens, score_chunks):
        with pytest.raises(
            SennaError, match="sentence 2: expected 1 predicted tags, found 2"
        ):
            score([("a", "a"), ("a", "ab")])


LABELS = ["V", "A0", "A1", "C-A0", "C-A1", "R-A0", "C-V"]
phrases = st.lists(
    st.tuples(st.sampled_from([None, *LABELS]), st.integers(1, 3)), max_size=6
).map(
    lambda stretches: [
        (label, sum(n for _, n in stretches[:k]), sum(n for _, n in stretches[: k + 1]))
        for k, (label, _) in enumerate(stretches)
        if label is not None
    ]
)
propositions = st.dictionaries(st.integers(0, 4), phrases, max_size=3)
of_roles = st.lists(st.tuples(propositions, propositions), max_size=4)


@given(of_roles)
def test_a_perfect_prediction_has_100_percent(sentences):
    scores = score_roles((gold, gold) for gold, _ in sentences)
    for counts in (scores.overall, scores.verb, *scores.labels.values()):
        assert counts.f1 == (100 if counts.gold else 0)
    assert (
        scores.n_perfect
        == scores.n_propositions
        == sum(len(gold) for gold, _ in sentences)
    )
    assert not scores.confusions


@given(of_roles)
def test_confusions_of_roles_are_what_is_missed_and_in_excess(sentences):
    assert_confusions_add_up(score_roles(sentences))


@pytest.mark.parametrize(
    ("tags", "expected"),
    [
        ("S-A1 S-V S-C-A1", [("A1", ((0, 1), (2, 3))), ("V", ((1, 2),))]),
        # The last one.
        (
            "S-A1 S-A1 S-C-A1",
            [("A1", ((0, 1),)), ("A1", ((1, 2), (2, 3)))],
        ),
        ("S-A1 S-C-A1 S-C-A1", [("A1", ((0, 1), (1, 2), (2, 3)))]),
        # Nothing to continue.
        (
            "B-C-A1 E-C-A1 S-V",
            [("A1", ((0, 2),)), ("V", ((2, 3),))],
        ),
        ("S-C-A1 S-C-A1", [("A1", ((0, 1), (1, 2)))]),
        ("S-V O S-C-V", [("V", ((0, 1), (2, 3)))]),
        ("S-A0 S-R-A0 S-C-A0", [("A0", ((0, 1), (2, 3))), ("R-A0", ((1, 2),))]),
    ],
)
def test_continued_arguments(tags, expected):
    assert join_continued(segments(tags.split())) == expected


def test_v_counts_for_nothing():
    gold, predicted = [("A0", 0, 1), ("V", 1, 2)], [("A0", 0, 1), ("V", 2, 3)]
    scores = score_roles([({1: gold}, {1: predicted})])
    assert scores.overall == Counts(1, 1, 1)
    assert scores.verb == Counts(1, 1, 0)
    assert scores.perfect == 100


def test_all_tokens_and_the_role_are_compared():
    gold = [("A1", 0, 1), ("V", 1, 2), ("C-A1", 3, 4)]
    scores = score_roles([({1: gold}, {1: gold[:2]})])
    assert (scores.overall, scores.verb, scores.n_perfect) == (
        Counts(1, 1, 0),
        Counts(1, 1, 1),
        0,
    )
    scores = score_roles([({1: [("A0", 1, 2)]}, {1: [("V", 1, 2)]})])
    assert (scores.overall, scores.verb, scores.n_perfect) == (
        Counts(1, 0, 0),
        Counts(0, 1, 0),
        0,
    )


def test_predicates_that_only_one_side_has():
    found = {0: [("V", 0, 1), ("A1", 1, 3)], 2: [("V", 2, 3)]}
    scores = score_roles([({1: [("V", 1, 2), ("A0", 0, 1)]}, found)])
    assert scores.labels == {
        "A0": Counts(1, 0, 0),
        "A1": Counts(0, 1, 0),
        "V": Counts(1, 2, 0),
    }
    assert (scores.n_propositions, scores.n_perfect) == (1, 0)


@pytest.mark.parametrize("extra", [False, True])
def test_a_predicate_without_arguments_need_not_be_predicted(extra):
    gold = {0: [("A0", 1, 2)], 1: [("V", 1, 2)], 3: [], 4: [("V", 4, 5), ("C-V", 6, 7)]}
    scores = score_roles([(gold, {2: [("A1", 0, 1)]})], extra)
    assert (scores.n_perfect, scores.verb) == (3, Counts(2, 0, 0))
    scores = score_roles(
        [(gold, {1: [("V", 1, 2), ("A1", 3, 4)], 3: [("V", 3, 4)]})], extra
    )
    assert scores.n_perfect == 2


@given(of_roles)
def test_without_extra_predicates_only_those_of_gold_are_scored(sentences):
    scores = score_roles(sentences, extra=False)
    kept = [(a, {p: found for p, found in b.items() if p in a}) for a, b in sentences]
    same = score_roles(kept)
    assert scores.n_extra == sum(len(b) for _, b in sentences) - sum(
        len(b) for _, b in kept
    )
    assert (scores.labels, scores.n_perfect) == (same.labels, same.n_perfect)
    assert scores.confusions == same.confusions
