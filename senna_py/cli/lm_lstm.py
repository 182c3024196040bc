"""`senna-lm train char`, `word` and `morph`: LSTM language models (Kim et al. 2016)."""

import click

from senna_py.cli.common import WORKERS, FiniteRange, WholeRange, until_reader_leaves
from senna_py.cli.lm_run import threads_for_blas, train
from senna_py.cli.lm_text import check_words, read, say, text_options, words_of
from senna_py.cli.run_options import run_options
from senna_py.errors import UsageError

__all__ = ["char", "morph", "plot", "vectors", "word"]


_hidden = click.option(
    "--hidden", type=WholeRange(1, 1 << 14), help="Units of an LSTM layer; else by --preset."
)
_dim = click.option("--dim", type=WholeRange(1, 1 << 14), help="Size of vectors; else by --preset.")


def _run_options(function):
    """Add the options that the three kinds of models have in common."""
    decorators = (
        click.option(
            "--preset", type=click.Choice(("small", "large")), default="small", show_default=True,
            help="Sizes of the paper's models.",
        ),
        _hidden,
        click.option(
            "--output", type=click.Choice(("softmax", "clusters")), default="softmax",
            show_default=True, help="Softmax over all words; over clusters, then words (fast).",
        ),
        click.option(
            "--steps", default=35, show_default=True, type=WholeRange(1, 1 << 12),
            help="Steps that gradients go back.",
        ),
        click.option(
            "--batch", default=20, show_default=True, type=WholeRange(1, 1 << 12),
            help="Stretches of the text that are read side by side.",
        ),
        click.option(
            "--spread", default=0.05, show_default=True, type=FiniteRange(0, 1000),
            help="First weights are uniform in +- this.",
        ),
        click.option(
            "--rate", default=1.0, show_default=True, type=FiniteRange(0),
            help="First learning rate.",
        ),
        click.option(
            "--least-gain", default=1.0, show_default=True, type=FiniteRange(0),
            help="Halve the rate when validation perplexity gains less in an epoch.",
        ),
        click.option(
            "--final-rate", type=FiniteRange(0, 1), metavar="F",
            help="Let the rate fall to F of itself, linearly over the epochs, and do not halve it.",
        ),
        click.option(
            "--clip", default=5.0, show_default=True, type=FiniteRange(0, min_open=True),
            help="Longest gradient.",
        ),
        click.option(
            "--dropout", default=0.5, show_default=True, type=FiniteRange(0, 0.95),
            help="Share of what LSTM layers give upwards that is left out while training.",
        ),
        click.option("--epochs", default=25, show_default=True, type=WholeRange(1)),
        click.option(
            "--threads", default=1, show_default=True, type=WORKERS,
            help="Cores for matrix products.",
        ),
        run_options(),
    )  # fmt: skip
    for decorate in reversed(decorators):
        function = decorate(function)
    return function


@click.command()
@click.argument("directory", type=click.Path())
@text_options
@click.option(
    "--highway", type=WholeRange(0, 8),
    help="Highway layers between characters and LSTM; else by --preset.",
)  # fmt: skip
@click.option(
    "--plain", is_flag=True, help="One plain layer in place of highway layers (with --spread 0.1)."
)
@click.option(
    "--spell-unknown", is_flag=True,
    help="Read words outside the list by their characters, too; they are predicted as <unk>.",
)  # fmt: skip
@_run_options
def char(directory, highway, plain, spell_unknown, **options):
    """Train a language model that reads words as their characters (Kim et al. 2016).

    PATHS: text, a sentence a line, words between spaces. DIRECTORY gets the best model so far
    (model.lm), the checkpoint and the log.
    """
    if plain and highway:
        raise UsageError("--plain stands in place of highway layers")
    sizes = {"highway": 0 if plain else highway, "plain": plain}
    _train("char", directory, options, opened=spell_unknown, **sizes)


