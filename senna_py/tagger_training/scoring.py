"""Scores of predicted tags against Sentences."""

from senna_py.evaluation.chunks import score_chunks
from senna_py.evaluation.roles import score_roles
from senna_py.evaluation.tokens import score_tokens
from senna_py.labels.tag_schemes import segments
from senna_py.labels.tasks import find_task

__all__ = ["headline", "score"]


def score(kind, sentences, predicted):
    """TokenScores, ChunkScores or RoleScores of predictions.

    kind: tags, segments or roles; predicted: laid out as the `labels` of Sentences; for roles the
    predicates may differ from theirs.
    """
    if kind == "roles":
        pairs = zip(sentences.labels, predicted, strict=True)
        return score_roles((_phrases(gold), _phrases(found)) for gold, found in pairs)
    pairs = zip(sentences.labels, predicted, strict=True)
    return score_tokens(pairs) if kind == "tags" else score_chunks(pairs)


def _phrases(tags):
    return {predicate: segments(sequence) for predicate, sequence in tags.items()}


def headline(task, kind, scores):
    """The one figure by which runs are compared, in percent, and its name.

    F1 of one label where the task has such a `headline`, F1 for segments and roles, accuracy for
    tags.
    """
    label = find_task(task).headline
    if label and label in scores.labels:
        return scores.labels[label].f1, "F1"
    if kind == "tags":
        return scores.accuracy, "accuracy"
    return scores.overall.f1, "F1"
