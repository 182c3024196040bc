"""Columns of layers of every shape, between tabs."""

import numpy as np
import pytest

from senna_py.answers.layer import ROOT, Layer
from senna_py.corpora.places import BatchPlace
from senna_py.formats.columns import TabPrinter
from senna_py.labels.tasks import find_task
from senna_py.tagger import Annotations
from senna_py.text.tokenizer import Tokenizer
from senna_py.text.vocabulary import Vocabulary

TEXT = b"He saw her\nNo\nShe left\n"


class SomeTagger:
    """What columns take of a Tagger."""

    tokenizer = Tokenizer(Vocabulary.from_keys(["UNKNOWN"]), "treebank")

    def __init__(self, name):
        self.tasks = (name,)

    def task(self, name):
        return find_task(name)


def printed(layer):
    """The cells behind the words of TEXT, by sentence."""
    tagger = SomeTagger(layer.task.name)
    tokens = tagger.tokenizer.lines(TEXT, True)
    annotations = Annotations(tokens, {layer.task.name: layer}, tagger.tasks)
    printer = TabPrinter(tagger, header=True)
    text = bytes(printer.print(annotations, BatchPlace("text"))).decode()
    sentences = [lines.split("\n") for lines in text.strip("\n").split("\n\n")]
    return printer.header().decode().split()[1:], [
        [line.split("\t")[1:] for line in lines] for lines in sentences
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


@pytest.mark.parametrize("name", ["ner", "own"])
def test_flat_spans_are_tags(name):
    layer = Layer(find_task(name), ["A", "B"], ints(1, 0), ints(1, 5), ints(3, 6))
    tags = [[["O"], ["B-B"], ["E-B"]], [["O"]], [["O"], ["S-A"]]]
    assert printed(layer) == ([name], tags)
