"""Tags files, with one output for all of them, or a page for each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from senna_py.cli.warm_up import compile_apart
from senna_py.errors import UsageError
from senna_py.io.progress import FileProgress
from senna_py.pipeline.run import Pipeline
from senna_py.pipeline.write import (
    DocumentWriter,
    check_paired_names,
    documents_of,
    is_directory,
    open_writer,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from senna_py.cli.tag_options import TagOptions
    from senna_py.pipeline.options import Note


def tag_files(
    paths: Sequence[str],
    options: TagOptions,
    note: Note,
    output: str | None = None,
    live: bool = False,
    jobs: int = 1,
    progress: bool | None = None,
    verbose: bool = False,
) -> int:
    """Tag files, in order, and write the annotations.

    Args:
        paths: The paths of the files, or `-` for standard input.
        options: The options for reading, tagging and printing text.
        note: A callback for lines of text for the user; see `Note`.
        output: The path of the output, or None for standard output.
        live: See `open_output`.
        jobs: The number of threads.
        progress: See FileProgress.
        verbose: Whether to describe the model to the user.

    Returns:
        The number of files that could not be read, each of which `note` reported.

    Raises:
        UsageError: If the text and the predicates are both standard input, or options
            contradict each other.
        SennaError: If the model or the predicates cannot be read, or the output cannot
            be written.
    """
    if options.usrvbs == "-" and "-" in paths:
        raise UsageError("text and usrvbs cannot both be standard input")
    form, is_alone = options.output, len(paths) == 1
    has_pages = form.has_pages and is_directory(output)
    if has_pages and form.pairs:
        check_paired_names(paths, form)
    tagger = options.tagger()
    title = paths[0] if is_alone and paths[0] != "-" else None
    printer = options.printer(tagger, is_alone or has_pages, title)
    if verbose:
        for line in tagger.model.describe(tagger.networks):
            note(line)
    writer_class: type[DocumentWriter] = DocumentWriter
    if options.sort_by is not None:
        from senna_py.formats.units import SeparateUnits, UnitPrinter
        from senna_py.pipeline.sort import SortingWriter

        assert isinstance(printer, UnitPrinter), "only formats of units have scores"
        printer, writer_class = SeparateUnits(printer), SortingWriter
    pipeline = Pipeline(tagger, options, printer, note)
    compile_apart(options, tagger)
    inputs = [*paths, options.usrvbs, str(tagger.model.path)]
    with (
        open_writer(output, printer, form, inputs, live, note, writer_class) as writer,
        FileProgress(paths, progress) as report,
    ):
        for path, name in documents_of(paths):
            writer.add(name, pipeline.format_file(path, name, jobs), report)
        pipeline.finish()
    return writer.n_unread
