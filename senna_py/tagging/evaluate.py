"""Scores of a whole model on labeled sentences: what senna-tag would print, against gold."""

from itertools import chain, pairwise

import numpy as np

from senna_py.corpora.raw_text import RawSentence, Word, raw_text
from senna_py.errors import UsageError
from senna_py.evaluation.evalb_parameters import COLLINS
from senna_py.evaluation.raw_text import score_text
from senna_py.evaluation.trees import TreePair, score_trees
from senna_py.labels.tag_schemes import encode, recode, strict_segments
from senna_py.labels.tasks import POS, VERBS
from senna_py.labels.tree_keys import found_phrases
from senna_py.labels.trees import TOP, build_tree
from senna_py.model import Model
from senna_py.printers.conllu_lines import UPOS, XPOS, parts_of_speech
from senna_py.tagger import Tagger
from senna_py.tagging.data import read_sentences, rename_tag
from senna_py.tagging.scoring import score
from senna_py.tagging.trees import rename_phrases

__all__ = ["score_model", "score_raw_text"]

_BATCH = 256  # sentences


def score_model(
    model, task, data_set, directory=".", find_predicates=False, parameters=COLLINS, strict=False
):
    """TokenScores, ChunkScores, RoleScores or TreeScores of a model, whose words are the files'.

    model: a Model or its path, or None for the one that senna-tag takes; task: the name of one of
    its networks, for words, roles or trees; data_set: a DataSet, whose `labels` rename what the
    model predicts as well; find_predicates: for srl, the model finds its predicates itself;
    parameters: EvalbParameters, for trees; strict: only segments predicted by well-formed IOBES
    tags count. Raises SennaError naming file and line of whatever cannot be read, UsageError for
    strict and other tasks.
    """
    model = model if isinstance(model, Model) else Model(model)
    kind = model.task(task).kind
    if strict and kind != "segments":
        raise UsageError(f"strict scoring is for segments, and the labels of {task} are {kind}")
    sentences = read_sentences([data_set], task, kind, directory)
    given = kind == "roles" and not find_predicates
    tagger = Tagger(model, task, "given" if given else VERBS)
    predicted = []
    for begin in range(0, len(sentences), _BATCH):
        part = sentences.take(range(begin, min(begin + _BATCH, len(sentences))))
        predicted += _predict(tagger, task, part, given)
    if kind == "trees":
        pairs = zip(sentences.labels, predicted, strict=True)
        return score_trees((_pair(*pair, data_set.labels) for pair in pairs), parameters)
    if strict:
        found = ((strict_segments(tags, "iobes"), len(tags)) for tags in predicted)
        predicted = [encode(*each, "iobes") for each in found]
    if data_set.labels:
        predicted = [_rename(labels, data_set.labels, kind) for labels in predicted]
    return score(kind, sentences, predicted)


def score_raw_text(model, paragraphs, multiwords="words"):
    """TextScores of what a Model finds in the text of paragraphs: lists of RawSentence.

    multiwords: what a token of several words is in `paragraphs`, see `read_paragraphs`.
    """
    tasks = [name for name in (UPOS, XPOS, POS) if name in model.storage.networks]
    texts = [raw_text(paragraph)[0] for paragraph in paragraphs]
    found = chain.from_iterable(Tagger(model, tasks).pipe(texts, documents=True))
    return score_text(chain.from_iterable(paragraphs), (_as_raw(s, multiwords) for s in found))


def _as_raw(sentence, multiwords):
    """A Sentence as a RawSentence, whose tokens are words each."""
    forms = [token.text for token in sentence]
    upos, xpos = parts_of_speech(sentence)
    if multiwords == "words":  # as senna-tag prints them
        upos = [tag.partition("+")[0] for tag in upos]
    words = [[Word(*each)] for each in zip(forms, upos, xpos, strict=True)]
    return RawSentence("the model's sentences", forms, [True] * len(forms), words)


def _predict(tagger, task, sentences, given):
    tokens = tagger.tokenizer.pretokenized(sentences.words)
    marks = None
    if given:
        marks = np.zeros(len(tokens), bool)
        for start, labels in zip(tokens.starts, sentences.labels, strict=False):
            marks[[start + predicate for predicate in labels]] = True
    found = tagger.annotate(tokens, marks).found
    vocabulary = tagger.labels(task)
    keys = [vocabulary[i] for i in range(len(vocabulary))]
    kind = tagger.task(task).labels
    if kind == "roles":
        return _roles(found[task], tokens.starts, keys)
    if kind == "trees":
        phrases = found_phrases(found[task], tokens.starts, keys, TOP)
        tags = _of_sentences(found[POS].labels, tokens.starts, tagger.labels(POS))
        return list(zip(phrases, tags, strict=True))
    return _of_sentences(found[task].labels, tokens.starts, vocabulary)


def _of_sentences(tags, starts, vocabulary):
    """Labels of the words of each sentence: lists of str, from int32[n_tokens]."""
    keys = [vocabulary[i] for i in range(len(vocabulary))]
    names = [keys[i] for i in tags.tolist()]
    return [names[a:b] for a, b in pairwise(starts)]


def _pair(gold, predicted, names):
    """TreePair of a gold Tree and the phrases and parts of speech that were predicted.

    Words that are deleted for their part of speech are those of the gold tree.
    """
    phrases, tags = predicted
    return TreePair(gold, rename_phrases(build_tree(gold.leaves, phrases), names), tags=tags)


def _roles(roles, starts, keys):
    tags = [keys[i] for i in roles.labels.tolist()]
    return [
        {
            int(roles.predicate[p] - starts[s]): tags[roles.begin[p] : roles.begin[p + 1]]
            for p in range(roles.first[s], roles.first[s + 1])
        }
        for s in range(len(starts) - 1)
    ]


def _rename(labels, names, kind):
    if isinstance(labels, dict):
        return {predicate: _rename(tags, names, kind) for predicate, tags in labels.items()}
    if kind == "tags":
        return [names.get(tag, tag) for tag in labels]
    return [rename_tag(tag, names) for tag in recode(labels, "iobes")]
