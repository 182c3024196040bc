import pytest
from hypothesis import given
from hypothesis import strategies as st

from senna_py.corpora import props
from senna_py.labels.tag_schemes import convert, segments
from tests.helpers.refusal import refusal

TAGS = ["O", *(f"{prefix}-{role}" for prefix in "BIES" for role in ("V", "A0", "C-A1"))]


def read_props(path):
    """Yield the line, the number of tokens and the propositions of each sentence."""
    for sentence, propositions in props.read_props(path):
        yield sentence.line, sentence.n_tokens, propositions()


def test_propositions(write):
    path = write("- (A0* *\n- *) (A0*)\nsay (V*) *\nrun (A1*) (V*)\n\n-\n-\n")
    first, second = read_props(path)
    assert first[:2] == (1, 4)
    assert first[2] == {
        2: [("A0", 0, 2), ("V", 2, 3), ("A1", 3, 4)],
        3: [("A0", 1, 2), ("V", 3, 4)],
    }
    assert second == (6, 2, {})


columns = st.integers(1, 6).flatmap(
    lambda n: st.lists(
        st.lists(st.sampled_from(TAGS), min_size=n, max_size=n), min_size=1, max_size=n
    )
)


@given(columns)
def test_brackets_say_what_tags_say(tmp_path_factory, roles):
    n = len(roles[0])
    brackets = []
    for tags in roles:
        column = ["*"] * n
        for label, begin, end in segments(tags):
            column[begin] = convert(
                f"{'S' if end - begin == 1 else 'B'}-{label}", "brackets"
            )
            if end - begin > 1:
                column[end - 1] = "*)"
        brackets.append(column)
    marks = ["p" if i < len(roles) else "-" for i in range(n)]
    path = tmp_path_factory.mktemp("props") / "a.props"
    path.write_text(
        "".join(" ".join(row) + "\n" for row in zip(marks, *brackets, strict=True))
    )
    (sentence,) = read_props(path)
    assert sentence[2] == {i: segments(tags) for i, tags in enumerate(roles)}
    path.write_text(
        "".join(" ".join(row) + "\n" for row in zip(marks, *roles, strict=True))
    )
    assert list(read_props(path)) == [sentence]


def test_columns_of_senna_tag(write):
    path = write(
        "# word\tpos\tpredicate\troles...\nHe\tPRP\t-\t(A0*)\nran\tVBD\tran\t(V*)\n"
    )
    (sentence,) = read_props(path)
    assert sentence == (2, 2, {1: [("A0", 0, 1), ("V", 1, 2)]})


def test_roles_of_all_predicates_in_one_column(write):
    path = write(
        "word\tpredicate\troles\ttree\na\ta\tS-V|O\t*\nb\tb\tS-A1|S-V\t*\n\n"
        "c\t-\t-\t*\n\nd\td\tS-A\\p\\\\\t*\n"
    )
    assert [propositions for _, _, propositions in read_props(path)] == [
        {0: [("V", 0, 1), ("A1", 1, 2)], 1: [("V", 1, 2)]},
        {},
        {0: [("A|\\", 0, 1)]},
    ]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (
            "- *\n- *\n",
            "line 1: expected 1 column in a sentence of 0 predicates, found 2",
        ),
        (
            "p *\np *\n",
            "line 1: expected 3 columns in a sentence of 2 predicates, found 2",
        ),
        (
            "p (V*)\n- *\n\n-\nq (V*\n",
            "line 5: expected 1 column, as in line 4, found 2",
        ),
        (
            "- *\np S-V\n",
            "line 2: expected brackets such as (A0*, * or *), found 'S-V'",
        ),
        ("p (V(A0*))\n", "line 1: expected brackets"),
        ("p (A0*\n- (A1*)\n", "line 2: expected the end of A0 first, found '(A1*)'"),
        ("p (A0*)\n- *)\n", "line 2: expected an open argument, found '*)'"),
        (
            "- *\np (A0*\n- *\n",
            "line 2: expected A0 to end in its sentence, found no *)",
        ),
        (
            "# word\tpos\na\tb\n",
            "line 1: expected a column named predicate, found word, pos",
        ),
        (
            "# word\tpredicate\troles...\na\n",
            "line 2: expected 2 columns in a sentence of 0",
        ),
    ],
)
def test_errors_name_file_and_line(write, data, message):
    path = write(data)
    assert refusal(path, list, read_props(path)).startswith(message)
