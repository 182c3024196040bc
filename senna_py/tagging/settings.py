"""The settings of networks, training and data: tables of a configuration file."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from senna_py.corpora.conllu import MULTIWORDS
from senna_py.corpora.layouts import (
    LAYOUTS,
    column_name,
    default_columns,
    layout_of,
    source_problem,
)
from senna_py.errors import UsageError
from senna_py.io.settings import Settings, converted, setting
from senna_py.labels.tasks import SHAPES, Task
from senna_py.networks.registry import approaches
from senna_py.tagging.gold import columns_problem

APPROACHES = approaches()
# The settings class of each approach.
SETTINGS: dict[str, type[Settings]] = {
    name: settings
    for name, networks in APPROACHES.items()
    for settings in [next(iter(networks.values())).settings]
    if settings is not None
}
MOST_EPOCHS = 100_000
_SHAPES = [f"`{name}`" for name in SHAPES]
# The help of `kind`.
KINDS = (
    f"{', '.join(_SHAPES[:-1])} or {_SHAPES[-1]}; `tags` are one label for each token"
)


@dataclass
class NetworkSettings(Settings):
    """The settings of the network, and of its initialization.

    All approaches share these settings. The settings of the chosen approach, from the
    table with its name, are in `sizes`; tables of other approaches are neither read nor
    checked.
    """

    approach: str = setting(
        "dilated",
        "the approach: `window` (labels of words), `sentence` (also roles), `arcs` "
        "(dependencies), `chart` (trees) or `dilated` (any task); by default, the one that "
        "has a table, otherwise `chart` for trees and `dilated` for other tasks",
        choices=tuple(APPROACHES),
        by="kind",
    )
    criterion: str = setting(
        "sentence",
        "`sentence`- or `word`-level log-likelihood",
        choices=("sentence", "word"),
    )
    constrained: bool = setting(True, "never predict a sequence that IOBES forbids")
    vectors: str = setting(
        "given",
        "`given`: begin with `--vectors`; `random`: use only its words, with random vectors",
        choices=("given", "random"),
    )
    word_size: int = setting(50, "size of random vectors without `--vectors`", least=1)
    init: str = setting("", "a model from whose network training starts")
    keep: float = setting(
        0.0,
        "with `init`: the weight of the initial parameters in their mean with the learned "
        "ones; the network then [forgets less](../train/fine-tune.md#what-it-forgets)",
        least=0,
        below=1,
    )
    sizes: Settings = field(init=False)

    def check(self) -> None:
        self.sizes = SETTINGS[self.approach]()

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> "NetworkSettings":
        """Create settings from a table, with `sizes` from the approach's subtable."""
        shared = {k: v for k, v in values.items() if k not in APPROACHES}
        network = super().of(shared)
        table = values.get(network.approach, {})
        network.sizes = converted(network.approach, SETTINGS[network.approach], table)
        return network


@dataclass
class HeadSettings(Settings):
    """The settings of one task in a run of several tasks."""

    kind: str = setting(
        "",
        KINDS,
        choices=("", *SHAPES),
        by="the task",
    )
    weight: float = setting(1.0, "the weight of the cost of this task", above=0)
    score_weight: float = setting(
        1.0,
        "the weight of this task's dev score in the mean by which the model is chosen",
        least=0,
    )
    after: int = setting(0, "blocks of the trunk below the head; 0: all", least=0)
    hidden: int | None = setting(
        None, "the units of the head, as in the table of the approach", least=0
    )
    reach: int | None = setting(
        None, "the largest distance, as in the table of the approach", least=1
    )
    criterion: str = setting(
        "",
        "the criterion, if it differs from that of `[network]`",
        choices=("", "sentence", "word"),
        by="`[network]`",
    )
    constrained: bool | None = setting(
        None, "`constrained` for this task, if it differs from that of `[network]`"
    )
    pooling: float | None = setting(
        None,
        "for segments: the share of the rest of the document in the probabilities of a "
        "[name that it repeats](../guide/models.md#names-that-a-document-repeats), such as "
        "0.8; by default that of the trained network, or else 0",
        least=0,
        most=1,
    )


