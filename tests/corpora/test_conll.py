import csv

import pytest
from hypothesis import given
from hypothesis import strategies as st

from senna_py.corpora.conll import ColumnFile
from senna_py.corpora.escapes import quote, unquote
from senna_py.errors import SennaError
from tests.helpers.refusal import refusal


def read(path, **options):
    return [(s.line, s.columns) for s in ColumnFile(path, **options)]


@pytest.mark.parametrize(
    "data",
    [
        b"a x\nb y\n\nc z\n",
        b"a x\nb y\n\nc z",
        b"a\tx\nb\ty\n\nc\tz\n",
        b"a x\r\nb y\r\n\r\nc z\r\n",
        b"a\tx\r\nb\ty\r\n\r\nc\tz\r\n",
        b" a   x \nb y\n \nc z\n\n\n",
        b"   a\t  x\t\n b\t  y\t\n\n  c\tz\t\n".replace(b"\t\n", b"\n"),
        b"\xef\xbb\xbfa x\nb y\n\nc z\n",
    ],
)
def test_separators_and_line_ends(write, data):
    assert read(write(data)) == [(1, [["a", "b"], ["x", "y"]]), (4, [["c"], ["z"]])]


values = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters=" \t\n\r\v\f\0"),
    min_size=1,
).filter(lambda value: not value.startswith('"""'))  # those may be quoted
rows = st.lists(
    st.lists(st.tuples(values, values, values), min_size=1, max_size=4), max_size=4
)


@given(rows, st.sampled_from([" ", "\t"]))
def test_any_values_are_read_as_written(tmp_path_factory, sentences, separator):
    text = "".join(
        "".join(separator.join(r) + "\n" for r in rows) + "\n" for rows in sentences
    )
    path = tmp_path_factory.mktemp("conll") / "columns.txt"
    path.write_bytes(text.encode().removeprefix(b"\xef\xbb\xbf"))
    found = [list(zip(*s.columns, strict=True)) for s in ColumnFile(path)]
    # The mark of an encoding, not a part of the first word.
    if text.startswith("\ufeff"):
        sentences[0][0] = (sentences[0][0][0][1:], *sentences[0][0][1:])
    expected = [row for rows in sentences for row in rows if any(row)]
    assert [row for rows in found for row in rows] == expected
    if not text.startswith("\ufeff"):
        assert found == sentences


def test_line_numbers_count_empty_lines(write):
    path = write(b"\n\na x\n\n\n\nb y\nc z\n")
    assert [(s.line, s.n_tokens) for s in ColumnFile(path)] == [(3, 1), (7, 2)]


@pytest.mark.parametrize(
    ("data", "options", "sentences"),
    [
        (b"", {}, []),
        (b"\n \n\n", {}, []),
        (b"1 000\tCD\n", {}, [(1, [["1 000"], ["CD"]])]),
        # Quotation marks of other files stay.
        (
            b'"\t""\t"""\t"a"\ta""b\t"""a\n',
            {},
            [(1, [['"'], ['""'], ['"""'], ['"a"'], ['a""b'], ['"""a']])],
        ),
        # Sentences may differ, and a column that is not read may be empty, if the
        # caller says so.
        (
            b"a\nb\n\na x y\n",
            {"same_in_all": False},
            [(1, [["a", "b"]]), (4, [["a"], ["x"], ["y"]])],
        ),
        (b"\tx\ty\n", {"first": None}, [(1, [[""], ["x"], ["y"]])]),
        (
            b"a\tx\t\nb\ty\r\n\nc\tz\t\r\n",
            {"widths": (2,)},  # tabs at the ends of lines
            [(1, [["a", "b"], ["x", "y"]]), (4, [["c"], ["z"]])],
        ),
        # Comments that are not told by their number of columns alone.
        (b"a\tx\n#no-tab\n# a\tb\tc\n", {}, [(1, [["a"], ["x"]])]),
        (b"# of single words\na\n#\n", {}, [(2, [["a", "#"]])]),
    ],
)
def test_what_is_read(write, data, options, sentences):
    assert read(write(data), **options) == sentences


@pytest.mark.parametrize(
    ("data", "options", "message"),
    [
        (b"a\nb\n\na x y\n", {}, "line 4: expected 1 column, as in line 1, found 3"),
        (
            b"a\tx\n\tx\n",
            {"first": "word"},
            "line 2: an empty word: a missing value? (pandas takes the word NA for one)",
        ),
        (b"a\tx\t\t\n", {"widths": (2,)}, "line 1: column 3 is empty"),
        (b"a\tx\t\n", {"widths": (2, 3)}, "line 1: column 3 is empty"),
        (
            b"a x\n#a b c\n",
            {},  # a word of an ill-formed line, perhaps
            "line 2: expected 2 columns, as in line 1, found 3",
        ),
        (b"a O\n" + b"a " * (1 << 20), {}, "line 2: more than 1,048,576 bytes"),
        (
            b"a O\n\n" + b"a O\n" * (1 << 18) + b"a O\n",
            {},
            "line 262147: a sentence of more than 262,144",
        ),
    ],
)
def test_what_is_not_read(write, data, options, message):
    path = write(data)
    assert refusal(path, read, path, **options).startswith(message)


