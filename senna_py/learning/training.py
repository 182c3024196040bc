"""Learning from annotated texts, step by step.

The steps are the trainings of a cross-validation or of shares of the data, the training
of the model, and its scores. The journal records what each step found, and an
interrupted run resumes with the step that was interrupted, from its checkpoint.
"""

import shutil
from collections.abc import Iterable, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

from senna_py.io.files import replace_file
from senna_py.labels.tag_schemes import Segment, encode
from senna_py.learning.alignment import LabeledSentence
from senna_py.learning.data import SEGMENTS, Inputs, LearningData
from senna_py.learning.division import share_of
from senna_py.learning.rehearsal import checked_sentences, soft_labels
from senna_py.learning.report import Results, report
from senna_py.learning.scores import agreement, predict, score
from senna_py.learning.settings import (
    rehearsal_weight,
    share_to_keep,
    training_settings,
)
from senna_py.models.build import build_model
from senna_py.models.native import FILE_NAME
from senna_py.tagger import Tagger
from senna_py.tagging.config import Config, override
from senna_py.tagging.run import Run
from senna_py.training.run import TrainingRun
from senna_py.treebanks.journal import JOURNAL, Journal
from senna_py.treebanks.progress import StepProgress, time_left
from senna_py.treebanks.steps import Step, run_steps
from senna_py.treebanks.training import Session

_STEPS = "steps"  # The directory of the steps, in the directory of a run.
_MODEL, _SCORES = "model", "scores"  # The last steps.
_SHARES = {"a quarter of the data": 0.25, "half of the data": 0.5}
_REHEARSAL = "rehearsal.tsv"
# The options of the command from which the values of `Inputs.identity` come.
_OPTIONS = {
    "model": "--path",
    "task": "--task",
    "texts": "the same FILEs and --rename",
    "dev": "--dev",
    "checks": "--check",
    "text": "--text",
    "seed": "--seed",
    "curve": "--curve or --no-curve",
    "settings": "--set",
}
# The dev sentences of a training, on which its progress is shown. They are so few that
# the training does not choose an epoch by them, and keeps the last one.
_WATCHED = 50
# Rough speeds on one idle core, in tokens per second. Each epoch trains on the tokens to
# learn and scores the dev tokens, at the first speed.
_TRAINED, _TAGGED = 3_500, 10_000
# The seconds that a training needs to begin and to end, and each epoch needs in addition
# to its tokens.
_AROUND, _PER_EPOCH = 3.0, 0.1


