"""`senna-py vectors cluster`: Brown clustering of the words of a text."""

import shutil

import click

from senna_py.cli.common import Duration, WholeRange, say
from senna_py.cli.help import Command
from senna_py.cli.run_options import RunOptions

__all__ = ["cluster"]


@click.command(
    cls=Command, examples=("senna-py vectors cluster --clusters 500 classes.txt text.txt",)
)
@click.argument("out", metavar="TARGET", type=click.Path())
@click.argument("paths", nargs=-1, required=True, type=click.Path(allow_dash=True))
@click.option(
    "--clusters", default=1000, show_default=True, type=WholeRange(1), help="Number of clusters."
)
@click.option(
    "--one-stream", is_flag=True, help="Read all text as one stream, without sentence boundaries."
)
@click.option(
    "--vocabulary", type=click.Path(), metavar="FILE",
    help="Cluster only these words, one per line.",
)  # fmt: skip
@click.option(
    "--min-count", default=1, show_default=True, type=WholeRange(1),
    help="Minimum count of words; rarer ones are left out.",
)  # fmt: skip
@click.option(
    "--size", type=WholeRange(1),
    help="Vocabulary size: cluster the N most frequent words.",
)  # fmt: skip
@click.option("--lower", is_flag=True, help="Lower-case words and read numbers as 0.")
@click.option(
    "--tokens", "limit", type=WholeRange(1), help="Read only the first N tokens of the text."
)
@click.option("--resume", is_flag=True, help="Continue a run from its checkpoint, beside TARGET.")
@click.option(
    "--time-limit", type=Duration(), help="Write a checkpoint and stop after this time, such as 2h."
)
@click.option(
    "--checkpoint-every", type=Duration(), default="5m", show_default=True,
    help="Time between checkpoints.",
)  # fmt: skip
@click.option(
    "--report-every", type=Duration(), default="10s", show_default=True,
    help="Time between reports.",
)  # fmt: skip
def cluster(out, paths, clusters, resume, time_limit, checkpoint_every, report_every, **options):
    """Cluster the words of a text by Brown clustering.

    TARGET gets one line per word: the path of its class in the tree of classes, as bits, the word
    and its count, separated by tabs. PATHS: tokenized text, one sentence per line (`-`: standard
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
        clustering = BrownClustering(read_words(paths, **options), clusters)
        words = clustering.words
        say(
            f"{int(words.counts.sum()):,} occurrences of {len(words.words):,} words, "
            f"{clustering.n_classes:,} classes"
        )
        run_options.train(TrainingRun(clustering, directory, lambda line, figures: say(line)))
        say(f"average mutual information: {clustering.information():.4f} bits")
        write_word_classes(out, clustering.rows())
        shutil.rmtree(directory, ignore_errors=True)
