"""The component beside other components and packages of spaCy's pipelines.

Tests of packages that no extra installs are skipped without them:
`pip install negspacy textacy`.
"""

from pathlib import Path

import pytest

spacy = pytest.importorskip("spacy")

pytestmark = pytest.mark.extra

TEXT = "She bought two old books, which Ann Smith of Paris had written."


def pipeline(*before, after=(), **config):
    """Return a pipeline with our component between other ones."""
    nlp = spacy.blank("en")
    for name in before:
        nlp.add_pipe(name)
    nlp.add_pipe("senna", config=config)
    for name in after:
        nlp.add_pipe(name)
    return nlp


@pytest.fixture(scope="module")
def nlp():
    return pipeline()


def example_of_the_page(name):
    """Run an example of the documentation, and return its names."""
    page = Path(__file__).parent.parent / "docs" / "guide" / "spacy.md"
    text = page.read_text(encoding="utf-8").split(f"<!-- test: {name} -->\n```python\n")
    names = {}
    code = text[1].split("```")[0]
    exec(code, names)
    return names, code.rpartition("\n# ")[2].strip()


def test_matcher(nlp):
    from spacy.matcher import Matcher

    matcher = Matcher(nlp.vocab)
    patterns = {
        "adjective and noun": [{"POS": "ADJ"}, {"LEMMA": "book"}],
        "past": [{"TAG": {"IN": ["VBD", "VBN"]}}],
        "plural": [{"MORPH": {"IS_SUPERSET": ["Number=Plur"]}, "POS": "NOUN"}],
        "name": [{"ENT_TYPE": "PER", "OP": "{2}"}],
        "object": [{"DEP": "obj"}],
    }
    for name, pattern in patterns.items():
        matcher.add(name, [pattern])
    found = {(span.label_, span.text) for span in matcher(nlp(TEXT), as_spans=True)}
    assert found >= {
        ("adjective and noun", "old books"),
        ("past", "bought"),
        ("past", "written"),
        ("plural", "books"),
        ("name", "Ann Smith"),
        ("object", "books"),
    }


def test_phrase_matcher_by_lemmas(nlp):
    from spacy.matcher import PhraseMatcher

    matcher = PhraseMatcher(nlp.vocab, attr="LEMMA")
    matcher.add("purchase", [nlp("buys two old books")])
    assert [span.text for span in matcher(nlp(TEXT), as_spans=True)] == [
        "bought two old books"
    ]


@pytest.mark.parametrize("relations", ["ud", "clear"])
def test_dependency_matcher(relations):
    from spacy.matcher import DependencyMatcher

    nlp = pipeline(relations=relations)
    matcher = DependencyMatcher(nlp.vocab)
    names = {"ud": ("obj", "acl:relcl"), "clear": ("dobj", "relcl")}[relations]
    verb, noun, clause, subject = (
        {"RIGHT_ID": "verb", "RIGHT_ATTRS": {"POS": "VERB"}},
        {"RIGHT_ID": "noun", "LEFT_ID": "verb", "RIGHT_ATTRS": {"DEP": names[0]}},
        {"RIGHT_ID": "clause", "LEFT_ID": "noun", "RIGHT_ATTRS": {"DEP": names[1]}},
        {"RIGHT_ID": "subject", "LEFT_ID": "clause", "RIGHT_ATTRS": {"DEP": "nsubj"}},
    )
    operators = [noun | {"REL_OP": ">"}, clause | {"REL_OP": ">"}]
    matcher.add("objects", [[verb, *operators, subject | {"REL_OP": ">>"}]])
    doc = nlp(TEXT)
    ((_, tokens),) = matcher(doc)
    assert [doc[i].text for i in tokens] == ["bought", "books", "written", "Ann"]


def test_entity_rulers_on_both_sides():
    nlp = pipeline("entity_ruler", after=["span_ruler"])
    nlp.get_pipe("entity_ruler").add_patterns([{"label": "CITY", "pattern": "Paris"}])
    patterns = [{"label": "OBJECT", "pattern": [{"DEP": "obj"}]}]
    nlp.get_pipe("span_ruler").add_patterns(patterns)
    later = nlp.add_pipe("entity_ruler", name="later")
    later.add_patterns(
        [
            {"label": "THING", "pattern": [{"POS": "ADJ"}, {"LEMMA": "book"}]},
            {"label": "WRITER", "pattern": "Ann Smith"},
        ]
    )
    doc = nlp(TEXT)
    assert [(span.text, span.label_) for span in doc.ents] == [
        ("old books", "THING"),
        ("Ann Smith", "PER"),
        ("Paris", "CITY"),
    ]
    assert [span.text for span in doc.spans["ruler"]] == ["books", "which"]


@pytest.mark.parametrize("component", ["merge_entities", "merge_noun_chunks"])
def test_tokens_may_be_merged_before_and_after(component):
    doc = pipeline(after=[component])(TEXT)
    assert "Ann Smith" in [token.text for token in doc]
    nlp = pipeline("entity_ruler")
    nlp.get_pipe("entity_ruler").add_patterns([{"label": "X", "pattern": "Ann Smith"}])
    nlp.add_pipe("merge_entities", before="senna")
    doc = nlp(TEXT)
    assert [(token.dep_, token.tag_) for token in doc if token.ent_type_ == "X"] == [
        ("nsubj", "NNP")
    ]


def test_pictures(nlp):
    from spacy import displacy

    doc = nlp(TEXT)
    assert "acl:relcl" in displacy.render(doc, style="dep", jupyter=False)
    assert "Ann Smith" in displacy.render(doc, style="ent", jupyter=False)
    options = {"spans_key": "roles"}
    assert "A1" in displacy.render(doc, style="span", jupyter=False, options=options)


def test_the_commands_of_spacy_score_it(nlp, tmp_path, capsys):
    from spacy.cli.evaluate import evaluate
    from spacy.tokens import DocBin

    nlp.to_disk(tmp_path / "pipeline")
    DocBin(docs=[nlp(TEXT)]).to_disk(tmp_path / "dev.spacy")
    scores = evaluate(tmp_path / "pipeline", tmp_path / "dev.spacy", silent=False)
    attributes = ["tag_acc", "pos_acc", "morph_acc", "lemma_acc", "dep_uas", "dep_las"]
    spans = ["ents_f", "sents_f", "spans_roles_f", "spans_chunks_f"]
    assert [scores[name] for name in attributes + spans] == [1] * 10
    shown = capsys.readouterr().out
    assert "LAS" in shown and "NER F" in shown


def test_negspacy():
    pytest.importorskip("negspacy")
    names, printed = example_of_the_page("negspacy")
    found = [(entity.text, entity._.negex) for entity in names["doc"].ents]
    assert str(found) == printed


def test_textacy():
    extract = pytest.importorskip("textacy.extract")
    names, printed = example_of_the_page("textacy")
    triples = [*extract.subject_verb_object_triples(names["doc"])]
    assert str(triples) == printed
    doc = pipeline()("She gave him the book. “I like the old dog very much,” said Ann.")
    assert [*extract.subject_verb_object_triples(doc)] == []
    ((speaker, cue, _),) = extract.direct_quotations(doc)
    assert (str(speaker), str(cue)) == ("[Ann]", "[said]")
    assert [str(chunk) for chunk in extract.noun_chunks(doc)][2:] == [
        "book",
        "I",
        "old dog",
        "Ann",
    ]
