"""What the commands of `senna-lm` that train on a stream of words have in common."""

import sys
import time

import click

__all__ = ["read", "say", "text_options", "words_of"]

_SECONDS_BETWEEN_LINES = 5


def say(line):
    """Print a line on standard error."""
    click.echo(line, err=True)


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
            help="The words, a line each; all others are read as <unk>.",
        ),
        click.option(
            "--min-count", default=1, show_default=True, type=click.IntRange(1),
            help="Rarer words are read as <unk>, without --vocabulary.",
        ),
        click.option(
            "--size", type=click.IntRange(1),
            help="Keep so many most frequent words, without --vocabulary.",
        ),
    )  # fmt: skip
    for decorate in reversed(decorators):  # the last one stands first in --help
        function = decorate(function)
    return function


def read(paths, valid, one_stream, vocabulary, min_count, size):
    """Streams of the text that a command was given."""
    from senna_py.lm.stream import read_streams

    printed = time.monotonic()

    def report(n_words):
        nonlocal printed
        if time.monotonic() - printed >= _SECONDS_BETWEEN_LINES:
            printed = time.monotonic()
            say(f"{n_words:,} words read")

    streams = read_streams(paths, valid, not one_stream, vocabulary, min_count, size, report)
    say(
        f"{len(streams.train):,} training and {len(streams.valid):,} validation positions, "
        f"{len(streams.word_list):,} words"
    )
    return streams


def words_of(arguments):
    """Words that a command was given, where `-` stands for those of standard input: list of str."""
    if "-" not in arguments:
        return list(arguments)
    given = sys.stdin.buffer.read().decode("utf-8", "surrogateescape").split()
    return [w for word in arguments for w in (given if word == "-" else [word])]
