"""Training of a model on a treebank, step by step.

Each step writes its result to the directory of the run, and the journal records that it
is finished. An interrupted run resumes with the step that was interrupted, from the
checkpoint of this step.
"""

import gc
import shutil
from collections.abc import Callable
from functools import cached_property, partial
from itertools import chain
from pathlib import Path
from typing import Any, Protocol

from senna_py.corpora.raw_text import read_paragraphs
from senna_py.errors import SettingError, counted
from senna_py.evaluation.layers import headline
from senna_py.io.file_errors import prefix_errors
from senna_py.labels.tasks import find_task
from senna_py.model import Model
from senna_py.models.build import build_model
from senna_py.models.native import FILE_NAME
from senna_py.tagging.config import Config
from senna_py.tagging.ensembles import Ensemble
from senna_py.tagging.run import Run
from senna_py.tagging.score_model import (
    score_given_words,
    score_model,
    score_raw_text,
)
from senna_py.tagging.settings import DataSet
from senna_py.text.tokenizer_kinds import LEARNED
from senna_py.training.run import TrainingRun
from senna_py.treebanks import configs, vectors
from senna_py.treebanks.contents import word_sentences
from senna_py.treebanks.data import Inputs, TreebankData
from senna_py.treebanks.journal import JOURNAL, Journal, checksums
from senna_py.treebanks.progress import StepProgress
from senna_py.treebanks.report import score_table
from senna_py.treebanks.settings import TreebankSettings
from senna_py.treebanks.steps import Step, run_steps
from senna_py.treebanks.tokenization import (
    WITH_SPLITTER,
    Tokenization,
    learn_by_rules,
    learned_tokens,
    rules_alone,
    with_splitter,
)

_NER = "ner"  # The task of entities.
_TOKENIZER = "tokenizer"  # The key of the name of the chosen tokenizer in the journal.
_SCORES = "scores"  # The last step, whose result is the report.
STEPS = "steps"  # The directory of the results of steps, in the directory of a run.

# Rough speeds on one core, from which the time of each step is estimated: the numbers of
# words in a second, of those that are read in all epochs.
_TOKENIZED, _EMBEDDED, _CLUSTERED = 50_000, 250_000, 40_000
_TOKENS, _WORDS, _ENTITIES, _SCORED = 50_000, 7_000, 8_000, 4_000
_USUAL_TOKENS = 3_000_000  # The words that the training of tokens reads by default.
_BYTES_OF_WORD = 6


class Session(Protocol):
    """The interface of the program to a run: output, progress and training."""

    def say(self, line: str) -> object:
        """Print a line for the user."""

    def log(self, line: str) -> object:
        """Write a line to the log only."""

    def show(self, share: float, text: str) -> object:
        """Show the completed share of the run, with a line of text."""

    def train(self, run: TrainingRun, show: Callable[[int, float], None]) -> object:
        """Train to the end, from the checkpoint if there is one.

        If training stops before its end, the method does not return.

        Args:
            run: The TrainingRun.
            show: A callback that is called with the number of completed batches in the
                epoch, and the number of all batches in it.
        """


