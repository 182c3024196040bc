"""Reads gold labels from columns and bracketed text, as layers."""

from senna_py.labels.tasks import TREES, Task
from senna_py.tagging.gold.arcs import ArcReader
from senna_py.tagging.gold.base import GoldReader
from senna_py.tagging.gold.roles import RoleReader
from senna_py.tagging.gold.trees import BRACKETS, TreeReader
from senna_py.tagging.gold.words import SegmentReader, TagReader

# The reader of gold labels for each shape, by the name of the shape.
READERS: dict[str, GoldReader] = {
    "tags": TagReader(),
    "segments": SegmentReader(),
    "roles": RoleReader(),
    "trees": TreeReader(),
    "arcs": ArcReader(),
    "units": TagReader(),
}


def columns_problem(task: Task, columns: list[str], soft: bool = False) -> str | None:
    """Check that a list of columns contains the labels of a task.

    Args:
        task: The task.
        columns: The names of the columns, in order.
        soft: Whether the columns contain probabilities of labels.

    Returns:
        An error message, or None if the columns are sufficient.
    """
    names = [column for column in columns if column != "-"]
    if len({*names}) < len(names) or "roles" in columns[:-1]:
        return "a name occurs twice, or roles are not the last"
    reader = READERS[task.shape.name]
    sources = reader.sources(task, soft)
    # A set such as `brackets`, which must be the only column, needs no `word`.
    if columns in map(list, sources):
        return None
    if BRACKETS in columns and "word" not in columns:
        return f"`{BRACKETS}` is for {TREES} only, and stands alone"
    if "word" not in columns:
        return "there is no `word`, the column of the tokens"
    together = [source for source in sources if source not in reader.alone]
    if any({*source} <= {*columns} for source in together):
        return None
    need = " or ".join(
        " and ".join(f"`{column}`" for column in source) for source in together
    )
    alone = "".join(f", or `{column}` alone" for (column,) in reader.alone)
    noun = "columns" if len(together[0]) > 1 else "a column"
    return f"{task.name} needs {noun} {need}{alone}"
