"""What the teacher learns from and is scored on: sentences with the labels of all tasks.

Several files may label the same text. A sentence of such files is one Sentence here, so
that the network reads it once. Dev is never trained on: a training sentence that is
also in dev is left out.
"""

import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import numpy as np

from senna_py.errors import SennaError
from senna_py.labels.tasks import find_task
from senna_py.labels.tree_keys import keys_of_types
from senna_py.tagging.gold import READERS
from senna_py.tagging.sentences import read_sentences
from senna_py.tagging.settings import DataSet
from senna_py.tagging.targets import learner_of

ENTITIES = ("PER", "LOC", "ORG", "MISC")
_SAME = 6  # words from which on a training sentence that dev has too is left out

# Types of entities by those of corpora. ANY may be an entity or not, OPEN may be MISC
# or nothing. What is not here is nothing.
ANY, OPEN = "?", "o"
_TYPES = {"PER": "PER", "LOC": "LOC", "ORG": "ORG", "MISC": "MISC", "OTH": "MISC"} | {
    name: kind
    for kind, names in {
        "PER": "person politician researcher scientist writer musicalartist",
        "LOC": "location country",
        "ORG": "organisation university politicalparty band corporation group",
        "MISC": "misc election event book award poem album song product programlang "
        "conference creative-work",
        ANY: "magazine academicjournal astronomicalobject",
        OPEN: "literarygenre musicgenre musicalinstrument field algorithm task metrics "
        "discipline theory chemicalcompound chemicalelement protein enzyme",
    }.items()
    for name in names.split()
}


class Source(NamedTuple):
    """Files of one text.

    group: files of a group label the same text, and each of its sentences is one Sentence
    part: see DataSet
    times: how often an epoch reads the files
    silent: whether they do not mark MISC
    """

    group: str
    file: str
    columns: str
    tasks: str
    part: tuple = (0.0, 1.0)
    times: float = 1.0
    silent: bool = False


_PARSED = "word pos parse predicate roles"
_TREES = "pos psg pt0 vbs srl"
WIKIGOLD = 0.5  # the first part of Wikigold is for training, the rest is dev

TRAIN = [
    Source("ewt", "ewt/train.pos.tsv", "word pos", "pos", times=2),
    Source("ewt", "ewt/train.srl.tsv", _PARSED, "psg pt0 vbs srl", times=2),
    Source("ewt", "ewt/train.ner.tsv", "word - ner", "ner", times=2),
    Source("masc", "masc/train.srl.tsv", _PARSED, _TREES, times=2),
    Source("masc", "masc/train.ner.tsv", "word - ner", "ner", times=0.4, silent=True),
    Source("gum", "gum/train.parse.tsv", "word pos parse", "pos psg pt0", times=1.5),
    Source("conll2000", "conll2000/train.txt", "word - chk", "chk", part=(0.0, 0.9)),
    Source("wnut", "ner/wnut17.train.tsv", "word - ner", "ner", silent=True),
    Source("btc", "ner/btc.*.tsv", "word - ner", "ner", silent=True),
    Source("crossner", "ner/crossner_*.tsv", "word - ner", "ner"),
    Source("sec", "ner/sec_filings.train.tsv", "word - ner", "ner"),
    Source("wikigold", "ner/wikigold.tsv", "word - ner", "ner", part=(0.0, WIKIGOLD)),
]
DEV = [
    Source("ewt", "ewt/dev.pos.tsv", "word pos", "pos"),
    Source("ewt", "ewt/dev.srl.tsv", _PARSED, "psg pt0 vbs srl"),
    Source("ewt", "ewt/dev.ner.tsv", "word - ner", "ner", silent=True),
    Source("masc", "masc/dev.srl.tsv", _PARSED, _TREES),
    Source("masc", "masc/dev.ner.tsv", "word - ner", "ner", silent=True),
    Source("gum", "gum/dev.parse.tsv", "word pos parse", "pos psg pt0"),
    Source("conll2000", "conll2000/train.txt", "word - chk", "chk", part=(0.9, 1.0)),
    Source("wnut", "ner/wnut17.dev.tsv", "word - ner", "ner", silent=True),
    Source("wikigold", "ner/wikigold.tsv", "word - ner", "ner", part=(WIKIGOLD, 1.0)),
    Source("wsj", "wsj_sample/dev.parse.tsv", "word pos parse", "pos psg pt0"),
    Source("wsj", "wsj_sample/dev.srl.tsv", _PARSED, "vbs srl"),
]