class TreebankTraining:
    """Trains a model on a treebank, in several steps."""

    def __init__(
        self,
        inputs: Inputs,
        directory: Path,
        settings: TreebankSettings,
        session: Session,
    ) -> None:
        """Read the treebank, and prepare the run.

        Args:
            inputs: The inputs.
            directory: The directory of the run.
            settings: The settings.
            session: The interface of the program.

        Raises:
            SennaError: If a file cannot be read or has no sentence, if there is nothing
                to learn, or if the directory contains another run.
        """
        self.inputs, self.directory = inputs, directory
        self.settings, self.session = settings, session
        self.model = directory / FILE_NAME
        self._steps = directory / STEPS
        identity = {
            "settings": settings.as_dict(),
            "language": inputs.language,
            "tokenizers": inputs.tokenizers,
            "files": checksums(inputs.paths()),
        }
        self._journal = Journal(directory / JOURNAL, identity)
        session.say(_language_line(inputs))
        self._data = TreebankData(inputs, settings, self._steps, session.say)
        self._progress: StepProgress | None = None

    @property
    def _text(self) -> Path:
        return self._steps / "text.txt"

    # The steps of the run.

    def run(self) -> list[str]:
        """Execute the unfinished steps, and return the lines of the report."""
        steps = self._plan()
        progress = StepProgress(
            {step.name: step.seconds for step in steps}, self.session.show
        )
        self._progress = progress
        for step, line in run_steps(steps, self._journal, progress):
            if step.name != _SCORES:
                self.session.say(f"{step.name}: {line}")
            gc.collect()
        return self._journal.steps[_SCORES].split("\n")

    def _plan(self) -> list[Step]:
        """Return the steps of the run, with their estimated times."""
        n_words = self._data.train.n_words
        n_text = self._data.n_words + self.inputs.text_size // _BYTES_OF_WORD
        steps = []
        if self._data.files:
            seconds = n_words / _TOKENIZED
            if (config := self._data.tokens_config) is not None:
                usual = min(max(_USUAL_TOKENS / n_words, 20), 100)
                seconds += n_words * (config.training.epochs or usual) / _TOKENS
            steps.append(Step("tokens", seconds, self._train_tokens))
        steps.append(Step("text", n_text / _TOKENIZED, self._write_text))
        if self.inputs.vectors is None:
            seconds = n_text * self.settings.text.passes / _EMBEDDED
            steps.append(Step("word vectors", seconds, self._train_vectors))
        seconds = n_text / _CLUSTERED
        steps.append(Step("word classes", seconds, self._train_classes))
        if self._data.words_config is not None:
            epochs = self._data.words_config.training.epochs
            seconds = n_words * epochs / _WORDS
            steps.append(Step("words and trees", seconds, self._train_words))
        if (entities := self._data.entities) is not None:
            epochs = sum(config.training.epochs for config in self._data.entity_configs)
            seconds = entities.n_words * epochs / _ENTITIES
            steps.append(Step("entities", seconds, self._train_entities))
        n_dev = self._data.dev.n_words
        return [
            *steps,
            Step("model", n_words / _TOKENIZED, self._build),
            Step(_SCORES, 2 * n_dev / _SCORED, self._score),
        ]

    def _show(self, share: float, detail: str = "") -> None:
        assert self._progress is not None, "steps run one after the other"
        self._progress.show(share, detail)

    def _train(self, run: TrainingRun, first: float = 0, share: float = 1) -> None:
        """Train to the end, and show the progress.

        Args:
            run: The TrainingRun.
            first: The share of the step that was completed before.
            share: The share of the step that this training amounts to.
        """
        trainable = run.trainable

        def show(done: int, total: float) -> None:
            detail = ""
            if trainable.epochs:
                detail = f"epoch {trainable.progress.epoch + 1} of {trainable.epochs}"
            self._show(first + share * trainable.share_done(), detail)

        self._journal.write()  # From now on, there is a checkpoint to resume from.
        self.session.train(run, show)

    def _training_run(self, trainable: Any, name: str) -> TrainingRun:
        return TrainingRun(
            trainable,
            self._steps / name,
            lambda line, figures: self.session.log(f"{name}: {line}"),
        )

    # Tokens and running text.

    def _train_tokens(self) -> str:
        """Train the tokenizers, and choose the best one by the scores on dev."""
        names = self.inputs.tokenizers
        if LEARNED in names:
            names = [*names, WITH_SPLITTER]
        if (config := self._data.tokens_config) is not None:
            self._train_network(config, "tokens", with_vectors=False)
        dev = list(read_paragraphs(self._data.files[1]))
        scores = {name: self._learn_tokenizer(name).score(dev) for name in names}
        best = max(scores, key=lambda name: scores[name].mean)
        self._journal.facts[_TOKENIZER] = best
        others = (
            f"; better than {name}: {scores[name]}" for name in names if name != best
        )
        return "".join((f"{best}: {scores[best]}", *others))

    def _learn_tokenizer(self, name: str) -> Tokenization:
        train = list(read_paragraphs(self._data.files[0]))
        if name not in (LEARNED, WITH_SPLITTER):
            return learn_by_rules(name, train)
        learned = learned_tokens(self._steps / "tokens", train)
        return learned if name == LEARNED else with_splitter(learned, train)

    @cached_property
    def _tokenization(self) -> Tokenization:
        """The tokenizer of the model."""
        if not self._data.files:
            return rules_alone(self.inputs.tokenizers[0])
        return self._learn_tokenizer(self._journal.facts[_TOKENIZER])

    def _write_text(self) -> str:
        """Write the words of the treebank and of the running text to a file."""
        sources = [*map(word_sentences, self._data.word_files)]
        sources += map(self._tokenization.sentences_of, self.inputs.text_files)
        size = _BYTES_OF_WORD * self._data.n_words + self.inputs.text_size
        n_words = vectors.write_sentences(
            self._text,
            chain.from_iterable(sources),
            lambda n_bytes: self._show(min(n_bytes / size, 0.99)),
        )
        return counted(n_words, "word")

    # Word vectors and word classes.

    @property
    def _vectors(self) -> Path:
        if self.inputs.vectors is not None:
            return Path(self.inputs.vectors)
        return self._steps / "vectors.npz"

    def _train_vectors(self) -> str:
        corpus = self._steps / "corpus"
        training = vectors.skipgram(self._text, corpus, self.settings.text)
        run = self._training_run(training, "vectors")
        self._train(run)
        n_words = vectors.write_vectors(self._vectors, training)
        for path in (run.directory, corpus):
            shutil.rmtree(path, ignore_errors=True)
        return f"{counted(n_words, 'word')} in the dictionary"

    def _train_classes(self) -> str:
        clustering = vectors.clustering(self._text, self.settings.text)
        run = self._training_run(clustering, "classes")
        self._train(run)
        vectors.write_classes(self._steps / configs.CLASSES, clustering)
        shutil.rmtree(run.directory, ignore_errors=True)
        return f"{clustering.n_classes:,} classes"

    # Networks.

    def _train_words(self) -> str:
        assert self._data.words_config is not None, "otherwise there is no such step"
        run = self._train_network(self._data.words_config, "words")
        return self._headlines(run)

    def _train_entities(self) -> str:
        n_networks = len(self._data.entity_configs)
        names = [f"entities-{number}" for number in range(1, n_networks + 1)]
        for number, config in enumerate(self._data.entity_configs):
            self._train_network(
                config, names[number], number / n_networks, 1 / n_networks
            )
        models = [self._steps / name for name in names]
        self._entities.mkdir(exist_ok=True)
        if n_networks == 1:
            shutil.copy(models[0] / FILE_NAME, self._entities / FILE_NAME)
        else:
            Ensemble(models, "scores").save(self._entities)
        value, measure = self._score_entities(self._entities)
        return f"dev {measure} {value:.2f}"

    @property
    def _entities(self) -> Path:
        return self._steps / "entities"

    def _train_network(
        self,
        config: Config,
        name: str,
        first: float = 0,
        share: float = 1,
        with_vectors: bool = True,
    ) -> TrainingRun:
        """Train the networks of a configuration.

        Args:
            config: The configuration.
            name: The name of the directory of the training.
            first: See `_train`.
            share: See `_train`.
            with_vectors: Whether the networks read words, and so word vectors.
        """
        log, vectors = partial(self._log_as, name), None
        if with_vectors:
            vectors = self._vectors
        with prefix_errors("--set", SettingError):
            run = Run.load(config, self._steps, self._steps / name, vectors, log)
        trained = run.trainer()
        self._train(trained, first, share)
        return trained

    def _log_as(self, name: str, line: str) -> None:
        self.session.log(f"{name}: {line}")

    def _headlines(self, run: TrainingRun) -> str:
        """Return a line with the best epoch of a run and its scores on dev."""
        model = Model(run.directory / FILE_NAME).storage
        scores = []
        for name in model.networks:
            of_network = model.part_info(name)["scores"]["dev"]
            ((measure, value),) = of_network.items()
            scores.append(f"{name} {measure} {value:.2f}")
        return f"epoch {run.best[1]}, dev {', '.join(scores)}"

    # The model and its scores.

    def _build(self) -> str:
        """Build the model from the results of the steps. Return its size as text."""
        parts = []
        if self._data.words_config is not None:
            parts.append(str(self._steps / "words"))
        if self._data.entity_configs:
            parts.append(str(self._entities))
        tokenizer = self._tokenization.tokenizer
        if tokenizer.kind == LEARNED:
            parts.append(str(self._steps / "tokens"))
        build_model(
            self.model,
            parts,
            self.inputs.info | {"tokenizer": tokenizer.kind},
            splitter=tokenizer.splitter,
            word_splitter=tokenizer.word_splitter,
        )
        return f"{self.model.stat().st_size / 1e6:.1f} MB"

    def _score(self) -> str:
        """Score the model on dev, and return the report."""
        others: list[tuple[str, float]] = []
        if self._data.entity_configs:
            others.append(("Entities", self._score_entities(self.model)[0]))
        if not self._data.files:
            return "\n".join(score_table(None, None, others))
        model = Model(self.model)
        paragraphs = list(read_paragraphs(self._data.files[1]))
        raw = score_raw_text(model, paragraphs)
        self._show(0.5)
        given = score_given_words(model, list(chain.from_iterable(paragraphs)))
        return "\n".join(score_table(raw, given, others))

    def _score_entities(self, path: Path) -> tuple[float, str]:
        """Return the score of a model's entities on dev, and the name of the score."""
        data = DataSet.of(self._data.entity_configs[0].dev[0].as_dict())
        scores = score_model(Model(path), _NER, data)
        return headline(find_task(_NER), scores)


def _language_line(inputs: Inputs) -> str:
    """Return a line with the language of a run, and where it comes from."""
    if not inputs.language:
        return (
            "language: unknown: no name of a file or directory begins as fr_ or "
            "UD_French- do; --language CODE sets it"
        )
    if inputs.language == inputs.files.language:
        return f"language: {inputs.language}, from the name {inputs.files.named_by}"
    return f"language: {inputs.language}"
