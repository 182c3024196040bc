"""Training of joined ensembles: a linear layer over networks that do not change."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from senna_py.errors import SennaError, SettingError
from senna_py.features.registry import networks_read
from senna_py.io.files import AnyPath
from senna_py.io.overwriting import check_paths
from senna_py.models.checkpoint import CHECKPOINT
from senna_py.models.native import FILE_NAME
from senna_py.tagging.build import constrain
from senna_py.tagging.config import Config
from senna_py.tagging.data import read_sentences
from senna_py.tagging.ensembles import Ensemble
from senna_py.tagging.features import Features
from senna_py.tagging.inputs import Inputs
from senna_py.tagging.loading import add_predictions, cascade_model
from senna_py.tagging.trainer import Problem, TaggerTraining
from senna_py.text.tokens import Tokenizer
from senna_py.training.run import TrainingRun


def joined_run(
    ensemble: Ensemble,
    config: Config,
    corpora: AnyPath,
    directory: AnyPath,
    say: Callable[[str], object] = print,
) -> TrainingRun:
    """The TrainingRun of a joined Ensemble in a directory, which gets the best model on dev.

    config: a Config for the task: it says what to learn from, and by its `training` how, but for
    what is about layers and tables that do not change; the paths of its `cascade` are from
    `directory`; corpora: directory below which its files stand; say: called with a line for
    each epoch. Raises SettingError if it does not fit the networks, SennaError naming what cannot
    be read, or if a run is in the directory.
    """
    directory = Path(directory)
    check_paths([model.path for model in ensemble.models], [directory / FILE_NAME])
    if (directory / CHECKPOINT).exists():
        raise SennaError(f"{directory / CHECKPOINT}: a run is there; choose another directory")
    part = ensemble.part
    if (config.task, config.kind) != (part.name, ensemble.kind):
        asked = f"{config.task} ({config.kind})" if config.task else ", ".join(config.tasks)
        raise SettingError(f"task: {asked}, but the networks do {part.name} ({ensemble.kind})")
    labels = networks_read(part.features)
    kinds = config.new_kinds()
    kinds[part.name].take_keys(ensemble.keys)
    columns = [name for name in labels if name not in config.cascade]
    train, dev = (
        read_sentences(sets, kinds, corpora, columns) for sets in (config.train, config.dev)
    )
    for name in labels:
        if name in config.cascade:
            model = cascade_model(directory, name, config.cascade[name])
            add_predictions(model, name, (train, dev))
        elif not (name in train.columns and name in dev.columns):
            raise SettingError(f"columns: the networks see {name}, which is neither a column of "
                               "train and dev nor in the cascade")  # fmt: skip
    return _run(ensemble, config, kinds, (train, dev), directory, say)


def _run(ensemble, config, kinds, sentences, directory, say):
    part, words = ensemble.part, ensemble.models[0].words
    name, network = part.name, part.network
    features = Features(part.features, part.vocabularies, Tokenizer(words), ensemble.resources)
    train, dev = (Inputs.make(each, *features.index(each), kinds) for each in sentences)
    if config.network.criterion == "word":
        network = network.changed(initial=None, transition=None, final=None)
    elif config.network.constrained and kinds[name].iobes:
        constrain(network, ensemble.keys)
    problem = Problem(train, dev, sentences[1], kinds, words.position("UNKNOWN"))
    how = replace(config.training, unknown=0.0, fixed=[])
    said = config.as_dict()

    def write(path, networks, scores):
        info = {"config": said, "scores": scores[name], **config.info}
        ensemble.write(path, networks[name], info)

    config = replace(config, training=how, features={})
    digests = {"labels": ensemble.keys}
    training = TaggerTraining(config, {name: network}, problem, digests, write)
    return TrainingRun(training, directory, lambda line, figures: say(line))
