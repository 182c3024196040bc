"""Dependencies: read from files, learned, scored, and given in all formats."""

import json

import numpy as np
import pytest

from senna_py import Document, Sentence
from senna_py.corpora.raw_text import read_paragraphs
from senna_py.errors import SennaError
from senna_py.evaluation.arcs import score_arcs
from senna_py.evaluation.report import REPORTS
from senna_py.labels.tasks import find_task
from senna_py.model import Model
from senna_py.tagger import Tagger
from senna_py.tagging.config import Config
from senna_py.tagging.run import Run
from senna_py.tagging.score_model import score_model, score_raw_text
from senna_py.tagging.sentences import read_sentences
from senna_py.tagging.settings import DataSet
from senna_py.tagging.targets import learner_of
from tests.helpers.commands import tag as tag_text
from tests.helpers.gold import plain

# A range whose words depend on what stands outside, an empty node, and an arc that
# crosses others.
ROWS = """\
1\tOf\tADP\t4\tcase
2-3\tdu\t_\t_\t_
2\tde\tADP\t4\tcase
3\tle\tDET\t4\tdet
3.1\tgone\tVERB\t_\t_
4\tcat\tNOUN\t5\tnsubj:x
5\tsat\tVERB\t0\troot
6\ttoday\tNOUN\t4\tobl
"""


def conllu(rows):
    """Text of CoNLL-U of rows with ID, form, UPOS, HEAD and DEPREL."""
    fields = (line.split("\t") for line in rows.splitlines())
    lines = (
        f"{i}\t{form}\t_\t{tag}\t{tag}\t_\t{head}\t{name}\t_\t_\n"
        for i, form, tag, head, name in fields
    )
    return "".join(lines) + "\n"


def read(directory, text, name="some.conllu", **settings):
    """Dependencies of the sentences of a file."""
    (directory / name).write_text(text, encoding="utf-8")
    data = DataSet.of({"files": [name], **settings})
    data.fill_columns([find_task("dep")])
    return read_sentences([data], {"dep": find_task("dep")}, directory).gold["dep"]


def test_words_and_surface_tokens(tmp_path):
    of_words = ["case", "case", "det", "nsubj:x", "root", "obl"]
    assert plain(read(tmp_path, conllu(ROWS))) == [
        ([3, 3, 3, 4, -1, 3], of_words, None)
    ]
    of_tokens = ["case", "case", "nsubj:x", "root", "obl"]
    found = read(tmp_path, conllu(ROWS), multiwords="tokens")
    assert plain(found) == [([2, 2, 3, -1, 2], of_tokens, None)]


def test_own_columns_and_other_names(tmp_path):
    how = {"columns": ["word", "head", "relation"], "labels": {"det": "d"}}
    found = read(tmp_path, "a\t2\tdet\nb\t0\troot\n\n", "own.tsv", **how)
    assert plain(found) == [([1, -1], ["d", "root"], None)]


def test_soft_ones_need_not_be_trees(tmp_path):
    how = {"columns": ["word", "head", "relation", "share"], "soft": True}
    found = read(tmp_path, "a\t2\tdet\t0.5\nb\t1\tobj\t0.25\n\n", "own.tsv", **how)
    assert plain(found) == [([1, 0], ["det", "obj"], [0.5, 0.25])]
    learner = learner_of(find_task("dep"))
    learner.find_keys(found, 1)
    targets = learner.targets(found, np.array([2], np.float32))
    assert targets.shares().tolist() == [1, 0.5]


@pytest.mark.parametrize(
    ("heads", "message"),
    [
        ("22", "line 1: a sentence without a root: no word has the head 0"),
        ("00", "line 2: a second root (head 0); a sentence has one"),
        ("031", None),
        ("130", "line 1: the heads form a circle"),
        ("0323", "line 2: the heads form a circle"),
        ("30", "line 1: expected a head from 0, the root, to 2, found '3'"),
        ("_0", "line 1: expected a head from 0, the root, to 2, found '_'"),
    ],
)
def test_what_is_no_tree(heads, message, tmp_path):
    text = "".join(f"w\t{head}\tx\n" for head in heads) + "\n"
    how = {"name": "own.tsv", "columns": ["word", "heads", "relation"]}
    if message is None:
        assert len(read(tmp_path, text, **how).labeled)
        return
    with pytest.raises(SennaError) as found:
        read(tmp_path, text, **how)
    assert message in str(found.value)


