"""The Portuguese model, where it is installed or in the checkout."""

import pytest

from senna_py.cli.model_summary import model_summary, short_lines
from senna_py.errors import SennaError
from senna_py.model import Model
from senna_py.models.shipped import named_model
from senna_py.tagger import Tagger

TASKS = ("upos", "feats", "lemma", "dep", "ner")
LARGEST = 15e6  # bytes of both files


@pytest.fixture(scope="module")
def model():
    if named_model("pt") is None:
        pytest.skip("the Portuguese model is not installed")
    return Model("pt")


@pytest.fixture(scope="module")
def tagger(model):
    return Tagger(model)


def test_it_is_small_and_has_a_card(model):
    directory = model.path.parent
    sizes = [path.stat().st_size for path in directory.glob("*.safetensors")]
    assert len(sizes) == 2 and sum(sizes) < LARGEST
    assert (directory / "MODEL_CARD.md").is_file()


@pytest.mark.parametrize("name", ["pt", "pt-gsd"])
def test_it_says_what_it_is(model, name):
    info = Model(name).storage.info
    assert (info["language"], info["license"]) == ("pt", "CC BY-SA 4.0")
    attribution = " ".join(info["attribution"])
    for source in ("Bosque", "GSD"):
        assert source in attribution


def test_it_has_what_treebanks_have_and_entities(model):
    assert set(model.default_tasks()) == set(TASKS)


def test_the_tasks_that_it_has_are_named_without_its_tokenizer(model):
    with pytest.raises(SennaError, match=r"; it has upos, feats, dep, ner, lemma$"):
        Tagger(model, ["chk"])


def test_info_says_what_the_score_of_the_tokenizer_is(model):
    lines = short_lines(model_summary(model))
    assert (
        "dev of tokens: the mean F1 of tokens, sentences and multiword tokens" in lines
    )


def test_a_sentence_of_the_news(tagger):
    found = tagger(["O", "presidente", "visitou", "Lisboa", "em", "o", "sábado", "."])
    assert " ".join(found.tags["upos"]) == "DET NOUN VERB PROPN ADP DET NOUN PUNCT"
    assert [token.lemma for token in found] == [
        "o",
        "presidente",
        "visitar",
        "Lisboa",
        "em",
        "o",
        "sábado",
        ".",
    ]
    assert [token.relation for token in found] == [
        "det",
        "nsubj",
        "root",
        "obj",
        "case",
        "det",
        "obl",
        "punct",
    ]
    assert [(span.label, span.text) for span in found.entities] == [("LOC", "Lisboa")]


def test_conventions_differ_in_the_relation_of_nominals_to_verbs(model):
    words = ["Ele", "mora", "em", "Lisboa", "."]
    relations = {
        name: Tagger(Model(name), ["dep"])(words)[3].relation
        for name in ("pt", "pt-gsd")
    }
    assert relations == {"pt": "obl", "pt-gsd": "nmod"}


def test_tokens_of_several_words_are_divided(tagger):
    text = "Gostava do livro. Eles viram-se em Lisboa na quarta-feira."
    found = tagger.document(text)
    words = "Gostava de o livro . Eles viram se em Lisboa em a quarta-feira ."
    assert [token.text for token in found] == words.split()
    assert [span.text for span in found.surface_tokens] == [
        *("Gostava", "do", "livro", "."),
        *("Eles", "viram-se", "em", "Lisboa", "na", "quarta-feira", "."),
    ]
    assert [sentence.text for sentence in found.sentences] == [text[:17], text[18:]]
