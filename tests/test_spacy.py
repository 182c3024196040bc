"""The component of spaCy's pipelines, where spaCy is installed."""

import inspect
import re
from pathlib import Path

import numpy as np
import pytest

from senna_py import SennaError, load
from senna_py.models.native_writer import write_model
from tests.helpers.native_models import arc_parts, model_arguments
from tests.helpers.pages import PAGES, blocks_of

spacy = pytest.importorskip("spacy")

pytestmark = pytest.mark.extra

TEXT = "Angela Merkel lives in Berlin.  She didn't say why.\nWe know."


@pytest.fixture(scope="module")
def nlp():
    nlp = spacy.blank("en")
    nlp.add_pipe("senna", config={"with_scores": True})
    return nlp


@pytest.fixture(scope="module")
def doc(nlp):
    return nlp(TEXT)


def test_it_sets_what_the_tagger_finds(doc):
    words = [token for token in doc if not token.is_space]
    sentences = [
        load(with_scores=True)(
            [token.text for token in words if token.sent == sentence]
        )
        for sentence in doc.sents
    ]
    assert [token.tag_ for token in words] == [t.pos for s in sentences for t in s]
    assert (
        " ".join(token.pos_ for token in words[:6])
        == "PROPN PROPN VERB ADP PROPN PUNCT"
    )
    assert all(token.pos_ for token in words)
    entities = [(span.text, span.label_) for span in doc.ents]
    assert entities == [("Angela Merkel", "PER"), ("Berlin", "LOC")]
    assert [*doc.spans["entities"]] == [*doc.ents]
    scores = [span.score for sentence in sentences for span in sentence.entities]
    assert len(doc.spans["entities"].attrs["scores"]) == len(scores) == 2
    assert all(0.9 < score <= 1 for score in doc.spans["entities"].attrs["scores"])
    chunks = [
        (span.text, span.label) for sentence in sentences for span in sentence.chunks
    ]
    assert [
        (span.text, span.label_) for span in list(doc.spans["chunks"])[:3]
    ] == chunks[:3]
    assert [span.label_ for span in doc.spans["chunks"]] == [
        label for _, label in chunks
    ]
    phrases = [p for sentence in sentences for p in sentence.tree.phrases]
    assert [span.label_ for span in doc.spans["constituents"]] == [
        p.label for p in phrases
    ]


def test_parts_of_speech_and_features_are_those_of_treebanks_by_default(nlp):
    doc = nlp("He has left because she did leave.")
    assert [token.pos_ for token in doc][1:4] == ["AUX", "VERB", "SCONJ"]
    assert doc[5].pos_ == "AUX" and "Tense=Past" in str(doc[5].morph)
    assert {"upos", "feats"} < {*nlp.get_pipe("senna").tagger.tasks}


def test_roles_know_their_predicates(doc):
    roles = [
        (span.text, span.label_, doc[int(span.id_)].text) for span in doc.spans["roles"]
    ]
    assert ("Angela Merkel", "A0", "lives") in roles
    assert ("We", "A0", "know") in roles
    scores = doc.spans["roles"].attrs["scores"]
    assert len(scores) == len(roles)
    assert all(0 < score <= 1 for score in scores)


def test_white_space_before_the_first_word_is_no_sentence(nlp):
    found = nlp("\n\nHe lives. She ate.")
    assert [sentence.text for sentence in found.sents] == ["\n\nHe lives.", "She ate."]
    assert found[0].head.text == "He"


def test_sentences_are_found_or_taken_as_they_are(doc):
    assert [sentence.text.strip() for sentence in doc.sents] == [
        "Angela Merkel lives in Berlin.",
        "She didn't say why.",
        "We know.",
    ]
    given = spacy.blank("en")
    given.add_pipe("sentencizer", config={"punct_chars": ["!"]})
    given.add_pipe("senna", config={"tasks": ["pos"]})
    found = given(TEXT)
    assert len(list(found.sents)) == 1
    assert not found.spans
    assert not found.ents


