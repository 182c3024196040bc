"""The sentences of a run of learning: what to learn, to score on and to rehearse."""

import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from senna_py.corpora.annotations.texts import AnnotatedText
from senna_py.errors import SennaError, counted
from senna_py.io.files import AnyPath
from senna_py.labels.tag_schemes import encode
from senna_py.labels.tasks import Structure
from senna_py.learning.alignment import Alignment, LabeledSentence, align
from senna_py.learning.division import Division, Round, divide
from senna_py.learning.examples import labels_of
from senna_py.learning.rehearsal import Rehearsal, read_rehearsal
from senna_py.model import Model
from senna_py.tagger import Tagger

SEGMENTS = "segments"  # the shape of the tasks that learn from annotations
_SHOWN = 5  # The maximum number of misfits that are shown.
# The share of the spans of a new label that the model gives the same old label, from
# which on these labels may mean the same.
_LIKELY = 0.5


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


def _digest(texts: Iterable[AnnotatedText]) -> str | None:
    """Return the number of texts and their checksum, or None if there is no text."""
    value, texts = 0, [*texts]
    if not texts:
        return None
    for text in texts:
        contents = text.text, text.annotations, text.words
        value = zlib.crc32(repr(contents).encode(), value)
    return f"{counted(len(texts), 'text')}, CRC-32 {value:08x}"


class Check(NamedTuple):
    """Sentences on which a model is scored before and after.

    Attributes:
        sentences: The sentences.
        labels: The labels of the model that are annotated in them.
    """

    sentences: list[LabeledSentence]
    labels: list[str]


class LearningData:
    """The sentences of a run.

    Attributes:
        inputs: The inputs.
        labels: The labels of the annotations.
        old: The labels of the task in the model; empty if it lacks the task.
        tagger: The tagger of the model for the task, or None if it lacks the task.
        division: The trainings that are scored.
        learned: The sentences from which the final model learns.
        checks: The sentences of `inputs.checks` and their labels.
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
            SennaError: If the task cannot learn segments, or a file to check has none of
                the labels that the model knows.
        """
        self.inputs, model, task = inputs, inputs.model, inputs.task
        self.labels = labels_of(inputs.texts)
        self.tagger = self._find_tagger()
        self.old: list[str] = []
        if self.tagger is not None:
            names = self.tagger.labels(task).names
            self.old = list(dict.fromkeys(name[2:] for name in names if name != "O"))
        alignment = self._align(inputs.texts, fill=True)
        _say_problems(alignment, say, log)
        self._n_filled, self._n_covered = alignment.n_filled, alignment.n_covered
        self._matches = alignment.matches
        sentences = self.sentences = alignment.sentences
        if inputs.dev is None:
            self.division = divide(sentences, {*self.labels}, inputs.seed)
        else:
            scored = self._align(inputs.dev).sentences
            self.division = Division([Round(sentences, scored)], crosses=False)
        self.learned = sentences
        if not self.division.crosses:
            self.learned = self.division.rounds[0].learned
        self.checks = {name: self._check(name) for name in inputs.checks}
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

    def _check(self, name: str) -> Check:
        """Return the sentences of a file to check, and the old labels in it."""
        texts = self.inputs.checks[name]
        labels = [label for label in self.old if label in labels_of(texts)]
        if self.old and not labels:
            known = ", ".join(self.old)
            raise SennaError(
                f"{name}: none of the labels that the model knows ({known})"
            )
        return Check(self._align(texts).sentences, labels)

    @property
    def new(self) -> list[str]:
        """The labels of the annotations that the model does not know."""
        return [label for label in self.labels if label not in self.old]

    @property
    def has_new_tags(self) -> bool:
        """Whether the annotations need IOBES tags that the network does not have."""
        if self.tagger is None:
            return True
        names = {*self.tagger.labels(self.inputs.task).names}
        return any(
            not names.issuperset(encode(sentence.spans, len(sentence.words), "iobes"))
            for sentence in self.sentences
        )

    @property
    def network(self) -> str:
        """The name of the network of the model from which the training begins."""
        model = self.inputs.model.storage
        wanted = (self.inputs.task, "ner", "chk", "pos", "upos", "xpos")
        return next((name for name in wanted if name in model.networks), "")

    def _description(self) -> list[str]:
        """Return lines that describe what is learned."""
        counts = Counter(
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
            lines += self._likely_names(counts)
        return [*lines, *self._missing_labels()]

    def _missing_labels(self) -> Iterator[str]:
        """Yield lines on the labels of the model that no text has."""
        missing = [label for label in self.old if label not in self.labels]
        if not missing:
            return
        line = f"{', '.join(missing)}: not annotated"
        if self._n_filled:
            line += (
                ", so the model's own answers are learned again: "
                f"{counted(self._n_filled, 'span')}"
            )
        elif not self._n_covered:
            line += ", and the model finds none in these texts"
        yield line
        if self._n_covered:
            yield (
                f"{counted(self._n_covered, 'answer')} of the model with these labels "
                "overlapped with your annotations, which are learned instead; "
                "--task NAME leaves the old labels as they are"
            )

    def _likely_names(self, counts: Counter[str]) -> Iterator[str]:
        """Yield lines on new labels that may be other names of other labels."""
        for label in self.new:
            others = {*self.old, *self.labels} - {label}
            same = [each for each in others if each.casefold() == label.casefold()]
            if same:
                # Of labels that differ in case, the more frequent one stays.
                target = min(
                    (*same, label),
                    key=lambda each: (each not in self.old, -counts[each], each),
                )
                reason = f"{label} and {target} differ only in case"
            else:
                matches = {old: self._matches[label, old] for old in self.old}
                target = max(matches, key=lambda old: matches[old], default=label)
                n_same = matches.get(target, 0)
                if n_same < max(_LIKELY * counts[label], 1):
                    continue
                reason = f"the model takes {n_same:,} of {counts[label]:,} {label} for {target}"
            if target != label:
                yield f"{reason}; if they mean the same: --rename {label}={target}"


def _say_problems(
    alignment: Alignment, say: Callable[[str], object], log: Callable[[str], object]
) -> None:
    """Report annotations that do not fit the tokens; the log gets all of them."""

    def listed(problems: Sequence[object], title: str) -> None:
        if problems:
            say(f"{title}:")
            for problem in problems[:_SHOWN]:
                say(f"  {problem}")
            for problem in problems[_SHOWN:]:
                log(f"  {problem}")
            if len(problems) > _SHOWN:
                say(f"  and {len(problems) - _SHOWN:,} more, which are in the log")

    widened, left_out = alignment.widened, alignment.left_out
    listed(widened, f"{counted(len(widened), 'annotation')} widened to whole tokens")
    for shift, n in alignment.shifts.most_common(1):
        n_spans = sum(len(sentence.spans) for sentence in alignment.sentences)
        if 2 * n > n_spans - alignment.n_filled:
            say(
                f"{counted(n, 'annotation')} would fit if they {shift}: are the offsets right?"
            )
    listed(left_out, f"{counted(len(left_out), 'annotation')} left out")
    pairs = [f"{one}: as {other}" for one, other in alignment.contradictions]
    listed(pairs, f"{counted(len(pairs), 'text')} annotated differently elsewhere")
    if alignment.n_joined:
        say(
            f"{counted(alignment.n_joined, 'sentence')} joined to the one before, because of "
            "an annotation across both"
        )
