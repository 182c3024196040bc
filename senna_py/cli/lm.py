"""`senna-lm`: train language models, score text, mix them."""

import click

from senna_py import __version__
from senna_py.cli.lm_lstm import char, morph, word
from senna_py.cli.lm_models import export, generate, info, mix
from senna_py.cli.lm_ngram import ngram
from senna_py.cli.lm_nplm import nplm
from senna_py.cli.lm_score import score

__all__ = ["command"]


@click.group("senna-lm", context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__)
def command():
    """Train language models, score text, mix them."""


@command.group()
def train():
    """Train a language model.

    \b
    in minutes:                           ngram
    better ones, in hours, best mixed:    nplm, or an LSTM: word, char, morph
    with vectors of any word's spelling:  char
    """


for each in (char, morph, ngram, nplm, word):
    train.add_command(each)
for each in (export, generate, info, mix, score):
    command.add_command(each)
