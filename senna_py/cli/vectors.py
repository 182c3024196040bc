"""`senna-py vectors`: train, inspect and convert word vectors, and cluster words."""

import click

from senna_py.cli.vectors_cluster import cluster
from senna_py.cli.vectors_files import export, import_
from senna_py.cli.vectors_neighbors import neighbors
from senna_py.cli.vectors_prepare import coverage, prepare
from senna_py.cli.vectors_print import print_
from senna_py.cli.vectors_ranking import ranking
from senna_py.cli.vectors_skipgram import skipgram

__all__ = ["command"]


@click.group("vectors", context_settings={"help_option_names": ["-h", "--help"]})
def command():
    """Train, inspect and convert word vectors, and cluster words."""


@command.group()
def train():
    """Train word vectors, for taggers to start from."""


for each in (ranking, skipgram):
    train.add_command(each)
for each in (cluster, coverage, export, import_, neighbors, prepare, print_):
    command.add_command(each)
