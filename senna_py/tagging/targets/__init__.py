"""Learners: for each type of head, its labels and its training targets."""

from senna_py.labels.tasks import Task
from senna_py.tagging.targets.arcs import ArcLearner
from senna_py.tagging.targets.base import Learner
from senna_py.tagging.targets.roles import RoleLearner
from senna_py.tagging.targets.trees import TreeLearner
from senna_py.tagging.targets.words import WordLearner

# The learner for each type of head; see `labels.tasks.Shape`.
LEARNERS: dict[str, type[Learner]] = {
    learner.head: learner
    for learner in (WordLearner, RoleLearner, TreeLearner, ArcLearner)
}


def learner_of(task: Task) -> Learner:
    """Return a new learner for a task; it has no keys yet."""
    return LEARNERS[task.shape.head](task)