def test_white_space_has_spacys_tag(doc):
    assert {(token.tag_, token.pos_) for token in doc if token.is_space} == {
        ("_SP", "SPACE")
    }


def test_scores_are_those_of_spacys_components():
    from spacy.tokens import Doc
    from spacy.training import Example

    pipeline = spacy.blank("en")
    pipeline.add_pipe(
        "senna", config={"tasks": ["pos", "ner", "lemma", "dep", "feats"]}
    )
    words = ["Angela", "Merkel", "lives", "in", "Berlin", "."]
    gold = Doc(
        pipeline.vocab,
        words,
        tags=["NNP", "NNP", "VBZ", "IN", "NNP", "NN"],
        pos=["PROPN"] * 2 + ["X"] * 4,
        lemmas=["Angela", "Merkel", "live", "in", "Berlin", "x"],
        heads=[2, 0, 2, 4, 2, 2],
        deps=["nsubj", "flat", "ROOT", "case", "obl", "punct"],
        ents=["B-PER", "I-PER", "O", "O", "B-ORG", "O"],
        sent_starts=[True] + [False] * 5,
        morphs=["", "", "", "", "", "Case=Acc"],
    )
    scores = pipeline.evaluate([Example(Doc(pipeline.vocab, words), gold)])
    assert scores["tag_acc"] == scores["lemma_acc"] == pytest.approx(5 / 6)
    assert scores["pos_acc"] == pytest.approx(2 / 6)
    assert scores["dep_uas"] == scores["dep_las"] == scores["sents_f"] == 1.0
    assert scores["ents_f"] == 0.5 and scores["ents_per_type"]["PER"]["f"] == 1.0
    assert scores["morph_acc"] < 1
    few = spacy.blank("en")
    few.add_pipe("senna", config={"tasks": ["pos"]})
    scores = few.evaluate([Example(Doc(few.vocab, words), gold)])
    assert scores["tag_acc"] == pytest.approx(5 / 6)
    assert not {"ents_f", "dep_uas", "lemma_acc", "morph_acc"} & {*scores}


def test_roles_are_scored_where_the_reference_has_them():
    from spacy.tokens import Span
    from spacy.training import Example

    pipeline = spacy.blank("en")
    pipeline.add_pipe("senna", config={"tasks": ["srl"]})
    text = "She runs and jumps."  # She is A0 of both verbs.
    gold = pipeline.make_doc("She runs and jumps .")
    gold.spans["roles"] = [
        Span(gold, 0, 1, "A0", span_id="1"),
        Span(gold, 1, 2, "V", span_id="1"),
        Span(gold, 0, 1, "A1", span_id="3"),
    ]
    example = Example(pipeline.make_doc(text), gold)
    scores = pipeline.evaluate([example])
    assert scores["spans_roles_f"] == 0.5  # V does not count.
    assert scores["spans_roles_per_type"]["A0"] == {"p": 0.5, "r": 1.0, "f": 2 / 3}
    # Without predicates in the reference, two arguments are one.
    gold.spans["roles"] = [Span(gold, 0, 1, "A0")]
    scores = pipeline.evaluate([Example(pipeline.make_doc(text), gold)])
    assert scores["spans_roles_f"] == 1
    gold.spans["roles"] = [Span(gold, 0, 1, "A0", span_id="none")]
    scores = pipeline.evaluate([Example(pipeline.make_doc(text), gold)])
    assert scores["spans_roles_f"] == 1
    del gold.spans["roles"]
    scores = pipeline.evaluate([Example(pipeline.make_doc(text), gold)])
    assert "spans_roles_f" not in scores


def test_an_earlier_parse_is_replaced():
    from spacy.tokens import Doc

    nlp = spacy.blank("en")
    nlp.add_pipe("senna", config={"tasks": ["pos", "dep"]})
    words = ["The", "old", "man", "saw", "the", "dog", "."]
    parsed = Doc(
        nlp.vocab, words, heads=[0, 0, 1, 2, 3, 4, 5], deps=["ROOT"] + ["dep"] * 6
    )
    doc, fresh = nlp(parsed), nlp(Doc(nlp.vocab, words))
    assert doc.to_json() == fresh.to_json()
    assert [child.text for child in doc[3].children] == ["man", "dog", "."]
    assert [(token.left_edge.i, token.right_edge.i) for token in doc][3] == (0, 6)


