"""The configurations of the networks that are trained on a treebank."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from senna_py.errors import SennaError
from senna_py.labels.tasks import ARCS, LEMMA, LEMMA_TAGS, TOKENS
from senna_py.tagging.config import Config, override
from senna_py.tagging.defaults import UNIT_FEATURES
from senna_py.treebanks.contents import TASKS, Contents
from senna_py.treebanks.settings import TreebankSettings

CLASSES = "classes.tsv"  # The file of word classes, in the directory of the steps.
_RULES_SIZE = 4  # The size of the vectors of the feature of rules.
# The masking rate of forms. Where units are words, the network learns to judge unseen ones
# by their endings and beginnings; where they are characters, nearly all are known.
_MASKED_WORDS, _MASKED_CHARACTERS = 0.3, 0.0
_COLUMNS = ["form", "lemma", "upos", "xpos", "feats", "head", "deprel"]


class EntityData(NamedTuple):
    """CoNLL-U files with tags of entities.

    Attributes:
        train: The file to train on.
        dev: The file to score on.
        key: The key of MISC that has the tags.
        n_words: The number of words in the file to train on.
    """

    train: Path
    dev: Path
    key: str
    n_words: int


def tasks_of(train: Contents, dev: Contents) -> list[str]:
    """Return the tasks whose columns have values in both files.

    Lemmas are included only if there is a task for their tags.
    """
    both = train.columns & dev.columns
    tasks = [task for column, task in TASKS.items() if column in both]
    if LEMMA in tasks and not {*LEMMA_TAGS} & {*tasks}:
        tasks.remove(LEMMA)
    return tasks


def tokens_config(
    settings: TreebankSettings, files: Sequence[Path], train: Contents, rules: str
) -> Config:
    """Return the configuration of the learned tokenizer.

    Args:
        settings: The settings of the training.
        files: The CoNLL-U file to train on, and the one to score on.
        train: The contents of the former.
        rules: The name of the tokenizer whose rules the network considers, unless the
            settings name its features.

    Raises:
        SennaError: If a setting is invalid.
    """
    train_set, dev_set = ({"files": [str(path)]} for path in files)
    masked = _MASKED_WORDS if train.has_spaces else _MASKED_CHARACTERS
    values: dict[str, Any] = {"task": TOKENS, "training": {"unknown": masked}}
    override(values, settings.tokens)
    values.setdefault("features", UNIT_FEATURES | {f"rules.{rules}": _RULES_SIZE})
    return _config(values | {"train": [train_set], "dev": [dev_set]}, "tokens.")


def words_config(
    settings: TreebankSettings,
    tasks: list[str],
    files: Sequence[Path],
    n_words: int,
    info: Mapping[str, str],
) -> Config:
    """Return the configuration of the network of words and trees.

    Args:
        settings: The settings of the training.
        tasks: The default tasks, if the settings name none.
        files: The CoNLL-U file to train on, and the one to score on.
        n_words: The number of words in the file to train on.
        info: The information about the model.

    Raises:
        SennaError: If a setting is invalid.
    """
    train, dev = ({"files": [str(path)], "columns": _COLUMNS} for path in files)
    values: dict[str, Any] = {
        "tasks": tasks,
        "training": {"epochs": settings.epochs.epochs(n_words)},
        "classes": {"brown": CLASSES},
        "info": dict(info),
    }
    override(values, settings.words)
    if ARCS not in values["tasks"] or len(values["tasks"]) == 1:
        values.get("heads", {}).pop(ARCS, None)
    return _config(values | {"train": [train], "dev": [dev]})


def entity_config(
    settings: TreebankSettings,
    data: EntityData,
    number: int,
    info: Mapping[str, str],
) -> Config:
    """Return the configuration of a network of entities.

    Args:
        settings: The settings of the training.
        data: The files.
        number: The index of the network, which is added to the random seed.
        info: The information about the model.

    Raises:
        SennaError: If a setting is invalid.
    """
    values: dict[str, Any] = {
        "task": "ner",
        "classes": {"brown": CLASSES},
        "info": dict(info),
    }
    override(values, settings.entities)
    del values["networks"]
    columns = ["form", f"ner=misc.{data.key}"]
    train, dev = (
        {"files": [str(path)], "columns": columns} for path in (data.train, data.dev)
    )
    config = _config(values | {"train": [train], "dev": [dev]}, "entities.")
    seed = config.training.seed + number
    config.training = replace(config.training, seed=seed)
    return config


def _config(values: Mapping[str, Any], table: str = "") -> Config:
    """Return a configuration; messages of errors have `table` before the setting."""
    try:
        return Config.of(values)
    except SennaError as error:
        raise SennaError(f"--set: {table}{error}") from None