def test_bytes_outside_utf8_lead_back(write):
    ((_, columns),) = read(write(b"caf\xe9 NN\n"))
    assert columns[0][0].encode("utf-8", "surrogateescape") == b"caf\xe9"


def test_a_header_names_the_columns(write):
    file = ColumnFile(write(b"# word\tpos\nShe\tPRP\n#\tSYM\n"))
    assert file.names == ["word", "pos"]
    assert [s.columns for s in file] == [[["She", "#"], ["PRP", "SYM"]]]
    file = ColumnFile(write(b"word\tpos\tmy-own\nShe\tPRP\tx\n"))
    assert file.names == ["word", "pos", "my-own"]
    assert [s.columns for s in file] == [[["She"], ["PRP"], ["x"]]]
    tokens = (
        b"# NN NN\n",
        b"\n# word\tpos\n",
        b"word\tNN\n",
        b"word pos\n",
        b"word\n",
        b"the\tx\n",
    )
    for data in tokens:
        file = ColumnFile(write(data))
        assert file.names is None
        assert len(list(file)) == 1


@given(st.text('"a,', min_size=1))
def test_quoted_fields_are_read_as_csv_has_them(field):
    quoted = quote(field)
    assert unquote(quoted.encode()).decode() == field
    assert list(csv.reader([f"x\t{quoted}\ty"], delimiter="\t")) == [["x", field, "y"]]


@pytest.mark.parametrize("separator", [b" ", b"\t"])
def test_lines_of_one_column_may_come_before_others(write, separator):
    path = write(b"-\n-\n\nsay (V*) *\ngo * (V*)\n\n-\n".replace(b" ", separator))
    assert read(path, same_in_all=False) == [
        (1, [["-", "-"]]),
        (4, [["say", "go"], ["(V*)", "*"], ["*", "(V*)"]]),
        (7, [["-"]]),
    ]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"a x\nb\n", "line 2: expected 2 columns, as in line 1, found 1"),
        (b"a x\n\nb y z\n", "line 3: expected 2 columns, as in line 1, found 3"),
        (b"\na\n", "line 2: expected at least 2 columns, found 1"),
        (
            b"a\tx\nb y\n",
            "line 2: expected 2 columns between tabs, as in line 1, found 1",
        ),
        (
            b"\na x\nb\ty\n",
            "line 3: expected spaces between columns, as in line 2, found a tab",
        ),
        (b"a\tx y\n", "line 1: 'x y' has a space: labels have none (write 'x_y')"),
        (b"a\tx\t\n", "line 1: column 3 is empty; a line must not end with a tab"),
        (b"a\t\tx\n", "line 1: column 2 is empty"),
        (b"a\tx\n\tx\n", "line 2: column 1 is empty"),
        (b"a\tx\n\x0b\tx\n", "line 2: column 1 is empty"),
        (b"a\tx\n\n \tx\n", "line 3: column 1 is empty"),
    ],
)
@pytest.mark.parametrize("same_in_all", [True, False])
def test_errors_name_file_and_line(write, data, message, same_in_all):
    if not same_in_all and data == b"a x\n\nb y z\n":
        return
    path = write(data)
    said = refusal(path, read, path, at_least=2, same_in_all=same_in_all)
    assert said.startswith(message)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(SennaError, match="none: No such file"):
        ColumnFile(tmp_path / "none")


@pytest.mark.parametrize("same_in_all", [True, False])
@pytest.mark.parametrize("separator", [b"\t", b" "])
def test_comments_have_another_number_of_columns(write, separator, same_in_all):
    text = (
        b"# of the file\n\n# text = a # c\na|x\n# so\n#|y\n\n# newpar of text\n#|z\nc|y\n"
        b"\n# the end of it\n"
    )
    text = text.replace(b"# so", b"# so it is").replace(b"|", separator)
    found = list(ColumnFile(write(text), same_in_all=same_in_all))
    assert [s.columns for s in found] == [
        [["a", "#"], ["x", "y"]],
        [["#", "c"], ["z", "y"]],
    ]
    assert [[s.line_of(i) for i in range(2)] for s in found] == [[4, 6], [9, 10]]
