"""What recipes/en/teacher and sample.py do without PyTorch: averages, silence about MISC, text."""

import sys
from pathlib import Path
from random import Random

import pytest

EN = Path(__file__).resolve().parent.parent / "recipes/en"


@pytest.fixture(autouse=True)
def on_the_path(monkeypatch):
    monkeypatch.syspath_prepend(str(EN / "teacher"))
    monkeypatch.syspath_prepend(str(EN))
    yield
    for name in ("average", "corpora", "sample"):
        sys.modules.pop(name, None)


def averaged(task, *texts, capsys, directory):
    import average

    files = []
    for number, text in enumerate(texts):
        (directory / f"{number}.tsv").write_text(text, encoding="utf-8")
        files.append(f"{directory / f'{number}.tsv'}=1")
    average.main(task, *files)
    return capsys.readouterr().out


@pytest.mark.parametrize("task, a, b, mean", [
    ("pos", "It\tPRP:1\nis\tVBZ:0.6,NN:0.4\n\n", "It\tPRP:1\nis\tVBZ:1\n\n",
     "It\tPRP:1\nis\tVBZ:0.8,NN:0.2\n\n"),
    ("pos", "a\t,:0.985,::0.015\n\n", "a\t,:1\n\n", "a\t,:1\n\n"),
    ("pos", "at\tIN:1\n3am\tNNP:1\n\n", "at\tIN:1\n3am\tNN:1\n\n", "at\tIN:1\n3am\tCD:1\n\n"),
    ("psg", "It\tS/2:0.5,NP/1:1\nis\t-\n\n", "It\tNP/1:0.8\nis\tVP/1:0.4\n\n",
     "It\tNP/1:0.9,S/2:0.25\nis\tVP/1:0.2\n\n"),
    ("srl", "It\t-\tS-A0:1\nis\tis\tS-V:1\n\n", "It\t-\tS-A1:1\nis\tis\tS-V:1\n\n",
     "It\t-\tS-A0:0.5,S-A1:0.5\nis\tis\tS-V:1\n\n"),
    ("ner", "A\tO:0.5,S-MISC:0.3,S-PER:0.2\n\n", "A\tO:0.8,S-LOC:0.2\n\n",
     "A\tO:0.5,S-MISC:0.3,S-PER:0.1,S-LOC:0.1\n\n"),
    ("ner", "A\tO:1\nB\tB-MISC:1\n\n", "A\tO:1\nB\tS-PER:1\n\n",
     "A\tO:1\nB\tB-MISC:0.5,S-PER:0.5\n\n"),
    ("srl", "It\t-\n\n", "It\t-\n\n", "It\t-\n\n"),
])  # fmt: skip
def test_means(task, a, b, mean, capsys, tmp_path):
    assert averaged(task, a, b, capsys=capsys, directory=tmp_path) == mean


@pytest.mark.parametrize("word, is_time", [
    ("3am", True), ("10:30p.m.", True), ("7.15PM", True), ("10am-6pm", True), ("9-5pm", True),
    ("am", False), ("123am", False), ("3amp", False), ("3", False), ("3-4", False),
])  # fmt: skip
def test_times_of_day(word, is_time):
    import average

    assert (average.TIME_OF_DAY.fullmatch(word) is not None) == is_time


@pytest.mark.parametrize("options, left", [
    ({"S-LOC"}, {"S-LOC": 1}),
    ({"O", "S-MISC"}, {"O": 0.75, "S-MISC": 0.25}),
    ({"E-PER"}, {"E-PER": 1}),
    (None, {"O": 0.6, "S-LOC": 0.2, "S-MISC": 0.2}),
])  # fmt: skip
def test_where_a_corpus_leaves_several_labels_the_teacher_chooses(options, left):
    import average

    shares = {"O": 0.6, "S-LOC": 0.2, "S-MISC": 0.2, "E-PER": 0.0}
    assert average.left_by(options, shares) == pytest.approx(left)


def test_predicates_that_differ_are_an_error(capsys, tmp_path):
    with pytest.raises(SystemExit, match="sentence 1 is not the same"):
        averaged("srl", "It\t-\n\n", "It\tIt\tS-V:1\n\n", capsys=capsys, directory=tmp_path)


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


def test_a_configuration_says_what_to_learn():
    import corpora

    train, dev = corpora.sources(EN.parent / "paper/conll2003.toml")
    assert train == [
        corpora.Source("conll2003", "conll2003/eng.train", "word pos - ner", "ner", (0.0, 1.0))
    ]
    assert [source.file for source in dev] == ["conll2003/eng.testa"]
    assert corpora.sources() == (corpora.TRAIN, corpora.DEV)


def test_text_that_shares_eight_words_with_dev_is_left_out(tmp_path):
    import lzma

    import sample

    path = tmp_path / "a.txt.xz"
    seen = "one two three four five six seven eight"
    path.write_bytes(lzma.compress(f"Zero {seen}-nine.\nzero one two three four.\n".encode()))
    known = set(sample.rows_of_words(seen.upper().split()))
    assert [len(words) for words in sample.draw(path, 100, known, Random(1))] == [6]
