"""Scores of predicted tags against Sentences."""

from senna_py.evaluation.chunks import score_chunks
from senna_py.evaluation.roles import score_roles
from senna_py.evaluation.tokens import score_tokens
from senna_py.evaluation.trees import TreePair, score_trees
from senna_py.labels.tag_schemes import segments
from senna_py.labels.tasks import find_task

__all__ = ["headline", "score"]


def score(kind, sentences, predicted):
    """TokenScores, ChunkScores, RoleScores or TreeScores of predictions.

    kind: tags, segments, roles or trees; predicted: laid out as the `labels` of Sentences; for
    roles the predicates may differ from theirs. Trees are scored as EVALB does with COLLINS.prm.
    """
    if kind == "roles":
        pairs = zip(sentences.labels, predicted, strict=True)
        return score_roles((_phrases(gold), _phrases(found)) for gold, found in pairs)
    pairs = zip(sentences.labels, predicted, strict=True)
    if kind == "trees":
        return score_trees(TreePair(*pair) for pair in pairs)
    return score_tokens(pairs) if kind == "tags" else score_chunks(pairs)


def _phrases(tags):
    return {predicate: segments(sequence) for predicate, sequence in tags.items()}


def headline(task, kind, scores):
    """The one figure by which runs are compared, in percent, and its name.

    F1 of one label where the task has such a `headline`, F1 for segments, roles and the brackets of
    trees, accuracy for tags.
    """
    if kind == "trees":
        return scores.totals.brackets.f1, "F1"
    label = find_task(task).headline
    if label and label in scores.labels:
        return scores.labels[label].f1, "F1"
    if kind == "tags":
        return scores.accuracy, "accuracy"
    return scores.overall.f1, "F1"
