"""Settings of the networks, the training and the data of `senna-train`, as TOML tables
say them.
"""

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
from senna_py.errors import SennaError, UsageError
from senna_py.io.settings import Settings, setting
from senna_py.labels.tasks import KINDS, Task, find_task
from senna_py.networks.registry import approaches
from senna_py.tagging.kinds import TABLE, columns_problem

APPROACHES = approaches()
# Class of the settings of each approach.
SETTINGS: dict[str, Any] = {
    name: next(iter(heads.values())).settings for name, heads in APPROACHES.items()
}
MOST_EPOCHS = 100_000
# Of configurations that name no features, or approach.
_FEATURES = {
    "caps": 5,
    "shape": 10,
    **{f"suffix.{n}": 10 for n in range(1, 6)},
    **{f"prefix.{n}": 10 for n in range(1, 5)},
}
_OF_LABELS = 20  # size of the vectors of what another network predicts
_LARGE = {"width": 192, "dilations": [1, 2, 4, 8, 1, 2]}


@dataclass
class NetworkSettings(Settings):
    """The network, and how it begins: what all approaches have, and a table of what one
    has.

    Of the tables, only that of the approach is read and checked; `own` is it.
    """

    approach: str = setting(
        "dilated",
        "kind of network: `dilated`, or for trees `chart`, unless there is a table of "
        "another: `window`, or `sentence`, also for roles",
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
        "`random`: begin with random ones, of the words of `--vectors` if there are any",
        choices=("given", "random"),
    )
    word_size: int = setting(50, "size of random vectors without `--vectors`", least=1)
    init: str = setting("", "a model whose network to begin with")
    keep: float = setting(
        0.0,
        "with `init`: the weight of its arrays in the mean with those that are learned; a trained "
        "network then [forgets less](../train/fine-tune.md#what-it-forgets)",
        least=0,
        below=1,
    )
    own: Settings | None = field(default=None, init=False)

    def check(self) -> None:
        self.own = SETTINGS[self.approach]()

    @classmethod
    def of(cls, values: Mapping[str, Any], prefix: str = "") -> "NetworkSettings":
        """Make settings of a dict, of which the table of the approach gives `own`."""
        tables = {name: values[name] for name in values if name in APPROACHES}
        made = super().of({k: v for k, v in values.items() if k not in tables}, prefix)
        table, place = tables.get(made.approach, {}), f"{prefix}{made.approach}"
        if not isinstance(table, dict):
            raise SennaError(f"{place}: expected a table, found {table!r}")
        made.own = SETTINGS[made.approach].of(table, f"{place}.")
        return made


@dataclass
class HeadSettings(Settings):
    """What a run of several tasks does otherwise for one of them."""

    kind: str = setting(
        "",
        "`tags` (a label per token), `segments`, `roles`, `trees` or `arcs`",
        choices=("", *KINDS),
        by="the task",
    )
    weight: float = setting(1.0, "its cost is multiplied by it", above=0)
    score_weight: float = setting(
        1.0, "of its dev score, in the mean that chooses the model", least=0
    )
    after: int = setting(0, "blocks of the trunk below the head; 0: all", least=0)
    hidden: int | None = setting(
        None, "units of the head, as the approach has them", least=0
    )
    reach: int | None = setting(None, "as the approach has it", least=1)
    criterion: str = setting(
        "",
        "in place of that of `[network]`",
        choices=("", "sentence", "word"),
        by="`[network]`",
    )
    constrained: bool | None = setting(None, "in place of that of `[network]`")


@dataclass
class TrainingSettings(Settings):
    """How a network is trained."""

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
    batch: int = setting(16, "sentences between updates", least=1)
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
        "masking rate: fraction of words to read as UNKNOWN, to train it",
        least=0,
        below=1,
    )
    fixed: list[str] = setting([], 'features whose tables are not trained: `["word"]`')
    min_count: int = setting(
        2, "how often a suffix, prefix, shape or class must occur", least=1
    )
    min_word_count: int = setting(
        2,
        "without `--vectors`: how often a word must occur to be in the dictionary",
        least=1,
    )
    # Rarer types are O; rarer constituents of several phrases are a part of themselves.
    min_label_count: int = setting(
        1, "how often a type of segment, role or constituent must occur", least=1
    )
    seed: int = setting(1, "the random seed", least=0)


