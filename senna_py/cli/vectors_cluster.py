"""`senna-py vectors cluster`: Brown clustering of the words of a text."""

import shutil

import click

from senna_py.cli.common import file_option, flag, number, say
from senna_py.cli.help import Command
from senna_py.cli.run_options import run_options


@click.command(
    cls=Command, examples=("senna-py vectors cluster --clusters 500 classes.txt text.txt",)
)
@click.argument("out", metavar="TARGET", type=click.Path(dir_okay=False))
@click.argument("paths", nargs=-1, required=True, type=click.Path(allow_dash=True))
@number("--clusters", "Number of clusters.", default=1000)
@flag("--one-stream", "Read all text as one stream, without sentence boundaries.")
@file_option("--vocabulary", "Cluster only these words, one per line.")
@number("--min-count", "Minimum count of words; rarer ones are left out.", default=1)
@number("--size", "Vocabulary size: cluster the N most frequent words.")
@flag("--lower", "Lower-case words and read numbers as 0.")
@number("--tokens", "limit", "Read only the first N tokens of the text.")
@run_options(report_every="10s", plot=False)
def cluster(out, paths, clusters, options, **of_words):
    """Cluster the words of a text by Brown clustering.

    TARGET gets one line per word: the path of its class in the tree of classes, as bits, the word
    and its count, separated by tabs. PATHS: tokenized text, one sentence per line (`-`: standard
    input), or a corpus that `senna-py vectors prepare` made.
    """
    from senna_py.io.class_files import write_word_classes
    from senna_py.io.overwriting import check_paths
    from senna_py.lm.brown.clustering import BrownClustering, read_words
    from senna_py.training.run import TrainingRun

    check_paths([*paths, of_words["vocabulary"]], [out])
    directory = f"{out}.run"
    options.check(directory, None, paths)
    clustering = BrownClustering(read_words(paths, **of_words), clusters)
    words = clustering.words
    say(
        f"{int(words.counts.sum()):,} occurrences of {len(words.words):,} words, "
        f"{clustering.n_classes:,} classes"
    )
    options.train(TrainingRun(clustering, directory, lambda line, figures: say(line)))
    say(f"average mutual information: {clustering.information():.4f} bits")
    write_word_classes(out, clustering.rows())
    shutil.rmtree(directory, ignore_errors=True)
