"""`senna-lm`: train language models and word vectors, score text, import and export."""

import os

import click

from senna_py import __version__
from senna_py.cli.common import Duration, WholeRange
from senna_py.cli.lm_cluster import cluster
from senna_py.cli.lm_compare import compare
from senna_py.cli.lm_generate import generate
from senna_py.cli.lm_lstm import char, morph, plot, vectors, word
from senna_py.cli.lm_mix import mix
from senna_py.cli.lm_ngram import info, ngram, score
from senna_py.cli.lm_nplm import nplm
from senna_py.cli.lm_run import start_from
from senna_py.cli.lm_run import train as train_run
from senna_py.cli.lm_skipgram import skipgram
from senna_py.cli.lm_text import (
    check_words,
    corpus_at,
    cover_option,
    min_count_option,
    new_corpus,
    processes_option,
    say,
    size_option,
    words_of,
)
from senna_py.cli.run_options import run_options
from senna_py.cli.setting_options import options_of
from senna_py.errors import SennaError, UsageError, counted
from senna_py.io.numbers import float_of, int_of
from senna_py.lm.ranking.settings import STAGES, RankingSettings

__all__ = ["command"]


class _Stages(click.ParamType):
    """A curriculum such as `5000:1,10000:2`: sizes of the dictionary and shares of the run."""

    name = "stages"

    def convert(self, value, param, ctx):
        try:
            stages = []
            for part in value.split(","):
                size, _, share = part.partition(":")
                stages.append((int_of(size), float_of(share or "1")))
        except ValueError:
            stages = []
        if not stages or any(size < 4 or not 0 < share < 1e9 for size, share in stages):
            self.fail(f"{value!r} is not a list such as 5000:1,10000:2", param, ctx)
        return tuple(stages)


@click.group("senna-lm", context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__)
def command():
    """Train language models and word vectors, score text, import and export."""


def _paths(name):
    return click.argument(name, nargs=-1, required=True, type=click.Path())


@command.command()
@click.argument("directory", type=click.Path())
@_paths("paths")
@size_option("Size of the dictionary that holds the words of --cover.")
@cover_option
@min_count_option
@processes_option
def prepare(directory, paths, size, cover, min_count, processes):
    """Tokenise the text files PATHS into a corpus at DIRECTORY.

    PATHS: .txt, .gz, .xz or .bz2 files, one paragraph or sentence a line, or directories of them.
    """
    from senna_py.lm.text.corpus import Preparation

    how = Preparation(cover=cover, size=size, min_count=min_count)
    corpus = new_corpus(directory, paths, how, processes)
    click.echo(
        f"{len(corpus.train):,} training and {len(corpus.valid):,} validation positions, "
        f"{len(corpus.words):,} words"
    )
    _print_coverage(corpus, cover, size)


def _print_coverage(corpus, files, size):
    from senna_py.lm.text.dictionary import coverage

    words = set(corpus.words[:size])
    for path in files:
        found = coverage(path, words)
        click.echo(
            f"{path}: {len(words):,} words cover {100 * found.tokens:.2f}% of {found.n_tokens:,} "
            f"tokens, {100 * found.types:.2f}% of {found.n_types:,} types"
        )


@command.command()
@click.argument("corpus", type=click.Path())
@_paths("files")
@size_option("Size of the dictionary.")
def coverage(corpus, files, size):
    """Say how much of the labelled column FILES the dictionary of a prepared CORPUS knows."""
    from senna_py.lm.text.corpus import open_corpus

    _print_coverage(open_corpus(corpus, "word"), files, size)


@command.group()
def train():
    """Train a language model.

    \b
    vectors of words, to train taggers with:   skipgram, ranking
    probabilities of words, in minutes:        ngram
    better ones, in hours, best mixed:         nplm, or an LSTM: word, char, morph
    vectors of any words, by their spelling:   char
    """


