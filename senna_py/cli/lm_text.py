"""Text on the command line of `senna-lm`: what models are trained on."""

import time

import click

from senna_py.cli.common import all_of, file_option, flag, number, say
from senna_py.errors import UsageError

_SECONDS_BETWEEN_LINES = 5


# The argument PATHS and the options about text; `read` takes them all.
text_options = all_of(
    click.argument("paths", nargs=-1, required=True, type=click.Path(allow_dash=True)),
    file_option("--valid", "Validation text; may be repeated.", multiple=True),
    flag("--one-stream", "Read all text as one stream, without sentence boundaries."),
    file_option("--vocabulary", "Vocabulary, one word per line; all other words are <unk>."),
    number(
        "--min-count", "Minimum count of words in the vocabulary; rarer ones are <unk>.", default=1
    ),
    number("--size", "Vocabulary size: keep the N most frequent words."),
)  # fmt: skip


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
