"""Features that agree with the dependency tree."""

import numpy as np
import pytest

from senna_py.errors import SennaError
from senna_py.features.agreement_rules import AgreementRules
from senna_py.labels.agreement import Agreement, TaggedWords

NAMES = {
    "tag": ("PRP", "VBD", "VB", "NNS", "CC"),
    "upos": ("PRON", "VERB", "AUX", "NOUN", "CCONJ"),
    "feats": (
        "_",
        "Number=Sing|Person=3|VerbForm=Fin",
        "Number=Plur|Person=3|VerbForm=Fin",
        "VerbForm=Inf",
        "Case=Nom|Person=2",
        "Case=Acc|Person=2",
        "Number=Plur",
        "Typo=Yes",
        "Number=Plur|Typo=Yes",
        "Number=Plur|Person=3|Typo=Yes|VerbForm=Fin",
    ),
    "relation": ("root", "nsubj", "aux", "obj", "conj", "obl:tmod", "goeswith"),
}
SINGULAR, PLURAL = NAMES["feats"][1:3]


def words(*rows):
    """Return TaggedWords of rows: form, tag, upos, feats, head (-1: root), relation."""
    forms, *columns, head, relation = zip(*rows, strict=True)
    columns.append(relation)
    labels = [
        np.array([names.index(value) for value in column], np.int32)
        for names, column in zip(NAMES.values(), columns, strict=True)
    ]
    return TaggedWords(
        lambda rows: [forms[row] for row in rows.tolist()],
        *labels,
        tuple(NAMES.values()),
        np.array(head),
    )


def applied(agreement, *rows):
    of_rows = words(*rows)
    return [NAMES["feats"][label] for label in agreement.apply(of_rows)]


@pytest.fixture(scope="module")
def agreement():
    sentences = []
    for _ in range(3):
        n = len(sentences)
        sentences += [
            ("they", "PRP", "PRON", "_", n + 1, "nsubj"),
            ("saw", "VBD", "VERB", PLURAL, -1, "root"),
            ("you", "PRP", "PRON", "Case=Acc|Person=2", n + 1, "obj"),
            ("you", "PRP", "PRON", "Case=Nom|Person=2", n + 5, "nsubj"),
            ("had", "VBD", "AUX", SINGULAR, n + 5, "aux"),
            ("go", "VB", "VERB", "VerbForm=Inf", -1, "root"),
            ("dogs", "NNS", "NOUN", "Number=Plur", n + 7, "nsubj"),
            ("ran", "VBD", "VERB", PLURAL, -1, "root"),
            ("barked", "VBD", "VERB", PLURAL, n + 7, "conj"),
        ]
    return Agreement.learned(words(*sentences))


def test_verbs_agree_with_their_subjects(agreement):
    found = applied(
        agreement,
        ("they", "PRP", "PRON", "_", 1, "nsubj"),
        ("left", "VBD", "VERB", SINGULAR, -1, "root"),
        ("came", "VBD", "VERB", SINGULAR, 1, "conj"),
        ("it", "PRP", "PRON", "_", 4, "nsubj"),
        ("left", "VBD", "VERB", SINGULAR, -1, "root"),
    )
    assert found == ["_", PLURAL, PLURAL, "_", SINGULAR]


def test_nouns_count_by_their_number_and_auxiliaries_by_their_form(agreement):
    found = applied(
        agreement,
        ("cats", "NNS", "NOUN", "Number=Plur", 1, "nsubj"),
        ("left", "VBD", "VERB", SINGULAR, -1, "root"),
        ("you", "PRP", "PRON", "Case=Nom|Person=2", 5, "nsubj"),
        ("had", "VBD", "AUX", PLURAL, 5, "aux"),
        ("did", "VBD", "AUX", PLURAL, 5, "aux"),
        ("go", "VB", "VERB", "VerbForm=Inf", -1, "root"),
    )
    assert found[1] == PLURAL
    assert found[3:5] == [SINGULAR, PLURAL]


def test_pronouns_have_the_case_of_their_relation(agreement):
    found = applied(
        agreement,
        ("you", "PRP", "PRON", "Case=Acc|Person=2", 1, "nsubj"),
        ("go", "VB", "VERB", "VerbForm=Inf", -1, "root"),
        ("you", "PRP", "PRON", "Case=Nom|Person=2", 1, "obj"),
    )
    assert found == ["Case=Nom|Person=2", "VerbForm=Inf", "Case=Acc|Person=2"]


def test_a_coordination_is_no_single_subject(agreement):
    found = applied(
        agreement,
        ("they", "PRP", "PRON", "_", 2, "nsubj"),
        ("you", "PRP", "PRON", "Case=Acc|Person=2", 0, "conj"),
        ("left", "VBD", "VERB", SINGULAR, -1, "root"),
    )
    assert found[2] == SINGULAR


def test_a_word_that_was_split_is_a_typo(agreement):
    found = applied(
        agreement,
        ("with", "CC", "CCONJ", "_", 2, "aux"),
        ("out", "CC", "CCONJ", "_", 0, "goeswith"),
        ("dog", "NNS", "NOUN", "Number=Plur", -1, "root"),
        ("s", "CC", "CCONJ", "_", 2, "goeswith"),
        ("saw", "VBD", "VERB", SINGULAR, -1, "root"),
        ("ed", "CC", "CCONJ", "_", 4, "goeswith"),  # no label with Typo=Yes is known
        ("they", "PRP", "PRON", "_", 7, "nsubj"),
        ("saw", "VBD", "VERB", SINGULAR, -1, "root"),
        ("ed", "CC", "CCONJ", "_", 7, "goeswith"),
    )
    assert found[:6] == ["Typo=Yes", "_", "Number=Plur|Typo=Yes", "_", SINGULAR, "_"]
    assert found[6:] == ["_", "Number=Plur|Person=3|Typo=Yes|VerbForm=Fin", "_"]


def test_they_are_stored_as_lines(agreement):
    again = Agreement.from_array(agreement.array, "feats")
    assert again.features == agreement.features
    described = {"feats": AgreementRules().describe(again)}
    n_rules = len(agreement.features)
    assert AgreementRules().lines(described) == [
        f"agreement of feats with the tree: {n_rules} rules"
    ]
    for data in (b"a\tb\n", b"a\tb\tc\td\te\tf", b"\xff\n"):
        with pytest.raises(SennaError, match="feats: not "):
            Agreement.from_array(np.frombuffer(data, np.uint8), "feats")
