"""Batches are put together and taken apart, and cut sentences are whole again."""

import numpy as np

from senna_py.answers.annotations import Annotations
from senna_py.answers.joining import concatenate, join_parts
from senna_py.answers.layer import ROOT, Layer
from senna_py.answers.reading import documents
from senna_py.labels.tasks import Shape, Task
from senna_py.labels.trees import SENTENCE
from senna_py.tagger import Tagger
from senna_py.text.tokenizer import Tokenizer
from senna_py.text.vocabulary import Vocabulary

TEXTS = [
    "The cat that I saw yesterday ran away because it was afraid .",
    "Yes .",
    "She told him that the old red house on the hill had been sold to them twice .",
]


def layers(tasks, texts, longest=None):
    tagger = Tagger(None, tasks, with_scores=True)
    tokens = tagger.tokenizer.texts(texts)
    if longest:
        tokens = tokens.cut(longest)
    found = tagger.annotate(tokens).layers
    return tokens, [found[name] for name in tasks]


def test_a_batch_in_parts_is_the_same():
    tasks = ["pos", "chk", "srl", "psg", "dep"]
    _, whole = layers(tasks, TEXTS)
    parts = [layers(tasks, texts) for texts in (TEXTS[:2], TEXTS[2:])]
    lengths = [len(tokens) for tokens, _ in parts]
    for number, layer in enumerate(whole):
        assert concatenate([found[number] for _, found in parts], lengths) == layer


def test_spans_that_hang_on_spans_keep_them_in_a_longer_batch():
    task = Task("link", Shape("links", "links", hangs_on="span"))
    begin, anchor = np.array([0, 2, 3], np.int32), np.array([ROOT, 0, 1], np.int32)
    label = np.zeros(3, np.int32)
    part = Layer(task, ["same"], label, begin, begin + 1, anchor=anchor)
    whole = concatenate([part, part], [5, 5])
    assert whole.begin.tolist() == [0, 2, 3, 5, 7, 8]
    assert whole.anchor.tolist() == [ROOT, 0, 1, ROOT, 3, 4]
    assert [*whole.split([0, 5, 10])] == [part, part]


def test_spans_of_other_documents_are_nothing_to_hang_on():
    task = Task("link", Shape("links", "links", hangs_on="span"))
    tokenizer = Tokenizer(Vocabulary.from_keys(["UNKNOWN"]), "treebank")
    texts = ["Ann Lee left", "Bo saw Ann", "He left"]
    tokens, owner = tokenizer.documents(texts)
    begin = np.array([0, 2, 3, 5, 6], np.int32)
    anchor = np.array([2, 0, 1, 4, 2], np.int32)  # Of two, the row just outside.
    label = np.zeros(5, np.int32)
    layer = Layer(task, ["same"], label, begin, begin + 1, anchor=anchor)
    annotations = Annotations(tokens, layers={"link": layer}, tasks=("link",))
    found = [each.layers["link"] for each in documents(annotations, texts, owner)]
    assert [each.anchor.tolist() for each in found] == [[ROOT, 0], [ROOT, ROOT], [ROOT]]
    assert found == [*layer.split([0, 3, 6, 8])]


def test_sentences_that_were_cut_are_whole_again():
    tokens, found = layers(["psg", "dep", "chk"], TEXTS, longest=4)
    trees, arcs, chunks = found
    assert tokens.n_sentences > len(TEXTS)
    ends = tokens.starts[np.searchsorted(tokens.source, range(len(TEXTS) + 1))]
    joined = join_parts(trees, tokens)
    stretches = [*joined.split(ends)]
    for i, stretch in enumerate(stretches):
        label, begin, end, *_ = next(stretch.rows())
        assert (label, begin, end) == (SENTENCE, 0, ends[i + 1] - ends[i])
    assert len(joined) == len(trees) + 2  # "Yes ." is no longer than four words
    cut = [*arcs.split(ends)]
    for stretch, parts in zip(join_parts(arcs, tokens).split(ends), cut, strict=True):
        first, *others = np.flatnonzero(parts.anchor == ROOT).tolist()
        rows = [*stretch.rows()]
        assert rows[first] == [*parts.rows()][first]
        assert [(rows[i][0], rows[i][3]) for i in others] == [
            ("parataxis", first) for _ in others
        ]
        assert (stretch.anchor == ROOT).sum() == 1
    assert [*join_parts(chunks, tokens).rows()] != []