@train.command()
@click.argument("directory", type=click.Path())
@_paths("paths")
@click.option(
    "--stages",
    type=_Stages(),
    default=",".join(f"{size}:{share:g}" for size, share in STAGES),
    show_default=True,
    help="Sizes of the growing dictionary, each with its share of the run.",
)
@click.option("--duration", "seconds", type=Duration(), help="Length of the run in time, as 2.5h.")
@options_of(RankingSettings)
@run_options()
@cover_option
@min_count_option
@processes_option
def ranking(directory, paths, cover, min_count, processes, options, **settings):
    """Train word vectors with the ranking criterion (Collobert et al. 2011, section 4).

    DIRECTORY gets the checkpoint, the log, and the corpus, unless PATHS is one prepared before.
    """
    from senna_py.lm.language_model import FILE_NAME
    from senna_py.lm.ranking.training import RankingTraining
    from senna_py.lm.text.corpus import Preparation, is_corpus, open_corpus

    settings = RankingSettings(**settings)
    options.check(directory, FILE_NAME)
    if len(paths) == 1 and is_corpus(paths[0]):
        corpus = open_corpus(paths[0], "word")
    else:
        own = os.path.join(directory, "corpus")
        how = Preparation(cover=cover, size=settings.stages[-1][0], min_count=min_count)
        corpus = corpus_at(own, paths, how, options.resume, processes)
    n_words = len(corpus.words)
    fitted = settings.fit(n_words)
    if fitted != settings:
        sizes = ", ".join(f"{size:,}" for size, _ in fitted.stages)
        say(f"the corpus has {n_words:,} words: dictionaries of {sizes}")
    training = RankingTraining(corpus, fitted)
    if settings.init:
        start_from(training, settings.init)
    train_run(options, training, directory)


_FORMATS = ("word2vec", "word2vec-binary", "glove", "npy", "senna")
_MODELS = ("arpa", "lm")  # formats of whole language models
_source = click.argument("source", type=click.Path())
_target = click.argument("target", type=click.Path())
_from = click.option(
    "--from", "form", type=click.Choice((*_FORMATS, "checkpoint", "model")),
    help="Format of SOURCE; else found out by its name and first line.",
)  # fmt: skip
_UNUSABLE = "empty or with white space"


def _half(formats):
    return click.option("--half", is_flag=True, help=f"Store float16, half the size ({formats}).")


@command.command("export")
@_source
@_target
@_from
@click.option(
    "--to", required=True, type=click.Choice((*_FORMATS, *_MODELS)), help="Format of TARGET."
)
@_half("npy; lm of networks")
@click.option("--top", type=WholeRange(1), help="Only so many first words.")
def export(source, target, form, to, half, top):
    """Write vectors, as of a training run's directory SOURCE, to TARGET in another format.

    Words that files cannot hold are left out: empty ones, and those with white space; a line says
    how many. --to arpa writes a back-off n-gram model, --to lm any language model that SOURCE is.
    """
    if to in _MODELS:
        if form or top:
            raise UsageError(f"--to {to} takes no --from or --top")
        _export_model(source, target, to, half)
        return
    from senna_py.lm.word_vectors import read_vectors
    from senna_py.models.embeddings import holdable

    kept, n_unusable = holdable(read_vectors(source, form), top)
    if not kept.words:
        raise SennaError(f"{source}: no word without white space: there is nothing to export")
    _write(target, kept, to, half)
    _say_left_out(target, n_unusable, _UNUSABLE)


def _export_model(source, target, form, half):
    from senna_py.io.overwriting import reads
    from senna_py.lm.model_files import check_target, open_model, write_model

    reads(source)
    check_target(target, form == "arpa")
    write_model(target, open_model(source), form == "arpa", half)


@command.command("import")
@_source
@_target
@_from
@_half("npy")
def import_(source, target, form, half):
    """Convert vectors of other programs to TARGET.npy and TARGET.words, to train taggers with.

    Words are brought into look-up form (lower case, numbers as 0), and PADDING and UNKNOWN are
    added if they are missing. The number of words left out is printed.
    """
    from senna_py.lm.word_vectors import read_vectors
    from senna_py.models.vector_import import adopt

    adopted, n_merged, n_unusable = adopt(read_vectors(source, form))
    _write(target, adopted, "npy", half)
    _say_left_out(target, n_merged, "read like an earlier one")
    _say_left_out(target, n_unusable, _UNUSABLE)


def _say_left_out(target, n, why):
    if n:
        say(f"{target}: left out: {counted(n, 'word')}, {why}")


def _write(target, embeddings, form, half):
    import numpy as np

    from senna_py.models.embeddings import write_embeddings

    if half:
        if form != "npy":
            raise UsageError("--half is for the format npy, and for lm")
        with np.errstate(over="ignore"):
            embeddings.vectors = embeddings.vectors.astype(np.float16)
        if not np.isfinite(embeddings.vectors).all():
            raise SennaError(f"{target}: values beyond 65,504 do not fit into float16")
    write_embeddings(target, embeddings, form)
    n_words, dim = embeddings.vectors.shape
    click.echo(f"{target}: {counted(n_words, 'word')} of {counted(dim, 'dimension')}")


