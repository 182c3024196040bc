"""What recipes of the English model do without PyTorch: labels, silence about MISC, text."""

import sys
from pathlib import Path
from random import Random

import numpy as np
import pytest

EN = Path(__file__).resolve().parent.parent / "recipes/en"


@pytest.fixture(autouse=True)
def on_the_path(monkeypatch):
    monkeypatch.syspath_prepend(str(EN / "teacher"))
    monkeypatch.syspath_prepend(str(EN))
    yield
    for name in ("corpora", "entities", "labels", "sample", "tweets"):
        sys.modules.pop(name, None)


@pytest.mark.parametrize("word, is_time", [
    ("3am", True), ("10:30p.m.", True), ("7.15PM", True), ("10am-6pm", True), ("9-5pm", True),
    ("am", False), ("123am", False), ("3amp", False), ("3", False), ("3-4", False),
])  # fmt: skip
def test_times_of_day(word, is_time):
    import tweets

    assert (tweets.TIME_OF_DAY.fullmatch(word) is not None) == is_time


@pytest.mark.parametrize("options, left", [
    ({"S-LOC"}, {"S-LOC": 1}),
    ({"O", "S-MISC"}, {"O": 0.75, "S-MISC": 0.25}),
    ({"E-PER"}, {"E-PER": 1}),
    (None, {"O": 0.6, "S-LOC": 0.2, "S-MISC": 0.2}),
])  # fmt: skip
def test_where_a_corpus_leaves_several_labels_a_model_chooses(options, left):
    import entities

    shares = {"O": 0.6, "S-LOC": 0.2, "S-MISC": 0.2}
    assert entities.left_by(options, shares) == pytest.approx(left)


def test_a_corpus_without_misc_is_silent_about_it(tmp_path):
    import corpora

    (tmp_path / "a.tsv").write_text("Rome\t-\tB-LOC\nwas\t-\tO\nART\t-\tB-magazine\n\n", "utf-8")
    source = corpora.Source("a", "a.tsv", "word - ner", "ner", silent=True)
    (sentence,) = corpora.read([source], tmp_path)
    assert sentence.options[0] == {"S-LOC"}
    assert sentence.options[1] == {"O", "B-MISC", "I-MISC", "E-MISC", "S-MISC"}
    assert sentence.options[2] is None
    (sentence,) = corpora.read([source._replace(silent=False)], tmp_path)
    assert sentence.options[1] == {"O"}


def test_dependencies_are_those_of_the_same_words(tmp_path):
    import corpora

    rows = [f"1\tGo\t_\t{upos}\t_\tA=B\t0\troot\t_\t_\n\n" for upos in ("VERB", "NOUN")]
    for group, text in (("ewt", "# one\n" + "".join(rows)), ("gum", "")):
        (tmp_path / group).mkdir()
        (tmp_path / group / "dev.conllu").write_text(text, "utf-8")
    sentences = [corpora.Sentence([word], "ewt") for word in ("Go", "on", "Go", "Go")]
    corpora.add_dependencies(sentences, tmp_path, "dev")
    assert [s.dep and s.dep[2] for s in sentences] == [["VERB"], None, ["NOUN"], ["VERB"]]
    assert sentences[0].dep == [["0"], ["root"], ["VERB"], ["A=B"]]


LABELS = {"pos": ["NN", "VB"], "psg": ["NP", "S"], "srl": ["O", "S-A0", "S-V"]}
LABELS |= {task: ["O", "S-X"] for task in ("chk", "ner", "pt0", "vbs", "upos", "val")}
LABELS["rel"] = ["nsubj", "root"]
WORDS = [["It", "goes"], ["Go"]]
ARRAYS = {
    "pos.best": [0, 1, 1], "pos.other.gap": [0, 2], "pos.other": [1, 0], "pos.other.share": [4, 25],
    "psg.gap": [0, 0, 2], "psg.words": [2, 1, 1], "psg": [1, 0, 1], "psg.share": [25, 24, 20],
    "srl.predicate.gap": [1, 2], "srl.gap": [0, 0, 1], "srl.word": [0, 1, 0],
    "srl": [1, 2, 2], "srl.share": [20, 25, 22],
    "dep.head": [2, 0, 0], "dep.relation": [0, 1, 1], "dep.share": [20, 25, 24],
}  # fmt: skip


def labels_below(directory):
    import labels

    own = {name: np.array(array) for name, array in ARRAYS.items()}
    own["val.best"] = np.array([0, 1, 0])
    for task in ("chk", "ner", "pt0", "vbs", "upos"):
        own |= {f"{task}.best": np.array([0, 1, 0]), f"{task}.other.gap": np.array([], int)}
        own |= {f"{task}.other{end}": np.array([], int) for end in ("", ".share")}
    labels.Labels.new(directory, WORDS, LABELS).add(own)
    return labels


def test_labels_are_read_as_they_were_written(tmp_path):
    read = labels_below(tmp_path / "labels").Labels(tmp_path / "labels")
    assert read.sentences == WORDS and read.index["labels"] == LABELS and read.index["words"] == 3
    for name, array in ARRAYS.items():
        told = np.cumsum(read[name]) if name.endswith("gap") else read[name]
        assert told.tolist() == array and read[name].dtype == np.uint8
    with pytest.raises(SystemExit, match=r"labels: no array feats\.best"):
        read["feats.best"]


@pytest.mark.parametrize("block", [1, 2])
def test_labels_as_columns(block, monkeypatch, tmp_path):
    labels = labels_below(tmp_path / "labels")
    monkeypatch.setattr(labels, "BLOCK", block)
    labels.main(tmp_path / "labels", tmp_path / "columns")
    files = sorted((tmp_path / "columns").glob("*.tsv"))
    assert len(files) == 3 - block
    nothing, something = ("\t".join([label + ":1"] * 5 + [label]) for label in ("O", "S-X"))
    assert "".join(path.read_text("utf-8") for path in files) == (
        f"It\tNN:0.92,VB:0.08\t{nothing}\tS/2:1,NP/1:0.96\t2\tnsubj\t0.8\t-\tS-A0:0.8,O:0.2\n"
        f"goes\tVB:1\t{something}\t-\t0\troot\t1\tgoes\tS-V:1\n\n"
        f"Go\tNN:0.5,VB:0.5\t{nothing}\tS/1:0.8\t0\troot\t0.96\tGo\tS-V:0.88,O:0.12\n\n"
    )


def test_text_that_shares_eight_words_with_dev_is_left_out(tmp_path):
    import lzma

    import sample

    path = tmp_path / "a.txt.xz"
    seen = "one two three four five six seven eight"
    path.write_bytes(lzma.compress(f"Zero {seen}-nine.\nzero one two three four.\n".encode()))
    known = set(sample.rows_of_words(seen.upper().split()))
    assert [len(words) for words in sample.draw(path, 100, known, Random(1))] == [6]
