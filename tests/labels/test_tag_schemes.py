import pytest
from hypothesis import given
from hypothesis import strategies as st

from senna_py.errors import UsageError
from senna_py.labels import tag_schemes


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
    assert [tag_schemes.convert(tag, scheme) for scheme in tag_schemes.SCHEMES] == [
        tag,
        iob,
        brackets,
    ]


# Each pair is an unlabelled or labelled stretch and its length.
stretches = st.lists(
    st.tuples(st.sampled_from([None, "NP", "VP", "AM-TMP"]), st.integers(1, 4)),
    max_size=8,
)


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
    assert tag_schemes.segments(tags.split()) == expected


@given(
    st.lists(st.sampled_from(["O", "B-A", "I-A", "E-A", "S-A", "B-B", "I-B", "E-B"]))
)
def test_every_tag_but_o_is_in_one_segment(tags):
    found = tag_schemes.segments(tags)
    covered = [i for _, begin, end in found for i in range(begin, end)]
    assert covered == [i for i, tag in enumerate(tags) if tag != "O"]
    assert all(
        tags[i].endswith(kind) for kind, begin, end in found for i in range(begin, end)
    )


def segment_list(parts):
    """Segments and length of a sequence of stretches."""
    found, at = [], 0
    for kind, length in parts:
        if kind is not None:
            found.append((kind, at, at + length))
        at += length
    return found, at


@given(
    stretches,
    st.sampled_from(tag_schemes.ENCODINGS),
    st.sampled_from(tag_schemes.ENCODINGS),
)
def test_encodings_lead_back_to_the_segments_and_to_each_other(parts, one, other):
    found, length = segment_list(parts)
    tags = tag_schemes.encode(found, length, one)
    assert len(tags) == length
    assert tag_schemes.segments(tags) == found
    assert tag_schemes.recode(tag_schemes.recode(tags, other), one) == tags
    assert tag_schemes.first_misfit(tags, one) is None


@given(stretches)
def test_what_networks_predict_is_printed_in_other_schemes(parts):
    found, length = segment_list(parts)
    tags = tag_schemes.encode(found, length, "iobes")
    assert tag_schemes.encode(found, length, "iob2") == [
        tag_schemes.convert(tag, "iob") for tag in tags
    ]
    printed = "".join(tag_schemes.convert(tag, "brackets") for tag in tags)
    assert printed.count("*") == length
    assert printed.count("(") == printed.count(")") == len(found)


@pytest.mark.parametrize(
    ("encoding", "expected"),
    [
        ("iob1", "I-A B-A I-A O I-A I-A I-B"),
        ("iob2", "B-A B-A I-A O B-A I-A B-B"),
        ("ioe1", "E-A I-A I-A O I-A I-A I-B"),
        ("ioe2", "E-A I-A E-A O I-A E-A E-B"),
        ("iobes", "S-A B-A E-A O B-A E-A S-B"),
    ],
)
def test_encodings(encoding, expected):
    found = [("A", 0, 1), ("A", 1, 3), ("A", 4, 6), ("B", 6, 7)]
    assert tag_schemes.encode(found, 7, encoding) == expected.split()


@given(
    st.lists(st.sampled_from(["O", "B-A", "I-A", "E-A", "S-A", "I-B"])),
    st.sampled_from(tag_schemes.ENCODINGS),
)
def test_misfits_are_what_recoding_changes(tags, encoding):
    misfit = tag_schemes.first_misfit(tags, encoding)
    changed = [
        i for i, tag in enumerate(tag_schemes.recode(tags, encoding)) if tag != tags[i]
    ]
    assert misfit == (changed[0] if changed else None)


def test_an_unknown_encoding_is_named():
    with pytest.raises(
        UsageError, match="'bio'; there are iob1, iob2, ioe1, ioe2, iobes"
    ):
        tag_schemes.recode(["O"], "bio")


@pytest.mark.parametrize(
    ("tag", "expected"),
    [
        ("O", True),
        ("B-NP", True),
        ("S-C-A1", True),
        ("NNP", False),
        ("X-NP", False),
        ("", False),
    ],
)
def test_tags_of_chunks(tag, expected):
    assert tag_schemes.is_chunk_tag(tag) is expected


@pytest.mark.parametrize(
    ("tags", "expected"),
    [
        ("B-A I-A L-A U-B O", [("A", 0, 3), ("B", 3, 4)]),
        ("B-A M-A E-A S-B O", [("A", 0, 3), ("B", 3, 4)]),
        ("B-A E-A W-B", [("A", 0, 2), ("B", 2, 3)]),
        ("B I O B", [("SEG", 0, 2), ("SEG", 3, 4)]),
        ("B L U O", [("SEG", 0, 2), ("SEG", 2, 3)]),
        ("O _ X-A B- NN", []),
    ],
)
def test_tags_of_files(tags, expected):
    assert tag_schemes.segments([*map(tag_schemes.read_tag, tags.split())]) == expected


@pytest.mark.parametrize("prefix", "BIESLUMW")
def test_a_tag_without_a_type_is_none(prefix):
    assert not tag_schemes.is_chunk_tag(tag_schemes.read_tag(f"{prefix}-"))
    assert tag_schemes.is_chunk_tag(tag_schemes.read_tag(prefix))