@command.command()
@_source
@click.argument("words", nargs=-1, required=True)
@_from
@click.option("-n", "--count", default=10, show_default=True, type=WholeRange(1))
@click.option(
    "--metric", type=click.Choice(("euclidean", "cosine", "both")), default="both",
    show_default=True,
)  # fmt: skip
@click.option("--among", type=WholeRange(1), help="Look at so many most frequent words only.")
@click.option("--columns", default=6, show_default=True, type=WholeRange(1))
@click.option("--model", is_flag=True, help="SOURCE is a model of `train char`, `word` or `morph`.")
@click.option("--before", is_flag=True, help="Vectors before the highway layers (--model).")
def neighbors(source, words, form, count, metric, among, columns, model, before):
    """Print the nearest neighbours of WORDS in the vectors SOURCE, a column for each word.

    `-` reads words from standard input. The number below a word is its place in the dictionary,
    usually by frequency, or `-` if it has none.

    SOURCE: a training run's directory, or vectors in any format of `export`. With --model, WORDS
    may be any words, as the model of `train char` spells them; their neighbours are known words.
    """
    words = words_of(words)
    metrics = ("euclidean", "cosine") if metric == "both" else (metric,)
    if model:
        if form:
            raise UsageError("--model takes no --from")
        _neighbors_by_model(source, words, count, metrics, among, columns, before)
        return
    if before:
        raise UsageError("--before needs --model")
    from senna_py.lm.neighbors import table
    from senna_py.lm.word_vectors import read_vectors

    embeddings = read_vectors(source, form)
    found = _rows_of(embeddings, words)
    rows = [found[word] for word in words if found[word] is not None]
    for name in metrics:
        for first in range(0, len(rows), columns):
            lines = table(embeddings, rows[first : first + columns], count, name, among)
            click.echo("\n".join([f"{name}:", *lines, ""]))
    _check_known(source, found)


@plot.command("vectors")
@_source
@click.argument("picture", metavar="FILE.png", type=click.Path())
@click.argument("words", nargs=-1)
@_from
@click.option(
    "--top", default=200, show_default=True, type=WholeRange(2),
    help="Without WORDS: so many of the first words.",
)  # fmt: skip
def plot_vectors(source, picture, words, form, top):
    """Draw the vectors SOURCE of WORDS as a map, on their two axes of greatest variance.

    `-` reads words from standard input. SOURCE: as for `neighbors`.
    """
    from senna_py.io.pictures import check_plotting
    from senna_py.lm.vector_map import draw_map
    from senna_py.lm.word_vectors import read_vectors

    check_plotting(picture)
    words = words_of(words)
    embeddings = read_vectors(source, form)
    rows = list(range(min(top, len(embeddings.words))))
    if words:
        found = _rows_of(embeddings, words)
        _check_known(source, found)
        rows = list(dict.fromkeys(found.values()))
    draw_map(embeddings, rows, picture)
    click.echo(f"{picture}: {counted(len(rows), 'word')}")


def _rows_of(embeddings, words):
    """{word: its row, or that of its folded form, or None}."""
    from senna_py.text.folding import fold_words

    row = {word: i for i, word in enumerate(embeddings.words)}
    folded = zip(words, fold_words(words), strict=True)
    return {word: row.get(word, row.get(fold)) for word, fold in folded}


def _check_known(source, found):
    """Raise SennaError for words without a row."""
    if missing := [word for word in found if found[word] is None]:
        raise SennaError(f"{source}: not in the dictionary: {', '.join(missing)}")


def _neighbors_by_model(source, words, count, metrics, among, columns, before):
    from senna_py.lm.lstm.word_vectors import open_speller

    check_words(words)
    speller = open_speller(source, not before)
    for name in metrics:
        for first in range(0, len(words), columns):
            lines = speller.table(words[first : first + columns], count, name, among)
            click.echo("\n".join([f"{name}:", *lines, ""]))


@command.command()
@click.argument("run_directory", metavar="RUN", type=click.Path())
@click.argument("words", nargs=-1)
def card(run_directory, words):
    """Describe a run of `train ranking` or `skipgram` in Markdown: settings, course, neighbours.

    WORDS: whose neighbours are shown.
    """
    from senna_py.lm.card import describe_run

    click.echo("\n".join(describe_run(run_directory, words)))


train.add_command(nplm)
for each in (skipgram, char, word, morph):
    train.add_command(each)
command.add_command(mix)
command.add_command(vectors)
command.add_command(generate)
command.add_command(plot)
train.add_command(ngram)
command.add_command(cluster)
command.add_command(compare)
command.add_command(score)
command.add_command(info)
