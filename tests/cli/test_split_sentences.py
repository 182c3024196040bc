"""Running text, a paragraph a line: senna-tag --split-sentences."""

import re

import pytest

from tests.helpers.commands import assert_one_line_error, printed, tag

PARAGRAPHS = [
    ["Mr. Smith met Dr. Jones.", "They left!", '"We go."', "Then he said no."],
    [],
    ["One sentence"],
    ["Anna’s café.", "It is (here).", "No. 5 it is."],
]
TEXT = "\n".join("  ".join(sentences) for sentences in PARAGRAPHS).encode()
LINES = "\n".join(
    sentence for sentences in PARAGRAPHS for sentence in sentences
).encode()


@pytest.mark.parametrize(
    "options", [(), ("-pos", "--format", "conll"), ("-pos", "-notokentags")]
)
def test_sentences_are_tagged_as_lines_of_their_own(options):
    split = printed(tag("--split-sentences", *options, stdin=TEXT))
    assert split == printed(tag(*options, stdin=LINES))
    assert split.encode() != tag(*options, stdin=TEXT).stdout


def test_given_tokens_are_kept():
    given = b"Mr. Smith can't go . He left!? . Who ?\n"
    lines = b"Mr. Smith can't go .\nHe left!? .\nWho ?\n"
    split = tag("-pos", "-usrtokens", "--split-sentences", stdin=given)
    assert split.stdout == tag("-pos", "-usrtokens", stdin=lines).stdout


def test_offsets_count_in_the_line():
    out = printed(tag("-pos", "-offsettags", "--split-sentences", stdin=TEXT))
    blocks = [block.splitlines() for block in out.split("\n\n") if block]
    assert len(blocks) == sum(map(len, PARAGRAPHS))
    found = iter(blocks)
    for line, sentences in zip(TEXT.decode().split("\n"), PARAGRAPHS, strict=True):
        rows = [row.split("\t") for _ in sentences for row in next(found)]
        places = [tuple(map(int, offsets.split())) for _, offsets, _ in rows]
        assert [line[begin:end] for begin, end in places] == [
            row[0].strip() for row in rows
        ]
        assert "".join(line[begin:end] for begin, end in places) == "".join(
            line.split()
        )


def test_a_predicate_file_has_lines_as_its_sentences(write):
    text = b"He left . She stays .\n\nNo\n"
    marks = write("-\nx\n-\n-\nx\n-\n\n-\n")  # at the end, no empty line is needed
    options = ("-srl", "-usrtokens", "-usrvbs", marks)
    split = printed(tag(*options, "--split-sentences", stdin=text))
    blocks = [block.splitlines() for block in split.split("\n\n")[:-1]]
    predicates = [[row.split("\t")[1].strip() for row in rows] for rows in blocks]
    assert predicates == [["-", "left", "-"], ["-", "stays", "-"], ["-"]]
    marks.write_text("-\nx\n-\n\n-\nx\n-\n\n-\n\n")
    result = tag(*options, "--split-sentences", stdin=text)
    assert_one_line_error(
        result, marks, "line 4: an empty line after 3 tokens of a sentence of 6"
    )


def test_a_sentence_may_still_be_too_long():
    text = b"It rains. Dog" + b" the" * 1499 + b" . It pours.\n"
    result = tag("-srl", "-psg", "--split-sentences", stdin=text)
    note = result.stderr.decode()
    assert re.search(
        "a sentence of 1,50[0-9] tokens is cut into sentences of at most 1,024", note
    )
    assert result.stdout.count(b"\n\n") == 4


WRAPPED = "She left\nhome. Then\nhe é.\n\n> I\n> stay.\nNo.\n-- \nAnna\nBerlin\n"


def without_places(lines):
    """JSON lines without what says on which lines the sentences were."""
    return re.sub(r'"(id|paragraph|line)": ("[^"]*"|\d+), ', "", lines)


@pytest.mark.slow
def test_wrapped_lines_are_joined():
    joined = (
        "She left home. Then he é.\n\n  I   stay.\nNo.\n-- \nAnna\nBerlin\n".encode()
    )
    for options in (("-pos", "-offsettags"), ("-pos", "--format", "jsonl")):
        found = printed(tag("--paragraphs", *options, stdin=WRAPPED.encode()))
        expected = printed(tag("--split-sentences", *options, stdin=joined))
        assert without_places(found) == without_places(expected)
    long = (f"{WRAPPED}\n" * 2500).encode()  # several batches
    found = tag(
        "--paragraphs", "-pos", "--format", "jsonl", stdin=long
    ).stdout.splitlines()
    assert len(found) == 7 * 2500
