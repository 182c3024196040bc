"""Outputs: names of the files that are written, and what is refused."""

import pytest

from senna_py.errors import UsageError
from senna_py.formats.base import Printer
from senna_py.formats.registry import FORMATS
from senna_py.pipeline.batch import FormattedBatch
from senna_py.pipeline.write import (
    DocumentWriter,
    check_paired_names,
    documents_of,
    open_writer,
)


@pytest.mark.parametrize("other", ["b/a.txt", "a.md", "a.txt.gz", "b/A.txt"])
def test_two_texts_with_a_file_of_one_name_are_refused(other):
    # Some file systems do not tell capitals from small letters.
    with pytest.raises(UsageError, match=r"a\.txt and .*: both would be [aA]\.ann"):
        check_paired_names(["a.txt", other], FORMATS["brat"])
    check_paired_names(["a.txt", "a.b.txt", "ab.txt"], FORMATS["brat"])


def test_no_two_documents_have_one_name():
    assert [*documents_of(["a.txt", "-", "a.txt", "a.txt"])] == [
        ("a.txt", "a.txt"),
        ("-", "stdin"),
        ("a.txt", "a.txt.2"),
        ("a.txt", "a.txt.3"),
    ]


class Marks(Printer):
    """A format that shows where each part of a file is."""

    between = b","

    def header(self):
        return b"["

    def end(self):
        return b"."

    def footer(self):
        return b"]"


class Silent:
    """Progress that nobody sees."""

    def update(self, n_bytes, n_sentences):
        pass

    def finish(self):
        pass


def test_batches_with_something_to_print_have_a_mark_between_them(tmp_path):
    path = str(tmp_path / "out")
    with open_writer(
        path, Marks(None), FORMATS["json"], [], False, print, DocumentWriter
    ) as writer:
        for name, texts in (("a", [b"1", b"", b"2"]), ("b", [b""]), ("c", [b"3"])):
            batches = [FormattedBatch(text, 1, 1, 1) for text in texts]
            writer.add(name, batches, Silent())
    assert (tmp_path / "out").read_bytes() == b"[1,2.,3.]"
