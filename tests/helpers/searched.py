"""A document with all layers, in which tests search."""

from functools import cache
from pathlib import Path

from senna_py.formats.conllu_reading import read_conllu
from senna_py.labels.tasks import find_task

SAMPLE = Path(__file__).resolve().parents[1] / "data" / "search.conllu"
TASKS = (
    "pos",
    "chk",
    "ner",
    "srl",
    "psg",
    "upos",
    "feats",
    "lemma",
    "val",
    "dep",
)


@cache
def searched():
    """The sample as a document."""
    return read_conllu(SAMPLE, map(find_task, TASKS))


def texts(pattern, within=None):
    """The texts of the matches of a pattern, and of their captures by name."""
    matches = (within or searched()).search(pattern)
    return [
        (match.text, {name: span.text for name, span in match.captures.items()})
        if match.captures
        else match.text
        for match in matches
    ]


def shown(pattern):
    """What the page on search shows of the matches: the first three, in one line."""
    found = texts(pattern)
    cells = [
        each if isinstance(each, str) else ", ".join(each[1].values()) for each in found
    ]
    return "; ".join(cells[:3] + ["..."] * (len(cells) > 3))