def test_scores():
    """As by the evaluation of Universal Dependencies: CLAS is without case and so
    on.
    """
    gold = [(1, "det"), (2, "nsubj:pass"), (-1, "root"), (2, "obl"), (3, "case")]
    found = [(2, "det"), (2, "nsubj"), (-1, "root"), (2, "case"), (3, "case")]
    scores = score_arcs([(gold, found), ([(-1, "root")], [(-1, "root")])])
    assert (scores.uas, scores.las) == (100 * 5 / 6, 100 * 4 / 6)
    content = scores.content
    assert (content.gold, content.predicted, content.correct) == (4, 3, 3)
    assert scores.confusions == {("obl", "case"): 1, ("det", "-"): 1, ("-", "det"): 1}
    assert (
        REPORTS["arcs"].lines(scores)[1] == "UAS:  83.33%; LAS:  66.67%; CLAS:  85.71%"
    )
    assert REPORTS["arcs"].object(scores)["las"] == scores.las


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    """Directory of a model for parts of speech and dependencies of a very small
    language.
    """
    directory = tmp_path_factory.mktemp("arcs")
    nouns, verbs = ["cat", "dog", "mat"], ["saw", "bit"]
    text = "".join(
        conllu(
            f"1\tthe\tDET\t2\tdet\n2\t{a}\tNOUN\t3\tnsubj\n3\t{verb}\tVERB\t0\troot\n"
            f"4\tthe\tDET\t5\tdet\n5\t{b}\tNOUN\t3\tobj\n6\t.\tPUNCT\t3\tpunct\n"
        )
        for a in nouns
        for b in nouns
        for verb in verbs
    )
    (directory / "train.conllu").write_text(text, encoding="utf-8")
    config = Config.of(
        {
            "tasks": ["pos", "dep"],
            "features": {"caps": 2},
            "train": [{"files": ["train.conllu"]}],
            "dev": [{"files": ["train.conllu"]}],
            "network": {"dilated": {"width": 16, "dilations": [1, 1]}, "word_size": 8},
            "heads": {"dep": {"hidden": 24}},
            "training": {"epochs": 20, "rate": 0.01, "batch": 4},
        }
    )
    run = Run.load(config, directory, directory / "run", None, lambda line: None)
    trainer = run.trainer()
    assert trainer.run()
    assert run.score_saved()["dep"].las == 100
    return directory / "run"


@pytest.fixture(scope="module")
def nlp(model):
    return Tagger(str(model), with_scores=True)


@pytest.mark.slow
def test_tokens_have_heads(nlp):
    sentence = nlp("the dog bit the cat.")
    assert [token.relation for token in sentence] == [
        "det",
        "nsubj",
        "root",
        "det",
        "obj",
        "punct",
    ]
    root = sentence.root
    assert (root.text, root.head, root.relation) == ("bit", None, "root")
    assert sentence[0].head == sentence[1] and sentence[1].head == root
    assert [token.text for token in root.children] == ["dog", "cat", "."]
    assert [token.text for token in sentence[4].subtree] == ["the", "cat"]
    assert root.subtree == sentence.tokens
    assert all(0.5 < arc.score <= 1 for arc in sentence.arcs)
    assert Sentence.from_json(sentence.to_json()) == sentence
    table = sentence.table()
    assert table["head"] == [1, 2, None, 4, 2, 2] and table["relation"][2] == "root"
    assert [span.text for span in sentence.noun_chunks] == ["the dog", "the cat"]
    document = nlp.document("the dog bit the cat. the cat saw the mat.")
    assert Document.from_json(document.to_json()) == document
    assert nlp("").arcs == () and nlp("").root is None


def test_json_of_no_tree(nlp):
    found = nlp("the dog bit the cat.").to_dict()
    for wrong in (
        {"head": 6, "relation": "x"},
        {"head": "1", "relation": "x"},
        {"head": 1},
    ):
        with pytest.raises(ValueError, match=r"head|relation|no sentence"):
            Sentence.from_dict(found | {"arcs": [wrong] * 6})
    circle = [{"head": head, "relation": "x"} for head in (None, 0, 4, 2, 3, 2)]
    with pytest.raises(ValueError, match="the heads of the arcs form a circle"):
        Sentence.from_dict(found | {"arcs": circle})
    with pytest.raises(ValueError, match="5 arcs, but 6 tokens"):
        Sentence.from_dict(found | {"arcs": found["arcs"][1:]})


def test_parts_of_a_long_sentence_are_one_tree(model):
    nlp = Tagger(str(model))
    nlp.cut_sentences(5)
    sentence = nlp(" ".join(["the dog bit the cat"] * 3))
    assert [arc.head for arc in sentence.arcs][::5] == [1, 6, 11]
    assert [arc for arc in sentence.arcs if arc.relation in ("root", "parataxis")] == [
        (None, "root", None),
        (2, "parataxis", None),
        (2, "parataxis", None),
    ]


