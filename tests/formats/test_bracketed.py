"""Trees of random models, and of any text: from Python, in `--format trees` and in
JSON.
"""

import json
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import senna_py.tagger
from senna_py import Tree
from senna_py.answers.annotations import Annotations
from senna_py.answers.layer import Layer
from senna_py.corpora.places import BatchPlace
from senna_py.formats.bracketed import TreePrinter
from senna_py.formats.json_lines import JsonPrinter
from senna_py.formats.probabilities import ProbabilityPrinter
from senna_py.labels.brackets import unescape
from senna_py.labels.tasks import find_task
from senna_py.networks.batch import WordBatch
from senna_py.networks.decoding import likely_tags
from senna_py.tagger import Tagger
from senna_py.tagging.soft_labels import parse_shares
from senna_py.text.tokenizer import Tokenizer
from senna_py.text.vocabulary import Vocabulary
from tests.helpers.native_models import write_tree_model

ODD = "ab.!()[]{}/\\*-_,\"' \t\r\v\f\x1c\x1f\x85\xa0\u2028\u3000\0\x7f\ufeffé日😀\udcff"
characters = st.one_of(st.sampled_from(ODD), st.characters(exclude_categories=["Cs"]))
words = st.one_of(
    st.sampled_from(["he", "reads", "in", "chicago", "-LRB-", "(", ")", "()", "\\/"]),
    st.text(characters, min_size=1, max_size=5),
)
texts = st.one_of(
    st.text(characters, max_size=30),
    st.lists(words, max_size=12).map(" ".join),
    st.text(" \t\xa0\x1f", max_size=3),
    st.text("().,;-!", max_size=8),
)
# Seed, bias of what is outside constituents, and whether there is a chart. The bias is
# none, or such that words are outside never, always or rarely.
KINDS = [
    (1, 0.0, False),
    (2, 0.0, False),
    (1, -1e4, False),
    (2, 1e4, False),
    (3, -5.0, False),
    (1, 0.0, True),
    (2, -10.0, True),
    (3, 1e4, True),
]


@pytest.fixture(scope="module", params=KINDS, ids=str)
def tagger(request, tmp_path_factory):
    """Tagger of a model with random weights."""
    path = tmp_path_factory.mktemp("model") / "model.safetensors"
    write_tree_model(path, *request.param)
    return Tagger(path, ["pos", "psg"])


def written(text):
    """A word as it stands in a tree."""
    return "_".join(text.replace("(", "-LRB-").replace(")", "-RRB-").split()) or "_"


def expected_text(tagger, sentence):
    """The brackets of phrases around the words."""
    tokens = tagger.tokenizer.pretokenized([[t.text for t in sentence]])
    rows = [row[:3] for row in tagger.annotate(tokens).layers["psg"].rows()]
    text = ""
    for place, token in enumerate(sentence):
        text += "".join(f" ({label}" for label, begin, _ in rows if begin == place)
        text += f" ({token.pos} {written(token.text)})"
        text += ")" * sum(end == place + 1 for _, _, end in rows)
    return text[1:]


def check_tree(sentence):
    """Check that the leaves are the tokens, and that the text reads as the same
    tree.
    """
    tree = sentence.tree
    assert [tuple(leaf) for leaf in tree.leaves] == [(t.text, t.pos) for t in sentence]
    assert tree.phrases[0] == ("S1", 0, len(sentence))
    for text in (str(tree), tree.pformat()):
        assert "\n" not in text or len(text) > 69
        again = Tree.parse(text)
        assert again.phrases == tree.phrases
        assert again.leaves == [(unescape(written(t.text)), t.pos) for t in sentence]


@given(st.one_of(texts, st.lists(words, max_size=12)))
def test_from_python(tagger, text):
    sentence = tagger(text)
    check_tree(sentence)
    if len(sentence) == 0:
        assert (sentence.tree.to_tree(), str(sentence.tree)) == (Tree("S1", ()), "")
    # Else words are found in the text, and may be others here.
    elif not isinstance(text, str):
        assert str(sentence.tree) == expected_text(tagger, sentence)
        assert [leaf.word for leaf in sentence.tree.leaves] == text


