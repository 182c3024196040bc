"""Inputs that pages show can be read as what the pages say, and a table adds up."""

import pytest

from senna_py import Tree
from senna_py.io.class_files import read_word_classes
from senna_py.labels.tasks import find_task
from senna_py.tagging.lexical import read_dictionary
from senna_py.tagging.sentences import read_sentences
from senna_py.tagging.settings import DataSet
from tests.helpers.commands import run
from tests.helpers.pages import PAGES, blocks_of


def shown(page, beginning):
    """The text of the block of a page with a beginning."""
    texts = [block.text for block in blocks_of(PAGES[page])]
    (text,) = (text for text in texts if text.startswith(beginning))
    return text


@pytest.mark.parametrize(
    ("page", "beginning", "columns", "task", "words"),
    [
        ("roles-and-trees.md", "Ann  ", ["word", "predicate", "roles"], "srl", 4),
        ("roles-and-trees.md", "(S (NP", ["brackets"], "psg", 6),
        ("ensembles.md", "Mary\t", ["word", "psg"], "psg", 4),
    ],
)
def test_training_data(page, beginning, columns, task, words, tmp_path):
    text = shown(f"docs/train/{page}", beginning)
    (tmp_path / "train.tsv").write_text(text, "utf-8")
    data = DataSet(["train.tsv"], columns, soft=page == "ensembles.md")
    found = read_sentences([data], {task: find_task(task)}, tmp_path)
    assert [len(sentence) for sentence in found.words] == [words]
    assert [*found.gold] == [task]


def test_a_tree():
    text = shown("docs/guide/formats.md", "(S1 (S")
    assert str(Tree.parse(text)) == text.strip("\n")


def test_word_classes(tmp_path):
    text = shown("docs/train/clusters.md", "0010\t")
    (tmp_path / "paths.tsv").write_text(text, "utf-8")
    found = [*read_word_classes(tmp_path / "paths.tsv")]
    assert found == [("0010", "dog", 214), ("0010", "cat", 180), ("00110", "dogs", 97)]


def test_a_dictionary_of_lemmas(tmp_path):
    text = shown("docs/train/several-tasks.md", "goose\t")
    (tmp_path / "forms.tsv").write_text(text, "utf-8")
    found = read_dictionary([tmp_path / "forms.tsv"])
    assert found.words == {("NOUN", "goose"), ("VERB", "found")}
    assert found.forms == {("NOUN", "geese"): "goose", ("VERB", "found"): "find"}


def test_scores_of_a_line_are_those_of_its_words():
    """...in the table of a model that is not here."""
    lines = shown("docs/train/language-models.md", "xyzzy\t").splitlines()
    words = [(float(log), mark) for _, log, mark in map(str.split, lines[:4])]
    total, n_unknown, known, every = lines[4].split()
    assert float(total) == pytest.approx(sum(log for log, _ in words))
    some = [log for log, mark in words if mark == "0"]
    assert int(n_unknown) == len(words) - len(some)
    assert float(known) == pytest.approx(10 ** -(sum(some) / len(some)), rel=1e-4)
    assert float(every) == pytest.approx(10 ** -(float(total) / len(words)), rel=1e-4)


def test_props(tmp_path):
    text = shown("docs/guide/evaluate.md", "-       (A0*)")
    (tmp_path / "a.props").write_text(text, "utf-8")
    result = run("senna-eval", "srl", "a.props", "a.props", cwd=tmp_path)
    assert b"Percentage of perfect props : 100.00" in result.stdout
