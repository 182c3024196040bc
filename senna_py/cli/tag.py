"""The commands `senna-tag`, which is compatible with SENNA, `tag` and `tokenize`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from senna_py import __version__
from senna_py.cli.help import Command
from senna_py.cli.options import (
    all_of,
    check_output,
    flag,
    live_option,
    option,
    progress_option,
)
from senna_py.cli.parameter_types import WORKERS
from senna_py.cli.streams import until_reader_leaves
from senna_py.cli.tag_options import (
    TagOptions,
    chosen_format,
    format_option,
    tag_options,
)
from senna_py.errors import UsageError, one_line
from senna_py.formats.registry import FORMATS
from senna_py.io.overwriting import check_paths
from senna_py.io.progress import say

if TYPE_CHECKING:
    from senna_py.pipeline.options import Note

lines_option = click.option(
    "--lines/--split-sentences",
    default=False,
    help="Each line is a sentence; default: a paragraph, which is split into sentences.",
)
_verbose = flag("--verbose", "Describe the model on standard error.")
_BRIEF = "pos chk ner srl psg path format output jobs"
_SENNA = (
    "-path",
    "-usrtokens",
    "-pos",
    "-chk",
    "-ner",
    "-srl",
    "-psg",
    "-pt0",
    "-posvbs",
    "-usrvbs",
    "-iobtags",
    "-brackettags",
    "-notokentags",
    "-offsettags",
    "-verbose",
)
_READING = (
    "path",
    "usrtokens",
    "tokens",
    "layout",
    "multiwords",
    "words",
    "paragraphs",
    "abbreviations",
    "rules",
    "join_hyphens",
    "encoding",
    "limit",
)


# The argument FILE and the options of commands that read and write streams of text.
file_options = all_of(
    click.argument("files", nargs=-1, metavar="[FILE]..."),
    option(
        "-o", "--output", "Write to FILE instead of standard output.", metavar="FILE"
    ),
    live_option,
    option(
        "--jobs",
        "Cores to use; the output is the same.",
        type=WORKERS,
        default=1,
    ),
    progress_option("sentences"),
)


@click.command(
    "senna-tag",
    cls=Command,
    brief=f"{_BRIEF} iobtags usrtokens split-sentences",
    examples=(
        'echo "He lives in Rome ." | senna-tag --pos --ner',
        "senna-tag --split-sentences --format jsonl -o tagged.jsonl text.txt",
        "senna-tag --usrtokens --iobtags --jobs 4 tokenized.txt.gz",
        "senna-tag --path my.safetensors --format conllu --pos test.conllu",
    ),
    epilog=f"""\b
SENNA compatibility:
  Long options may have one dash, as SENNA spells its own:
  {" ".join(_SENNA[:8])}
  {" ".join(_SENNA[8:])}""",
)
@tag_options(omit=("column", "field", "id_from", "no_quotes"))
@format_option(without=("parquet",))
@file_options
@_verbose
@click.version_option(__version__)
def command(**options: Any) -> None:
    """Tag text, one sentence per line, from FILEs or standard input (also: -).

    Files ending in .gz, .xz and .bz2 are decompressed. Files ending in .conllu, and
    files with a --layout, keep their tokens. Without a task option, columns have
    SENNA's tasks except pt0; JSON, CoNLL-U and pages also have the model's dependencies
    and lemmas.
    """
    annotate(options)


@click.command(
    "tag",
    cls=Command,
    brief=f"{_BRIEF} column field lines",
    examples=(
        'echo "He lives in Rome. She does not." | senna-py tag --pos --ner',
        "senna-py tag --format jsonl -o tagged.jsonl text.txt",
        "senna-py tag --column text --ner -o tagged.csv reviews.csv",
        "senna-py tag --format html -o pages/ --jobs 4 *.txt",
        "senna-py tag --path my.safetensors --format conllu --pos test.conllu",
    ),
)
@tag_options(omit=("split_sentences", "all_columns"))
@lines_option
@format_option(without=("parquet",))
@file_options
@_verbose
def verb(lines: bool, **options: Any) -> None:
    """Tag running text, one paragraph per line, from FILEs or standard input (also: -).

    Files ending in .gz, .xz and .bz2 are decompressed. Files ending in .conllu, and
    files with a --layout, keep their tokens. With --column or --field, the texts are in
    CSV, TSV or JSON lines, and come out with the answers beside them. Without a task
    option, columns have SENNA's tasks except pt0; JSON, CoNLL-U and pages also have the
    model's dependencies and lemmas.
    """
    annotate(options, lines)


@click.command(
    "tokenize",
    cls=Command,
    brief="path tokens usrtokens paragraphs lines abbreviations rules join-hyphens encoding "
    "limit output jobs",
    examples=('echo "He can\'t go. She left." | senna-py tokenize',),
)
@tag_options(only=_READING)
@lines_option
@file_options
def tokenize(lines: bool, **options: Any) -> None:
    """Print the tokens of FILEs or standard input (also: -), one sentence per line.

    Tokens are separated by spaces; white space inside a token becomes an underscore.
    Language models are trained on such text.
    """
    if name := chosen_format(None, options["output"], ["parquet"]):
        raise UsageError(f"{options['output']}: {name} is a format of senna-py tag")
    annotate(options | {"format": "tokens"}, lines)


def annotate(options: dict[str, Any], lines: bool | None = None) -> None:
    """Tag files with the options of a command; exit with code 1 if one is unreadable.

    Args:
        options: The options of the command, some of which are removed.
        lines: Whether each line is a sentence, or None to follow `split_sentences` in
            `options`.

    Raises:
        SennaError: If the model cannot be read, or the output cannot be written.
        UsageError: If options contradict each other.
    """
    output = options["output"]
    check_paths([options["abbreviations"], options["rules"]], [output])
    column, field = options.get("column"), options.get("field")
    if not options.get("probabilities"):
        options["format"] = chosen_format(
            options["format"], output, ["parquet"], column, field
        )
    if "column" in options:
        from senna_py.cli.record_files import check_files

        check_files(options["files"], options, lines)
    wanted = TagOptions.from_options(options, lines)
    if output is not None and output.endswith("/") and not wanted.output.has_pages:
        having = [name for name, form in FORMATS.items() if form.has_pages]
        raise UsageError(f"{output}: a directory is for --format {' or '.join(having)}")
    check_output(output, options["live"])
    from senna_py.cli.tag_files import tag_files
    from senna_py.pipeline.advice import SEVERAL

    files, n_unread = options.pop("files") or ("-",), 0
    note = make_note(without=SEVERAL if lines else None)
    with until_reader_leaves():
        n_unread = tag_files(files, wanted, note, **options)
    if n_unread:
        raise click.exceptions.Exit(1)


def make_note(without: str | None = None) -> Note:
    """Return a callback that prints notes for the user; any thread may call it.

    Only the first note of each topic (see `pipeline.advice`) is printed. Notes without
    a topic are always printed.

    Args:
        without: A topic whose notes are not printed at all, or None.
    """
    program = click.get_current_context().find_root().command.name
    seen = {without}

    def note(line: str, topic: str | None = None) -> None:
        if topic is None or topic not in seen:
            seen.add(topic)
            say(f"{program}: {one_line(line)}")

    return note
