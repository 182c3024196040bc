"""`senna-lm plot`: what a model has learned of n-grams of characters."""

import click

from senna_py.cli.common import say

__all__ = ["plot"]


@click.command()
@click.argument("model", type=click.Path())
@click.argument("picture", metavar="FILE.png", type=click.Path())
def plot(model, picture):
    """Draw the character n-grams of a MODEL of `train char` (Kim et al. 2016, Figure 2).

    It needs matplotlib, the extra `plot`.
    """
    from senna_py.io.pictures import check_plotting
    from senna_py.lm.lstm.ngrams import plot_ngrams
    from senna_py.lm.lstm.word_vectors import open_lstm

    check_plotting(picture)
    counts = plot_ngrams(open_lstm(model, characters=True), picture)
    say(f"{picture}: " + ", ".join(f"{count:,} {kind}" for kind, count in counts.items()))