@click.command()
@click.argument("directory", type=click.Path())
@text_options
@_dim
@_run_options
def word(directory, dim, **options):
    """Train an LSTM language model that reads words as vectors.

    PATHS, DIRECTORY: as in `train char`.
    """
    _train("word", directory, options, dim=dim)


@click.command()
@click.argument("directory", type=click.Path())
@text_options
@click.option(
    "--segmentation", required=True, type=click.Path(), metavar="FILE",
    help="A line a word: the word, then its morphemes, between spaces: cats cat s.",
)  # fmt: skip
@_dim
@_run_options
def morph(directory, segmentation, dim, **options):
    """Train an LSTM language model that reads words as vectors of them and of their morphemes.

    PATHS, DIRECTORY: as in `train char`.
    """
    _train("morph", directory, options, segmentation, dim=dim)


@click.command()
@click.argument("model", type=click.Path())
@click.argument("words", nargs=-1, required=True)
@click.option("--before", is_flag=True, help="Before the highway layers, not after them.")
def vectors(model, words, before):
    """Print the vectors of any WORDS by a MODEL of `train char`; `-` reads words from stdin.

    A line a word: the word, then its numbers, as in GloVe's files. A model of `train word` or
    `morph` has those of the words that it knows.
    """
    from senna_py.lm.lstm.word_vectors import open_speller

    words = words_of(words)
    check_words(words)
    found = open_speller(model, not before).vectors(words) if words else ()
    with until_reader_leaves():
        for name, row in zip(words, found, strict=True):
            line = f"{name} {' '.join(row.astype(str).tolist())}\n"
            click.echo(line.encode("utf-8", "surrogateescape"), nl=False)


@click.group()
def plot():
    """Draw what a model has learned (needs matplotlib, the extra `plot`)."""


@plot.command()
@click.argument("model", type=click.Path())
@click.argument("picture", metavar="FILE.png", type=click.Path())
def ngrams(model, picture):
    """Draw the character n-grams of a MODEL of `train char` (Kim et al. 2016, Figure 2)."""
    from senna_py.io.pictures import check_plotting
    from senna_py.lm.lstm.ngrams import plot_ngrams
    from senna_py.lm.lstm.word_vectors import open_lstm

    check_plotting(picture)
    counts = plot_ngrams(open_lstm(model, characters=True), picture)
    say(f"{picture}: " + ", ".join(f"{count:,} {kind}" for kind, count in counts.items()))


def _train(kind, directory, options, segmentation=None, opened=False, **sizes):
    """Run the training; options: of `text_options` and `_run_options`; sizes: None for preset.

    opened: see `read_streams`.
    """
    threads_for_blas(1)  # our own products take --threads; what BLAS does has the same bits
    from senna_py.lm.language_model import FILE_NAME
    from senna_py.lm.lstm.training import LstmTraining

    text = ("paths", "valid", "one_stream", "vocabulary", "min_count", "size")
    text, course = [options.pop(name) for name in text], options.pop("course")
    settings = _settings(kind, segmentation, sizes, **options)
    course.check(directory, FILE_NAME)
    streams = read(*text, opened)
    morphemes = _morphemes(segmentation, streams.word_list)
    train(course, LstmTraining(streams, settings, say, morphemes), directory)


def _settings(kind, segmentation, sizes, preset, hidden, output, **run):
    from senna_py.lm.lstm.build import PRESETS, Shape
    from senna_py.lm.lstm.training import Settings

    given = {key: value for key, value in (sizes | {"hidden": hidden}).items() if value is not None}
    shape = Shape(input=kind, output=output, **PRESETS[preset][kind] | given)
    return Settings(shape, segmentation=segmentation, **run)


def _morphemes(segmentation, word_list):
    if segmentation is None:
        return None
    from senna_py.lm.lstm.morphemes import read_morphemes

    return read_morphemes(segmentation, word_list.words)
