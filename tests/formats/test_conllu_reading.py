"""CoNLL-U read as a document gives the layers that were written."""

import numpy as np
import pytest

from senna_py import Tagger
from senna_py.answers.layer import ROOT, Layer
from senna_py.corpora.places import BatchPlace
from senna_py.formats.conllu import ConlluPrinter
from senna_py.formats.conllu_reading import read_conllu
from senna_py.labels.tasks import Shape, Task
from tests.helpers.commands import MODEL

TASKS = "pos", "chk", "ner", "srl", "psg"
TEXT = b"""Anna Keller runs a plant (in Rome).
They did not sign , and she left the old \\ city | there .
"""


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """The layers of TEXT by task, and a file of them."""
    tagger = Tagger(MODEL, TASKS)
    annotations = tagger.annotate(tagger.tokenizer.lines(TEXT))
    path = tmp_path_factory.mktemp("conllu") / "text.conllu"
    path.write_bytes(ConlluPrinter(tagger).format(annotations, BatchPlace("text")))
    return annotations, path


def test_layers_are_read_back(written):
    annotations, path = written
    tasks = [layer.task for layer in annotations.layers.values()]
    tasks = [task for task in tasks if task.name in TASKS]
    document = read_conllu(path, tasks)
    assert len(document.sentences) == 2
    assert {task.name for task in tasks} == {*TASKS}
    for task in tasks:
        assert document.layers[task.name] == annotations.layers[task.name], task.name
    assert document.text.startswith("Anna Keller runs a plant (in Rome).\n")


def test_dependencies_are_read_back(tmp_path):
    path = tmp_path / "text.conllu"
    path.write_text(
        "1\tIt\tit\tPRON\t_\t_\t2\tnsubj\t_\t_\n2\trose\trise\tVERB\t_\t_\t0\troot\t_\t_\n\n"
    )
    tags = Task("lemma", Shape("tags", "words", each_token=True))
    heads = Task("dep", Shape("arcs", "arcs", each_token=True, hangs_on="token"))
    layers = read_conllu(path, [tags, heads]).layers
    assert layers["lemma"].texts() == ["it", "rise"]
    label, anchor = np.array([0, 1], np.int32), np.array([1, ROOT], np.int32)
    assert layers["dep"] == Layer(heads, ["nsubj", "root"], label, anchor=anchor)


def test_links_go_to_other_sentences(tmp_path):
    path = tmp_path / "text.conllu"
    row = "{}\tIt\t_\t_\t_\t_\t0\troot\t_\t{}\n"
    values = ["_", "a=x:2"], ["a=y:1>-1/2"], ["a=z:1-2>-1/1", "a=w:2>-2/2"]
    path.write_text(
        "\n".join(
            "".join(row.format(i, value) for i, value in enumerate(sentence, 1))
            for sentence in values
        )
        + "\n"
    )
    task = Task("a", Shape("links", "links", hangs_on="span"))
    assert [*read_conllu(path, [task]).layers["a"].rows()] == [
        ("x", 1, 2, ROOT, None),
        ("y", 2, 3, 0, None),
        ("z", 3, 5, 1, None),
        ("w", 4, 5, 0, None),
    ]


def test_the_first_of_two_spans_with_the_same_tokens_is_hung_on(tmp_path):
    path = tmp_path / "text.conllu"
    path.write_text(
        "1\tIt\t_\t_\t_\t_\t0\troot\t_\ta=x:1;y:1\n"
        "2\trose\t_\t_\t_\t_\t1\tdep\t_\ta=z:2>1\n\n"
    )
    task = Task("a", Shape("links", "links", hangs_on="span"))
    rows = [*read_conllu(path, [task]).layers["a"].rows()]
    assert [(label, anchor) for label, _, _, anchor, _ in rows] == [
        ("x", ROOT),
        ("y", ROOT),
        ("z", 0),
    ]


@pytest.mark.parametrize(
    ("key", "shape", "problem"),
    [
        ("a=x:1>2", Shape("links", "links", hangs_on="span"), "no span at 1:2"),
        ("a=x:1>-1/2", Shape("links", "links", hangs_on="span"), "no such sentence"),
        ("a=x", Shape("links", "links", hangs_on="span"), "expected a link"),
        ("a=(S*))", Shape("trees", "trees", nested=True), "a bracket too much"),
    ],
)
def test_wrong_values_are_told(tmp_path, key, shape, problem):
    path = tmp_path / "text.conllu"
    path.write_text(f"1\tIt\t_\t_\t_\t_\t0\troot\t_\t{key}\n\n")
    with pytest.raises(ValueError, match=problem):
        read_conllu(path, [Task("a", shape)])
