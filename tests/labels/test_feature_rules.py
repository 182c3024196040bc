"""Features that go with parts of speech, in one convention, with any network's
answers.
"""

import pytest

from senna_py.labels.features import in_convention
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
    tasks, *rows = (
        line.split("\t")
        for line in tagger.model.storage.combinations.array.tobytes()
        .decode()
        .split("\n")
        if line
    )
    upos, feats = (tasks.index(name) for name in ("upos", "feats"))
    allowed = {(row[upos], row[feats]) for row in rows}
    text = "ISo unitd Grass-roots hurt: its kinda back @x f*** #1 don't, alt.animals.crab Its P."
    for line in (text, text.lower(), text.upper(), text.title()):
        found = tagger(line)
        assert {*zip(found.tags["upos"], found.tags["feats"], strict=True)} <= allowed
