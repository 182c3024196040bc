import pytest

from senna_py.labels.tasks import KINDS, PRINTED, SENNA, TABLE, find_task


def test_the_table_has_the_columns_in_their_order():
    assert SENNA == ("pos", "chk", "ner", "pt0", "srl", "psg")
    assert PRINTED[len(SENNA) :] == ("upos", "feats", "lemma", "val", "dep")
    assert [name for name in PRINTED if not TABLE[name].default] == ["pt0", "val"]
    assert {name for name, task in TABLE.items() if task.labels != "words"} == {"srl", "psg", "dep"}
    assert {task.kind for task in TABLE.values()} == {*KINDS}


def test_tasks_of_other_names():
    assert (find_task("mine").kind, find_task("mine", "tags").kind) == ("segments", "tags")
    assert find_task("upos").kind == find_task("xpos").kind == "tags"
    assert find_task("pos", "segments") is TABLE["pos"]
    assert not find_task("upos").senna and find_task("upos").labels == "words"


def test_labels_out_of_other_columns():
    assert TABLE["vbs"].derive({"predicate": ["-", "see", "-"]}) == ["NOVB", "VB", "NOVB"]
    bits = ["(S(NP*", "*)", "(VP*))"]
    assert TABLE["pt0"].derive({"parse": bits}) == ["B-NP", "E-NP", "S-VP"]
    assert TABLE["pt1"].derive({"parse": bits}) == ["O", "O", "O"]
    with pytest.raises(ValueError, match="expected a parse bit"):
        TABLE["pt0"].derive({"parse": ["x"]})
