"""A training run of several tasks: from a joint configuration to one model of them all."""

from pathlib import Path

from senna_py.errors import SettingError
from senna_py.models.checkpoint import CHECKPOINT, read_header
from senna_py.tagging.cascade import fold_directory
from senna_py.tagging.data import read_sentences
from senna_py.tagging.experiment import Run, make_features, write_parts
from senna_py.tagging.joint_training import JointTraining, free_settings
from senna_py.tagging.shared_data import SharedData
from senna_py.training.checkpointing import check_same
from senna_py.training.run import TrainingRun

__all__ = ["JointRun"]


class JointRun:
    """Everything that the models of a JointConfig are made of.

    runs: a Run for each task, with the same SharedData and Features.
    """

    def __init__(self, config, corpora, directory, vectors, say=print):
        """config: a JointConfig; the others as of Run."""
        self.config, self.directory, self.say = config, Path(directory), say
        configs = list(config.configs.values())
        train = () if vectors else [
            read_sentences(each.train, each.label_task, each.kind, corpora) for each in configs
        ]  # fmt: skip
        # That of a task with paths in trees may have one more model than the others.
        common = max(configs, key=lambda each: len(each.cascade))
        shared = SharedData(common, corpora, directory, vectors, train, tasks=tuple(config.configs))
        if shared.note:
            say(shared.note)
        self.runs = []
        for task, each in config.configs.items():
            try:
                self.runs.append(Run(each, corpora, directory, vectors, say, shared))
            except SettingError as error:
                raise SettingError(f"{task}: {error}") from None
        make_features(self.runs)

    def check_checkpoint(self, fold=None):
        """Raise SennaError if the checkpoint of a model, if any, is of other settings or data."""
        path = fold_directory(self.directory, fold) / CHECKPOINT
        if path.exists():
            header, settings = read_header(path), self.config.as_dict()
            check_same(path, header, settings, self._data(fold), free_settings(self.config))

    def _data(self, fold):
        return {f"{what} of {run.config.task}": value for run in self.runs
                for what, value in run.data(fold).items()}  # fmt: skip

    def training(self, fold=None):
        """JointTraining of networks that begin, perhaps without the sentences of a fold."""
        networks = [run.network() for run in self.runs]
        networks = [networks[0], *(network.share(networks[0]) for network in networks[1:])]
        tasks = {
            run.config.task: run.training(network, fold)
            for run, network in zip(self.runs, networks, strict=True)
        }
        return JointTraining(self.config, tasks, self._data(fold), self._write)

    def trainer(self, fold=None, report=None):
        """TrainingRun of the model, or of the one that leaves out a fold."""
        report = report or (lambda line, figures: self.say(line))
        return TrainingRun(self.training(fold), fold_directory(self.directory, fold), report)

    def _write(self, path, scored):
        parts = [run.part(*scored[run.config.task]) for run in self.runs]
        for part in parts:
            part.info["joint"] = self.config.weights
        info = {key: said for run in self.runs for key, said in run.config.info.items()}
        write_parts(path, self.runs[0].shared, parts, info)