@pytest.mark.slow
@pytest.mark.parametrize("n", [1, 2, 1024])
def test_sentences_of_all_lengths(tagger, n):
    vocabulary = ["he", "reads", "(", "the", ".", "x", "in", "chicago"]
    sentence = tagger([vocabulary[i * i % 11 % 8] for i in range(n)])
    check_tree(sentence)
    assert str(sentence.tree) == expected_text(tagger, sentence)


def lines_of(tagger, data, whitespace=False, split=False):
    """Lines of `--format trees` and the objects of JSON, as TreePrinter and JsonPrinter
    print.
    """
    tokens = tagger.tokenizer.lines(data, whitespace)
    if split:
        tokens = tagger.tokenizer.split_sentences(tokens, whitespace)
    found = tagger.annotate(tokens.cut(tagger.longest_sentence))
    trees = TreePrinter(tagger).format(found, BatchPlace("text"))
    assert trees.endswith(b"\n") or not trees
    objects = JsonPrinter(tagger).format(found, BatchPlace("text")).splitlines()
    return trees.decode("utf-8", "surrogateescape").split("\n")[:-1], list(
        map(json.loads, objects)
    )


@given(st.lists(texts, max_size=5), st.booleans(), st.booleans())
def test_from_lines(tagger, lines, whitespace, ended):
    lines = [line.replace("\n", " ") for line in lines]
    data = "\n".join(lines) + "\n" * ended
    n_lines = len(data.removesuffix("\n").split("\n")) if data else 0
    trees, objects = lines_of(
        tagger, data.encode("utf-8", "surrogateescape"), whitespace
    )
    assert len(trees) == n_lines
    assert [tree for tree in trees if tree] == [found["tree"] for found in objects]
    for found in objects:
        tree = Tree.parse(found["tree"])
        assert [leaf.tag for leaf in tree.leaves] == found["tags"]["pos"]
        assert [written(t["text"]) for t in found["tokens"]] == [
            text.rstrip(")").split(" ")[-1] for text in found["tree"].split(") ")
        ]
        assert found["constituents"] == [
            {"label": label, "start_token": begin, "end_token": end}
            for label, begin, end in tree.phrases
        ]


def test_a_sentence_of_a_line_has_a_tree(tagger):
    data = b"\nHe left. They stayed.\n \n\nNo.\n\n"
    trees, objects = lines_of(tagger, data, split=True)
    assert [bool(tree) for tree in trees] == [
        False,
        True,
        True,
        False,
        False,
        True,
        False,
    ]
    assert [found["tree"] for found in objects] == [tree for tree in trees if tree]


def test_what_is_cut_is_one_tree(tagger, monkeypatch):
    monkeypatch.setattr(senna_py.tagger, "LONGEST_SENTENCE", 4)
    trees, objects = lines_of(
        tagger, b"he reads\n\nhe reads in the x chicago . he reads\n"
    )
    assert trees[0].count("(S1") == 1
    assert trees[1] == ""
    tree = Tree.parse(trees[2])
    assert [child.label for child in tree.children] == ["S1"] * 3
    assert [len(child.leaves) for child in tree.children] == [4, 3, 2]
    assert objects[1]["tree"] == trees[2]
    assert objects[1]["constituents"][0] == {
        "label": "S1",
        "start_token": 0,
        "end_token": 9,
    }


def test_bytes_outside_utf8_stay(tagger):
    trees, _ = lines_of(tagger, b"caf\xe9 \x00 (ok)\n")
    words = [text.rstrip(")").split(" ")[-1] for text in trees[0].split(") ")]
    assert words == ["caf", "\udce9", "\0", "-LRB-", "ok", "-RRB-"]


TOKENIZER = Tokenizer(Vocabulary.from_keys(["PADDING", "UNKNOWN"]))


def printed(labels, sentences, shares, least=0.0, task="pos", predicates=()):
    tagger = SimpleNamespace(tasks=(task,), task=find_task)
    tokens = TOKENIZER.pretokenized(sentences)
    batch = WordBatch(None, tokens.starts)
    if task == "srl":
        batch = batch.of_predicates(np.array(predicates, np.int32))
    layer = shares
    if task != "psg":
        shares = np.array(shares, np.float32)
        layer = likely_tags(find_task(task), labels, batch, shares)
    found = Annotations(tokens, layers={task: layer})
    return ProbabilityPrinter(tagger, least).format(found, BatchPlace("x")).decode()


