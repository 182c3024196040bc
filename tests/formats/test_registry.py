"""Formats by name: what lists them has all of them."""

from pathlib import Path

import pytest

from senna_py.formats.base import Printer
from senna_py.formats.registry import FORMATS, format_of_ending

GUIDE = Path(__file__).parents[2] / "docs/guide/formats.md"


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_is_described_and_has_a_printer(name):
    pytest.importorskip("pyarrow" if name == "parquet" else "numpy")
    headings = GUIDE.read_text("utf-8").lower().replace("## conll-u", "## conllu")
    assert f"\n## {name}\n" in headings
    assert issubclass(FORMATS[name].load(), Printer)


@pytest.mark.parametrize(
    ("ending", "name"),
    [
        ("tsv", "conll"),
        ("conll", "conll"),
        ("conll2003", "conll2003"),
        ("conllu", "conllu"),
        ("jsonl", "jsonl"),
        ("ndjson", "jsonl"),
        ("json", "json"),
        ("ann", "brat"),
        ("brat", "brat"),
        ("trees", "trees"),
        ("mrg", "trees"),
        ("ptb", "trees"),
        ("html", "html"),
        ("htm", "html"),
        ("parquet", "parquet"),
        ("txt", None),
        ("dvi", None),
        ("", None),
    ],
)
def test_endings_choose_formats(ending, name):
    assert format_of_ending(ending) == name
