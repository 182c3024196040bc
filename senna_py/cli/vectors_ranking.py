"""`senna-py vectors train ranking`: word vectors by the ranking language model."""

import os

import click

from senna_py.cli.common import Duration, option, say
from senna_py.cli.help import Command
from senna_py.cli.lm_run import start_from, train
from senna_py.cli.run_options import run_options
from senna_py.cli.setting_options import options_of
from senna_py.cli.vectors_text import corpus_at, cover_option, jobs_option, min_count_option
from senna_py.errors import SennaError
from senna_py.io.numbers import float_of, int_of
from senna_py.lm.ranking.settings import STAGES, RankingSettings


class _Stages(click.ParamType):
    """A curriculum such as `5000:1,10000:2`: sizes of the dictionary and fractions of the run."""

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


@click.command(
    cls=Command,
    brief="cover min-count stages duration examples dim window hidden init threads resume plot",
    examples=("senna-py vectors train ranking --duration 12h --threads 4 run/ text/",),
)
@click.argument("directory", type=click.Path())
@click.argument("paths", nargs=-1, required=True, type=click.Path())
@option(
    "--stages", "Sizes of the growing dictionary, each with its relative length in the run.",
    type=_Stages(), default=",".join(f"{size}:{share:g}" for size, share in STAGES),
)  # fmt: skip
@option("--duration", "seconds", "Length of the run as a time, such as 2.5h.", type=Duration())
@options_of(RankingSettings)
@run_options()
@cover_option
@min_count_option
@jobs_option
def ranking(directory, paths, cover, min_count, jobs, options, **settings):
    """Train word vectors with the pairwise ranking criterion (Collobert et al. 2011).

    PATHS: .txt, .gz, .xz or .bz2 files, one paragraph or sentence per line, directories of them, or
    one corpus that `senna-py vectors prepare` made. DIRECTORY gets a checkpoint, a log and the
    corpus.
    """
    from senna_py.lm.language_model import FILE_NAME
    from senna_py.lm.ranking.training import RankingTraining
    from senna_py.lm.text.corpus import Preparation, is_corpus, open_corpus
    from senna_py.lm.text.dictionary import KEYS
    from senna_py.lm.text.raw import text_files

    settings = RankingSettings(**settings)
    is_prepared = len(paths) == 1 and is_corpus(paths[0])
    inputs = [*(paths if is_prepared else text_files(paths)), *cover, settings.init]
    options.check(directory, FILE_NAME, inputs)
    if is_prepared:
        corpus = open_corpus(paths[0], "word")
    else:
        own = os.path.join(directory, "corpus")
        how = Preparation(cover=cover, size=settings.stages[-1][0], min_count=min_count)
        corpus = corpus_at(own, paths, how, options.resume, jobs)
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