def test_formats(model, tmp_path):
    text = b"the dog bit\n"
    of = ["--path", str(model), "--dep"]
    assert tag_text(
        *of, "--format", "conll", "--header", stdin=text
    ).stdout.decode() == (
        "word\thead\trelation\nthe\t2\tdet\ndog\t3\tnsubj\nbit\t0\troot\n\n"
    )
    columns = (
        tag_text(*of, "--format", "conllu", stdin=text).stdout.decode().splitlines()
    )
    assert [line.split("\t")[6:8] for line in columns if line[:1].isdigit()] == [
        ["2", "det"],
        ["3", "nsubj"],
        ["0", "root"],
    ]
    found = json.loads(tag_text(*of, "--format", "jsonl", stdin=text).stdout)
    assert found["arcs"][2] == {"head": None, "relation": "root"}
    brat = tag_text(*of, "--format", "brat", stdin=b"the dog\nbit\n").stdout.decode()
    lines = [line.split("\t") for line in brat.splitlines()]
    assert [line for line in lines if line[0][0] == "T"] == [
        ["T2", "X 0 3", "the"],
        ["T10", "X 4 7", "dog"],
        ["T18", "X 8 11", "bit"],
    ]
    assert ["R1", "det Arg1:T10 Arg2:T2"] in lines
    soft = tag_text(*of, "--probabilities", stdin=text).stdout.decode()
    assert [line.split("\t")[:3] for line in soft.splitlines()] == [
        ["the", "2", "det"],
        ["dog", "3", "nsubj"],
        ["bit", "0", "root"],
        [""],
    ]
    columns = ["word", "head", "relation", "share"]
    gold = read(tmp_path, soft, "soft.tsv", soft=True, columns=columns)
    ((heads, _, shares),) = plain(gold)
    assert heads == [1, 2, -1] and min(shares) > 0.5


def test_nltk_reads_what_is_printed(model):
    """...as docs/guide/dependencies.md says."""
    nltk = pytest.importorskip("nltk.parse")
    of = "--path", str(model), "--dep", "--format", "conllu"
    text = tag_text(*of, stdin=b"the dog bit the cat .\nthe cat bit\n").stdout.decode()
    graphs = []
    for block in text.rstrip().split("\n\n"):
        words = [line for line in block.split("\n") if line.split("\t")[0].isdigit()]
        graphs.append(
            nltk.DependencyGraph(
                "\n".join(words), cell_separator="\t", top_relation_label="root"
            )
        )
    assert [str(graph.tree()) for graph in graphs] == [
        "(bit (dog the) (cat the) .)",
        "(bit (cat the))",
    ]
    found = {(head[0], name, word[0]) for head, name, word in graphs[0].triples()}
    assert ("bit", "nsubj", "dog") in found and len(found) == 5


def test_conllu_of_ranges(model):
    given = conllu(
        "1-2\tthedog\t_\t_\t_\n1\tthe\tX\t0\troot\n2\tdog\tX\t1\tx\n3\tbit\tX\t1\ty\n"
    )
    of = "--path", str(model), "--dep", "--layout", "conllu", "--format", "conllu"
    for how in ((), ("--multiwords", "tokens")):
        lines = tag_text(*of, *how, stdin=given.encode()).stdout.decode().splitlines()
        rows = [line.split("\t") for line in lines if line[:1].isdigit()]
        heads = {row[0]: row[6] for row in rows}
        assert heads["1-2"] == "_" and [*heads.values()].count("0") == 1
        if how:
            assert heads["2"] == "1" and rows[2][7] == "dep"


def test_scores_of_raw_text(model, tmp_path):
    text = (model.parent / "train.conllu").read_text("utf-8")
    gold = tmp_path / "gold.conllu"
    gold.write_text(
        "".join(f"# newpar\n{each}\n\n" for each in text.split("\n\n") if each)
    )
    scores = score_raw_text(Model(str(model)), [*read_paragraphs(gold)])
    assert scores.counts["tokens"].f1 == 100
    assert [scores.counts[name].f1 for name in ("uas", "las", "clas")] == [100] * 3
    paragraphs = [*read_paragraphs(gold, multiwords="tokens")]
    assert "uas" not in score_raw_text(Model(str(model)), paragraphs, "tokens").counts
    lines = REPORTS["text"].lines(scores)
    assert lines[-1] == "CLAS          100.00    100.00    100.00    100.00"


def test_scores_of_a_model(model):
    data = DataSet.of({"files": ["train.conllu"]})
    data.fill_columns([find_task("dep")])
    assert score_model(Model(str(model)), "dep", data, model.parent).las == 100
