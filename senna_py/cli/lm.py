"""`senna-lm`: train word vectors on raw text, look at them, carry them in and out."""

import click

from senna_py.errors import SennaError

__all__ = ["main"]

_CURRICULUM = "5000:2,10000:4,30000:12,50000:17,100000:30,130000:35"


class _Duration(click.ParamType):
    """A time such as `90s`, `45m` or `2.5h`, in seconds."""

    name = "time"

    def convert(self, value, param, ctx):
        if isinstance(value, float):
            return value
        units = {"s": 1, "m": 60, "h": 3600}
        try:
            seconds = float(value[:-1]) * units[value[-1:]]
        except (ValueError, KeyError):
            self.fail(f"{value!r} is not a time such as 90s, 45m or 2.5h", param, ctx)
        if not 0 < seconds < float("inf"):
            self.fail(f"{value!r} is not a positive time", param, ctx)
        return seconds


class _Stages(click.ParamType):
    """A curriculum such as `5000:1,10000:2`: sizes of the dictionary and shares of the run."""

    name = "stages"

    def convert(self, value, param, ctx):
        try:
            stages = []
            for part in value.split(","):
                size, _, share = part.partition(":")
                stages.append((int(size), float(share or 1)))
        except ValueError:
            stages = []
        if not stages or any(size < 4 or not 0 < share < 1e9 for size, share in stages):
            self.fail(f"{value!r} is not a list such as 5000:1,10000:2", param, ctx)
        return tuple(stages)


class _Group(click.Group):
    """Prints what a user can cause on one line."""

    def invoke(self, ctx):
        try:
            return super().invoke(ctx)
        except SennaError as error:
            click.echo(f"senna-lm: {error}", err=True)
            ctx.exit(error.exit_code)


@click.group(cls=_Group, context_settings={"help_option_names": ["-h", "--help"]})
def main():
    """Word embeddings from unlabelled text."""


def _say(line):
    click.echo(line, err=True)


def _paths(name):
    return click.argument(name, nargs=-1, required=True, type=click.Path())


_cover = click.option(
    "--cover", multiple=True, type=click.Path(), metavar="FILE",
    help="Labelled column file whose words shall be in the dictionary; may be repeated.",
)  # fmt: skip
_min_count = click.option(
    "--min-count", default=3, show_default=True, type=click.IntRange(1),
    help="Rarer words become UNKNOWN.",
)  # fmt: skip
_processes = click.option("--processes", type=click.IntRange(1), help="Tokenizers at work at once.")


@main.command()
@click.argument("directory", type=click.Path())
@_paths("paths")
@click.option(
    "--size", default=130_000, show_default=True, type=click.IntRange(4),
    help="Size of the dictionary that holds the words of --cover.",
)  # fmt: skip
@_cover
@_min_count
@_processes
def prepare(directory, paths, size, cover, min_count, processes):
    """Tokenise the text files PATHS into a corpus at DIRECTORY.

    PATHS: .txt, .gz, .xz or .bz2 files, one paragraph or sentence a line, or directories of them.
    """
    corpus = _prepare(paths, directory, size, cover, min_count, processes)
    click.echo(
        f"{len(corpus.train):,} training and {len(corpus.valid):,} validation positions, "
        f"{len(corpus.words):,} words"
    )
    _print_coverage(corpus, cover, size)


def _prepare(paths, directory, size, cover, min_count, processes):
    from senna_py.lm.corpus import prepare

    return prepare(paths, directory, cover, size, min_count, processes, _say)


def _print_coverage(corpus, files, size):
    from senna_py.lm.corpus import coverage

    words = set(corpus.words[:size])
    for path in files:
        found = coverage(path, words)
        click.echo(
            f"{path}: {len(words):,} words cover {100 * found.tokens:.2f}% of {found.n_tokens:,} "
            f"tokens, {100 * found.types:.2f}% of {found.n_types:,} types"
        )


@main.command()
@click.argument("corpus", type=click.Path())
@_paths("files")
@click.option("--size", default=130_000, show_default=True, type=click.IntRange(4))
def coverage(corpus, files, size):
    """Say how much of the labelled column FILES the dictionary of a prepared CORPUS knows."""
    from senna_py.lm.corpus import open_corpus

    _print_coverage(open_corpus(corpus), files, size)


