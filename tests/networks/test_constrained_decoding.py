"""Networks as training makes them never give an impossible sequence of tags; classes of
rows.
"""

import itertools
from types import SimpleNamespace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from senna_py.answers.layer import Layer
from senna_py.features.protocol import Batch
from senna_py.features.word_class import WordClasses
from senna_py.labels.constraints import RowClass
from senna_py.labels.tag_schemes import first_misfit
from senna_py.labels.tasks import POS, find_task
from senna_py.layers.likelihood import IMPOSSIBLE
from senna_py.networks.batch import WordBatch
from senna_py.tagging.build import constrain, new_networks
from senna_py.tagging.inputs import constraints
from senna_py.tagging.targets import learner_of
from senna_py.text.paired_marks import pair_classes
from senna_py.text.row_classes import form_properties, role_classes, word_classes
from senna_py.text.tokenizer import Tokenizer
from senna_py.text.vocabulary import Vocabulary
from tests.helpers.random_networks import random_batch, tag, window_network
from tests.helpers.small_corpora import settings

(
    OTHER,
    _,
    _,
    _,
    FAR,
    FAR_FROM_FINITE,
    FAR_NEVER,
    NUMBER,
    COUNT,
    TWO,
    COMMON,
    ADDRESS,
    TIME,
) = RowClass
TYPES = ("NP", "VP", "B-X")  # the last one on purpose


def all_keys(types):
    return ["O", *(f"{prefix}-{kind}" for kind in types for prefix in "BIES")]


@given(
    st.sets(st.sampled_from(all_keys(TYPES)[1:])),
    st.lists(st.integers(1, 9)),
    st.integers(0),
)
def test_window_network(kept, lengths, seed):
    keys = ["O", *sorted(kept)]
    rng = np.random.default_rng(seed)
    network = window_network(rng, n_tags=len(keys))
    network.output_weight *= 100
    constrain(network, keys)
    features, starts = random_batch(rng, lengths)
    tags = tag(network, features, starts)
    for a, b in itertools.pairwise(starts):
        names = [keys[i] for i in tags[a:b]]
        assert first_misfit(names, "iobes") is None, names


@given(st.lists(st.sampled_from(all_keys(TYPES)), min_size=1, max_size=5))
def test_constraints_are_those_of_the_scheme(tags):
    keys = all_keys(TYPES)
    begins, follows, ends = constraints(keys)
    index = [keys.index(tag) for tag in tags]
    allowed = (
        begins[index[0]]
        and ends[index[-1]]
        and all(follows[i, j] for i, j in itertools.pairwise(index))
    )
    assert allowed == (first_misfit(tags, "iobes") is None)


def new(keys, **changes):
    vectors, padding = np.zeros((3, 2), np.float32), np.zeros(1, np.int32)
    features = SimpleNamespace(
        names=("word",), vocabularies={}, padding=lambda: padding
    )
    config = settings(**changes)
    ((name, task),) = config.gold_tasks.items()
    learner = learner_of(task)
    learner.take_keys(keys)
    return new_networks(config, vectors, features, {name: learner}, {})[name]


def test_segments_and_roles_are_constrained():
    keys = all_keys(["NP"])
    for task in ("chk", "srl"):
        network = new(keys, task=task, features={})
        assert (network.initial == IMPOSSIBLE).tolist() == [
            False,
            False,
            True,
            True,
            False,
        ]
        assert (network.final == IMPOSSIBLE).tolist() == [
            False,
            True,
            True,
            False,
            False,
        ]
        assert network.transition[0, 2] == network.transition[1, 0] == IMPOSSIBLE
        assert network.transition[1, 2] == 0


def test_tags_and_free_networks_are_not():
    for keys, changes in (
        (["B-", "I-TO", "NN"], {"task": "pos"}),
        (all_keys(["NP"]), {"network": {"constrained": False}}),
    ):
        network = new(keys, **changes)
        assert not network.initial.any()
        assert not network.transition.any()
        assert network.final is None
    assert new(all_keys(["NP"]), network={"criterion": "word"}).initial is None


CASING = WordClasses(
    b"capital\tcheetah\tcherry\tfirefox\tfox\tsunday\nseldom\tcherries\tfoxes"
)
TOKENIZER = Tokenizer(Vocabulary.from_keys(["UNKNOWN"]))
LABELS = ["VBZ", "VBP", "VBD", "MD", "RB", "VB", "NN", "CC"]
WORDS = st.sampled_from(
    ["The", "fox", "2", "20", "went", "or", "cherry", "é", '"', "3rd", "-5", "Él"]
)


