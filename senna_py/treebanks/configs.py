"""The configurations of the networks of a treebank."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from senna_py.io.file_errors import prefix_errors
from senna_py.labels.tasks import LEMMA, LEMMA_TAGS, TOKENS
from senna_py.tagging.config import Config, override
from senna_py.treebanks.contents import TASKS, Contents
from senna_py.treebanks.settings import TreebankSettings

CLASSES = "classes.tsv"  # The word classes, in the directory of the steps.
_COLUMNS = ["form", "lemma", "upos", "xpos", "feats", "head", "deprel"]
_CONLL2002 = {"layout": "conll2002", "columns": ["word", "ner"]}


@dataclass(frozen=True)
class EntityData:
    """The files of labeled entities, and how to read them.

    Attributes:
        train: The table of the files to train on.
        dev: The table of the files to score on.
    """

    train: dict[str, Any]
    dev: dict[str, Any]


def tasks_of(train: Contents, dev: Contents) -> list[str]:
    """Return the tasks that a network can learn from the columns of both files."""
    both = train.columns & dev.columns
    tasks = [task for column, task in TASKS.items() if column in both]
    if LEMMA in tasks and not {*LEMMA_TAGS} & {*tasks}:
        tasks.remove(LEMMA)
    return tasks


def tokens_config(settings: TreebankSettings, files: Sequence[Path]) -> Config:
    """Return the configuration of the learned tokenizer.

    Args:
        settings: The settings.
        files: The CoNLL-U files to train and to score on.

    Raises:
        SennaError: If a setting is invalid.
    """
    train, dev = ({"files": [str(path)]} for path in files)
    values: dict[str, Any] = {"task": TOKENS}
    override(values, settings.tokens)
    return _config(values | {"train": [train], "dev": [dev]})


def words_config(
    settings: TreebankSettings,
    tasks: list[str],
    files: Sequence[Path],
    n_words: int,
    info: Mapping[str, str],
) -> Config:
    """Return the configuration of the network of words and trees.

    Args:
        settings: The settings.
        tasks: The tasks, unless the settings name some.
        files: The CoNLL-U files to train and to score on.
        n_words: The number of words in the former.
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
    return _config(values | {"train": [train], "dev": [dev]})


def entity_config(
    settings: TreebankSettings,
    data: EntityData,
    seed: int,
    info: Mapping[str, str],
) -> Config:
    """Return the configuration of a network of entities.

    Args:
        settings: The settings.
        data: The files.
        seed: The number that is added to the random seed.
        info: The information about the model.

    Raises:
        SennaError: If a setting is invalid.
    """
    values: dict[str, Any] = {
        "task": "ner",
        "training": {"seed": 1},
        "classes": {"brown": CLASSES},
        "info": dict(info),
    }
    override(values, settings.entities)
    del values["networks"]
    values["training"]["seed"] += seed
    return _config(values | {"train": [data.train], "dev": [data.dev]})


def _config(values: Mapping[str, Any]) -> Config:
    with prefix_errors("--set"):
        return Config.of(values)


def entities_of_files(train: Path, dev: Path | None) -> EntityData:
    """Return the data of files in the layout of CoNLL-2002.

    Without a dev file, the last tenth of the sentences is for dev.
    """
    parts: list[dict[str, Any]] = [{}, {}]
    if dev is None:
        parts = [{"part": [0.0, 0.9]}, {"part": [0.9, 1.0]}]
    files = (train, dev or train)
    return EntityData(
        *(
            {"files": [str(path)], **_CONLL2002, **part}
            for path, part in zip(files, parts, strict=True)
        )
    )


def entities_of_treebank(files: Sequence[Path], key: str) -> EntityData:
    """Return the data of CoNLL-U files with tags of entities in a key of MISC."""
    columns = ["form", f"ner=misc.{key}"]
    return EntityData(*({"files": [str(path)], "columns": columns} for path in files))