def test_sentences_of_one_word_stay():
    text = "Sincerely,\nTraci\n?\nYes. No.\n- a.pdf\n- b.pdf"
    starts = []
    for tasks in (["pos"], ["pos", "dep"]):
        pipeline = spacy.blank("en")
        pipeline.add_pipe("senna", config={"tasks": tasks})
        starts.append([sentence.start for sentence in pipeline(text).sents])
    assert starts[0] == starts[1] and len(starts[0]) == 7


def test_tokens_may_look_like_sentences(nlp):
    from spacy.tokens import Doc

    words = ["I am here.", "He has left."]
    doc = nlp(Doc(nlp.vocab, words, sent_starts=[True, False]))
    assert [token.text for token in doc] == words
    assert all(token.tag_ for token in doc) and len([*doc.sents]) == 1


def test_documents_of_a_batch_are_the_same_alone(nlp):
    texts = ["Yes. No.", "", " \n ", "He left\nher. ", "\u200b\u00a0 x", TEXT]
    together = [doc.to_json() for doc in nlp.pipe(texts, batch_size=4)]
    assert together == [nlp(text).to_json() for text in texts]
    pairs = [*nlp.pipe([(text, i) for i, text in enumerate(texts)], as_tuples=True)]
    assert [i for _, i in pairs] == [*range(len(texts))]
    assert [doc.to_json() for doc, _ in pairs] == together


def test_documents_are_stored_whole(nlp, doc):
    import pickle

    from spacy.tokens import Doc, DocBin

    (stored,) = DocBin(docs=[doc]).get_docs(nlp.vocab)
    copies = [
        pickle.loads(pickle.dumps(doc)),
        Doc(nlp.vocab).from_bytes(doc.to_bytes()),
        Doc(nlp.vocab).from_json(doc.to_json()),
    ]
    assert [copy.to_json() for copy in copies] == [doc.to_json()] * 3
    (stored,) = DocBin(docs=[doc], store_user_data=True).get_docs(nlp.vocab)
    assert [s.text for s in stored.sents] == [s.text for s in doc.sents]
    assert [s.id_ for s in stored.spans["roles"]] == [s.id_ for s in doc.spans["roles"]]


def test_relations_may_have_the_names_of_spacys_models(tmp_path):
    from spacy.tokens import Doc

    import senna_py.spacy

    text = (
        "She did not give him the book, which was picked up by all his friends to read."
    )
    docs = {}
    for relations in ("ud", "clear"):
        nlp = spacy.blank("en")
        config = {"tasks": ["pos", "dep"], "relations": relations}
        nlp.add_pipe("senna", config=config)
        docs[relations] = nlp(text)
    pairs = dict(
        zip(*([token.dep_ for token in docs[name]] for name in docs), strict=True)
    )
    # All names of the table that occur here, and no others.
    changed = {old: new for old, new in pairs.items() if old != new}
    assert changed == {
        "acl:relcl": "relcl",
        "advmod": "neg",
        "aux:pass": "auxpass",
        "compound:prt": "prt",
        "det:predet": "predet",
        "iobj": "dative",
        "mark": "aux",
        "nmod:poss": "poss",
        "nsubj:pass": "nsubjpass",
        "obj": "dobj",
    }
    heads = [[token.head.i for token in doc] for doc in docs.values()]
    assert heads[0] == heads[1]
    chunks = [[str(chunk) for chunk in doc.noun_chunks] for doc in docs.values()]
    assert chunks[0] == chunks[1] and "the book" in chunks[0]
    nlp.to_disk(tmp_path)
    read = spacy.load(tmp_path)
    doc = read(text)
    assert read.get_pipe("senna").relations == "clear"
    assert doc.to_json() == docs["clear"].to_json()
    assert [str(chunk) for chunk in doc.noun_chunks] == chunks[0]
    elsewhere = Doc(spacy.blank("en").vocab).from_bytes(doc.to_bytes())
    elsewhere.noun_chunks_iterator = senna_py.spacy.noun_chunks
    assert [str(chunk) for chunk in elsewhere.noun_chunks] == chunks[0]


