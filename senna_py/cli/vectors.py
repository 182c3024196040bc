"""`senna-py vectors`: train, inspect and convert word vectors, and cluster words."""

import click

from senna_py.cli.help import Group
from senna_py.cli.vectors_cluster import cluster
from senna_py.cli.vectors_files import export, import_
from senna_py.cli.vectors_prepare import coverage, prepare
from senna_py.cli.vectors_ranking import ranking
from senna_py.cli.vectors_skipgram import skipgram
from senna_py.cli.vectors_words import neighbors, print_


@click.group(
    "vectors", cls=Group,
    examples=(
        "senna-py vectors train skipgram run/ text/",
        "senna-py vectors neighbors run/ france red",
    ),
)  # fmt: skip
def command():
    """Train, inspect and convert word vectors, and cluster words."""


@command.group(examples=("senna-py vectors train skipgram -h",))
def train():
    """Train word vectors, to initialize taggers with."""


for each in (ranking, skipgram):
    train.add_command(each)
for each in (cluster, coverage, export, import_, neighbors, prepare, print_):
    command.add_command(each)
