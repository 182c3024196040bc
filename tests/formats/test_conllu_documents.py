"""Documents come back from CoNLL-U; what is malformed is a SennaError."""

from itertools import pairwise

import pytest
from hypothesis import assume, given, settings

from senna_py import Document, SennaError, load
from senna_py.labels.tasks import Structure
from tests.helpers.random_documents import KNOWN, OWN, OWN_TREES, documents

ROW = "1\tIt\tit\tPRON\tPRP\t_\t{}\tnsubj\t_\t{}\n2\trose\trise\tVERB\tVBD\t_\t0\troot\t_\t{}\n\n"


def rows(document):
    """All spans of each layer, without their scores."""
    return {
        name: [row[:4] for row in layer.rows()]
        for name, layer in document.layers.items()
    }


def overlap(document):
    """Whether spans with the same anchor overlap, for which there are no tags."""
    return any(
        first[3] == second[3] and second[1] < first[2]
        for layer in document.layers.values()
        if layer.task.shape.structure is Structure.FRAMES
        for first, second in pairwise(layer.rows())
    )


@pytest.mark.slow
@settings(max_examples=40)
@given(documents((*KNOWN, *OWN[:4], OWN_TREES)))
def test_documents_come_back(document):
    assume(len(document) and all(map(len, document.sentences)))
    assume(not overlap(document))
    text = document.to_conllu()
    again = Document.from_conllu(text)
    assert again.text == document.text
    assert [token.text for token in again] == [token.text for token in document]
    assert [t.surface for t in again] == [t.surface for t in document]
    assert [len(each) for each in again.sentences] == [
        len(each) for each in document.sentences
    ]
    assert rows(again) == rows(document)
    assert again.to_conllu() == text
    assert Document.from_conllu(text.splitlines()) == again


def test_words_and_trees_of_the_model_come_back():
    nlp = load(tokens="ud")
    document = nlp.document("Anna doesn't know.\n\nShe  left\tit. ")
    text = document.to_conllu()
    assert Document.from_conllu(text) == document
    assert "2-3\tdoesn't\t" in text and text.count("# newpar") == 2


def test_layers_of_other_files_are_what_has_values():
    read = Document.from_conllu(ROW.format(2, "_", "NER=B-X"))
    assert [*read.layers] == ["pos", "upos", "lemma", "dep", "ner"]
    assert (read.text, read[0].head.text) == ("It rose", "rose")
    assert [(span.label, span.text) for span in read.entities] == [("X", "rose")]
    other = Document.from_conllu(ROW.replace("PRP", "P").format("_", "_", "_"))
    assert [*other.layers] == ["xpos", "upos", "lemma"]
    placeholders = "1\ta\t_\t_\t_\t_\t0\troot\t_\t_\n2\tb\t_\t_\t_\t_\t1\tdep\t_\t_\n\n"
    assert not Document.from_conllu(placeholders).layers
    assert [*Document.from_conllu(placeholders, ["dep"]).layers] == ["dep"]
    assert len(Document.from_conllu("")) == 0


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (ROW.format(1, "_", "_"), "CoNLL-U: dep: the heads of the arcs form a circle"),
        (ROW.format(3, "_", "_"), "CoNLL-U: line 1: the head '3' is no word"),
        (ROW.format("9" * 5000, "_", "_"), "CoNLL-U: line 1: the head '99"),
        (
            ROW.format(2, "_", "Roles=1:S-A0"),
            "CoNLL-U: line 2: Roles: the word of '1:S-",
        ),
        (ROW.format(2, "_", "Parse=*)"), "CoNLL-U: psg: a bracket too much"),
        ("# layers = {}\n" + ROW.format(2, "_", "_"), "layers: expected a list"),
        ("# layers = [1]\n" + ROW.format(2, "_", "_"), "expected the name of a task"),
        ("1\tIt\n", "CoNLL-U: line 1: expected the 10 columns"),
        ("text.conllu", "'text.conllu' looks like the name of a file"),
    ],
)
def test_malformed_text_is_refused(text, problem):
    with pytest.raises(SennaError) as error:
        Document.from_conllu(text)
    assert problem in str(error.value)


@pytest.mark.parametrize("text", [3, None, {}, [1]])
def test_only_text_and_lines_are_read(text):
    with pytest.raises(TypeError):
        Document.from_conllu(text)
