"""Tagging whole files."""

import itertools

from senna_py.cli.tag_inputs import open_input
from senna_py.cli.tag_job import Job
from senna_py.cli.tag_outputs import open_outputs
from senna_py.cli.warm_up import compile_apart
from senna_py.corpora.places import id_of_document
from senna_py.errors import UsageError
from senna_py.io.progress import FileProgress, say

__all__ = ["tag_files"]

_STANDARD_INPUT = "stdin"  # as a document


def tag_files(
    paths, options, output=None, live=False, jobs=1, progress=None, verbose=False, note=say
):
    """Tag files, in order, and write the annotations.

    paths: files, `-` for standard input; options: TagOptions; output: a path, or None for standard
    output; live: see `open_output`; jobs: threads; progress: see FileProgress; verbose: describe
    the model; note: called with lines of text for the user. Returns the number of inputs that could
    not be read; each was noted. Raises SennaError for whatever concerns all inputs: model,
    predicates, output.
    """
    if options.usrvbs == "-" and "-" in paths:
        raise UsageError("text and usrvbs cannot both be standard input")
    tagger, alone = options.tagger(), len(paths) == 1
    printer = options.printer(tagger, alone, paths[0] if alone and paths[0] != "-" else None)
    if verbose:
        for line in tagger.model.describe(tagger.networks):
            note(line)
    job = Job(options, tagger, printer, note, jobs)
    compile_apart(options, tagger)
    read = [*paths, options.usrvbs, tagger.model.path]
    has_pages = options.output.has_pages
    with (
        open_outputs(output, printer, has_pages, read, live, note) as out,
        FileProgress(paths, progress) as report,
    ):
        for path, name in _named(paths):
            with (
                out.document(name) as write,
                open_input(path, name, options, tagger.tokenizer, note) as (source, batches),
            ):
                counted = report.reading(source, batches, lambda batch: len(batch.text))
                for printed in job.run(counted):
                    write(printed.data, printed.n_sentences)
                    report.update(printed.n_bytes, printed.n_sentences)
                report.finish()
        job.finish()
    return out.n_unread


def _named(paths):
    """Yield each path with its name as a document, whose identifier no other one has."""
    seen = set()
    for path in paths:
        name = _STANDARD_INPUT if path == "-" else str(path)
        names = itertools.chain([name], (f"{name}.{number}" for number in itertools.count(2)))
        chosen = next(each for each in names if id_of_document(each) not in seen)
        seen.add(id_of_document(chosen))
        yield path, chosen
