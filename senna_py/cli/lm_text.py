"""Text and words on the command line of `senna-lm`."""

import sys
import time

import click

from senna_py.cli.common import say
from senna_py.errors import UsageError

__all__ = ["check_words", "read", "say", "text_options", "words_of"]

_SECONDS_BETWEEN_LINES = 5


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
    """Streams of the text that a command was given; raises UsageError if stdin is read twice."""
    from senna_py.lm.text.streams import read_streams

    if [*map(str, (*paths, *valid))].count("-") > 1:
        raise UsageError("standard input can be read only once: `-` is given twice")
    printed = time.monotonic()

    def report(n_words):
        nonlocal printed
        if time.monotonic() - printed >= _SECONDS_BETWEEN_LINES:
            printed = time.monotonic()
            say(f"{n_words:,} words read")

    streams = read_streams(paths, valid, not one_stream, vocabulary, min_count, size, report)
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
