"""`senna-lm train encoder`: sentence encoders from running text, for taggers to start from."""

import click

from senna_py.cli.common import FiniteRange, WholeRange, say
from senna_py.cli.lm_run import threads_for_blas
from senna_py.cli.lm_text import weighted_text
from senna_py.cli.run_options import run_options
from senna_py.errors import UsageError
from senna_py.io.numbers import int_of

__all__ = ["encoder"]


class _Feature(click.ParamType):
    """A feature and the size of its vectors: `suffix.2=10`."""

    name = "feature"

    def convert(self, value, param, ctx):
        """The name and the size."""
        if isinstance(value, tuple):
            return value
        name, _, size = value.partition("=")
        numbers = _numbers([size], (1 << 16) - 1)
        if not name or not numbers:
            self.fail(f"{value!r} is not a feature and a size such as caps=5", param, ctx)
        return name, numbers[0]


class _Numbers(click.ParamType):
    """Numbers between commas, or spaces."""

    name = "numbers"

    def convert(self, value, param, ctx):
        """A tuple of int."""
        if isinstance(value, tuple):
            return value
        numbers = _numbers(value.replace(",", " ").split(), 1024)
        if not numbers:
            self.fail(f"{value!r} is not a list of numbers such as 1,2,4", param, ctx)
        return numbers


def _numbers(fields, most):
    """Whole numbers from 1 to `most`, a tuple; empty if a field is none."""
    try:
        found = tuple(map(int_of, fields))
    except ValueError:
        return ()
    return found if all(0 < number <= most for number in found) else ()


def _count(name, default, least=1, most=None, **others):
    return click.option(
        name, default=default, show_default=True, type=WholeRange(least, most), **others
    )


def _share(name, default, **others):
    return click.option(name, default=default, show_default=True, type=FiniteRange(0, 1), **others)


@click.command()
@click.argument("directory", type=click.Path())
@weighted_text
@click.option(
    "--vectors", "given", required=True, type=click.Path(),
    help="Vectors of the dictionary's words, as for senna-train.",
)  # fmt: skip
@click.option(
    "--words", "vectors", type=click.Choice(("trained", "fixed")), default="trained",
    show_default=True, help="Whether training changes the vectors.",
)  # fmt: skip
@click.option(
    "--feature", "features", multiple=True, type=_Feature(), metavar="NAME=SIZE",
    help="What else is seen of a word; may be repeated. "
    "[default: caps=5 shape=10 suffix.2=10 suffix.3=15 prefix.3=15]",
)  # fmt: skip
@_count("--keys", 5000, help="Most frequent suffixes, shapes and so on that are known, of each.")
@_count("--width", 192, help="Units of each block.")
@_count("--kernel", 3, help="Words that a convolution sees; odd.")
@click.option(
    "--dilations", default="1,2,4,8,1,2", show_default=True, type=_Numbers(),
    help="For each block, how many words apart those are.",
)  # fmt: skip
@_count("--projection", 64, help="Numbers from which words are predicted.")
@_count("--output", 30_000, least=2, help="Most frequent words that can be predicted.")
@_share("--hidden", 0.15, help="Share of the words that are predicted.")
@_share("--same", 0.1, help="Share of these that are seen as they are.")
@_share("--other", 0.1, help="Share of these that are seen as another word.")
@_count("--drawn", 1024, help="Words of a sampled softmax.")
@_share("--power", 0.75, help="They are drawn by counts to this power.")
@_count("--shortest", 4, help="Words of the shortest sentence.")
@_count("--longest", 64, help="Words of the longest one.")
@_count("--batch", 4096, help="Words of a batch.")
@click.option(
    "--passes", default=1.0, show_default=True, type=FiniteRange(0, 1e6, min_open=True),
    help="Passes through the text: the length of the run.",
)  # fmt: skip
@_count("--epoch", 2_000_000, help="Words between two validations.")
@click.option("--rate", default=0.0015, show_default=True, type=FiniteRange(0), help="Adam's rate.")
@_share("--final-rate", 0.02, help="Share of the rate that is left at the end.")
@_count("--warmup", 300, least=0, help="Batches over which the rate rises.")
@click.option(
    "--clip", default=1.0, show_default=True, type=FiniteRange(0, min_open=True),
    help="Longest gradient.",
)  # fmt: skip
@_count("--valid", 3000, help="Held-out sentences to validate on.")
@_count("--threads", 1, most=1024, help="That share the work on a batch; two at most are of use.")
@run_options()
def encoder(
    directory, read_text, given, features, width, kernel, dilations, projection, course,
    **settings,
):  # fmt: skip
    """Train an encoder of sentences to predict hidden words of text, for senna-train to begin with.

    PATHS: raw text, a paragraph a line: .txt, .gz, .xz or .bz2 files or directories of them. With
    =WEIGHT, a pass reads it so many times, or only a share of it. DIRECTORY gets the best model so
    far (model.lm), the checkpoint, the log and the tokenised text.
    """
    threads_for_blas(1)
    from senna_py.lm.encoder.network import FEATURES, Shape
    from senna_py.lm.encoder.training import EncoderTraining, Settings
    from senna_py.lm.language_model import FILE_NAME

    if kernel % 2 == 0:
        raise UsageError(f"--kernel {kernel}: it must be odd")
    shape = Shape(dict(features) or dict(FEATURES), width, kernel, dilations, projection)
    settings = Settings(shape, **settings)
    course.check(directory, FILE_NAME)
    words, vectors = _dictionary(given)
    corpus, weights = read_text(directory)
    training = EncoderTraining(corpus, weights, words, vectors, settings)
    say(
        f"{training.n_words:,} words in a pass, {len(corpus.forms):,} different; "
        f"{len(training.output_words):,} can be predicted; "
        f"{sum(a.size for a in training.network.parameters().values()):,} parameters"
    )
    from senna_py.cli.lm_run import train

    train(course, training, directory)


def _dictionary(path):
    """Words, a Vocabulary, and vectors float32[n_words, dim] of a file of embeddings."""
    import numpy as np

    from senna_py.models.embeddings import read_embeddings
    from senna_py.text.vocabulary import Vocabulary

    found = read_embeddings(path)
    words = Vocabulary.from_keys(found.words, str(path))
    return words, np.asarray(found.vectors, np.float16).astype(np.float32)
