"""`senna-py vectors train skipgram`: word vectors from the words around, for taggers."""

import os

import click

from senna_py.cli import vectors_text
from senna_py.cli.common import flag, option, say
from senna_py.cli.help import Command
from senna_py.cli.lm_run import train
from senna_py.cli.run_options import run_options
from senna_py.cli.setting_options import options_of
from senna_py.lm.skipgram.settings import SkipGramSettings


@click.command(
    cls=Command,
    brief="cover min-count size tokenized dim context negative epochs jobs threads resume plot",
    examples=(
        "senna-py vectors train skipgram --threads 4 run/ text/",
        "senna-py vectors train skipgram --cover train.conll run/ news/ web.txt.gz=0.5",
    ),
)
@click.argument("directory", type=click.Path())
@click.argument("paths", nargs=-1, required=True, metavar="PATHS[=WEIGHT]...")
@option(
    "--corpus", "place",
    "Keep the tokenized text here, or take that of a run before; default: DIRECTORY/corpus.",
    type=click.Path(), metavar="PLACE",
)  # fmt: skip
@flag("--tokenized", "The text is tokenized, one sentence per line, as by `senna-py tokenize`.")
@vectors_text.jobs_option
@vectors_text.size_option("Dictionary size.")
@vectors_text.cover_option
@vectors_text.min_count_option
@options_of(SkipGramSettings)
@run_options(checkpoint_every="10m")
def skipgram(
    directory, paths, place, tokenized, jobs, size, cover, min_count, options, **settings
):  # fmt: skip
    """Train word vectors by structured skip-gram (Ling et al. 2015).

    PATHS: raw text, one paragraph per line: .txt, .gz, .xz or .bz2 files, or directories of them.
    FILE=3 is read three times per epoch; of FILE=0.3, each epoch reads a different 30%. DIRECTORY
    gets a checkpoint, a log and the tokenized text.
    """
    from senna_py.lm.language_model import FILE_NAME
    from senna_py.lm.skipgram.training import SkipGramTraining
    from senna_py.lm.text.corpus import Preparation
    from senna_py.lm.text.dictionary import dictionary_of, words_of_columns

    settings = SkipGramSettings(**settings)
    files, weights = vectors_text.weigh(paths)
    options.check(directory, FILE_NAME, [*files, *cover])
    wanted = words_of_columns(cover)
    place = place or os.path.join(directory, "corpus")
    how = Preparation("form", tokenized)
    corpus = vectors_text.corpus_at(place, files, how, options.resume, jobs)
    words = dictionary_of(corpus, weights, wanted, size, min_count)
    training = SkipGramTraining(corpus, weights, words, settings)
    known = 1 - words.counts[1] / words.counts.sum()
    say(
        f"{training.n_words:,} words in a pass, {100 * known:.2f}% of them among the "
        f"{len(words.words):,} of the dictionary"
    )
    train(options, training, directory)