def kinds_of(sentences):
    tokens = TOKENIZER.pretokenized(sentences)
    return word_classes(tokens, form_properties(tokens, CASING)).tolist()


def test_of_words():
    text = "2 went , Only 2 of 3rd $5.00 ½ and 4 IBM 1,000 a1"
    found = kinds_of([text.split()])
    assert found == [
        COUNT,
        *[OTHER] * 3,
        TWO,
        OTHER,
        OTHER,
        NUMBER,
        *[OTHER] * 2,
        NUMBER,
        OTHER,
        NUMBER,
        OTHER,
    ]
    assert kinds_of([["2", "Went"], ["7"], ["8", "of"]]) == [
        TWO,
        OTHER,
        NUMBER,
        COUNT,
        OTHER,
    ]
    text = [
        '"',
        "The",
        "fox",
        ",",
        "firefox",
        "cherry",
        "sunday",
        "cheetah",
        "FOX",
        "fox",
    ]
    assert [i for i, kind in enumerate(kinds_of([text])) if kind == COMMON] == [2, 5, 9]
    assert COMMON not in kinds_of([["the", "fox"], ["A", "fox", "News"]])


def test_of_addresses_and_times():
    text = [
        "@anna",
        "@",
        "anna",
        "#fun",
        "#1",
        "#é",
        "3am",
        "10:30PM",
        "3",
        "am",
        "3amp",
    ]
    assert kinds_of([text]) == [
        ADDRESS,
        OTHER,
        OTHER,
        ADDRESS,
        NUMBER,
        ADDRESS,
        TIME,
        TIME,
        NUMBER,
        OTHER,
        OTHER,
    ]


@given(st.lists(st.lists(WORDS, min_size=1, max_size=5), max_size=4))
def test_a_sentence_has_the_same_in_any_batch(sentences):
    assert kinds_of(sentences) == [
        kind for each in sentences for kind in kinds_of([each])
    ]


def role_kinds_of(tagged, predicates):
    tokens = TOKENIZER.pretokenized(
        [[word for word, _ in sentence] for sentence in tagged]
    )
    tags = [LABELS.index(tag) for sentence in tagged for _, tag in sentence]
    batch = Batch(tokens, {POS: Layer(find_task(POS), (), np.array(tags, np.int32))})
    features = np.zeros((len(tokens), 1), np.int32)
    words = WordBatch(features, tokens.starts).of_predicates(
        np.array(predicates, np.intp)
    )
    return role_classes(words, batch, LABELS).tolist()


def test_of_roles():
    eats = [
        ("does", "VBZ"),
        ("not", "RB"),
        ("eat", "VB"),
        ("and", "CC"),
        ("never", "RB"),
        ("drinks", "VBZ"),
        ("or", "CC"),
        ("smoked", "VBD"),
    ]
    free, far = (
        [OTHER] * 8,
        [FAR_FROM_FINITE] * 4 + [OTHER] * 4,
    )
    assert role_kinds_of([eats[:6], eats], [8, 11, 13]) == free + far + far
    never = [
        ("never", "RB"),
        ("eats", "VBZ"),
        ("but", "CC"),
        ("never", "RB"),
        ("drinks", "VBP"),
    ]
    expected = [OTHER] * 5 + [
        FAR_NEVER,
        FAR,
        FAR,
        OTHER,
        OTHER,
    ]
    assert role_kinds_of([eats, never], [9, 12]) == expected
    rests = [("will", "MD"), ("rest", "VB"), ("and", "CC"), ("may", "MD"), ("go", "VB")]
    assert role_kinds_of([rests], [1, 4]) == [OTHER] * 5 + [FAR] * 3 + [OTHER] * 2
    assert role_kinds_of([eats], []) == role_kinds_of([], []) == []


def test_many_open_brackets_are_read():
    n = 100_000  # to look through all that are open would take minutes
    words = ["("] * n + ["“"] + [")"] * n
    kinds = pair_classes(
        Tokenizer(Vocabulary(b"PADDING\nUNKNOWN\n"), "english").pretokenized([words])
    )
    assert np.flatnonzero(kinds).tolist() == [0, 1, 2 * n - 1, 2 * n]