@dataclass
class TrainingSettings(Settings):
    """The settings of the training of a network."""

    optimizer: str = setting(
        "adam", "`sgd`, `adagrad` or `adam`", choices=("sgd", "adagrad", "adam")
    )
    rate: float = setting(
        0.0,
        "learning rate; 0: 0.002, or 0.001 for a trained network that knows all labels",
        least=0,
    )
    final_rate: float = setting(
        0.0, "decay the rate linearly to this fraction", least=0, most=1
    )
    batch: int = setting(16, "sentences per update", least=1)
    epochs: int = setting(
        0,
        "passes over the data; 0: 20, and up to 100 for few sentences; 10 to 30 for a trained "
        "network that knows all labels",
        least=0,
        most=MOST_EPOCHS,
    )
    patience: int = setting(
        0, "stop after N epochs without a better dev score; 0: never", least=0
    )
    dropout: float = setting(0.3, "dropout rate of hidden units", least=0, below=1)
    embedding_dropout: float = setting(
        0.3, "dropout rate of the outputs of lookup tables", least=0, below=1
    )
    unknown: float = setting(
        0.05,
        "masking rate: the fraction of words that are read as UNKNOWN, to train its vector",
        least=0,
        below=1,
    )
    fixed: list[str] = setting([], 'features whose tables are not trained: `["word"]`')
    min_count: int = setting(
        2,
        "minimum number of occurrences of a suffix, prefix, shape or class",
        least=1,
    )
    min_word_count: int = setting(
        2,
        "without `--vectors`: minimum number of occurrences of a word in the dictionary",
        least=1,
    )
    # Rarer segment types become O; rarer constituent types are reduced to a part.
    min_label_count: int = setting(
        1,
        "minimum number of occurrences of a type of segment, role or constituent",
        least=1,
    )
    seed: int = setting(1, "the random seed", least=0)


@dataclass
class DataSet(Settings):
    """A set of files with the same columns.

    A column is `word`, the name of a task or of a feature, `parse`, `predicate`,
    `roles` for all columns from there on, or `-` if it is not read. For files of
    bracketed trees, the only column is `brackets`. With a layout, a column may be
    `NAME=SOURCE`, and all may be left out. A label that is renamed to O is removed.
    """

    files: list[str] = setting(
        help="paths below CORPORA, or patterns such as `ner/*.tsv`"
    )
    columns: list[str] = setting(
        [],
        "the names of the [columns](#column-files); files of a "
        "[layout](#conll-u-and-other-layouts) need none",
    )
    part: list[float] = setting(
        [0.0, 1.0],
        "the sentences to read from each file, as two fractions: start and end",
    )
    until: float = setting(
        1.0, "the fraction of the epochs that read these files", above=0, most=1
    )
    labels: dict[str, str] = setting(
        {}, 'new names for tags, types or phrases: `labels = {MISC = "O"}`'
    )
    scheme: str = setting(
        "any",
        "the tag scheme that labels must follow",
        choices=("any", "iob1", "iob2", "ioe1", "ioe2", "iobes"),
    )
    weight: float = setting(
        1.0, "the weight of the cost of each sentence; not for `dev`", above=0
    )
    soft: bool | list[str] = setting(
        False,
        "whether label columns have [probabilities](../train/ensembles.md#soft-labels); or "
        'the tasks whose columns have them, such as `["pos", "srl"]`',
    )
    tasks: list[str] = setting(
        [],
        "the tasks that learn from these files; default: all tasks whose labels they have",
    )
    layout: str = setting(
        "",
        "the layout of the files: `conllu`, `conll2003` and so on; by default, the one that "
        "their names imply",
        choices=("", *LAYOUTS),
    )
    multiwords: str = setting(
        "words",
        "for CoNLL-U: whether tokens are syntactic `words` or surface `tokens`",
        choices=MULTIWORDS,
    )

    def check(self) -> None:
        if len(self.part) != 2 or not 0 <= self.part[0] < self.part[1] <= 1:
            raise UsageError(
                f"part: expected two fractions such as [0.0, 0.9], found {self.part}"
            )
        if not self.files:
            raise UsageError("files: expected a list of names, found []")
        has_layout = all(layout_of(file, self.layout) for file in self.files)
        if not self.columns and not has_layout:
            raise UsageError(
                "columns are missing: name them in their order, such as word,-,ner "
                "(- is not read); only files of a layout, such as *.conllu, need none"
            )
        if "" in self.labels.values():
            raise UsageError(
                "labels: expected names, found an empty one; O takes a type out"
            )
        if self.layout and (problem := source_problem(self.layout, self.columns)):
            raise UsageError(f"columns: {problem}")

    def fill_columns(self, tasks: Sequence[Task]) -> None:
        """Set `columns`, if empty, to the columns of the layout that the tasks need."""
        if self.columns:
            return
        layout = layout_of(self.files[0], self.layout)
        columns: dict[str, None] = {}
        for task in tasks:
            names = default_columns(layout, task, len(tasks) == 1)
            columns |= dict.fromkeys(names)
        # `roles` stands for all remaining columns, so it must be the last.
        self.columns = sorted(columns, key=lambda name: column_name(name) == "roles")

    def is_soft(self, task: str) -> bool:
        """Return whether the columns of a task contain probabilities of labels."""
        return task in self.soft if isinstance(self.soft, list) else self.soft

    def labeled_tasks(self, tasks: Mapping[str, Task]) -> list[str]:
        """Return the names of the tasks that learn from these files."""
        names = [column_name(column) for column in self.columns]
        return [
            name
            for name, task in tasks.items()
            if (not self.tasks or name in self.tasks)
            and columns_problem(task, names, self.is_soft(name)) is None
        ]


def approaches_for(heads: set[str]) -> list[str]:
    """Return the approaches that have a network for each of these types of heads."""
    return [name for name, networks in APPROACHES.items() if heads <= {*networks}]
