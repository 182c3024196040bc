"""Gold labels from plain lists, and as plain lists."""

from itertools import pairwise

import numpy as np

from senna_py.labels.tasks import find_task
from senna_py.tagging.gold import READERS
from senna_py.tagging.targets import learner_of


def make_gold(task, sentences, lengths=None, kind=""):
    """The Gold of the labels of sentences, None for those without.

    lengths: of all sentences, if their labels do not have them.
    """
    task = find_task(task, kind)
    labeled = [number for number, each in enumerate(sentences) if each is not None]
    chosen = [sentences[number] for number in labeled]
    if lengths is None:
        sizes = [len(getattr(each, "leaves", each)) for each in chosen]
    else:
        sizes = [lengths[number] for number in labeled]
    starts = np.append(0, np.cumsum(sizes, dtype=np.int64))
    reader = READERS[task.shape.name]
    return reader.gold(task, chosen, np.array(labeled, np.int64), starts)


def make_learner(task, keys, kind=""):
    """A learner of a task that has keys."""
    learner = learner_of(find_task(task, kind))
    learner.take_keys(keys)
    return learner


def plain(gold):
    """The labels of each sentence that has some.

    They are tags, {predicate: tags}, a Tree or pairs of a phrase and its share, or heads
    and relations.
    """
    layer, shape = gold.layer, gold.layer.shape
    if shape.gives_tags:
        return [*gold.tags().values()]
    if shape.iobes:
        return [*gold.tags_by_anchor().values()]
    bounds = [*pairwise(gold.starts.tolist())]
    rows = [*layer.rows()]
    if shape.nested and layer.score is None:
        return gold.trees
    if shape.nested:
        return [
            [
                ((label, begin - first, end - first), score)
                for label, begin, end, _, score in rows
                if first <= begin < last
            ]
            for first, last in bounds
        ]
    return [
        (
            [
                head - first if head >= 0 else -1
                for _, _, _, head, _ in rows[first:last]
            ],
            [label for label, *_ in rows[first:last]],
            None if layer.score is None else layer.score[first:last].tolist(),
        )
        for first, last in bounds
    ]
