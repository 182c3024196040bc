"""The command `senna-py search`."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import click

from senna_py.cli.help import Command
from senna_py.cli.options import choice, number, option, progress_option
from senna_py.cli.parameter_types import WORKERS
from senna_py.cli.streams import until_reader_leaves
from senna_py.cli.tag import lines_option, make_note
from senna_py.cli.tag_options import NO_FORMATS, TagOptions, tag_options
from senna_py.errors import UsageError
from senna_py.formats.registry import format_of_ending
from senna_py.formats.tagged import SOURCES, TEXT, source_of
from senna_py.io.overwriting import check_paths
from senna_py.io.progress import say
from senna_py.labels.tasks import LEMMA, TABLE
from senna_py.search.errors import PatternError
from senna_py.search.printing import (
    COUNT,
    CSV,
    FORMATS,
    FREQUENCY,
    KWIC,
    OF_ENDING,
    PRINTERS,
    TABLES,
    ColumnPrinter,
    FrequencyPrinter,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from senna_py.pipeline.batch import FormattedBatch
    from senna_py.pipeline.options import Note
    from senna_py.search.pattern import Pattern
    from senna_py.search.printing import HitPrinter

_READING = (
    "path",
    "usrtokens",
    "tokens",
    "paragraphs",
    "abbreviations",
    "rules",
    "join_hyphens",
    "encoding",
)
_FORMATS = "\n".join(f"{name}: {title}" for name, title in FORMATS.items())


@click.command(
    "search",
    cls=Command,
    brief="path from format columns count-by context limit output tokens lines rules jobs",
    examples=(
        """senna-py search '[upos="ADJ"] [lemma="house"]' text.txt""",
        """senna-py search 'verb:[upos="VERB"] >nsubj who:[] >obj what:[]' tagged.parquet""",
        """senna-py search --format csv 'who:<ner="PER"/>' news/*.conllu""",
        """senna-py search --count-by verb.lemma 'verb:[] >nsubj:pass []' tagged.parquet""",
    ),
    epilog="docs/guide/search.md describes the patterns.",
    headings=dict.fromkeys(
        ("columns", "count-by", "context", "limit"), "What to print"
    ),
)
@click.argument("pattern")
@click.argument("files", nargs=-1, metavar="[FILE]...")
@tag_options(only=_READING)
@lines_option
@choice(
    "--from",
    "source",
    SOURCES,
    "What the files are: text, which is tagged, or the output of tagging; default: by "
    "their endings, or else text.",
)
@choice(
    "--format",
    "format_",
    [*FORMATS],
    f"\b\nPrint in this format:\n{_FORMATS}\n",
    show_default="by the ending of -o, or else kwic",
    metavar="NAME",
)
@option(
    "--columns",
    "Print these columns as CSV or JSON: captures (verb), attributes of their words "
    "(verb.lemma) or of the match (lemma), id, text, left, ...; with commas between "
    "them.",
    metavar="NAMES",
)
@option(
    "--count-by",
    "Print how often matches have the same values in these columns, as CSV or JSON.",
    metavar="NAMES",
)
@number(
    "--context",
    "Characters of the sentence to print on each side of a match; default: 40 in lines, "
    "else all.",
    least=0,
    metavar="N",
)
@number("--limit", "Stop after N matches.", metavar="N")
@option("-o", "--output", "Write to FILE instead of standard output.", metavar="FILE")
@option(
    "--jobs",
    "Cores to use for tagging; the output is the same.",
    type=WORKERS,
    default=1,
)
@progress_option("sentences")
def command(
    pattern: str,
    files: tuple[str, ...],
    lines: bool,
    source: str | None,
    format_: str | None,
    columns: str | None,
    count_by: str | None,
    context: int | None,
    limit: int | None,
    output: str | None,
    jobs: int,
    progress: bool | None,
    **options: Any,
) -> None:
    """Find a PATTERN of words, spans and relations in FILEs or standard input (also: -).

    Text is tagged on the way, with the tasks that the pattern needs. CoNLL-U, JSON and
    Parquet that were tagged before are searched as they are.

    \b
    Patterns, in single quotation marks:
      "see"  [lemma="see"]  [pos="VB.*" & !ner]  words, by regular expressions
      [upos="ADJ"]* []{0,3} [upos="NOUN"]        sequences with repetition
      noun:[upos="NOUN"]                         a capture with a name
      <ner="PER"/>  [] within <chk="NP"/>        whole spans; a word within a span
      [] >nsubj who:[] !>obj []                  dependents (<nsubj: the head)
      [] >srl.A0 who:[]                          roles
    """
    check_paths([options["abbreviations"], options["rules"]], [output])
    if columns is not None and count_by is not None:
        raise UsageError("--columns cannot be used with --count-by")
    paths = files or ("-",)
    format_ = _chosen_format(format_, output, columns is None and count_by is None)
    try:
        from senna_py.search.parsing import parse

        parse(pattern)  # Errors are shown before NumPy is imported.
        compiled, printer = _printer(pattern, format_, columns, count_by, context)
        wanted = TagOptions.from_options(options, lines)
        note = _searching(make_note())
        n_unread = 0
        reader = _Reader(compiled, wanted, printer, note, jobs, source)
        with until_reader_leaves():
            n_unread = _search(paths, reader, printer, limit, output, progress)
    except PatternError as error:
        program = click.get_current_context().find_root().command.name
        say(f"{program}: {error}")
        for line in error.pointer:
            say(f"  {line}")
        raise click.exceptions.Exit(error.exit_code) from None
    if n_unread:
        raise click.exceptions.Exit(1)


def _chosen_format(name: str | None, output: str | None, can_be_any: bool) -> str:
    """Return the name of the format.

    Args:
        name: The value of --format, or None to choose by the ending of the output.
        output: The path of the output, or None.
        can_be_any: Whether the format need not be one with columns.
    """
    ending = os.path.splitext(output or "")[1][1:].lower()
    if name is None and ending in OF_ENDING:
        return OF_ENDING[ending]
    if name is None and (format_of_ending(ending) or ending in NO_FORMATS):
        endings = ", ".join(f".{each}" for each in OF_ENDING)
        raise UsageError(
            f"{output}: matches are not written as {ending}, but {endings}"
        )
    if not can_be_any and name in (KWIC, COUNT):
        formats = ", ".join(TABLES)
        raise UsageError(f"format {name} has no columns; {formats} have")
    return name or (KWIC if can_be_any else CSV)


def _printer(
    pattern: str,
    format_: str,
    columns: str | None,
    count_by: str | None,
    context: int | None,
) -> tuple[Pattern, HitPrinter]:
    """Return the compiled pattern, and the printer of its matches."""
    from senna_py.search.pattern import Pattern

    named = columns if count_by is None else count_by
    if named is None:
        compiled = Pattern(pattern)
        return compiled, PRINTERS[format_](compiled.names, context)
    from senna_py.search.columns import ColumnPattern

    with_columns = ColumnPattern(pattern, named)
    names = [column.name for column in with_columns.columns]
    if count_by is not None:
        names.append(FREQUENCY)
    table = TABLES[format_](with_columns.names, context, names)
    make = ColumnPrinter if count_by is None else FrequencyPrinter
    return with_columns, make(table)


def _searching(note: Note) -> Note:
    """Return a callback for notes, whose advice is on options of this command."""
    from senna_py.pipeline.advice import CONLLU, JSON

    options = {
        CONLLU: "CoNLL-U, and is tagged as text; --from conllu searches it as it is",
        JSON: "JSON lines, and is tagged as text; --from jsonl searches what was tagged",
    }

    def advise(line: str, topic: str | None = None) -> None:
        if topic in options:
            line = f"{line.removesuffix(topic)} looks like {options[topic]}"
        note(line, topic)

    return advise


def _search(
    paths: Sequence[str],
    reader: _Reader,
    printer: HitPrinter,
    limit: int | None,
    output: str | None,
    progress: bool | None,
) -> int:
    """Search files, and return the number of those that could not be read."""
    from senna_py.io.progress import FileProgress
    from senna_py.pipeline.search import HitWriter, search_files

    reader.prepare(paths)
    writer = HitWriter(printer, limit, reader.note, len(paths) == 1)
    report = FileProgress(paths, progress)
    search_files(paths, reader.read, writer, printer, output, report)
    if not writer.n_hits and not writer.n_unread:
        reader.note_labels()
    return writer.n_unread


class _Reader:
    """Reads files and finds the matches in them."""

    def __init__(
        self,
        pattern: Pattern,
        options: TagOptions,
        printer: HitPrinter,
        note: Note,
        jobs: int,
        source: str | None,
    ) -> None:
        self._pattern, self._options, self._printer = pattern, options, printer
        self.note, self._jobs, self._source = note, jobs, source
        self._pipeline: Any = None
        from senna_py.search.labels import LabelCheck

        self._labels = LabelCheck(pattern, (*TABLE, LEMMA))

    def prepare(self, paths: Sequence[str]) -> None:
        """Read the model if there is text; raise PatternError if it lacks a task."""
        if any(source_of(path, self._source) == TEXT for path in paths):
            self._pipeline = self._open_pipeline()

    def read(self, path: str, name: str) -> Iterable[FormattedBatch]:
        """Return the matches in a file, batch by batch."""
        source = source_of(path, self._source)
        if source == TEXT:
            batches: Iterable[FormattedBatch] = self._pipeline.format_file(
                path, name, self._jobs
            )
            return batches
        from senna_py.pipeline.search import search_tagged

        return search_tagged(
            path, name, source, self._pattern, self._printer, self._labels
        )

    def note_labels(self) -> None:
        """Show a note for each label that no tagged file has, when nothing matched."""
        if self._pipeline is None:
            for line in self._labels.problems(" in the files"):
                self.note(line)

    def _open_pipeline(self) -> Any:
        from dataclasses import replace

        from senna_py.cli.warm_up import compile_apart
        from senna_py.formats.search import SearchPrinter
        from senna_py.model import Model
        from senna_py.pipeline.run import Pipeline

        model = Model(self._options.path)
        known = (*model.tasks(), *model.storage.networks)
        tasks = self._pattern.check_tasks(
            tuple(dict.fromkeys(known)), "the model does not have the task"
        )
        format_ = "jsonl" if tasks else "tokens"
        options = replace(self._options, tasks=tasks, format=format_)
        tagger = options.tagger()
        if options.rules is None and model.rules() is None:  # They may add labels.
            from senna_py.search.labels import LabelCheck

            check = LabelCheck(self._pattern, known)
            for task in tasks:
                check.add(task, model.span_labels(task))
            for line in check.problems():
                self.note(line)
        compile_apart(options, tagger)
        printer = SearchPrinter(tagger, self._pattern, self._printer, options.splits)
        return Pipeline(tagger, options, printer, self.note)