def test_what_is_printed():
    shares = [[0.07, 0.93, 0], [1, 0, 0], [0.5, 0.492, 0.008]]
    assert printed(["NN", "NNP", ":"], [["Rome"], ["é", "."]], shares) == (
        "Rome\tNNP:0.93,NN:0.07\n\né\tNN:1\n.\tNN:0.504,NNP:0.496\n\n"
    )


def test_sentences_that_are_not_certain_are_left_out():
    shares = [[0.9, 0.1], [0.5, 0.5], [0.75, 0.25]]
    words = [["a"], ["b", "c"]]
    assert printed("xy", words, shares, 0.9) == "a\tx:0.9,y:0.1\n\n"
    assert printed("xy", words, shares, 0.5).count("\n") == 5
    assert printed("xy", words, shares, 0.95) == ""


def test_nothing():
    assert printed("xy", [], np.empty((0, 2))) == ""


def test_roles_have_a_column_for_each_predicate():
    words = [["He", "does"], ["no"], ["try", "ing"]]
    shares = [[1, 0], [0.25, 0.75], [0, 1], [0.5, 0.5], [1, 0], [0.9, 0.1]]
    assert printed(["O", "S-V"], words, shares, task="srl", predicates=[1, 3, 4]) == (
        "He\t-\tO:1\ndoes\tdoes\tS-V:0.75,O:0.25\n\nno\t-\n\n"
        "try\ttry\tS-V:1\tO:1\ning\ting\tO:0.5,S-V:0.5\tO:0.9,S-V:0.1\n\n"
    )
    some = printed(["O", "S-V"], words, shares, 0.6, task="srl", predicates=[1, 3, 4])
    assert some.startswith("He") and some.endswith("no\t-\n\n")


def test_words_have_the_constituents_that_begin_there():
    types, task = ["NP", "S(VP"], find_task("psg")
    columns = [0, 0, 1, 1, 0, 1], [0, 0, 0, 2, 3, 3], [1, 2, 2, 3, 4, 5]
    arrays = (np.array(column, np.int32) for column in columns)
    shares = np.array([0.99, 0.25, 0.5, 1, 0.06, 0.9], np.float32)
    spans = Layer(task, types, *arrays, score=shares)
    words = [["a", "b"], ["c"], ["d", "e"]]
    labels = types
    assert printed(labels, words, spans, task="psg") == (
        "a\tNP/1:0.99,S(VP/2:0.5,NP/2:0.25\nb\t-\n\nc\tS(VP/1:1\n\n"
        "d\tS(VP/2:0.9,NP/1:0.06\ne\t-\n\n"
    )
    least = [
        printed(labels, words, spans, p, task="psg").count("\n\n")
        for p in (0.4, 0.6, 0.95)
    ]
    assert least == [3, 2, 1]
    none = np.empty(0, np.int32)
    nothing = Layer(task, types, none, none, none, score=np.empty(0, np.float32))
    assert printed(labels, words[1:2], nothing, task="psg") == "c\t-\n\n"


@given(st.integers(1, 300), st.integers(0, 99), st.sampled_from([0.1, 1, 10]))
def test_what_is_printed_is_read_again(n_labels, seed, spread):
    rng = np.random.default_rng(seed)
    labels = [":", ",", "$", "''", "B-X:Y"][:n_labels] + [
        f"L{k}" for k in range(5, n_labels)
    ]
    scores = np.exp(spread * rng.standard_normal((4, n_labels)))
    shares = scores / scores.sum(axis=1, keepdims=True)
    lines = printed(labels, [["a", "b"], ["c", "d"]], shares).split("\n")
    cells = [line.split("\t")[1] for line in lines if line]
    for cell, row in zip(cells, shares, strict=True):
        found, kept = parse_shares(cell), np.where(row >= 0.01, row, 0)
        assert labels.index(found[0][0]) == row.argmax()
        if kept.any():
            kept /= kept.sum()
            for label, share in found:
                assert share == pytest.approx(kept[labels.index(label)], abs=3e-4)
            assert len(found) == (kept > 0).sum()