@dataclass
class DataSet(Settings):
    """Column files that have the same columns.

    columns: `word`, a task's name or a feature's, `parse`, `predicate`, `roles` for all
    the rest, or `-` for a column that is not read; `brackets` alone for files of
    bracketed trees. With a layout, they may be `NAME=SOURCE`, and need not be given.
    labels: O takes a type out.
    """

    files: list[str] = setting(
        help="paths below CORPORA, or patterns such as `ner/*.tsv`"
    )
    columns: list[str] = setting(
        [],
        "what each [column](#column-files) is; files of a [layout](#conll-u-and-other-layouts) "
        "need none",
    )
    part: list = setting(
        [0.0, 1.0], "the part of each file's sentences to take, from and to"
    )
    until: float = setting(
        1.0, "the fraction of the epochs that read these files", above=0, most=1
    )
    labels: dict[str, str] = setting(
        {}, 'other names of tags, types or phrases: `labels = {MISC = "O"}`'
    )
    scheme: str = setting(
        "any",
        "the tag scheme that labels must follow",
        choices=("any", "iob1", "iob2", "ioe1", "ioe2", "iobes"),
    )
    weight: float = setting(
        1.0, "the cost of each sentence is multiplied by it; not for `dev`", above=0
    )
    soft: bool | list = setting(
        False,
        "label columns have [probabilities](../train/ensembles.md#soft-labels): all, or "
        'those of some tasks, `["pos", "srl"]`',
    )
    tasks: list[str] = setting(
        [], "the tasks that learn from these files; default: all whose labels they have"
    )
    layout: str = setting(
        "",
        "what files these are: `conllu`, `conll2003` and so on; else their names say",
        choices=("", *LAYOUTS),
    )
    multiwords: str = setting(
        "words", "for CoNLL-U: tokens are `words` or `tokens`", choices=MULTIWORDS
    )

    def check(self) -> None:
        shares = [share for share in self.part if type(share) in (int, float)]
        if (
            not len(shares) == len(self.part) == 2
            or not 0 <= shares[0] < shares[1] <= 1
        ):
            raise UsageError(
                f"part: expected two fractions such as [0.0, 0.9], found {self.part}"
            )
        if not self.files:
            raise UsageError("files: expected a list of names, found []")
        if not self.columns and not all(
            layout_of(file, self.layout) for file in self.files
        ):
            raise UsageError(
                "columns are missing: name them in their order, such as word,-,ner (- is not "
                "read); only files of a layout, such as *.conllu, need none"
            )
        if "" in self.labels.values():
            raise UsageError(
                "labels: expected names, found an empty one; O takes a type out"
            )
        if self.layout and (problem := source_problem(self.layout, self.columns)):
            raise UsageError(f"columns: {problem}")

    def fill_columns(self, tasks: Sequence[Task]) -> None:
        """List the columns that these tasks may need, if none are given."""
        if not self.columns:
            layout = layout_of(self.files[0], self.layout)
            alone = len(tasks) == 1
            found = dict.fromkeys(
                c for task in tasks for c in default_columns(layout, task, alone)
            )
            last = [name for name in found if column_name(name) == "roles"]
            self.columns = [name for name in found if name not in last] + last

    def is_soft(self, task: str) -> bool:
        """Whether the labels of a task have probabilities."""
        return task in self.soft if isinstance(self.soft, list) else self.soft

    def taught(self, kinds: Mapping[str, Any]) -> dict[str, Any]:
        """Those of the kinds, by names of tasks, whose labels these files have, and may
        teach.
        """
        names = [*map(column_name, self.columns)]
        return {
            name: kind
            for name, kind in kinds.items()
            if (not self.tasks or name in self.tasks)
            and columns_problem(kind, names, self.is_soft(kind.task.name)) is None
        }


def approaches_for(labels: set[str]) -> list[str]:
    """Names of the approaches whose networks can do all of some kinds of labels, a
    set.
    """
    return [name for name, heads in APPROACHES.items() if labels <= {*heads}]


def fill_defaults(values: Mapping[str, Any]) -> dict[str, Any]:
    """The dict of a configuration with an approach and features where it names none.

    A table of one approach, such as `[network.window]`, names that. What is wrong is
    left alone.
    """
    task, tasks = values.get("task"), values.get("tasks")
    names = [
        name
        for name in (tasks if isinstance(tasks, list) else [task])
        if isinstance(name, str)
    ]
    kinds = [_kind_of(values, name) for name in names]
    network, cascade = values.get("network", {}), values.get("cascade")
    if isinstance(network, dict):
        named = [
            each
            for each in approaches_for({k.labels for k in kinds})
            if each in network
        ]
        usual = kinds[0].approach if kinds and tasks is None else "dilated"
        network = {"approach": named[0] if len(named) == 1 else usual, **network}
        own, hidden = (
            network.get("dilated", {}),
            max((kind.hidden for kind in kinds), default=0),
        )
        large = len(names) > 1 or hidden
        if large and network["approach"] == "dilated" and isinstance(own, dict):
            network["dilated"] = {
                **_LARGE,
                **({"hidden": hidden} if tasks is None else {}),
                **own,
            }
    read = cascade if isinstance(cascade, dict) else ()
    features = {name: _OF_LABELS for name in read if name not in names}
    return {"features": _FEATURES | features, **values, "network": network}


def _kind_of(values, name):
    """Kind of a task, as its head says it, or else by its name; tags for what is no
    kind.
    """
    heads = values.get("heads")
    head = heads.get(name) if isinstance(heads, dict) else None
    said = values.get("kind") or (isinstance(head, dict) and head.get("kind"))
    said = said or find_task(name).kind
    return TABLE[said if isinstance(said, str) and said in TABLE else "tags"]
