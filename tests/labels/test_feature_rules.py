"""Features that go with parts of speech, in one convention, with any network's
answers.
"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from senna_py.labels.features import FeatureRules, in_convention
from senna_py.layers.decoder import Decoder, Transitions
from senna_py.model import Model
from senna_py.tagger import Tagger
from senna_py.text.vocabulary import Vocabulary

UPOS = ("ADJ", "ADV", "PRON", "VERB", "PROPN", "DET", "NEW")
FEATS = (
    "_",
    "Degree=Pos",
    "Number=Sing",
    "Mood=Imp|VerbForm=Fin",
    "Mood=Imp|Person=2|VerbForm=Fin",
    "Case=Nom|Number=Sing|Person=2|PronType=Prs",
    "Case=Nom|Person=2|PronType=Prs",
    "PronType=Tot",
    "PronType=Ind",
    "PronType=Dem",
)


@pytest.fixture(scope="module")
def tagger():
    return Tagger("en", ["upos", "feats"])


@pytest.mark.parametrize(
    ("upos", "feats", "expected"),
    [
        ("ADV", "Degree=Pos", "_"),
        ("ADV", "Degree=Cmp", "Degree=Cmp"),
        ("ADJ", "Degree=Pos", "Degree=Pos"),
        (
            "PRON",
            "Case=Nom|Number=Sing|Person=2|PronType=Prs",
            "Case=Nom|Person=2|PronType=Prs",
        ),
        ("PRON", "Case=Nom|Number=Sing|Person=1|PronType=Prs", None),
        ("PRON", "Case=Acc|Number=Plur|Person=2|PronType=Prs|Reflex=Yes", None),
        ("VERB", "Mood=Imp|Person=2|VerbForm=Fin", "Mood=Imp|VerbForm=Fin"),
        ("AUX", "Person=2|VerbForm=Inf", "VerbForm=Inf"),
        ("VERB", "Mood=Ind|Number=Sing|Person=2|Tense=Pres|VerbForm=Fin", None),
    ],
)
def test_the_convention(upos, feats, expected):
    assert in_convention(upos, feats) == (expected or feats)


def test_what_a_part_of_speech_may_have():
    allowed = FeatureRules(UPOS, FEATS).allowed
    found = {
        tag: {FEATS[k] for k in np.flatnonzero(row)}
        for tag, row in zip(UPOS, allowed, strict=True)
    }
    assert found["PROPN"] >= {"Number=Sing"} and "Degree=Pos" not in found["PROPN"]
    assert "_" not in found["VERB"]
    assert found["NEW"] == {*FEATS}
    assert "Mood=Imp|Person=2|VerbForm=Fin" in found["VERB"]  # and becomes another


class _Network:
    """Of no scores of transitions, or of such."""

    def __init__(self, n_tags, steps):
        self.output_bias = np.zeros(n_tags, np.float32)
        self.initial = np.zeros(n_tags, np.float32) if steps else None
        self.transition, self.final = np.zeros((n_tags, n_tags), np.float32), None


@given(st.data(), st.booleans())
def test_the_likeliest_tag_that_a_row_may_have_is_found(data, steps):
    n_tags, n_classes = data.draw(st.integers(1, 6)), data.draw(st.integers(1, 3))
    rng = np.random.default_rng(data.draw(st.integers(0, 9999)))
    table = rng.random((n_classes, n_tags)) < 0.5
    table[:, 0] = True
    n = data.draw(st.integers(1, 12))
    classes, scores = (
        rng.integers(0, n_classes, n),
        rng.normal(size=(n, n_tags)).astype(np.float32),
    )
    starts = np.array([0, n // 2, n], np.int32)
    transitions = Transitions(_Network(n_tags, steps))
    kept = []
    decoder = Decoder(starts, transitions, kept, permitted=(table, classes))
    wide = -(-n_tags // 8) * 8
    for a, b in ((0, n // 2), (n // 2, n)):
        block = np.full((b - a, wide), -np.inf, np.float32)
        block[:, :n_tags] = scores[a:b]
        decoder.add(block)
    expected = np.where(table[classes], scores, -np.inf).argmax(axis=1)
    np.testing.assert_array_equal(decoder.tags, expected)
    # Probabilities are as they were.
    np.testing.assert_array_equal(np.concatenate(kept), scores)


@pytest.mark.parametrize(
    ("text", "word", "upos", "feats"),
    [
        ("He spoke german fluently.", "german", "PROPN", "Number=Sing"),
        ("We are interested in it.", "interested", "ADJ", "Degree=Pos"),
        ("You really are here.", "really", "ADV", "_"),
        ("You really are here.", "here", "ADV", "PronType=Dem"),
        ("You really are here.", "You", "PRON", "Case=Nom|Person=2|PronType=Prs"),
        (
            "Bring your dog now.",
            "your",
            "PRON",
            "Case=Gen|Person=2|Poss=Yes|PronType=Prs",
        ),
        ("Bring your dog now.", "Bring", "VERB", "Mood=Imp|VerbForm=Fin"),
        ("So far he sings well.", "well", "ADV", "Degree=Pos"),
        ("EVERY man left.", "EVERY", "DET", "PronType=Tot"),
    ],
)
def test_the_english_model(tagger, text, word, upos, feats):
    # Whatever is asked for.
    for nlp in (
        tagger,
        Tagger("en", ["feats"], with_scores=True),
    ):
        (found,) = [token for token in nlp(text) if token.text == word]
        assert str(found.tags["feats"]) == feats
    (found,) = [token for token in tagger(text) if token.text == word]
    assert found.tags["upos"] == upos


def test_a_network_with_other_features_is_left_alone(monkeypatch):
    model = Model()
    assert model.feature_rules() is not None
    own, others = model.storage.labels, Vocabulary(b"_\nNumber=Sing\nAnimacy=Hum\n")
    monkeypatch.setattr(
        model.storage, "labels", lambda name: others if name == "feats" else own(name)
    )
    assert model.feature_rules() is None


def test_no_word_has_what_its_part_of_speech_cannot_have(tagger):
    rules = FeatureRules(*(tagger.labels(name).names for name in ("upos", "feats")))
    allowed = {
        (tag, in_convention(tag, name))
        for tag, row in zip(tagger.labels("upos").names, rules.allowed, strict=True)
        for name, may in zip(tagger.labels("feats").names, row, strict=True)
        if may
    } | {("ADV", "Degree=Pos")}
    text = "ISo unitd Grass-roots hurt: its kinda back @x f*** #1 don't, alt.animals.crab Its P."
    for line in (text, text.lower(), text.upper(), text.title()):
        found = tagger(line)
        assert {*zip(found.tags["upos"], found.tags["feats"], strict=True)} <= allowed
