"""Layers of the shipped model's answers, against what the arrays of networks say."""

import numpy as np

from senna_py.answers.joining import join_parts
from senna_py.answers.layer import ROOT
from senna_py.labels.tree_keys import found_phrases
from senna_py.labels.trees import SENTENCE
from senna_py.network_layers import layer_of
from senna_py.tagger import Tagger

TEXTS = [
    "The cat that I saw yesterday ran away because it was afraid .",
    "Yes .",
    "She told him that the old red house on the hill had been sold to them twice .",
]


def layers(tasks, texts, longest=None):
    tagger = Tagger(None, tasks)
    tokens = tagger.tokenizer.texts(texts)
    if longest:
        tokens = tokens.cut(longest)
    answers = tagger.annotate(tokens).found
    return (
        tokens,
        [
            (answers[name], layer_of(tagger.task(name), answers[name], names, tokens))
            for name in tasks
            for names in [tagger.names(name, answers[name])]
        ],
        tagger,
    )


def test_phrases_of_trees():
    tokens, ((answer, layer),), tagger = layers(["psg"], TEXTS)
    brackets = tagger.labels("psg").names
    expected = [
        (label, begin + first, end + first, ROOT, None)
        for phrases, first in zip(
            found_phrases(answer, tokens.starts, brackets, SENTENCE),
            tokens.starts.tolist(),
            strict=False,
        )
        for label, begin, end in phrases
    ]
    assert [*layer.rows()] == expected


def test_heads_count_in_the_batch():
    tokens, ((answer, layer),), _ = layers(["dep"], TEXTS)
    first = np.repeat(tokens.starts[:-1], np.diff(tokens.starts))
    roots = answer.head < 0
    assert (layer.anchor[roots] == ROOT).all()
    assert (layer.anchor[~roots] == (answer.head + first)[~roots]).all()


def test_sentences_that_were_cut_are_whole_again():
    tokens, pairs, _ = layers(["psg", "dep", "chk"], TEXTS, longest=4)
    trees, arcs, chunks = (layer for _, layer in pairs)
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
    joined = join_parts(chunks, tokens)
    assert joined == chunks  # They are decoded so that none goes on in the next part.
    assert len(joined.tags.first) == len(TEXTS)
