"""Tasks, and what their labels mean."""

import pytest
from click.testing import CliRunner

from senna_py import explain
from senna_py.cli.model import command
from senna_py.errors import UsageError
from senna_py.labels.explanations import meanings
from senna_py.labels.tasks import (
    PRINTED,
    SENNA,
    SHAPES,
    TABLE,
    Shape,
    Task,
    find_task,
)

RELATIONS = """
nsubj obj iobj csubj ccomp xcomp obl vocative expl dislocated advcl advmod discourse aux cop mark
nmod appos nummod acl amod det clf case conj cc fixed flat compound list parataxis orphan goeswith
reparandum punct root dep
"""
NAMES = """
PronType NumType Poss Reflex Foreign Abbr Gender Animacy Number Case Definite Degree VerbForm Mood
Tense Aspect Voice Evident Polarity Person Polite
"""


@pytest.mark.parametrize(
    ("label", "meaning"),
    [
        ("A1-DSP", "direct speech"),
        ("S", "clause"),
        ("S-NP", "only token of: noun phrase"),
        ("B-R-AM-TMP", "first token of: relative word that stands for: time"),
        ("(S(NP", "clause, over noun phrase"),
        ("-LRB-", "opening round bracket"),
        ("Number=Sing|Person=3", "number: singular, person: third"),
        ("Number[psor]=Plur|Foo=Bar", "number of the possessor: plural, Foo: Bar"),
        ("PronType=Int,Rel", "kind of pronoun: interrogative, relative"),
        ("nsubj", "subject"),
        ("nsubj:pass", "subject: of a passive"),
        ("nsubj:x", "subject: x"),
        ("B-MONEY", "first token of: amount"),
    ],
)
def test_what_labels_mean(label, meaning):
    assert explain(label).startswith(meaning)
    assert CliRunner().invoke(command, ["explain", "--", label]).output == (
        f"{label}: {explain(label)}\n"
    )


@pytest.mark.parametrize(
    "label", ["", "B-", "-", "NOUNS", "B-NOUNS", "X-NP", "nsubj:", "NP:pass"]
)
def test_what_is_no_label(label):
    with pytest.raises(UsageError, match="no such label"):
        explain(label)


def test_a_label_in_small_letters_is_known_by_its_own():
    for label, known in ("nnp", "NNP"), ("B-np", "NP"):
        with pytest.raises(UsageError, match=f"; did you mean {known}\\?$"):
            explain(label)


def test_a_label_is_a_str():
    with pytest.raises(TypeError, match="a label is a str, not int"):
        explain(3)


def test_all_universal_relations_and_features_are_known():
    assert len(RELATIONS.split()) == 37
    for relation in RELATIONS.split():
        assert explain(relation) != relation
    assert meanings()["feature"].keys() == {*NAMES.split()}
    for name in NAMES.split():
        assert not explain(f"{name}=Any").startswith(name)


def test_the_table_has_the_columns_in_their_order():
    assert SENNA == ("pos", "chk", "ner", "pt0", "srl", "psg")
    assert PRINTED[len(SENNA) :][:5] == ("upos", "feats", "lemma", "val", "dep")
    assert [name for name in PRINTED if not TABLE[name].default] == ["pt0", "val"]
    assert {name for name, task in TABLE.items() if task.shape.head != "words"} == {
        "srl",
        "psg",
        "dep",
    }
    assert {task.shape.name for task in TABLE.values()} == {*SHAPES, "units"}


def test_a_shape_has_a_structure_unless_its_fields_contradict_each_other():
    assert [shape.structure.value for shape in SHAPES.values()] == [
        "tags",
        "spans",
        "frames",
        "tree",
        "heads",
    ]
    with pytest.raises(ValueError, match="no shape of a task"):
        Shape("many", "many", each_token=True, nested=True).structure  # noqa: B018
    with pytest.raises(ValueError, match="no shape of a task"):
        Shape("many", "many", hangs_on="sentence").structure  # noqa: B018


@pytest.mark.parametrize(
    ("shape", "names", "key"),
    [
        ("arcs", {"name": "text"}, "text"),
        ("roles", {"name": "tags"}, "tags"),
        ("trees", {"name": "tokens"}, "tokens"),
        ("trees", {"span_name": "scores"}, "scores"),
        ("trees", {"span_name": "mine"}, "mine"),
        ("segments", {"attribute": "spans"}, "spans"),
        ("roles", {"anchor_name": "text"}, "text"),
        ("roles", {"anchor_name": "spans"}, "spans"),
        ("arcs", {"anchor_name": "label"}, "label"),
        ("arcs", {"label_name": "score"}, "score"),
    ],
)
def test_a_task_cannot_overwrite_other_values_in_json(shape, names, key):
    with pytest.raises(UsageError, match=f"in JSON, '{key}' is something else"):
        Task(**({"name": "mine", "shape": SHAPES[shape]} | names))


def test_names_that_json_has_among_tags_and_spans_are_free():
    for shape in ("tags", "segments"):
        assert find_task("tokens", shape).name == "tokens"
    roles = Task("text", SHAPES["roles"], attribute="events", anchor_name="trigger")
    assert roles.attribute == "events"


def test_relations_and_their_subtypes_do_not_contradict():
    assert explain("obl:unmarked") == f"{explain('obl')}: without a preposition"
    assert "preposition" not in explain("obl")


def test_tasks_of_other_names():
    assert (find_task("mine").shape.name, find_task("mine", "tags").shape.name) == (
        "segments",
        "tags",
    )
    assert find_task("upos").shape == find_task("xpos").shape == SHAPES["tags"]
    assert find_task("pos", "segments") is TABLE["pos"]
    assert not find_task("upos").senna and find_task("upos").shape.head == "words"


def test_labels_out_of_other_columns():
    assert TABLE["vbs"].derive({"predicate": ["-", "see", "-"]}) == [
        "NOVB",
        "VB",
        "NOVB",
    ]
    bits = ["(S(NP*", "*)", "(VP*))"]
    assert TABLE["pt0"].derive({"parse": bits}) == ["B-NP", "E-NP", "S-VP"]
    assert TABLE["pt1"].derive({"parse": bits}) == ["O", "O", "O"]
    with pytest.raises(ValueError, match="expected a parse bit"):
        TABLE["pt0"].derive({"parse": ["x"]})
