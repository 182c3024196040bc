"""Documents with layers of every shape, for properties."""

from dataclasses import replace

import numpy as np
from hypothesis import strategies as st

from senna_py import Document
from senna_py.answers.layer import ROOT, Layer
from senna_py.answers.tags import PathScores, Tags
from senna_py.answers.word_forms import WordForms
from senna_py.labels.tasks import SHAPES, Shape, Structure, Task, find_task, new_task

LINK = Task("link", Shape("links", "links", hangs_on="span"), "links of mentions")
NESTED = find_task("psg")
# A task of a user's own for each shape.
OWN_TAGS = find_task("own_tags", "tags")
OWN_SEGMENTS = find_task("own", "segments")
OWN_LIST = Task("listed", SHAPES["segments"], attribute="things", style="chunks")
OWN_ROLES = find_task("own_roles", "roles")
OWN_TREES = find_task("own_trees", "trees")
OWN_ARCS = new_task("own_arcs", SHAPES["arcs"], anchor_name="up", label_name="by")
OWN = tuple(
    replace(task, senna=False)
    for task in (
        OWN_TAGS,
        OWN_SEGMENTS,
        OWN_LIST,
        OWN_ROLES,
        OWN_TREES,
        OWN_ARCS,
        LINK,
    )
)
# Any text of a token may stand in brackets and in JSON.
WORDS = st.text(st.sampled_from('aé日😀\udcff().-_"\\{'), min_size=1, max_size=4)
LABELS = ("A", "B-C", "ü")
SCORES = st.floats(0, 1, width=32)


def _starts(draw):
    lengths = draw(st.lists(st.integers(0, 5), max_size=4))
    return np.append(0, np.cumsum(lengths, dtype=np.int64)).astype(np.int32)


def _ints(values):
    return np.array(values, np.int32).reshape(-1)


def _spans(draw, starts, most=3):
    """Label, begin, end of spans in the order of their sentences and first tokens."""
    rows = []
    for first, last in zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True):
        places = st.tuples(st.integers(first, last), st.integers(first, last))
        drawn = draw(st.lists(places.map(sorted), max_size=most, unique_by=tuple))
        rows += [(a, b) for a, b in sorted(drawn) if a < b]
    return rows


def _labels(draw, n):
    return _ints(draw(st.lists(st.integers(0, 2), min_size=n, max_size=n)))


def _score(draw, n):
    if not draw(st.booleans()):
        return None
    return np.array(draw(st.lists(SCORES, min_size=n, max_size=n)), np.float64)


def _flat(draw, starts, task):
    rows, end = [], 0
    for a, b in _spans(draw, starts):
        if a >= end:
            rows.append((a, b))
            end = b
    begin, end = _ints([a for a, _ in rows]), _ints([b for _, b in rows])
    label, score = _labels(draw, len(rows)), _score(draw, len(rows))
    return Layer(task, LABELS, label, begin, end, score=score)


def _tagged(draw, starts):
    n, names = int(starts[-1]), ("O", "B-A", "I-A", "E-A", "S-A", "S-B-C", "I-ü")
    tag = st.integers(0, len(names) - 1)
    tags = _ints(draw(st.lists(tag, min_size=n, max_size=n)))
    scores = None
    if draw(st.booleans()):
        pair = [draw(st.lists(SCORES, min_size=n, max_size=n)) for _ in range(2)]
        scores = PathScores(*(np.array(each, np.float32) for each in pair))
    begin = starts.astype(np.int64)
    return Layer.from_tags(
        find_task("ner"), Tags(names, tags, begin, starts[:-1], scores)
    )


def _on_tokens(draw, starts, task):
    n, rows = int(starts[-1]), []
    anchors = draw(st.lists(st.integers(0, n - 1), unique=True)) if n else []
    for anchor in sorted(anchors):
        k = int(np.searchsorted(starts, anchor, side="right"))
        own = _spans(draw, starts[k - 1 : k + 1])
        rows += [(a, b, anchor) for a, b in own]
    begin, end, anchor = (_ints([row[k] for row in rows]) for k in range(3))
    label, score = _labels(draw, len(rows)), _score(draw, len(rows))
    return Layer(
        task,
        LABELS,
        label,
        begin,
        end,
        anchor=anchor,
        score=score,
        anchors=_ints(sorted(anchors)),
    )


