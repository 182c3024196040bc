"""`senna-lm train skipgram`: word vectors from the words around, for taggers."""

import os

import click

from senna_py.cli.common import WORKERS, FiniteRange, WholeRange, say
from senna_py.cli.lm_run import train
from senna_py.cli.lm_text import (
    corpus_at,
    cover_option,
    min_count_option,
    processes_option,
    size_option,
    weigh,
)
from senna_py.cli.run_options import run_options

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
@click.option(
    "--dim", default=96, show_default=True, type=WholeRange(1, 1024), help="Of the vectors."
)
@click.option(
    "--window", default=5, show_default=True, type=WholeRange(1, 50),
    help="Words on each side of the centre.",
)  # fmt: skip
@click.option(
    "--negative", default=5, show_default=True, type=WholeRange(1, 50),
    help="Words of the noise for each right one.",
)  # fmt: skip
@click.option(
    "--power", default=0.75, show_default=True, type=FiniteRange(0, 1),
    help="They are drawn by counts to this power.",
)  # fmt: skip
@click.option(
    "--sample", default=1e-4, show_default=True, type=FiniteRange(0, 1, min_open=True),
    help="Words of a larger share of the text are centres less often.",
)  # fmt: skip
@click.option(
    "--rate", default=0.03, show_default=True, type=FiniteRange(0),
    help="SGD rate at the beginning; it falls to 0.",
)  # fmt: skip
@click.option(
    "--passes", default=5.0, show_default=True, type=FiniteRange(0, 1e6, min_open=True),
    help="Passes through the text: the length of the run.",
)  # fmt: skip
@click.option("--threads", default=1, show_default=True, type=WORKERS)
@run_options(checkpoint_every="10m")
def skipgram(
    directory, paths, place, tokenized, processes, size, cover, min_count, course, **settings
):  # fmt: skip
    """Train word vectors by structured skip-gram (Ling et al. 2015).

    PATHS: raw text, a paragraph a line: .txt, .gz, .xz or .bz2 files or directories of them. With
    =WEIGHT, a pass reads it so many times, or only a share of it. DIRECTORY gets the checkpoint,
    the log and the tokenised text.
    """
    from senna_py.lm.language_model import FILE_NAME
    from senna_py.lm.skipgram.training import Settings, SkipGramTraining
    from senna_py.lm.text.dictionary import dictionary_of, words_of_columns

    settings = Settings(**settings)
    course.check(directory, FILE_NAME)
    wanted = words_of_columns(cover)
    files, weights = weigh(paths)
    place = place or os.path.join(directory, "corpus")
    corpus = corpus_at(place, files, course.resume, processes, unit="form", tokenized=tokenized)
    words = dictionary_of(corpus, weights, wanted, size, min_count)
    training = SkipGramTraining(corpus, weights, words, settings)
    known = 1 - words.counts[1] / words.counts.sum()
    say(
        f"{training.n_words:,} words in a pass, {100 * known:.2f}% of them among the "
        f"{len(words.words):,} of the dictionary"
    )
    if not training.has_valid:
        say("no sentence is held out: the validation loss is that of sentences it is trained on")
    train(course, training, directory)
