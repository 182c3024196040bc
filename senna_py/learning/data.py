"""The sentences of a run of learning: what to learn, to score on and to rehearse."""

import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from senna_py.corpora.annotations.texts import AnnotatedText
from senna_py.errors import SennaError, counted
from senna_py.io.files import AnyPath
from senna_py.labels.tasks import Structure
from senna_py.learning.alignment import Alignment, Misfit, align
from senna_py.learning.division import Division, Round, divide
from senna_py.learning.examples import labels_of
from senna_py.learning.rehearsal import Rehearsal, read_rehearsal
from senna_py.model import Model
from senna_py.tagger import Tagger

SEGMENTS = "segments"  # the shape of the tasks that learn from annotations
_SHOWN = 5  # The maximum number of misfits that are shown.


@dataclass(frozen=True)
class Inputs:
    """The inputs of a run.

    Attributes:
        texts: The annotated texts to learn from.
        model: The model to begin with.
        task: The task that learns.
        dev: The annotated texts to score on, or None to score on some of `texts`.
        checks: Annotated texts with the old labels, by the name of their file, on which
            the model is scored before and after.
        text: The paths of text for the rehearsal.
        seed: The random seed.
        curve: Whether to learn from shares of the data, too; None to decide by time.
        changes: Settings of the training that override the defaults.
    """

    texts: Sequence[AnnotatedText]
    model: Model
    task: str
    dev: Sequence[AnnotatedText] | None = None
    checks: Mapping[str, Sequence[AnnotatedText]] = field(default_factory=dict)
    text: Sequence[AnyPath] = ()
    seed: int = 1
    curve: bool | None = None
    changes: Mapping[str, Any] = field(default_factory=dict)

    def identity(self) -> dict[str, Any]:
        """Return values that differ between runs with different inputs, as JSON."""
        checks = [each for name in self.checks for each in self.checks[name]]
        texts = {"texts": self.texts, "dev": self.dev or (), "checks": checks}
        return {
            "model": str(self.model.path),
            "task": self.task,
            **{name: _digest(each) for name, each in texts.items()},
            "text": [str(path) for path in self.text],
            "seed": self.seed,
            "curve": self.curve,
            "settings": dict(self.changes),
        }


def _digest(texts: Iterable[AnnotatedText]) -> str:
    value, texts = 0, [*texts]
    for text in texts:
        contents = text.text, text.annotations, text.words
        value = zlib.crc32(repr(contents).encode(), value)
    return f"{len(texts)} texts, CRC-32 {value:08x}"


class LearningData:
    """The sentences of a run.

    Attributes:
        inputs: The inputs.
        labels: The labels of the annotations.
        old: The labels of the task in the model; empty if it lacks the task.
        tagger: The tagger of the model for the task, or None if it lacks the task.
        division: The trainings that are scored.
        learned: The sentences from which the final model learns.
        n_filled: The number of spans that the model added to them.
        checks: The sentences of `inputs.checks`.
        rehearsal: The text of the rehearsal.
    """

    def __init__(
        self,
        inputs: Inputs,
        say: Callable[[str], object],
        log: Callable[[str], object],
    ) -> None:
        """Divide the texts into tokens and sentences.

        Args:
            inputs: The inputs.
            say: A callback for lines of text for the user.
            log: A callback for lines of the log.

        Raises:
            SennaError: If there is nothing to learn.
        """
        self.inputs, model, task = inputs, inputs.model, inputs.task
        self.labels = labels_of(inputs.texts)
        if not self.labels:
            raise SennaError(
                f"{counted(len(inputs.texts), 'text')}, but no annotation to learn from"
            )
        self.tagger = self._find_tagger()
        self.old: list[str] = []
        if self.tagger is not None:
            names = self.tagger.labels(task).names
            self.old = list(dict.fromkeys(name[2:] for name in names if name != "O"))
        alignment = self._align(inputs.texts, fill=True)
        _say_problems(alignment, say, log)
        self.n_filled = alignment.n_filled
        sentences = self.sentences = alignment.sentences
        if inputs.dev is None:
            self.division = divide(sentences, {*self.labels}, inputs.seed)
        else:
            scored = self._align(inputs.dev).sentences
            self.division = Division([Round(sentences, scored)], crosses=False)
        self.learned = sentences
        if not self.division.crosses:
            self.learned = self.division.rounds[0].learned
        self.checks = {
            name: self._align(texts).sentences for name, texts in inputs.checks.items()
        }
        self.rehearsal = Rehearsal([], [])
        if self.tagger is not None:
            language = str(model.storage.info.get("language", ""))
            n_sentences = len(self.learned)
            self.rehearsal = read_rehearsal(inputs.text, language, n_sentences)
        for line in self._description():
            say(line)

    def _find_tagger(self) -> Tagger | None:
        """Return the tagger of the task, or None if the model lacks the task."""
        model, task = self.inputs.model, self.inputs.task
        if task not in model.storage.networks:
            return None
        shape = model.task(task).shape
        if shape.structure != Structure.SPANS:
            raise SennaError(
                f"{model.path}: its task {task} has {shape.name}, and annotations are "
                f"{SEGMENTS}: choose another name for the task"
            )
        return Tagger(model, [task])

    def _align(self, texts: Sequence[AnnotatedText], fill: bool = False) -> Alignment:
        if self.tagger is None:
            return align(Tagger(self.inputs.model, []), texts)
        missing = {*self.old} - {*self.labels}
        return align(self.tagger, texts, self.inputs.task, missing if fill else ())

    @property
    def new(self) -> list[str]:
        """The labels of the annotations that the model does not know."""
        return [label for label in self.labels if label not in self.old]

    @property
    def network(self) -> str:
        """The name of the network of the model from which the training begins."""
        model = self.inputs.model.storage
        wanted = (self.inputs.task, "ner", "chk", "pos", "upos", "xpos")
        return next((name for name in wanted if name in model.networks), "")

    def _description(self) -> list[str]:
        """Return lines that describe what is learned."""
        counts: Counter[str] = Counter(
            label for sentence in self.sentences for label, _, _ in sentence.spans
        )
        n_words = sum(len(sentence.words) for sentence in self.sentences)
        lines = [
            f"{counted(len(self.sentences), 'sentence')}, {counted(n_words, 'token')}, "
            + ", ".join(f"{counts[label]:,} {label}" for label in self.labels)
        ]
        if self.new:
            known = ", ".join(self.old) or "none"
            lines.append(f"new labels: {', '.join(self.new)} (the model knows {known})")
        missing = [label for label in self.old if label not in self.labels]
        if missing:
            lines.append(
                f"{', '.join(missing)}: not annotated, so the model's own answers are learned "
                f"again: {counted(self.n_filled, 'span')}"
            )
        return lines


def _say_problems(
    alignment: Alignment, say: Callable[[str], object], log: Callable[[str], object]
) -> None:
    """Report annotations that do not fit the tokens; the log gets all of them."""

    def listed(misfits: list[Misfit], what: str) -> None:
        if misfits:
            say(f"{counted(len(misfits), 'annotation')} {what}:")
            for misfit in misfits[:_SHOWN]:
                say(f"  {misfit}")
            for misfit in misfits[_SHOWN:]:
                log(f"  {misfit}")
            if len(misfits) > _SHOWN:
                say(f"  and {len(misfits) - _SHOWN:,} more, which are in the log")

    listed(alignment.widened, "widened to whole tokens")
    listed(alignment.left_out, "left out")
    if alignment.n_joined:
        say(
            f"{counted(alignment.n_joined, 'sentence')} joined to the one before, because of "
            "an annotation across both"
        )