def _nested(draw, starts, task=NESTED):
    rows = []
    for first, last in zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True):
        if first == last:
            continue
        rows.append((first, last))
        middle = draw(st.integers(first, last))
        parts = [(first, middle), (middle, last)]
        rows += [(a, b) for a, b in parts if a < b and draw(st.booleans())]
    begin, end = _ints([a for a, _ in rows]), _ints([b for _, b in rows])
    return Layer(task, LABELS, _labels(draw, len(rows)), begin, end)


def _heads(draw, starts, task):
    anchor = []
    for first, last in zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True):
        for i in range(first, last):
            before = st.integers(first, i - 1) if i > first else st.just(ROOT)
            anchor.append(draw(st.one_of(before, st.just(ROOT))))
    n = len(anchor)
    label, score = _labels(draw, n), _score(draw, n)
    return Layer(task, LABELS, label, anchor=_ints(anchor), score=score)


def _links(draw, starts, task):
    rows = _spans(draw, starts)
    begin, end = _ints([a for a, _ in rows]), _ints([b for _, b in rows])
    anchor = _ints([draw(st.integers(ROOT, len(rows) - 1)) for _ in rows])
    label, score = _labels(draw, len(rows)), _score(draw, len(rows))
    return Layer(task, LABELS, label, begin, end, anchor=anchor, score=score)


def _of_tokens(draw, starts, task):
    n = int(starts[-1])
    return Layer(task, LABELS, _labels(draw, n), score=_score(draw, n))


def _layer(draw, starts, task):
    return _LAYERS[task.shape.structure](draw, starts, task)


_LAYERS = {
    Structure.TAGS: _of_tokens,
    Structure.SPANS: _flat,
    Structure.FRAMES: _on_tokens,
    Structure.TREE: _nested,
    Structure.HEADS: _heads,
    Structure.LINKS: _links,
}
KNOWN = (*map(find_task, ("pos", "ner", "chk", "own", "srl", "psg", "dep")), LINK)


@st.composite
def documents(draw, tasks=KNOWN, all_tasks=False):
    """Documents whose tokens are apart by spaces, or stand side by side.

    They have the layers of all tasks, or of any.
    """
    starts = _starts(draw)
    n = int(starts[-1])
    words = draw(st.lists(WORDS, min_size=n, max_size=n))
    text, places = "", []
    for word in words:
        text += draw(st.sampled_from(["", " ", "  \n"]))
        places.append((len(text), len(text) + len(word)))
        text += word
    layers = {task.name: _layer(draw, starts, task) for task in tasks}
    if "ner" in layers:
        layers["ner"] = _tagged(draw, starts)
    chosen = layers
    if not all_tasks:
        chosen = draw(st.lists(st.sampled_from([*layers]), unique=True))
    if len(starts) == 1:
        text = ""
    shown = {name: layers[name] for name in chosen}
    return Document(text, places, starts, shown, _words(draw, places, starts))


def _words(draw, places, starts):
    """Which tokens are words of multiword tokens, whose places may be changed."""
    n, first = len(places), {*starts.tolist()}
    continues = [i for i in range(n) if i not in first and draw(st.booleans())]
    if draw(st.booleans()) or not continues:
        return None
    spelled = []
    begin = 0
    for end in range(1, n + 1):
        if end in continues:
            continue
        if end - begin > 1 and draw(st.booleans()):
            places[begin:end] = [(places[begin][0], places[end - 1][1])] * (end - begin)
            spelled += range(begin, end)
        begin = end
    forms = draw(st.lists(WORDS, min_size=len(spelled), max_size=len(spelled)))
    return WordForms(_ints(continues), _ints(spelled), tuple(forms))
