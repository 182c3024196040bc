"""The commands `senna-py vectors train ranking` and `skipgram`."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import click

from senna_py.cli import vectors_text
from senna_py.cli.help import Command
from senna_py.cli.lm_run import start_from, train
from senna_py.cli.options import flag, option
from senna_py.cli.parameter_types import Duration
from senna_py.cli.run_options import run_options
from senna_py.cli.setting_options import options_of
from senna_py.errors import SennaError
from senna_py.io.numbers import float_of, int_of
from senna_py.io.progress import say
from senna_py.lm.ranking.settings import STAGES, RankingSettings
from senna_py.lm.skipgram.settings import SkipGramSettings

if TYPE_CHECKING:
    from senna_py.cli.run_options import RunOptions


class _Stages(click.ParamType):
    """A curriculum such as `5000:1,10000:2`: pairs of a dictionary size and a length.

    Lengths are relative; a missing length is 1.
    """

    name = "stages"

    def convert(
        self, value: Any, param: Any, ctx: Any
    ) -> tuple[tuple[int, float], ...]:
        try:
            stages = [_stage(text) for text in value.split(",")]
        except ValueError:
            stages = []
        if not stages or any(size < 4 or not 0 < share < 1e9 for size, share in stages):
            self.fail(f"{value!r} is not a list such as 5000:1,10000:2", param, ctx)
        return tuple(stages)


def _stage(text: str) -> tuple[int, float]:
    size, _, share = text.partition(":")
    return int_of(size), float_of(share or "1")


@click.command(
    cls=Command,
    brief=(
        "cover min-count stages duration examples dim window hidden init threads "
        "resume plot"
    ),
    examples=("senna-py vectors train ranking --duration 12h --threads 4 run/ text/",),
)
@click.argument("directory", type=click.Path())
@click.argument("paths", nargs=-1, required=True, type=click.Path())
@option(
    "--stages",
    "Sizes of the growing dictionary, each with its relative length in the run.",
    type=_Stages(),
    default=",".join(f"{size}:{share:g}" for size, share in STAGES),
)
@option(
    "--duration",
    "seconds",
    "Length of the run as a time, such as 2.5h.",
    type=Duration(),
)
@options_of(RankingSettings)
@run_options()
@vectors_text.cover_option
@vectors_text.min_count_option
@vectors_text.jobs_option
def ranking(
    directory: str,
    paths: tuple[str, ...],
    cover: tuple[str, ...],
    min_count: int,
    jobs: int | None,
    options: RunOptions,
    **values: Any,
) -> None:
    """Train word vectors with the pairwise ranking criterion (Collobert et al. 2011).

    PATHS are .txt, .gz, .xz or .bz2 files, with one paragraph or sentence per line,
    directories of such files, or one corpus that `senna-py vectors prepare` made. A
    checkpoint, a log and the corpus are written to DIRECTORY.
    """
    from senna_py.lm.language_model import FILE_NAME
    from senna_py.lm.ranking.training import RankingTraining
    from senna_py.lm.text.corpus import Preparation, is_corpus, open_corpus
    from senna_py.lm.text.dictionary import KEYS
    from senna_py.lm.text.raw import text_files

    settings = RankingSettings(**values)
    is_prepared = len(paths) == 1 and is_corpus(paths[0])
    inputs = [*(paths if is_prepared else text_files(paths)), *cover, settings.init]
    options.check(directory, FILE_NAME, inputs)
    if is_prepared:
        corpus = open_corpus(paths[0], "word")
    else:
        place = os.path.join(directory, "corpus")
        how = Preparation(cover=cover, size=settings.stages[-1][0], min_count=min_count)
        corpus = vectors_text.corpus_at(place, paths, how, options.resume, jobs)
    n_words = len(corpus.words)
    if n_words < len(KEYS) + 2:
        raise SennaError(f"{corpus.path}: only one word to rank; see --min-count")
    fitted = settings.fit(n_words)
    if fitted != settings:
        sizes = ", ".join(f"{size:,}" for size, _ in fitted.stages)
        say(f"the corpus has {n_words:,} words: dictionaries of {sizes}")
    training = RankingTraining(corpus, fitted)
    if settings.init:
        start_from(training, settings.init)
    train(options, training, directory)


@click.command(
    cls=Command,
    brief=(
        "cover min-count size tokenized dim context negative epochs jobs threads "
        "resume plot"
    ),
    examples=(
        "senna-py vectors train skipgram --threads 4 run/ text/",
        "senna-py vectors train skipgram --cover train.conll run/ news/ web.txt.gz=0.5",
    ),
)
@click.argument("directory", type=click.Path())
@click.argument("paths", nargs=-1, required=True, metavar="PATHS[=WEIGHT]...")
@option(
    "--corpus",
    "place",
    "Store the tokenized text here, or reuse the text of an earlier run; default: "
    "DIRECTORY/corpus.",
    type=click.Path(),
    metavar="PLACE",
)
@flag(
    "--tokenized",
    "The text is tokenized, one sentence per line, as by `senna-py tokenize`.",
)
@vectors_text.jobs_option
@vectors_text.size_option("Dictionary size.")
@vectors_text.cover_option
@vectors_text.min_count_option
@options_of(SkipGramSettings)
@run_options(checkpoint_every="10m")
def skipgram(
    directory: str,
    paths: tuple[str, ...],
    place: str | None,
    tokenized: bool,
    jobs: int | None,
    size: int,
    cover: tuple[str, ...],
    min_count: int,
    options: RunOptions,
    **values: Any,
) -> None:
    """Train word vectors by structured skip-gram (Ling et al. 2015).

    PATHS are .txt, .gz, .xz or .bz2 files of raw text, with one paragraph per line, or
    directories of such files. FILE=3 is read three times per epoch; of FILE=0.3, each epoch
    reads a different 30%. A checkpoint, a log and the tokenized text are written to
    DIRECTORY.
    """
    from senna_py.lm.language_model import FILE_NAME
    from senna_py.lm.skipgram.training import SkipGramTraining
    from senna_py.lm.text.corpus import Preparation
    from senna_py.lm.text.dictionary import dictionary_of, words_of_columns

    settings = SkipGramSettings(**values)
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
