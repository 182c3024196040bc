"""The output formats of `senna-tag`: what each prints, and of which tasks."""

from senna_py.errors import SennaError
from senna_py.labels.tasks import POS, TREES

__all__ = ["OF_ENTITIES", "make_printer", "tasks_of_format"]

OF_ENTITIES = {"conll2003": ("pos", "chk", "ner"), "brat": ("ner",)}  # what these can show


def tasks_of_format(name, model, tasks, predicates):
    """The tasks that are done for a format, if `tasks` were named, or None.

    Raises SennaError if the model can do nothing that the format shows.
    """
    if name == "trees":
        return [TREES]
    if name == "conllu":
        return _with_parts_of_speech(model, tasks, predicates)
    if name not in OF_ENTITIES or tasks:
        return tasks
    able = [task for task in OF_ENTITIES[name] if task in model.tasks(predicates)]
    if not able:
        raise SennaError(f"{model.path}: has no network that --format {name} could print")
    return able


def _with_parts_of_speech(model, tasks, predicates):
    """Tasks, with one that gives the parts of speech which CoNLL-U has a column for."""
    names = list(tasks or model.default_tasks(predicates))
    able = model.tasks(predicates)
    if "upos" in model.storage.networks and "upos" not in names:
        return [*names, "upos"]
    return names if {POS, "upos"} & {*names} or POS not in able else [POS, *names]


def make_printer(name, tagger, scheme, *, words, offsets, header, split, alone, title):
    """The printer of a format.

    scheme: one of tag_schemes.SCHEMES, or None for the format's own; words, offsets, header:
    whether these are printed; split: whether lines are paragraphs; alone: whether there is one
    input only; title: of a page.
    """
    used = scheme or "iobes"
    if name in ("jsonl", "parquet"):
        return _of_sentences(name)(tagger, used, split)
    if name == "conllu":
        from senna_py.printers.conllu_lines import ConlluFormat

        return ConlluFormat(tagger, used, offsets, split, alone)
    if name == "html":
        from senna_py.printers.html_lines import HtmlFormat

        return HtmlFormat(tagger, title)
    if name in ("tokens", "trees"):
        from senna_py.printers.token_lines import TokenFormat
        from senna_py.printers.tree_lines import TreeFormat

        return TokenFormat() if name == "tokens" else TreeFormat(tagger)
    if name in OF_ENTITIES:
        from senna_py.printers.standoff import BratFormat, Conll2003Format

        return BratFormat(tagger) if name == "brat" else Conll2003Format(tagger, scheme or "iob")
    from senna_py.printers.columns import ColumnFormat

    return ColumnFormat(tagger, words, offsets, used, name == "senna", header)


def _of_sentences(name):
    """The format that has all of a sentence in a line or row."""
    if name == "jsonl":
        from senna_py.printers.jsonl import JsonFormat

        return JsonFormat
    from senna_py.printers.parquet import ParquetFormat

    return ParquetFormat
