"""Scores a model on labeled sentences: its predictions compared with gold labels."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, islice, pairwise
from typing import Any

import numpy as np

from senna_py.answers.document import Sentence
from senna_py.answers.layer import ROOT, Layer, Row
from senna_py.corpora.raw_text import RawSentence, raw_text
from senna_py.errors import UsageError
from senna_py.evaluation.evalb_parameters import COLLINS, EvalbParameters
from senna_py.evaluation.layers import LayerPair, score_layers
from senna_py.evaluation.raw_sentences import raw_sentence
from senna_py.evaluation.raw_text import TextScores, score_text
from senna_py.io.files import AnyPath
from senna_py.labels.tag_schemes import strict_segments
from senna_py.labels.tasks import (
    ARCS,
    FEATS,
    LEMMA,
    POS,
    UPOS,
    VERBS,
    XPOS,
    Task,
    find_task,
)
from senna_py.model import Model
from senna_py.tagger import Tagger
from senna_py.tagging.sentences import Sentences, read_sentences
from senna_py.tagging.settings import DataSet

_BATCH = 256  # The number of sentences that are tagged at once.


def score_model(
    model: Model | AnyPath | None,
    task: str,
    data_set: DataSet,
    directory: AnyPath = ".",
    find_predicates: bool = False,
    parameters: EvalbParameters = COLLINS,
    strict: bool = False,
) -> Any:
    """Score a model on labeled sentences with gold tokens.

    Args:
        model: The model, or None for the default model of senna-tag.
        task: The name of the task.
        data_set: The sentences. Its `labels` rename the labels of the gold standard and
            of the predictions.
        directory: The directory to which the paths of files are relative.
        find_predicates: Whether the model finds the predicates of roles itself, instead
            of using the gold predicates.
        parameters: The parameters for scoring trees.
        strict: Whether only predicted segments with well-formed IOBES tags count.

    Returns:
        The scores, in the class that `evaluation.layers` uses for the task.

    Raises:
        SennaError: If the model does not have the task, or a file cannot be read or is
            malformed. In the latter cases, the message names the file and the line.
        UsageError: If `strict` is set for a task that does not label segments.
    """
    model = model if isinstance(model, Model) else Model(model)
    of_task = find_task(task, model.task(task).shape.name)
    if strict and not of_task.shape.flat:
        raise UsageError(
            f"strict scoring is for segments, and the labels of {task} are "
            f"{of_task.shape.name}"
        )
    sentences = read_sentences([data_set], {task: of_task}, directory)
    pairs = _predict(model, of_task, sentences, find_predicates)
    return score_layers(
        of_task, (_changed(pair, data_set.labels, strict) for pair in pairs), parameters
    )


def _predict(
    model: Model, task: Task, sentences: Sentences, find_predicates: bool
) -> Iterator[LayerPair]:
    """Yield a pair of the gold and the predicted layer for each batch of sentences."""
    gold = sentences.gold[task.name]
    is_given = gold.layer.anchors is not None and not find_predicates
    tagger = Tagger(model, task.name, "given" if is_given else VERBS)
    firsts = [*range(0, len(sentences), _BATCH), len(sentences)]
    bounds = gold.starts[firsts]
    parts = gold.layer.split(bounds)
    for (first, last), part in zip(pairwise(firsts), parts, strict=True):
        tokens = tagger.tokenizer.pretokenized(sentences.words[first:last])
        tokens.document = np.array(sentences.document[first:last])
        marks = None
        if is_given:
            marks = np.zeros(len(tokens), bool)
            marks[part.anchors] = True
        layers = tagger.annotate(tokens, marks).layers
        trees = gold.trees[first:last]
        tags = None
        if trees:
            (needed,) = task.needs
            tags = layers[needed].tag_texts(len(tokens))
        starts = gold.starts[first : last + 1] - gold.starts[first]
        yield LayerPair(part, layers[task.name], starts, trees, tags)


def _changed(pair: LayerPair, names: Mapping[str, str], strict: bool) -> LayerPair:
    """Rename predicted labels and, if `strict`, drop malformed predicted segments.

    Args:
        pair: The gold and the predicted layer.
        names: The new name of each label that is renamed. Spans that are renamed to O
            are removed, unless the task labels each token. The roots of trees keep
            their names.
        strict: Whether to drop segments with malformed IOBES tags.
    """
    layer = pair.predicted
    if strict:
        tags = layer.tag_texts(int(pair.starts[-1]))
        rows: list[Row] = [
            (label, begin + first, begin + last, ROOT, None)
            for begin, end in pair.bounds()
            for label, first, last in strict_segments(tags[begin:end], "iobes")
        ]
        layer = Layer.of_rows(layer.task, rows, layer.anchors)
    if names:
        roots: set[int] = set()
        if layer.shape.nested:  # The first span of each sentence is its root.
            roots = {*np.searchsorted(layer.begin, pair.starts[:-1]).tolist()}
        rows = [
            (row[0] if number in roots else names.get(row[0], row[0]), *row[1:4], None)
            for number, row in enumerate(layer.rows())
        ]
        if not layer.shape.each_token:
            rows = [row for row in rows if row[0] != "O"]
        layer = Layer.of_rows(layer.task, rows, layer.anchors)
    return pair._replace(predicted=layer)


def score_raw_text(
    model: Model,
    paragraphs: Sequence[Sequence[RawSentence]],
    multiwords: str = "words",
    tokens: str | None = None,
) -> TextScores:
    """Score a model on raw text: sentences, tokens, and the labels of tokens.

    Args:
        model: The model, whose tokenizer splits the text of the paragraphs.
        paragraphs: The gold sentences of each paragraph.
        multiwords: How the gold sentences represent tokens of several words; see
            `read_paragraphs`.
        tokens: The standard by which text is split into tokens; see `load`.
    """
    texts = [raw_text(paragraph)[0] for paragraph in paragraphs]
    tagger = Tagger(model, _text_tasks(model), tokens=tokens)
    documents = tagger.pipe(texts, documents=True)
    sentences = (each for document in documents for each in document.sentences)
    return score_text(
        chain.from_iterable(paragraphs),
        (raw_sentence(each, multiwords) for each in sentences),
    )


def _text_tasks(model: Model) -> list[str]:
    """Return the tasks of a model that are scored on raw text."""
    names = (UPOS, XPOS, POS, FEATS, LEMMA, ARCS)
    return [name for name in names if name in model.tasks()]


def score_given_words(model: Model, sentences: Sequence[RawSentence]) -> TextScores:
    """Score a model on sentences with gold tokens and words.

    Args:
        model: The model.
        sentences: The gold sentences.
    """
    words = [
        [word.form for words in sentence.words for word in words]
        for sentence in sentences
    ]
    tagged = Tagger(model, _text_tasks(model)).pipe(words)
    predicted = map(_regrouped, sentences, tagged)
    return score_text(sentences, predicted)


def _regrouped(gold: RawSentence, sentence: Sentence) -> RawSentence:
    """Return the words of a Sentence as a RawSentence with the tokens of `gold`."""
    words = iter(chain.from_iterable(raw_sentence(sentence).words))
    return gold._replace(
        words=[[*islice(words, len(of_token))] for of_token in gold.words]
    )
