"""`senna-py vectors cluster`: Brown clustering of the words of a text."""

import shutil

import click

from senna_py.cli.common import Duration, WholeRange, say
from senna_py.cli.run_options import RunOptions

__all__ = ["cluster"]


@click.command()
@click.argument("out", type=click.Path())
@click.argument("paths", nargs=-1, required=True, type=click.Path(allow_dash=True))
@click.option(
    "--classes", default=1000, show_default=True, type=WholeRange(1), help="Number of classes."
)
@click.option(
    "--one-stream", is_flag=True, help="Read all text as one stream: lines do not separate words."
)
@click.option(
    "--vocabulary", type=click.Path(), metavar="FILE",
    help="Cluster these words only, a line each.",
)  # fmt: skip
@click.option(
    "--min-count", default=1, show_default=True, type=WholeRange(1),
    help="Leave out rarer words.",
)  # fmt: skip
@click.option("--size", type=WholeRange(1), help="Cluster so many most frequent words.")
@click.option("--lower", is_flag=True, help="Read words in look-up form: lower case, numbers as 0.")
@click.option(
    "--tokens", "limit", type=WholeRange(1), help="Read no more than so many words of the text."
)
@click.option("--resume", is_flag=True, help="Continue the run beside OUT.")
@click.option("--time-limit", type=Duration(), help="Stop with a checkpoint after this time.")
@click.option("--checkpoint-every", type=Duration(), default="5m", show_default=True)
@click.option("--report-every", type=Duration(), default="10s", show_default=True)
def cluster(out, paths, classes, resume, time_limit, checkpoint_every, report_every, **options):
    """Put the words of a text into classes by Brown clustering.

    OUT gets one line for each word: the path of its class in the tree of classes, as bits, the word
    and its count, separated by tabs. PATHS: text, one tokenised sentence a line (`-`: standard
    input), or a corpus that `senna-py vectors prepare` made.
    """
    from senna_py.io.class_files import write_word_classes
    from senna_py.io.overwriting import check_paths
    from senna_py.lm.brown.clustering import BrownClustering, read_words
    from senna_py.training.run import TrainingRun

    check_paths([*paths, options["vocabulary"]], [out])
    directory = f"{out}.run"
    with RunOptions(resume, time_limit, checkpoint_every, report_every, None) as run_options:
        run_options.check(directory, None, paths)
        clustering = BrownClustering(read_words(paths, **options), classes)
        words = clustering.words
        say(
            f"{int(words.counts.sum()):,} occurrences of {len(words.words):,} words, "
            f"{clustering.n_classes:,} classes"
        )
        run_options.train(TrainingRun(clustering, directory, lambda line, figures: say(line)))
        say(f"average mutual information: {clustering.information():.4f} bits")
        write_word_classes(out, clustering.rows())
        shutil.rmtree(directory, ignore_errors=True)
