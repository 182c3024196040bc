"""Tagging whole files."""

import itertools

from senna_py.cli.tag_inputs import Reader
from senna_py.cli.tag_job import Job
from senna_py.cli.tag_outputs import open_outputs
from senna_py.cli.warm_up import compile_apart
from senna_py.corpora.places import id_of_document
from senna_py.errors import UsageError
from senna_py.io.parallel import ordered_map
from senna_py.io.progress import FileProgress, say

_STANDARD_INPUT = "stdin"  # as a document


def _say(message, kind=None):
    say(message)


def tag_files(
    paths, options, output=None, live=False, jobs=1, progress=None, verbose=False, note=_say
):
    """Tag files, in order, and write the annotations.

    paths: files, `-` for standard input; options: TagOptions; output: a path, or None for standard
    output; live: see `open_output`; jobs: threads; progress: see FileProgress; verbose: describe
    the model; note: called with a line of text for the user, and the kind of a note on how text is
    read, see `tag_advice`. Returns the number of inputs that could not be read; each was noted.
    Raises SennaError for whatever concerns all inputs: model, predicates, output.
    """
    if options.usrvbs == "-" and "-" in paths:
        raise UsageError("text and usrvbs cannot both be standard input")
    tagger, alone = options.tagger(), len(paths) == 1
    printer = options.printer(tagger, alone, paths[0] if alone and paths[0] != "-" else None)
    if verbose:
        for line in tagger.model.describe(tagger.networks):
            note(line)
    job = Job(options, tagger, printer, note)
    reader = Reader(options, job, note)
    compile_apart(options, tagger)
    known = [*paths, options.usrvbs, tagger.model.path]
    with (
        open_outputs(output, printer, options.output.has_pages, known, live, note) as out,
        FileProgress(paths, progress) as report,
    ):
        for path, name in _named(paths):
            out.add(name, ordered_map(job.print, reader.read(path, name), jobs), report)
        reader.finish()
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
