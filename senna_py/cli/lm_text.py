"""Text on the command line of `senna-lm`: what models are trained on, and what they score."""

import time

import click

from senna_py.cli.common import WholeRange, all_of, check_live, live_option, say
from senna_py.errors import UsageError

__all__ = ["read", "say", "say_summary", "scored_text", "scored_text_options", "text_options"]

_SECONDS_BETWEEN_LINES = 5


# The argument PATHS and the options about text; `read` takes them all.
text_options = all_of(
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


# The argument TEXT and the options about it; `scored_text` takes them all.
scored_text_options = all_of(
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


def scored_text(text, form, output, live, progress, independent_lines, raw):
    """ScoredText of a command's options; raises UsageError where they contradict each other."""
    check_live(live, output)
    from senna_py.lm.scoring import ScoredText

    tokenize = _raw_tokenizer() if raw else None
    return ScoredText(text or ("-",), form, output, live, progress, independent_lines, tokenize)


def say_summary(text, lines):
    """Print what sums up a ScoredText: on standard error if its words are on standard output."""
    say(lines) if text.form != "summary" else click.echo(lines)


def _raw_tokenizer():
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
