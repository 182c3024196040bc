"""Ensembles of networks, for `senna-model ensemble`."""

import sys
from pathlib import Path

from senna_py.cli.common import interrupts, say, settings_of
from senna_py.errors import UsageError
from senna_py.io.locks import lock_directory
from senna_py.io.overwriting import check_paths
from senna_py.models.native import FILE_NAME
from senna_py.tagging.config import read_config
from senna_py.tagging.data import files_read
from senna_py.tagging.ensembles import Ensemble
from senna_py.tagging.joined import joined_run
from senna_py.training.log import LOG


def train_ensemble(directory, sources, task, config, corpora, changes=()):
    """Train a joined ensemble in a directory; returns the path of its model.

    config: path of the configuration; changes: settings in place of its own. Ends the process with
    130 if a signal stops the training.
    """
    directory = Path(directory)
    if directory.suffix == ".safetensors":
        raise UsageError(f"{directory}: a joined ensemble is a directory")
    settings = read_config(config, changes)
    read = [config, *sources, *files_read(settings, corpora, directory)]
    check_paths(read, [directory / FILE_NAME, directory / LOG])
    with lock_directory(directory, say):
        with settings_of(config):
            run = joined_run(Ensemble(sources, "joined", task), settings, corpora, directory, say)
        with interrupts(run):
            run.run()
    if not run.finished:
        say("stopped")
        sys.exit(130)
    return directory / FILE_NAME
