"""Sentences that were cut for the networks are whole again."""

import numpy as np

from senna_py.answers.joining import concatenate, join_parts
from senna_py.answers.layer import ROOT
from senna_py.labels.trees import SENTENCE
from senna_py.tagger import Tagger

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
