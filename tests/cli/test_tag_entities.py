"""Formats of entities: columns as of CoNLL-2003, BRAT's standoff."""

import pytest

from tests.helpers.commands import assert_one_line_error, printed, tag

TEXT = "\ufeffThe “Acme” sold Café Rome.\r\n\nIn Rome . \nNo\n"


def test_conll2003_reads_back():
    found = printed(tag("--format", "conll2003", stdin=TEXT.encode()))
    first, *_ = found.split("\n\n")
    assert first == "-DOCSTART- -X- -X- O"
    rows = [row.split(" ") for row in found.splitlines() if row]
    tasks = "-pos", "-chk", "-ner", "-iobtags"
    plain = printed(tag("--format", "conll", *tasks, stdin=TEXT.encode()))
    assert rows[1:] == [row.split("\t") for row in plain.splitlines() if row]
    again = tag("--layout", "conll2003", "--format", "conll2003", stdin=found.encode())
    assert printed(again) == found
    only = printed(tag("--format", "conll2003", "-ner", stdin=b"a b\n")).splitlines()
    assert [row.split(" ")[1:3] for row in only[2:4]] == [["_", "_"]] * 2


@pytest.mark.parametrize("options", [(), ("--split-sentences",)])
def test_brat_counts_characters_of_the_file(write, options):
    found = printed(tag("--format", "brat", *options, write(TEXT)))
    lines = [line.split("\t") for line in found.splitlines()]
    assert lines
    text = TEXT.removeprefix("\ufeff")
    for number, place, covered in lines:
        label, start, end = place.split()
        assert text[int(start) : int(end)] == covered
        assert number == f"T{int(start) + 1}"
        assert label.isalpha()
    assert len({line[0] for line in lines}) == len(lines)


def test_what_does_not_go_with_them(write):
    for options in (("--format", "conll2003", "-srl"), ("--format", "brat", "a.txt", "b.txt")):
        assert_one_line_error(tag(*options), "format", code=2, is_last=True)
    result = tag("--format", "brat", write("1\ta" + "\t_" * 8 + "\n", "a.conllu"))
    assert_one_line_error(result, "places in text are printed, and this is none", code=2)