def test_names_of_relations_are_checked():
    with pytest.raises(
        SennaError, match=r"^no such relations: 'sm'; there are ud, clear$"
    ):
        spacy.blank("en").add_pipe("senna", config={"relations": "sm"})


def test_the_table_of_relations_is_on_the_page():
    from senna_py.spacy.relations import _CLEAR_NAMES

    page = Path(__file__).parent.parent / "docs" / "guide" / "spacy.md"
    table = page.read_text(encoding="utf-8").split("| `ud` | `clear` |")[1]
    shown = {}
    for row in table.split("\n\n")[0].split("\n")[2:]:
        old, new = (re.findall("`([^`]+)`", cell) for cell in row.split("|")[1:3])
        shown |= dict(zip(old, new, strict=True))
    del shown["advmod"], shown["mark"]  # They depend on the word.
    assert shown == _CLEAR_NAMES


def test_a_configuration_sources_the_component(nlp, tmp_path, monkeypatch):
    from thinc.api import Config

    (part,) = (
        b.text for b in blocks_of(PAGES["docs/guide/spacy.md"]) if b.kind == "ini"
    )
    head = '[nlp]\nlang = "en"\npipeline = ["senna"]\n\n[components]\n\n'
    monkeypatch.chdir(tmp_path)
    nlp.to_disk("my_pipeline")
    config = Config().from_str(head + part)
    made = spacy.util.load_model_from_config(config, auto_fill=True)
    assert made.pipe_names == made.config["training"]["frozen_components"] == ["senna"]


def test_entities_that_were_set_before_are_kept():
    pipeline = spacy.blank("en")
    ruler = pipeline.add_pipe("entity_ruler")
    ruler.add_patterns(
        [
            {"label": "CHANCELLOR", "pattern": "Merkel", "id": "m"},
            {"label": "VERB", "pattern": "lives"},
        ]
    )
    pipeline.add_pipe("senna", config={"tasks": ["ner"]})
    doc = pipeline("Angela Merkel lives in Berlin.")
    found = [(span.text, span.label_) for span in doc.ents]
    assert found == [("Merkel", "CHANCELLOR"), ("lives", "VERB"), ("Berlin", "LOC")]
    assert doc.ents[0].ent_id_ == "m" and doc[0].ent_iob_ == "O"
    assert [span.text for span in doc.spans["entities"]] == ["Angela Merkel", "Berlin"]


def test_the_configuration_has_the_arguments_of_load():
    pipeline = spacy.blank("en")
    config = {"tasks": "pos", "abbreviations": ["Foob"], "jobs": 2}
    tagger = pipeline.add_pipe("senna", config=config).tagger
    assert (tagger.tasks, tagger.tokenizer.abbreviations, tagger.jobs) == (
        ("pos",),
        ("Foob",),
        2,
    )
    names = {*pipeline.get_pipe_config("senna")} - {"factory", "relations"}
    assert names == {*inspect.signature(load).parameters}
    assigned = pipeline.analyze_pipes()["summary"]["senna"]["assigns"]
    assert {"token.tag", "token.pos", "doc.sents", "doc.ents"} <= {*assigned}
    doc = next(pipeline.pipe([TEXT]))
    assert not doc.spans


def test_pipelines_of_processes_and_from_disk(nlp, tmp_path):
    texts = ["Bob is in Rome.", "", "  ", "Paris"]
    expected = [[(e.text, e.label_) for e in doc.ents] for doc in map(nlp, texts)]
    assert expected[0] == [("Bob", "PER"), ("Rome", "LOC")]
    nlp.to_disk(tmp_path)
    read = spacy.load(tmp_path)
    found = [
        [(e.text, e.label_) for e in doc.ents] for doc in read.pipe(texts, n_process=2)
    ]
    assert found == expected


