import pytest
from hypothesis import given
from hypothesis import strategies as st

from senna_py.tag_schemes import SCHEMES, convert, segments


@pytest.mark.parametrize(
    ("tag", "iob", "brackets"),
    [
        ("O", "O", "*"),
        ("B-NP", "B-NP", "(NP*"),
        ("I-NP", "I-NP", "*"),
        ("E-NP", "I-NP", "*)"),
        ("S-NP", "B-NP", "(NP*)"),
        ("S-AM-TMP", "B-AM-TMP", "(AM-TMP*)"),
        ("E-C-A1", "I-C-A1", "*)"),
        ("PADDING", "PADDING", "PADDING"),
        ("X-NP", "X-NP", "X-NP"),
        ("", "", ""),
    ],
)
def test_convert(tag, iob, brackets):
    assert [convert(tag, scheme) for scheme in SCHEMES] == [tag, iob, brackets]


def iobes(length, found):
    """Tags of a sequence with the given segments."""
    tags = ["O"] * length
    for kind, begin, end in found:
        prefixes = "S" if end - begin == 1 else "B" + "I" * (end - begin - 2) + "E"
        tags[begin:end] = [f"{prefix}-{kind}" for prefix in prefixes]
    return tags


# Each pair is an unlabelled or labelled stretch and its length.
stretches = st.lists(
    st.tuples(st.sampled_from([None, "NP", "VP", "AM-TMP"]), st.integers(1, 4)), max_size=8
)


@given(stretches)
def test_segments_of_valid_tags(parts):
    found, at = [], 0
    for kind, length in parts:
        if kind is not None:
            found.append((kind, at, at + length))
        at += length
    assert segments(iobes(at, found)) == found


@given(stretches)
def test_brackets_balance(parts):
    found, at = [], 0
    for kind, length in parts:
        if kind is not None:
            found.append((kind, at, at + length))
        at += length
    printed = "".join(convert(tag, "brackets") for tag in iobes(at, found))
    assert printed.count("*") == at
    assert printed.count("(") == printed.count(")") == len(found)


@pytest.mark.parametrize(
    ("tags", "expected"),
    [
        ("I-A I-A", [("A", 0, 2)]),
        ("E-A E-A", [("A", 0, 1), ("A", 1, 2)]),
        ("B-A B-A", [("A", 0, 1), ("A", 1, 2)]),
        ("B-A O E-A", [("A", 0, 1), ("A", 2, 3)]),
        ("B-A I-B E-B", [("A", 0, 1), ("B", 1, 3)]),
        ("B-A S-A I-A", [("A", 0, 1), ("A", 1, 2), ("A", 2, 3)]),
        ("O I-A", [("A", 1, 2)]),
        ("PADDING B-A", [("A", 1, 2)]),
        ("", []),
    ],
)
def test_segments_of_any_tags(tags, expected):
    assert segments(tags.split()) == expected


@given(st.lists(st.sampled_from(["O", "B-A", "I-A", "E-A", "S-A", "B-B", "I-B", "E-B"])))
def test_every_tag_but_o_is_in_one_segment(tags):
    found = segments(tags)
    covered = [i for _, begin, end in found for i in range(begin, end)]
    assert covered == [i for i, tag in enumerate(tags) if tag != "O"]
    assert all(tags[i].endswith(kind) for kind, begin, end in found for i in range(begin, end))
