"""Text and words on the command line of `senna-lm`."""

import os
import signal
import sys
import time

import click

from senna_py.cli.common import WORKERS, WholeRange, live_option, on_interrupt, say
from senna_py.errors import SennaError, UsageError
from senna_py.io.numbers import float_of

__all__ = [
    "check_words", "corpus_at", "cover_option", "min_count_option", "new_corpus",
    "processes_option", "raw_tokenizer", "read", "say", "scored_text_options", "size_option",
    "text_options", "weigh", "words_of",
]  # fmt: skip

_SECONDS_BETWEEN_LINES = 5

cover_option = click.option(
    "--cover", multiple=True, type=click.Path(), metavar="FILE",
    help="Labelled column file whose words shall be in the dictionary; may be repeated.",
)  # fmt: skip
min_count_option = click.option(
    "--min-count", default=3, show_default=True, type=WholeRange(1),
    help="Rarer words become UNKNOWN.",
)  # fmt: skip
processes_option = click.option("--processes", type=WORKERS, help="Tokenizers at work at once.")


def size_option(text):
    """--size of a dictionary; text: what it is the size of."""
    return click.option("--size", default=130_000, show_default=True, type=WholeRange(4), help=text)


def text_options(function):
    """Add the argument PATHS and the options about text; `read` takes them all."""
    decorators = (
        click.argument("paths", nargs=-1, required=True, type=click.Path(allow_dash=True)),
        click.option(
            "--valid", multiple=True, type=click.Path(), metavar="FILE",
            help="Text held out for validation; may be repeated.",
        ),
        click.option(
            "--one-stream", is_flag=True,
            help="Read all text as one stream: no marks of sentences, no new beginnings.",
        ),
        click.option(
            "--vocabulary", type=click.Path(), metavar="FILE",
            help="The words, a line each; all others are <unk>.",
        ),
        click.option(
            "--min-count", default=1, show_default=True, type=WholeRange(1),
            help="Rarer words are <unk>, without --vocabulary.",
        ),
        click.option(
            "--size", type=WholeRange(1),
            help="Keep so many most frequent words, without --vocabulary.",
        ),
    )  # fmt: skip
    for decorate in reversed(decorators):  # the last one stands first in --help
        function = decorate(function)
    return function


def scored_text_options(function):
    """Add the argument TEXT and the options about how it is read, scored and printed."""
    decorators = (
        click.argument("text", nargs=-1, type=click.Path(allow_dash=True)),
        click.option(
            "--format", "form", type=click.Choice(("columns", "jsonl", "summary")),
            default="columns", show_default=True,
            help="What to print of each line; the summary is printed in any case.",
        ),
        click.option(
            "-o", "--output", metavar="FILE", help="Write to FILE, not to standard output."
        ),
        live_option,
        click.option(
            "--progress/--no-progress", default=None,
            help="Report bytes and lines on standard error; default for files on a terminal.",
        ),
        click.option(
            "--independent-lines", is_flag=True,
            help="Score each line as if it were the first: LSTM models, and those of one stream, "
            "go on.",
        ),
        click.option(
            "--raw", is_flag=True,
            help="TEXT is running text: find sentences and tokens, as senna-tag --tokenize does.",
        ),
    )  # fmt: skip
    for decorate in reversed(decorators):
        function = decorate(function)
    return function


def raw_tokenizer():
    """Function from lines of raw text to lines of tokens, as senna-tag's model would have them."""
    from senna_py.model import Model
    from senna_py.printers.token_lines import token_lines
    from senna_py.text.tokens import Tokenizer

    storage = Model().storage
    tokenizer = Tokenizer(storage.words, storage.tokenizer)
    return lambda data: token_lines(tokenizer.split_sentences(tokenizer.lines(data)))


def read(paths, valid, one_stream, vocabulary, min_count, size, opened=False):
    """Streams of the text that a command was given; raises UsageError if stdin is read twice.

    opened: see `read_streams`.
    """
    from senna_py.lm.text.streams import read_streams

    if [*map(str, (*paths, *valid))].count("-") > 1:
        raise UsageError("standard input can be read only once: `-` is given twice")
    printed = time.monotonic()

    def report(n_words):
        nonlocal printed
        if time.monotonic() - printed >= _SECONDS_BETWEEN_LINES:
            printed = time.monotonic()
            say(f"{n_words:,} words read")

    streams = read_streams(
        paths, valid, not one_stream, vocabulary, min_count, size, report, opened
    )
    begin = streams.word_list.begin  # is not predicted
    train, valid = (int((stream != begin).sum()) for stream in (streams.train, streams.valid))
    say(f"{train:,} training and {valid:,} validation words, {len(streams.word_list):,} different")
    return streams


def words_of(arguments):
    """Words given to a command, with `-` replaced by the words of standard input: list of str.

    Words of standard input are separated by ASCII white space, as in text.
    """
    given = sys.stdin.buffer.read().split() if "-" in arguments else ()
    given = [word.decode("utf-8", "surrogateescape") for word in given]
    return [w for word in arguments for w in (given if word == "-" else [word])]


def check_words(words):
    """Raise UsageError for what cannot be a word of a text."""
    for word in words:
        encoded = word.encode("utf-8", "surrogateescape")
        if encoded.split() != [encoded]:
            raise UsageError(f"{word!r}: not a word: empty, or with white space inside")


def weigh(paths):
    """The text files of arguments such as FILE or DIRECTORY=2, and their weights: two lists."""
    from senna_py.lm.text.raw import text_files

    given = [_weighted(path) for path in paths]
    files = [(file, weight) for path, weight in given for file in text_files([path])]
    if len({file.resolve() for file, _ in files}) < len(files):
        raise SennaError("a file is given twice; weigh it instead, as in FILE=2")
    return [[*column] for column in zip(*files, strict=True)]


def _weighted(path):
    """A path and its weight, 1 if it has none."""
    name, equals, weight = path.rpartition("=")
    if not equals or os.path.exists(path):
        return path, 1.0
    try:
        value = float_of(weight)
    except ValueError:
        raise UsageError(f"{path}: {weight!r} is no weight") from None
    if not 0 < value < 1e6:
        raise UsageError(f"{path}: {weight!r} is no weight")
    return name, value


def corpus_at(place, paths, how, resume, processes):
    """The Corpus of text files at a place, made unless it is there.

    how: Preparation; resume: whether a run goes on, which needs the corpus that it began with.
    """
    from senna_py.io.overwriting import no_inputs
    from senna_py.lm.text.corpus import is_corpus, open_corpus

    if is_corpus(place):
        with no_inputs():  # it may be replaced
            corpus = open_corpus(place, how.unit)
        if corpus.is_of(paths, how):
            return corpus
        if resume:
            raise SennaError(
                f"{place}: made from other text, or with other options, than the run that is to "
                "go on"
            )
    return new_corpus(place, paths, how, processes)


def new_corpus(place, paths, how, processes):
    """A Corpus made at a place by a Preparation."""
    from senna_py.lm.text.corpus import prepare

    # Other commands end at once; this one has scratch files and processes to clear away.
    with on_interrupt(_raise_interrupt):
        return prepare(paths, place, how, processes, say)


def _raise_interrupt(number, frame):
    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, signal.SIG_IGN)  # a second one would stop the clearing away
    raise KeyboardInterrupt