def test_dependencies_are_what_spacys_tools_read(tmp_path):
    """...a matcher of trees, displaCy, and noun chunks, of a network that gives any
    trees.
    """
    from spacy import displacy
    from spacy.matcher import DependencyMatcher
    from spacy.tokens import Doc

    path = tmp_path / "arcs.safetensors"
    write_model(path, *model_arguments(arc_parts(np.random.default_rng(0))))
    nlp = spacy.blank("fr")
    nlp.add_pipe("senna", config={"path": str(path), "tasks": ["pos", "dep"]})
    doc = nlp("Le vieux chien reads the book in  Chicago .")
    (sentence,) = load(path, ["pos", "dep"]).pipe(
        [[t.text for t in doc if not t.is_space]]
    )
    words = [token for token in doc if not token.is_space]
    roots = [token for token in words if token.head == token]
    assert [token.dep_ for token in roots] == ["ROOT"] and doc.has_annotation("DEP")
    assert [words.index(token.head) for token in words if token not in roots] == [
        token.head.i for token in sentence if token.head
    ]
    matcher = DependencyMatcher(nlp.vocab)
    matcher.add(
        "any",
        [
            [
                {"RIGHT_ID": "head", "RIGHT_ATTRS": {}},
                {
                    "LEFT_ID": "head",
                    "REL_OP": ">",
                    "RIGHT_ID": "own",
                    "RIGHT_ATTRS": {"DEP": "det"},
                },
            ]
        ],
    )
    # Of arcs that cross others, spaCy's matcher sees some only.
    found = {pair[1] for _, pair in matcher(doc)}
    assert found and found <= {token.i for token in words if token.dep_ == "det"}
    assert (
        displacy.render(doc, style="dep", jupyter=False).count("displacy-arc")
        >= len(words) - 1
    )
    assert all(
        chunk.root.pos_ in ("NOUN", "PROPN", "PRON") for chunk in doc.noun_chunks
    )
    nlp = spacy.blank("en")  # whose own noun chunks are of relations that are not UD's
    nlp.add_pipe("senna", config={"path": str(path), "tasks": ["pos", "dep"]})
    doc = Doc(
        nlp.vocab,
        ["Ann", "saw", "a", "dog", "in", "Rome"],
        heads=[1, 1, 3, 1, 5, 1],
        deps=["nsubj", "ROOT", "det", "obj", "case", "obl"],
        pos=["PROPN", "VERB", "DET", "NOUN", "ADP", "PROPN"],
    )
    assert [str(chunk) for chunk in doc.noun_chunks] == ["Ann", "a dog", "Rome"]
    assert [str(chunk) for chunk in doc[2:].noun_chunks] == ["a dog", "Rome"]


def test_noun_chunks_of_other_relations_are_the_languages():
    from spacy.tokens import Doc

    nlp = spacy.blank("en")
    for name in ("first", "second"):
        nlp.add_pipe("senna", name=name, config={"tasks": ["pos", "dep"]})
    doc = Doc(
        nlp.vocab,
        ["He", "is", "a", "man", "of", "letters"],
        heads=[1, 1, 3, 1, 3, 4],
        deps=["nsubj", "ROOT", "det", "attr", "prep", "pobj"],
        pos=["PRON", "AUX", "DET", "NOUN", "ADP", "NOUN"],
    )
    assert [str(chunk) for chunk in doc.noun_chunks] == ["He", "a man", "letters"]


def test_rules_set_entities_and_tags(tmp_path):
    path = tmp_path / "rules.toml"
    path.write_text(
        '[[words]]\nform="LGTM"\npos="UH"\n'
        '[[entities]]\nlabel="ORG"\nphrases="Senna Py\'s Zorg"'
    )
    nlp = spacy.blank("en")
    config = {"tasks": ["pos", "ner"], "rules": str(path)}
    nlp.add_pipe("senna", config=config)
    doc = nlp("LGTM, said Senna Py's Zorg.")
    assert doc[0].tag_ == "UH"
    assert [(span.text, span.label_) for span in doc.ents] == [
        ("Senna Py's Zorg", "ORG")
    ]
