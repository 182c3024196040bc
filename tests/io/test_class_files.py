import gzip

import pytest

from senna_py.io.class_files import read_word_classes
from tests.helpers.refusal import refusal


def test_classes_with_and_without_counts(tmp_path):
    path = tmp_path / "paths.gz"
    path.write_bytes(
        gzip.compress(b"0010\tcaf\xc3\xa9\t12\r\n0010\tde facto\n1\t\xff\t0")
    )
    assert list(read_word_classes(path)) == [
        ("0010", "café", 12),
        ("0010", "de facto", 1),
        ("1", "\udcff", 0),
    ]


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("0 dog 3", "expected class, word and count with tabs between, found 1 field"),
        (
            "0\tdog\t3\t4",
            "expected class, word and count with tabs between, found 4 fields",
        ),
        ("\tdog\t3", "no usable class: ''"),
        ("0\t dog\t3", "no usable word: ' dog'"),
        ("0\tdog\tmany", "expected a count, found 'many'"),
        ("0\tdog\t²", "expected a count, found '²'"),
        (f"0\tdog\t{'9' * 5000}", "expected a count, found '999"),
    ],
)
def test_unusable_lines(line, problem, tmp_path):
    path = tmp_path / "paths"
    path.write_text(f"0\tcat\t1\n{line}\n0\tcow\t1\n", "utf-8")
    assert refusal(path, list, read_word_classes(path)).startswith(f"line 2: {problem}")
