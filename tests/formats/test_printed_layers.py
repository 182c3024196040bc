"""Layers of every shape as columns, as CoNLL-U and as BRAT's relations."""

import re

import numpy as np
import pytest

from senna_py.answers.annotations import Annotations
from senna_py.answers.layer import ROOT, Layer
from senna_py.corpora.places import BatchPlace
from senna_py.formats.brat import BratPrinter
from senna_py.formats.columns import TabPrinter
from senna_py.formats.conll2003 import Conll2003Printer
from senna_py.formats.conllu import ConlluPrinter
from senna_py.formats.probabilities import ProbabilityPrinter
from senna_py.formats.token_text import token_lines
from senna_py.io.streaming import BY_MARK
from senna_py.labels.tasks import TABLE, Shape, Task, find_task
from senna_py.pipeline.columns import ColumnText
from senna_py.text.tokenizer import Tokenizer
from senna_py.text.vocabulary import Vocabulary

TEXT = b"He saw her\nNo\nShe left\n"


class SomeTagger:
    """What columns take of a Tagger."""

    tokenizer = Tokenizer(Vocabulary.from_keys(["UNKNOWN"]), "treebank")

    def __init__(self, *names):
        self.tasks = names

    def task(self, name):
        return find_task(name)


def printed(layer):
    """The cells behind the words of TEXT, by sentence."""
    tagger = SomeTagger(layer.task.name)
    tokens = tagger.tokenizer.lines(TEXT, True)
    annotations = Annotations(tokens, {layer.task.name: layer}, tagger.tasks)
    printer = TabPrinter(tagger, header=True)
    text = bytes(printer.format(annotations, BatchPlace("text"))).decode()
    sentences = [lines.split("\n") for lines in text.strip("\n").split("\n\n")]
    return printer.header().decode().split()[1:], [
        [line.split("\t")[1:] for line in lines] for lines in sentences
    ]


def test_further_words_of_a_range_depend_on_its_first(tmp_path):
    path, row = tmp_path / "a.conllu", "{}" + "\t_" * 8 + "\n"
    ids = "1\tla", "2-3\tdu", "2\tde", "3\tle", "4\tvin"
    path.write_text("".join(map(row.format, ids)) + "\n")
    text = ColumnText(str(path), "conllu", "tokens", BY_MARK)
    ((tokens, place),) = text.batches(SomeTagger.tokenizer, "a")
    names, heads = ["det", "case", "root"], ints(2, 2, ROOT)
    layer = Layer(find_task("dep"), names, ints(0, 1, 2), anchor=heads)
    annotations = Annotations(tokens, {"dep": layer}, ("dep",))
    lines = ConlluPrinter(SomeTagger("dep")).format(annotations, place).decode()
    cells = [line.split("\t") for line in lines.splitlines() if line]
    assert [(cell[0], *cell[6:8]) for cell in cells] == [
        ("1", "4", "det"),
        ("2-3", "_", "_"),
        ("2", "4", "case"),
        ("3", "2", "dep"),
        ("4", "0", "root"),
    ]


def ints(*values):
    return np.array(values, np.int32)


def test_heads_are_counted_from_one_in_their_sentence():
    heads = ints(1, ROOT, 0, ROOT, 5, ROOT)
    layer = Layer(find_task("dep"), ["a", "root"], ints(0, 1, 0, 1, 0, 1), anchor=heads)
    assert printed(layer) == (
        ["head", "relation"],
        [
            [["2", "a"], ["0", "root"], ["1", "a"]],
            [["0", "root"]],
            [["2", "a"], ["0", "root"]],
        ],
    )


def test_spans_are_beside_what_they_hang_on():
    layer = Layer(
        find_task("srl"),
        ["A0", "V"],
        ints(0, 1, 0, 1),
        ints(0, 1, 0, 5),
        ints(1, 2, 2, 6),
        anchor=ints(1, 1, 2, 5),
        anchors=ints(1, 2, 5),
    )
    names, cells = printed(layer)
    assert names == ["predicate", "roles"]
    assert cells == [
        [["-", "S-A0|B-A0"], ["saw", "S-V|E-A0"], ["her", "O|O"]],
        [["-", "-"]],
        [["-", "O"], ["left", "S-V"]],
    ]


