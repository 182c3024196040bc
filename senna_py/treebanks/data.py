"""The inputs of a run, and what is to be learned from them."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from senna_py.errors import SennaError, counted
from senna_py.lm.text.raw import text_files
from senna_py.models.checkpoint import CHECKPOINT
from senna_py.models.embeddings import files_of
from senna_py.models.native import FILE_NAME
from senna_py.models.shipped import shipped_or
from senna_py.tagging.config import Config
from senna_py.tagging.sentences import read_sentences
from senna_py.tagging.settings import DataSet
from senna_py.text.tokenizer_kinds import BY_LANGUAGE, LEARNED, OTHER_LANGUAGES
from senna_py.treebanks import configs
from senna_py.treebanks.contents import (
    Contents,
    join_files,
    read_contents,
    split_file,
)
from senna_py.treebanks.entities import KEY as ENTITY_KEY
from senna_py.treebanks.entities import write_entities
from senna_py.treebanks.files import TreebankFiles
from senna_py.treebanks.settings import TreebankSettings


@dataclass(frozen=True)
class Inputs:
    """The inputs of a run.

    Attributes:
        files: The files of the treebank.
        text: The paths of files or directories of running text.
        vectors: A file or directory of word vectors, or None to learn them.
        language: The code of the language, or an empty string.
        tokenizer: The name of the tokenizer, or None to choose it by its scores.
    """

    files: TreebankFiles
    text: tuple[str, ...] = ()
    vectors: str | None = None
    language: str = ""
    tokenizer: str | None = None

    @property
    def tokenizers(self) -> list[str]:
        """The names of the tokenizers among which the best one is chosen."""
        if self.tokenizer is not None:
            return [self.tokenizer]
        return [LEARNED, self.rules] if self.files.train else [self.rules]

    @property
    def rules(self) -> str:
        """The name of the tokenizer that consists of rules for the language."""
        return BY_LANGUAGE.get(self.language, OTHER_LANGUAGES)

    @cached_property
    def text_files(self) -> list[Path]:
        """The paths of the files of running text."""
        return text_files(self.text)

    @property
    def text_size(self) -> int:
        """The size of the running text in bytes."""
        return sum(path.stat().st_size for path in self.text_files)

    @property
    def info(self) -> dict[str, str]:
        """The information about the model."""
        return {"language": self.language} if self.language else {}

    def paths(self) -> list[Path]:
        """Return the paths of all files that the run reads."""
        return [*self.files.paths(), *self.text_files, *self._vector_files()]

    def _vector_files(self) -> list[Path]:
        if self.vectors is None:
            return []
        path = Path(shipped_or(self.vectors))
        if not path.is_dir():
            return files_of(path)
        files = (path / name for name in (FILE_NAME, CHECKPOINT))
        return [file for file in files if file.exists()]


class TreebankData:
    """The data of a run, and the configurations of the networks that learn from them.

    Attributes:
        files: The CoNLL-U files to train and to score on; empty if there are none.
        train: The contents of the former.
        dev: The contents of the latter.
        tokens_config: The configuration of the learned tokenizer, or None.
        words_config: The configuration of words and trees, or None if they have no
            labels.
        entities: The files of entities, or None.
        entity_configs: The configuration of each network for entities.
    """

    def __init__(
        self,
        inputs: Inputs,
        settings: TreebankSettings,
        directory: Path,
        say: Callable[[str], object],
    ) -> None:
        """Read the files.

        Args:
            inputs: The inputs.
            settings: The settings.
            directory: The directory to which parts of a divided file are written.
            say: A callback for lines for the user.

        Raises:
            SennaError: If a file cannot be read or has no sentence, or if there is
                nothing to learn.
        """
        self._inputs, self._settings = inputs, settings
        self._directory, self._say = directory.resolve(), say
        self.files, (self.train, self.dev) = self._read()
        self.tokens_config: Config | None = None
        if self.files and LEARNED in inputs.tokenizers:
            self.tokens_config = configs.tokens_config(
                settings, self.files, self.train, inputs.rules
            )
        self.words_config = self._configure_words()
        self.entities = self._find_entities()
        self.entity_configs: list[Config] = []
        if (data := self.entities) is not None:
            self.entity_configs = [
                configs.entity_config(settings, data, number, inputs.info)
                for number in range(settings.entities["networks"])
            ]
        if not (self.words_config or self.entity_configs):
            raise SennaError(
                f"{self.files[1]}: none of the labels of {inputs.files.train_place}: "
                f"{', '.join(sorted(self.train.columns)) or 'entities'}"
            )
        self._check_labels()

    @property
    def word_files(self) -> list[Path]:
        """The CoNLL-U files to train on: of the treebank, and of entities if others."""
        files = [*self.files[:1]]
        if self.entities is not None and self.entities.train not in files:
            files.append(self.entities.train)
        return files

    @property
    def n_words(self) -> int:
        """The number of words in `word_files`."""
        n_words = self.train.n_words
        if self.entities is not None and self.entities.train not in self.files:
            n_words += self.entities.n_words
        return n_words

    def _check_labels(self) -> None:
        """Read all labels of words as the training does, so that it cannot fail midway.

        Raises:
            SennaError: If a label is malformed. The message names the file and line.
        """
        if (config := self.words_config) is not None:
            files = self._inputs.files
            paths = [*map(str, (*files.train, *files.dev))]
            data_set = DataSet(paths, config.train[0].columns)
            read_sentences([data_set], config.gold_tasks, ".")

    def _read(self) -> tuple[tuple[Path, ...], tuple[Contents, Contents]]:
        """Return the paths and the contents of train and dev.

        Without CoNLL-U files, there are no paths. Without a dev file, the training file
        is split; see `split_file`.
        """
        files = self._inputs.files
        if not files.train:
            nothing = Contents(0, 0, 0, set(), "")
            return (), (nothing, nothing)
        whole = self._joined(files.train, "train")
        train = read_contents(whole)
        self._check_contents(files.train_place, train)
        if files.dev:
            paths = whole.resolve(), self._joined(files.dev, "dev").resolve()
            return paths, (train, read_contents(paths[1]))
        paths = self._directory / "train.conllu", self._directory / "dev.conllu"
        self._split(files.train_place, whole, train, paths)
        return paths, (read_contents(paths[0]), read_contents(paths[1]))

    def _joined(self, parts: tuple[Path, ...], name: str) -> Path:
        """Return the path of a set, whose parts are joined if there are several."""
        if len(parts) == 1:
            return parts[0]
        path = self._directory / f"whole.{name}.conllu"
        join_files(parts, path)
        return path

    def _check_contents(self, path: Path, train: Contents) -> None:
        """Check that there is something to learn in the training file.

        Raises:
            SennaError: If there are no labels, or no adjacent words for word classes.
        """
        for key, value in train.other_values.items():
            self._say(
                f"{path}: {key} in MISC is not learned: {value!r} is no tag such as "
                "B-PER"
            )
        has_entities = train.entities or self._inputs.files.ner_train is not None
        if not (train.columns or has_entities):
            raise SennaError(
                f"{path}: no tags, lemmas, dependencies or entities: there is nothing "
                "to learn"
            )
        if train.columns == {"lemma"} and not has_entities:
            raise SennaError(
                f"{path}: lemmas without tags; they are learned with upos or xpos"
            )
        if train.n_words == train.n_sentences and not self._inputs.text:
            raise SennaError(
                f"{path}: no sentence has two words, which word classes need"
            )

    def _split(
        self, name: Path, file: Path, contents: Contents, paths: tuple[Path, Path]
    ) -> None:
        """Divide a file into train and dev; `name` is the file of the user."""
        n_dev = split_file(file, contents.n_sentences, *paths)
        self._say(
            f"no dev file: dev is the last tenth of {name}, "
            f"{counted(n_dev, 'sentence')}"
        )

    def _configure_words(self) -> Config | None:
        """Return the configuration of words and trees; None if there are no labels."""
        if not (tasks := configs.tasks_of(self.train, self.dev)):
            return None
        for column in sorted(self.train.columns - self.dev.columns):
            self._say(f"{self.files[1]}: no {column}, so that it is not learned")
        n_words, info = self.train.n_words, self._inputs.info
        return configs.words_config(self._settings, tasks, self.files, n_words, info)

    def _find_entities(self) -> configs.EntityData | None:
        """Return the files of entities, or None; files not in CoNLL-U are converted."""
        files = self._inputs.files
        if files.ner_train is None:
            key, n_words = self.train.entities, self.train.n_words
            if not key or key != self.dev.entities:
                return None
            train, dev = self.files
            return configs.EntityData(train, dev, key, n_words)
        train, dev = (
            self._directory / f"ner.{name}.conllu" for name in ("train", "dev")
        )
        if files.ner_dev is not None:
            write_entities(files.ner_train, train)
            write_entities(files.ner_dev, dev)
        else:
            whole = self._directory / "ner.conllu"
            write_entities(files.ner_train, whole)
            self._split(files.ner_train, whole, read_contents(whole), (train, dev))
        n_words = read_contents(train).n_words
        return configs.EntityData(train, dev, ENTITY_KEY, n_words)