@main.group()
def train():
    """Train a language model."""


@train.command()
@click.argument("directory", type=click.Path())
@_paths("paths")
@click.option(
    "--stages", type=_Stages(), default=_CURRICULUM, show_default=True,
    help="Sizes of the growing dictionary, each with its share of the run.",
)  # fmt: skip
@click.option("--examples", type=click.IntRange(1), help="Length of the run in examples.")
@click.option("--duration", type=_Duration(), help="Length of the run in time, as 2.5h.")
@click.option("--window", default=11, show_default=True, help="Words in a window.")
@click.option("--dim", default=50, show_default=True, type=click.IntRange(1))
@click.option("--hidden", default=100, show_default=True, type=click.IntRange(1))
@click.option("--vector-rate", default=0.1, show_default=True, help="SGD rate of the vectors.")
@click.option(
    "--layer-rate", default=0.02, show_default=True, help="SGD rate of layers, over sqrt(fan-in)."
)
@click.option(
    "--final-rate", default=0.05, show_default=True, help="Share of the rates at the end."
)
@click.option(
    "--noise-power", default=0.0, show_default=True,
    help="Draw replacing words by count to this power; 0 draws all alike, as in the paper.",
)  # fmt: skip
@click.option("--spread", default=0.1, show_default=True, help="New vectors are in +- this.")
@click.option("--init", type=click.Path(), help="Start from these vectors (see `import`).")
@click.option("--threads", default=1, show_default=True, type=click.IntRange(1))
@click.option("--seed", default=1, show_default=True, type=click.IntRange(0))
@click.option("--resume", is_flag=True, help="Continue from the checkpoint in DIRECTORY.")
@click.option("--time-limit", type=_Duration(), help="Stop with a checkpoint after this time.")
@click.option("--checkpoint-every", type=_Duration(), default="5m", show_default=True)
@click.option("--report-every", type=_Duration(), default="30s", show_default=True)
@click.option("--plot", type=click.Path(), metavar="FILE.png", help="Draw the course of the run.")
@_cover
@_min_count
@_processes
def ranking(
    directory, paths, stages, examples, duration, init, resume, time_limit, checkpoint_every,
    report_every, plot, cover, min_count, processes, **settings,
):  # fmt: skip
    """Train word vectors with the ranking criterion (Collobert et al. 2011, section 4).

    DIRECTORY gets the checkpoint, the log, and the corpus, unless PATHS is one prepared before.
    """
    from senna_py.lm.training import Settings, Trainer

    settings = Settings(stages=stages, examples=examples, seconds=duration, **settings)
    corpus = _corpus(directory, paths, stages[-1][0], cover, min_count, processes)
    trainer = Trainer(corpus, directory, settings, lambda line, figures: _say(line))
    _begin(trainer, init, resume)
    done = trainer.run(time_limit or float("inf"), checkpoint_every, report_every)
    _say("done" if done else f"stopped at {100 * trainer.progress:.1f}%; continue with --resume")
    if plot:
        from senna_py.lm.plotting import plot_log

        plot_log(trainer.log, plot)


def _corpus(directory, paths, size, cover, min_count, processes):
    """The prepared corpus that PATHS or an earlier run in `directory` made, else a new one."""
    from pathlib import Path

    from senna_py.lm.corpus import made_from, open_corpus

    if len(paths) == 1 and (Path(paths[0]) / "corpus.json").is_file():
        return open_corpus(paths[0])
    own = Path(directory) / "corpus"
    if (own / "corpus.json").is_file():
        corpus = open_corpus(own)
        if made_from(corpus, paths, cover, size, min_count):
            return corpus
    return _prepare(paths, own, size, cover, min_count, processes)


def _begin(trainer, init, resume):
    if resume:
        trainer.resume()
        return
    if trainer.checkpoint.exists():
        raise SennaError(f"{trainer.checkpoint}: a run is there; continue it with --resume")
    if init:
        from senna_py.formats.embeddings import read_embeddings

        embeddings = read_embeddings(init)
        found = trainer.start_from(embeddings.words, embeddings.vectors)
        _say(f"{init}: vectors for {found:,} words")