class Learning:
    """Teaches a network of a model from annotated texts."""

    def __init__(self, inputs: Inputs, directory: Path, session: Session) -> None:
        """Read the texts, and prepare the run.

        Args:
            inputs: The inputs.
            directory: The directory of the run.
            session: The interface of the program.

        Raises:
            SennaError: If there is nothing to learn, a setting is invalid, or the
                directory contains another run.
        """
        self._inputs, self._directory, self._session = inputs, directory, session
        self.model = directory / FILE_NAME
        self._steps = directory.resolve() / _STEPS
        self._journal = Journal(directory / JOURNAL, inputs.identity(), _OPTIONS)
        self._data = LearningData(inputs, session.say, session.log)
        self._progress: StepProgress | None = None
        self._config(self._steps, self._data.learned)  # Settings are checked first.

    def run(self) -> list[str]:
        """Execute the unfinished steps, and return the lines of the report."""
        steps = self._plan()
        open_steps = [step for step in steps if step.name not in self._journal.steps]
        n_trainings = len(open_steps) - sum(
            step.name in (_MODEL, _SCORES) for step in open_steps
        )
        if n_trainings:
            seconds = sum(step.seconds for step in open_steps)
            self._session.say(self._time_line(n_trainings, seconds))
        self._steps.mkdir(parents=True, exist_ok=True)
        self._write_rehearsal()
        progress = StepProgress(
            {step.name: step.seconds for step in steps}, self._session.show
        )
        self._progress = progress
        for _ in run_steps(steps, self._journal, progress):
            pass
        shutil.rmtree(self._steps, ignore_errors=True)
        return self._journal.steps[_SCORES].split("\n")

    def _time_line(self, n_trainings: int, seconds: float) -> str:
        why = ""
        if self._data.division.crosses and self._data.division.rounds:
            n_rounds = len(self._data.division.rounds)
            why = f", {n_rounds} of them for a cross-validation"
        noun = "training" if n_trainings == 1 else "trainings"
        time = time_left(seconds)
        return f"about {time} on an idle core: {n_trainings} {noun}{why}"

    # The steps.

    def _plan(self) -> list[Step]:
        """Return the steps of the run, with their estimated times."""
        division, steps = self._data.division, list[Step]()
        if division.crosses:
            for number, one in enumerate(division.rounds, 1):
                name = f"round {number} of {len(division.rounds)}"
                steps.append(self._round_step(name, one.learned, one.scored))
        final = self._seconds(self._data.learned, self._scored_at_last())
        if division.rounds:
            curve = [
                self._round_step(
                    name, share_of(first.learned, share, seed), first.scored
                )
                for name, share in _SHARES.items()
                for first, seed in [(division.rounds[0], self._inputs.seed)]
            ]
            seconds = final + sum(step.seconds for step in steps)
            is_cheap = sum(step.seconds for step in curve) < seconds
            if is_cheap if self._inputs.curve is None else self._inputs.curve:
                steps += curve
        steps.append(Step("all of the data", final, self._train_final))
        n_words = _n_words(chain(*(one.scored for one in division.rounds)))
        return [
            *steps,
            Step(_MODEL, 2.0, self._build),
            Step(_SCORES, 2 * n_words / _TAGGED, self._score),
        ]

    def _seconds(
        self, learned: Sequence[LabeledSentence], scored: Sequence[LabeledSentence]
    ) -> float:
        """Estimate the time of a training; see `_train` for the arguments."""
        n_words = _n_words(learned) + _n_words(scored[:_WATCHED])
        n_words += sum(len(line.split()) for line in self._data.rehearsal.learned)
        n_epochs = self._training(learned)["epochs"]
        return n_epochs * (n_words / _TRAINED + _PER_EPOCH) + _AROUND

    def _training(self, sentences: Sequence[LabeledSentence]) -> dict[str, Any]:
        """Return the table `[training]` of a training on sentences."""
        has_new = bool(self._data.new)
        table = training_settings(len(sentences), has_new, self._inputs.seed)
        override(table, self._inputs.changes.get("training", {}))
        return table

    def _round_step(
        self,
        name: str,
        learned: list[LabeledSentence],
        scored: list[LabeledSentence],
    ) -> Step:
        """Return the step of a training whose network is scored and thrown away."""

        def work() -> str:
            directory = self._train(name, learned, scored)
            spans = predict(self._tagger(directory), scored)
            self._journal.facts[name] = spans
            shutil.rmtree(directory, ignore_errors=True)
            return ""

        return Step(name, self._seconds(learned, scored), work)

    def _train_final(self) -> str:
        self._train("final", self._data.learned, self._scored_at_last())
        return ""

    def _scored_at_last(self) -> Sequence[LabeledSentence]:
        """Return the sentences on which the last training shows its progress."""
        if self._data.division.crosses:
            return self._data.learned
        return self._data.division.rounds[0].scored

    def _tagger(self, path: Path) -> Tagger:
        return Tagger(path, [self._inputs.task])

    def _train(
        self,
        name: str,
        learned: Sequence[LabeledSentence],
        scored: Sequence[LabeledSentence],
    ) -> Path:
        """Train the network on sentences, and return the directory of the training."""
        directory = self._steps / name.replace(" ", "-")
        directory.mkdir(exist_ok=True)
        for file, sentences in (("train.tsv", learned), ("dev.tsv", scored[:_WATCHED])):
            _write_columns(directory / file, sentences)
        config = self._config(directory, learned)

        def log(line: str, *_: object) -> None:
            self._session.log(f"{name}: {line}")

        run = Run.load(config, self._steps, directory, None, log)
        trained = TrainingRun(run.training(), directory, log)
        trainable = trained.trainable
        progress = self._progress
        assert progress is not None, "steps run one after the other"

        def show(done: int, total: float) -> None:
            detail = f"epoch {trainable.progress.epoch + 1} of {trainable.epochs}"
            progress.show(trainable.share_done(), detail)

        self._journal.write()  # From now on, there is a checkpoint to resume from.
        self._session.train(trained, show)
        return directory

    def _config(self, directory: Path, learned: Sequence[LabeledSentence]) -> Config:
        """Return the configuration of a training."""
        task, data = self._inputs.task, self._data
        columns = ["word", task]
        train: list[dict[str, Any]] = [
            {"files": [str(directory / "train.tsv")], "columns": columns}
        ]
        if data.rehearsal:
            train.append(
                {
                    "files": [str(self._steps / _REHEARSAL)],
                    "columns": columns,
                    "soft": True,
                    "weight": rehearsal_weight(),
                }
            )
        values: dict[str, Any] = {
            "task": task,
            "kind": SEGMENTS,
            "train": train,
            "dev": [{"files": [str(directory / "dev.tsv")], "columns": columns}],
            "network": {
                "init": f"{self._inputs.model.path}:{data.network}",
                "keep": share_to_keep(data.has_new_tags),
            },
            "training": self._training(learned),
        }
        override(values, self._inputs.changes)
        return Config.of(values, directory)

    def _write_rehearsal(self) -> None:
        """Write the sentences of the rehearsal, with the labels of the old model."""
        path, data = self._steps / _REHEARSAL, self._data
        if data.tagger is None or not data.rehearsal or path.exists():
            return
        blocks = soft_labels(data.tagger, data.rehearsal.learned)
        contents = b"".join(block + b"\n\n" for block in blocks)
        replace_file(path, lambda file: file.write(contents))

    def _build(self) -> str:
        """Build the model from the old one and the trained network."""
        model = self._inputs.model.path
        sources = [str(model), str(self._steps / "final")]
        build_model(self.model, sources, replace_networks=True)
        return ""

    # The scores.

    def _score(self) -> str:
        """Score the model, and return the report."""
        data, new = self._data, self._tagger(self.model)
        results = Results(data.labels, data.old, data.division)
        results.has_new_tags = data.has_new_tags
        results.scored = [*chain(*(one.scored for one in data.division.rounds))]
        if data.division.crosses:
            results.after = [
                _spans(span_lists)
                for number in range(1, len(data.division.rounds) + 1)
                for span_lists in self._journal.facts[
                    f"round {number} of {len(data.division.rounds)}"
                ]
            ]
        else:
            results.after = predict(new, results.scored)
        results.curve = self._curve(results)
        if (old := data.tagger) is not None:
            if {*data.old} & {*data.labels}:
                results.before = predict(old, results.scored)
            if data.rehearsal.checked:
                checked = checked_sentences(old, data.rehearsal.checked)
                before = [each.spans for each in checked]
                after = predict(new, checked)
                after = [[s for s in spans if s[0] in data.old] for spans in after]
                results.n_kept = sum(map(len, before))
                results.kept = agreement(before, after)
            for name, (sentences, labels) in data.checks.items():
                figures = [
                    score(sentences, predict(tagger, sentences), labels).overall.f1
                    for tagger in (old, new)
                ]
                results.checks[name] = figures[0], figures[1]
        return "\n".join(report(results))

    def _curve(self, results: Results) -> list[tuple[str, float]]:
        """Return the names of the shares of the data, with their scores."""
        division, points = self._data.division, list[tuple[str, float]]()
        if not {*_SHARES} <= {*self._journal.facts}:
            return points
        scored = division.rounds[0].scored
        for name in _SHARES:
            spans = [*map(_spans, self._journal.facts[name])]
            points.append((name, score(scored, spans, results.labels).overall.f1))
        after = results.after[: len(scored)]
        points.append(("all", score(scored, after, results.labels).overall.f1))
        return points


def _spans(values: Iterable[Sequence[Any]]) -> list[Segment]:
    """Return the spans of a sentence that the journal stored as lists."""
    return [(label, begin, end) for label, begin, end in values]


def _n_words(sentences: Iterable[LabeledSentence]) -> int:
    return sum(len(sentence.words) for sentence in sentences)


def _write_columns(path: Path, sentences: Sequence[LabeledSentence]) -> None:
    """Write sentences to a file with columns of words and IOBES tags."""
    blocks = []
    for sentence in sentences:
        tags = encode(sentence.spans, len(sentence.words), "iobes")
        rows = zip(sentence.words, tags, strict=True)
        blocks.append("".join(f"{word}\t{tag}\n" for word, tag in rows))
    contents = "\n".join(blocks).encode("utf-8", "surrogateescape")
    replace_file(path, lambda file: file.write(contents))
