"""Tagging in this process."""

from senna_py.cli.tag_files import tag_files
from senna_py.cli.tag_options import TagOptions
from senna_py.corpora.places import BatchPlace
from senna_py.formats.columns import ColumnPrinter
from senna_py.io.progress import say
from tests.helpers.commands import MODEL

_OF_RUNS = ("output", "live", "jobs", "progress", "verbose", "note")


def print_columns(tagger, tokens):
    """What columns say of Tokens, as bytes."""
    return bytes(ColumnPrinter(tagger).format(tagger.annotate(tokens), BatchPlace("x")))


def tag_paths(paths, tasks=("pos",), path=MODEL, **options):
    """Call `tag_files` with the fields of TagOptions, and what else it takes, by
    name.
    """
    run = {name: options.pop(name) for name in _OF_RUNS if name in options}
    run.setdefault("note", lambda message, kind=None: say(message))
    if run.get("output") is not None:
        run["output"] = str(run["output"])
    wanted = TagOptions(path=str(path), tasks=tuple(tasks or ()), **options)
    return tag_files([str(each) for each in paths], wanted, **run)
