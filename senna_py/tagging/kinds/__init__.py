"""What a run has to know of labels, by their kind: one class for each, in TABLE."""

from senna_py.labels.tasks import TREES, find_task
from senna_py.tagging.kinds.arcs import Arcs
from senna_py.tagging.kinds.base import Kind
from senna_py.tagging.kinds.roles import Roles
from senna_py.tagging.kinds.trees import BRACKETS, Trees
from senna_py.tagging.kinds.words import Segments, Tags

TABLE = {kind.name: kind for kind in (Tags, Segments, Roles, Trees, Arcs)}
# By what networks label; of words, those that may be any.
BY_LABELS = {kind.labels: kind for kind in (Tags, Roles, Trees, Arcs)}


def kind_of(task: str, kind: str = "") -> Kind:
    """The kind of the labels of the task called `task`; one that is not known is of
    `kind`.
    """
    found = find_task(task, kind)
    return TABLE[found.kind](found)


def columns_problem(kind: Kind, columns: list[str], soft: bool = False) -> str | None:
    """Why columns cannot tell labels of a kind, with probabilities if `soft`; None if
    they can.
    """
    named = [column for column in columns if column != "-"]
    if len(set(named)) < len(named) or "roles" in columns[:-1]:
        return "a name occurs twice, or roles are not the last"
    sources = kind.sources(soft)
    if columns in map(list, sources):  # such as brackets, which stand alone
        return None
    if BRACKETS in columns and "word" not in columns:
        return f"`{BRACKETS}` is for {TREES} only, and stands alone"
    if "word" not in columns:
        return "there is no `word`, the column of the tokens"
    together = [source for source in sources if source not in kind.alone]
    if any(set(source) <= set(columns) for source in together):
        return None
    need = " or ".join(" and ".join(f"`{c}`" for c in s) for s in together)
    alone = "".join(f", or `{column}` alone" for (column,) in kind.alone)
    noun = "columns" if len(together[0]) > 1 else "a column"
    return f"{kind.task.name} needs {noun} {need}{alone}"
