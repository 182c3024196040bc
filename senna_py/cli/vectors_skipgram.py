"""`senna-py vectors train skipgram`: word vectors from the words around, for taggers."""

import os

import click

from senna_py.cli.common import say
from senna_py.cli.lm_run import train
from senna_py.cli.run_options import run_options
from senna_py.cli.setting_options import options_of
from senna_py.cli.vectors_text import (
    corpus_at,
    cover_option,
    min_count_option,
    processes_option,
    size_option,
    weigh,
)
from senna_py.lm.skipgram.settings import SkipGramSettings

__all__ = ["skipgram"]


@click.command()
@click.argument("directory", type=click.Path())
@click.argument("paths", nargs=-1, required=True, metavar="PATHS[=WEIGHT]...")
@click.option(
    "--corpus", "place", type=click.Path(), metavar="DIRECTORY",
    help="Where the tokenised text is kept, or was by a run before. [default: DIRECTORY/corpus]",
)  # fmt: skip
@click.option(
    "--tokenized", is_flag=True, help="Lines are sentences of tokens, as of senna-tag --tokenize."
)
@processes_option
@size_option("Size of the dictionary.")
@cover_option
@min_count_option
@options_of(SkipGramSettings)
@run_options(checkpoint_every="10m")
def skipgram(
    directory, paths, place, tokenized, processes, size, cover, min_count, options, **settings
):  # fmt: skip
    """Train word vectors by structured skip-gram (Ling et al. 2015).

    PATHS: raw text, a paragraph a line: .txt, .gz, .xz or .bz2 files or directories of them. With
    =WEIGHT, a pass reads it so many times, or only a share of it. DIRECTORY gets the checkpoint,
    the log and the tokenised text.
    """
    from senna_py.lm.language_model import FILE_NAME
    from senna_py.lm.skipgram.training import SkipGramTraining
    from senna_py.lm.text.corpus import Preparation
    from senna_py.lm.text.dictionary import dictionary_of, words_of_columns

    settings = SkipGramSettings(**settings)
    files, weights = weigh(paths)
    options.check(directory, FILE_NAME, [*files, *cover])
    wanted = words_of_columns(cover)
    place = place or os.path.join(directory, "corpus")
    how = Preparation("form", tokenized)
    corpus = corpus_at(place, files, how, options.resume, processes)
    words = dictionary_of(corpus, weights, wanted, size, min_count)
    training = SkipGramTraining(corpus, weights, words, settings)
    known = 1 - words.counts[1] / words.counts.sum()
    say(
        f"{training.n_words:,} words in a pass, {100 * known:.2f}% of them among the "
        f"{len(words.words):,} of the dictionary"
    )
    if not training.has_valid:
        say("no sentence is held out: the validation loss is that of sentences it is trained on")
    train(options, training, directory)
