"""What heads of networks learn, by the sort of head: keys, targets and their batches."""

from senna_py.labels.tasks import Task
from senna_py.tagging.targets.arcs import ArcLearner
from senna_py.tagging.targets.base import Learner
from senna_py.tagging.targets.roles import RoleLearner
from senna_py.tagging.targets.trees import TreeLearner
from senna_py.tagging.targets.words import WordLearner

# Learners by the sort of head; see `labels.tasks.Shape`.
LEARNERS: dict[str, type[Learner]] = {
    learner.head: learner
    for learner in (WordLearner, RoleLearner, TreeLearner, ArcLearner)
}


def learner_of(task: Task) -> Learner:
    """Return a learner of a task, without keys."""
    return LEARNERS[task.shape.head](task)
