"""Outputs: names of the files that are written, and what is refused."""

import pytest

from senna_py.errors import UsageError
from senna_py.formats.registry import FORMATS
from senna_py.pipeline.write import check_paired_names, documents_of


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
