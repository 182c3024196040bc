"""`senna-lm`: train language models, score text, mix them."""

import click

from senna_py import __version__
from senna_py.cli.help import Group
from senna_py.cli.lm_lstm import char, morph, word
from senna_py.cli.lm_models import export, generate, info, mix
from senna_py.cli.lm_ngram import ngram
from senna_py.cli.lm_nplm import nplm
from senna_py.cli.lm_score import score


@click.group(
    "senna-lm", cls=Group,
    examples=(
        "senna-lm train ngram news.arpa news.txt",
        "senna-lm score news.arpa other.txt",
    ),
)  # fmt: skip
@click.version_option(__version__)
def command():
    """Train language models, score text with them, and mix them."""


@command.group(examples=("senna-lm train ngram -h",))
def train():
    """Train a language model.

    N-grams take minutes. Neural models (nplm, char, word, morph) take hours and predict better;
    mix them with n-grams for the best result. A char model has vectors for any word.
    """


for each in (char, morph, ngram, nplm, word):
    train.add_command(each)
for each in (export, generate, info, mix, score):
    command.add_command(each)
