"""Prepares runs of learning for the command and for `Tagger.learn`."""

import atexit
import os
import shutil
import tempfile
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from senna_py.errors import SennaError, UsageError, counted
from senna_py.io.files import AnyPath
from senna_py.io.toml import parse_setting
from senna_py.learning.data import Inputs
from senna_py.learning.examples import annotated_texts, labels_of, renamed
from senna_py.learning.training import Learning
from senna_py.model import Model
from senna_py.models.native_header import NAME
from senna_py.tagger import Tagger
from senna_py.tagging.config import override
from senna_py.training.run import TrainingRun


def prepare(
    examples: Any,
    model: Model | AnyPath | None,
    task: str,
    *,
    dev: Any = None,
    checks: Iterable[Any] = (),
    text: Iterable[AnyPath] = (),
    rename: Mapping[str, str] | None = None,
    curve: bool | None = None,
    settings: Iterable[str] = (),
    seed: int = 1,
    say: Callable[[str], object],
) -> Inputs:
    """Read the inputs of a run.

    Args:
        examples: The examples to learn from; see `annotated_texts`.
        model: The model to begin with; see `load`.
        task: The name of the task.
        dev: Examples to score on, or None.
        checks: Files with old labels, which are scored before and after.
        text: Files of text for the rehearsal.
        rename: The new names of labels.
        curve: See `Inputs`.
        settings: Settings such as `training.epochs=20`.
        seed: The random seed.
        say: A callback for lines of text for the user.

    Raises:
        UsageError: If an example or a setting is malformed.
        SennaError: If a file cannot be read.
    """
    if not NAME.fullmatch(task):
        raise UsageError(
            f"--task {task!r}: expected a name of letters, digits, - and _"
        )
    names = rename or {}

    def read(values: Any) -> list[Any]:
        texts, notes = annotated_texts(values, task)
        for note in notes:
            say(note)
        return [*renamed(texts, names)]

    changes: dict[str, Any] = {}
    for setting in settings:
        override(changes, parse_setting(setting))
    annotated = read(examples)
    if not labels_of(annotated):
        several = examples if isinstance(examples, list | tuple) else [examples]
        files = [str(each) for each in several if isinstance(each, str | os.PathLike)]
        place = f"{', '.join(files)}: " if files else ""
        amount = counted(len(annotated), "text")
        raise SennaError(f"{place}{amount}, but no annotation to learn from")
    return Inputs(
        texts=annotated,
        model=model if isinstance(model, Model) else Model(model),
        task=task,
        dev=None if dev is None else read(dev),
        checks={os.fspath(path): read(path) for path in checks},
        text=tuple(text),
        seed=seed,
        curve=curve,
        changes=changes,
    )


class _PythonSession:
    """The interface of a Python program to a run; see `treebanks.training.Session`."""

    def __init__(self, say: Callable[[str], object]) -> None:
        self.say = say

    def log(self, line: str) -> None:
        """Discard the line, because the program has no log."""

    def show(self, share: float, text: str) -> None:
        """Show nothing, because the program has no progress bar."""

    def train(self, run: TrainingRun, show: Callable[[int, float], None]) -> None:
        if run.checkpoint.exists():
            run.resume()
        run.run()


def learn(
    tagger: Tagger,
    examples: Any,
    directory: AnyPath | None,
    say: Callable[[str], object],
    **options: Any,
) -> Tagger:
    """Teach the model of a tagger, and return a tagger with the new model.

    Args:
        tagger: The tagger.
        examples: The examples to learn from; see `annotated_texts`.
        directory: The directory of the run, or None for a temporary directory that is
            deleted when the program ends.
        say: A callback for lines of text for the user.
        **options: Arguments of `prepare`.

    Raises:
        SennaError: See `prepare` and `Learning`.
    """
    inputs = prepare(examples, tagger.model, say=say, **options)
    if directory is None:
        directory = tempfile.mkdtemp(prefix="senna-py-learn-")
        atexit.register(shutil.rmtree, directory, ignore_errors=True)
    place = Path(directory)
    place.mkdir(parents=True, exist_ok=True)
    learning = Learning(inputs, place, _PythonSession(say))
    for line in learning.run():
        say(line)
    return Tagger(learning.model)