@dataclass
class Sentence:
    """Words and their labels.

    group, times: as in its Source
    tags: {task: a str for each word}; IOBES for segments
    options: for each word a frozenset of the tags of entities that it may have, or None for
        any tag
    tree: a Tree or None
    roles: {predicate: IOBES tags} or None
    dep: four lists, of heads, relations, universal parts of speech and features, or None
    """

    words: list
    group: str = ""
    times: float = 1.0
    tags: dict = field(default_factory=dict)
    options: list | None = None
    tree: object = None
    roles: dict | None = None
    dep: list | None = None


def _read(data, tasks, directory):
    try:
        return read_sentences([data], tasks, directory)
    except SennaError as error:
        sys.exit(str(error))


def read(sources, directory):
    """Return the sentences of a list of Source, whose paths are below `directory`."""
    found = {}
    for source in sources:
        data = DataSet([source.file], source.columns.split(), list(source.part))
        tasks = {name: find_task(name) for name in source.tasks.split()}
        read_here, seen = _read(data, tasks, directory), Counter()
        labels = {name: _by_sentence(gold) for name, gold in read_here.gold.items()}
        for i, words in enumerate(read_here.words):
            key = (source.group, tuple(words), seen[tuple(words)])
            seen[tuple(words)] += 1
            sentence = found.get(key)
            if sentence is None:
                sentence = found[key] = Sentence(words, source.group, source.times)
            for task, by_sentence in labels.items():
                _add(sentence, task, by_sentence[i], source.silent)
    return list(found.values())


def _by_sentence(gold):
    """Return labels by the number of their sentence: trees, tags by predicate, or tags."""
    shape = gold.layer.shape
    if shape.nested:
        return dict(zip(gold.labeled.tolist(), gold.trees, strict=True))
    return gold.tags_by_anchor() if shape.hangs_on else gold.tags()


def training(directory):
    """Return the sentences to train on, none of which is in dev."""
    train, known = (
        read(TRAIN, directory),
        {tuple(s.words) for s in read(DEV, directory)},
    )
    return [s for s in train if len(s.words) < _SAME or tuple(s.words) not in known]


def add_dependencies(sentences, directory, part="train"):
    """Add to sentences of EWT and GUM the labels of the CoNLL-U files of a data split."""
    found, seen = {}, Counter()
    for group in ("ewt", "gum"):
        text = Path(directory, group, f"{part}.conllu").read_text(encoding="utf-8")
        for block in text.split("\n\n"):
            rows = [
                line.split("\t")
                for line in block.split("\n")
                if line[:1] not in ("", "#")
            ]
            rows = [row for row in rows if row[0].isdigit()]
            key = group, tuple(row[1] for row in rows)
            found[(*key, seen[key])] = [[row[k] for row in rows] for k in (6, 7, 3, 5)]
            seen[key] += 1
    seen = Counter()
    for s in sentences:
        key = s.group, tuple(s.words)
        s.dep = found.get((*key, seen[key])) or found.get((*key, 0))
        seen[key] += 1


def entity_tags():
    """Return the tags of entities, O first."""
    return ["O", *(f"{prefix}-{kind}" for kind in ENTITIES for prefix in "BIES")]


_MISC = frozenset(tag for tag in entity_tags() if tag.endswith("-MISC"))


def _add(sentence, task, labels, silent):
    if task == "ner":
        sentence.options = [_options(tag, silent) for tag in labels]
        labels = [
            min(each or {"O"}, key=lambda tag: tag != "O") for each in sentence.options
        ]
    if task == "psg":
        sentence.tree = labels
    elif task == "srl":
        sentence.roles = labels
    else:
        sentence.tags[task] = labels


def _options(tag, silent):
    """Return the tags that a word may have if a corpus says `tag`, or None for any."""
    prefix, _, kind = tag.partition("-")
    kind = _TYPES.get(kind, OPEN if silent and tag == "O" else "")
    if kind == ANY:
        return None
    if kind == OPEN:
        return _MISC | {"O"}
    return frozenset((f"{prefix}-{kind}",)) if kind else frozenset("O")


def types_of(labels):
    """Return a learner of trees, with types of constituents such as `S(VP`."""
    learner = learner_of(find_task("psg"))
    learner.take_keys(keys_of_types(labels))
    return learner


def gold_of_trees(trees):
    """Return the Gold of a list of trees."""
    starts = np.append(0, np.cumsum([len(tree.leaves) for tree in trees], dtype=int))
    task = find_task("psg")
    return READERS[task.shape.name].gold(task, trees, np.arange(len(trees)), starts)


def constituents(tree, types):
    """Return pairs of a span (first word, last word) and the number of its type.

    `types` is the result of types_of.
    """
    found = types.targets(gold_of_trees([tree]), None).trees
    spans = zip(found.begin.tolist(), (found.end - 1).tolist(), strict=True)
    return list(zip(spans, found.label.tolist(), strict=True))