def test_relations_of_two_tasks_have_numbers_of_their_own(monkeypatch):
    link = Task("link", Shape("links", "links", hangs_on="span"))
    monkeypatch.setitem(TABLE, "link", link)
    tagger = SomeTagger("dep", "link")
    tokens = tagger.tokenizer.lines(b"He saw her\n", True)
    begin = ints(0, 2)
    layers = {
        "dep": Layer(find_task("dep"), ["a"], ints(0, 0, 0), anchor=ints(1, ROOT, 1)),
        "link": Layer(
            link, ["same"], ints(0, 0), begin, begin + 1, anchor=ints(ROOT, 0)
        ),
    }
    annotations = Annotations(tokens, layers, tagger.tasks)
    printed = BratPrinter(tagger).format(annotations, BatchPlace("text")).decode()
    rows = [line.split("\t") for line in printed.splitlines()]
    assert len({row[0] for row in rows}) == len(rows)
    shown = {row[0]: row[2] for row in rows if row[0][0] == "T"}
    relations = [re.split(r"[ :]", row[1]) for row in rows if row[0][0] == "R"]
    assert [(label, shown[a], shown[b]) for label, _, a, _, b in relations] == [
        ("same", "He", "her"),
        ("a", "saw", "He"),
        ("a", "saw", "her"),
    ]


def test_tokens_and_spans_of_brat_that_touch_have_ids_of_their_own(monkeypatch):
    link = Task("link", Shape("links", "links", hangs_on="span"))
    up = find_task("up", "arcs")
    for task in (link, up):
        monkeypatch.setitem(TABLE, task.name, task)
    tagger = SomeTagger("link", "dep", "up")
    spans = ints(0, 1, 2), ints(1, 2, 3)
    layers = {
        "dep": Layer(find_task("dep"), ["x"], ints(0, 0, 0), anchor=ints(ROOT, 0, 0)),
        "link": Layer(link, ["y"], ints(0, 0, 0), *spans, anchor=ints(ROOT, 0, 1)),
        "up": Layer(up, ["z"], ints(0, 0, 0), anchor=ints(ROOT, 0, 1)),
    }
    # Each character is a token and a span.
    tokens = tagger.tokenizer.placed(b"abc\n", *spans, np.array([3]), ints(0), ints(3))
    annotations = Annotations(tokens, layers, tagger.tasks)
    printed = BratPrinter(tagger).format(annotations, BatchPlace("text")).decode()
    names = [line.partition("\t")[0] for line in printed.splitlines()]
    assert len(names) == (3 + 2) + 2 + (3 + 2)  # Tokens come once, with the last task.
    assert len({*names}) == len(names)


def test_blanks_in_tokens_do_not_end_them():
    begin, end = ints(0, 1, 5, 7), ints(1, 5, 7, 9)
    text = b"ab  c d\t \n"
    tokens = SomeTagger.tokenizer.placed(
        text, begin, end, np.array([4]), ints(0), ints(9)
    )
    assert token_lines(tokens) == b"a b__c _d __\n"


def test_labels_of_the_same_probability_are_in_the_order_of_the_model():
    label, begin = ints(0, 1, 2, 2, 1), ints(0, 0, 0, 1, 1)
    score = np.array([0.25, 0.25, 0.5, 0.5, 0.5])
    layer = Layer(
        find_task("pos"), ["Z", "Y", "X"], label, begin, begin + 1, score=score
    )
    tagger = SomeTagger("pos")
    tokens = tagger.tokenizer.pretokenized([["a", "b"]])
    annotations = Annotations(tokens, {"pos": layer}, tagger.tasks)
    printed = ProbabilityPrinter(tagger).format(annotations, BatchPlace("text"))
    assert printed == b"a\tX:0.5,Z:0.25,Y:0.25\nb\tY:0.5,X:0.5\n\n"


@pytest.mark.parametrize("n_bytes", [1, 1000])
def test_documents_of_column_files_begin_in_any_batch(tmp_path, monkeypatch, n_bytes):
    monkeypatch.setattr("senna_py.pipeline.columns.BATCH_BYTES", n_bytes)
    path, mark = tmp_path / "a.conll2003", b"-DOCSTART- -X- -X- O\n\n"
    rows = [b"%b A _ _\n\n" % word for word in (b"One", b"Two", b"Three")]
    text = mark + rows[0] + mark + rows[1] + rows[2]
    path.write_bytes(text)
    tagger = SomeTagger("pos")
    printer, printed = Conll2003Printer(tagger), []
    file = ColumnText(str(path), "conll2003", "words", BY_MARK)
    for tokens, place in file.batches(tagger.tokenizer, "a"):
        layer = Layer(find_task("pos"), ["A"], np.zeros(len(tokens), np.int32))
        annotations = Annotations(tokens, {"pos": layer}, ("pos",))
        printed.append(printer.format(annotations, place))
    assert len(printed) == (3 if n_bytes == 1 else 1)
    assert printer.begin("a") + b"".join(printed) == text


@pytest.mark.parametrize("name", ["ner", "own"])
def test_flat_spans_are_tags(name):
    layer = Layer(find_task(name), ["A", "B"], ints(1, 0), ints(1, 5), ints(3, 6))
    tags = [[["O"], ["B-B"], ["E-B"]], [["O"]], [["O"], ["S-A"]]]
    assert printed(layer) == ([name], tags)
