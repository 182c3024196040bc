"""Scores of a whole model on labeled sentences: what senna-tag would print, against
gold.
"""

from collections.abc import Sequence
from itertools import chain
from typing import Any

import numpy as np

from senna_py.corpora.raw_text import RawSentence, Word, raw_text
from senna_py.evaluation.evalb_parameters import COLLINS, EvalbParameters
from senna_py.evaluation.raw_text import TextScores, score_text
from senna_py.formats.conllu import parts_of_speech
from senna_py.io.files import AnyPath
from senna_py.labels.dependencies import shifted
from senna_py.labels.tasks import ARCS, FEATS, LEMMA, POS, UPOS, VERBS, XPOS
from senna_py.model import Model
from senna_py.networks.answers import ANSWERS
from senna_py.tagger import Tagger
from senna_py.tagging.data import read_sentences
from senna_py.tagging.kinds import kind_of
from senna_py.tagging.settings import DataSet

_BATCH = 256  # sentences


def score_model(
    model: Model | AnyPath | None,
    task: str,
    data_set: DataSet,
    directory: AnyPath = ".",
    find_predicates: bool = False,
    parameters: EvalbParameters = COLLINS,
    strict: bool = False,
) -> Any:
    """Scores of a model, whose words are the files', as the kind of the task has them.

    model: None for the one that senna-tag takes; data_set: its `labels` rename what the
    model predicts as well; find_predicates: for srl, the model finds its predicates
    itself; parameters: for trees; strict: only segments predicted by well-formed IOBES
    tags count. Raises SennaError naming file and line of whatever cannot be read,
    UsageError for strict and other tasks.
    """
    model = model if isinstance(model, Model) else Model(model)
    kind = kind_of(task, model.task(task).kind)
    if strict:
        kind.strict([])  # what other kinds lack is said before anything is read
    sentences = read_sentences([data_set], {task: kind}, directory)
    given = ANSWERS[kind.labels].by_predicate and not find_predicates
    tagger, found = Tagger(model, task, "given" if given else VERBS), []
    for begin in range(0, len(sentences), _BATCH):
        part = sentences.take(range(begin, min(begin + _BATCH, len(sentences))))
        found += _predict(tagger, kind, part, given)
    if strict:
        found = [*map(kind.strict, found)]
    if data_set.labels:
        found = [kind.renamed(labels, data_set.labels) for labels in found]
    return kind.score(zip(sentences.labels[task], found, strict=True), parameters)


def score_raw_text(
    model: Model, paragraphs: Sequence[Sequence[RawSentence]], multiwords: str = "words"
) -> TextScores:
    """TextScores of what a Model finds in the text of paragraphs: lists of RawSentence.

    multiwords: what a token of several words is in `paragraphs`, see `read_paragraphs`.
    """
    tasks = [
        name for name in (UPOS, XPOS, POS, FEATS, LEMMA, ARCS) if name in model.tasks()
    ]
    texts = [raw_text(paragraph)[0] for paragraph in paragraphs]
    documents = Tagger(model, tasks).pipe(texts, documents=True)
    sentences = (each for document in documents for each in document.sentences)
    return score_text(
        chain.from_iterable(paragraphs), (_as_raw(s, multiwords) for s in sentences)
    )


def _as_raw(sentence, multiwords):
    """A Sentence as a RawSentence, whose tokens are words each."""
    forms = [token.text for token in sentence]
    upos, xpos = parts_of_speech(sentence)
    if multiwords == "words":  # as senna-tag prints them
        upos = [tag.partition("+")[0] for tag in upos]
    others = (sentence.tags.get(name) or ["_"] * len(forms) for name in (FEATS, LEMMA))
    columns = [forms, upos, xpos, *others]
    if ARCS in sentence.layers:
        arcs = shifted(sentence.arcs, sentence.start)
        columns.append([str(0 if arc.head is None else arc.head + 1) for arc in arcs])
        columns.append([arc.relation for arc in arcs])
    words = [[Word(*each)] for each in zip(*columns, strict=True)]
    return RawSentence("the model's sentences", forms, [True] * len(forms), words)


def _predict(tagger, kind, sentences, given):
    """What a Tagger finds in Sentences for its task: a list of labels as the kind has
    them.
    """
    task, tokens, marks = (
        kind.task.name,
        tagger.tokenizer.pretokenized(sentences.words),
        None,
    )
    if given:
        marks = np.zeros(len(tokens), bool)
        for start, labels in zip(tokens.starts, sentences.labels[task], strict=False):
            marks[[start + predicate for predicate in labels]] = True
    found, starts = tagger.annotate(tokens, marks).found, tokens.starts
    labels = {}
    for each in (kind, *map(kind_of, kind.task.needs)):
        name = each.task.name
        labels[name] = each.decode(found[name], tagger.names(name, found[name]), starts)
    return kind.completed(labels[task], labels)
