"""BRAT's standoff: what BRAT reads, also where a span goes on in another line; a file a
text.
"""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from senna_py.models.native_writer import write_model
from tests.helpers.any_text import any_lines
from tests.helpers.commands import assert_one_line_error, run, tag
from tests.helpers.native_models import model_arguments, word_part

WRAPPED = ("--split-sentences", "--paragraphs")


def spans_as_brat_reads_them(text, printed):
    """(label, covered text) of each line of a file; what BRAT would drop is an
    AssertionError.
    """
    found = []
    for line in printed.splitlines():  # at all line ends, as BRAT does
        if line.startswith("R"):
            continue
        _, place, covered = line.split("\t")
        label, places = place.split(" ", 1)
        fragments = [[*map(int, each.split(" "))] for each in places.split(";")]
        flat = [at for fragment in fragments for at in fragment]
        assert flat == sorted(flat), line
        expected = " ".join(text[a:b] for a, b in fragments)
        # A word may be one of these.
        assert covered == re.sub(r"[\x1c-\x1e]", " ", expected)
        found.append((label, covered, places))
    return found


def entities(text, *options):
    command = "senna-tag", "--path", "en", "--format", "brat", "--ner", *options
    result = run(*command, stdin=text.encode())
    assert result.returncode == 0, result.stderr
    return spans_as_brat_reads_them(text, result.stdout.decode())


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("Yesterday Angela\nMerkel visited Rome.\n", "10 16;17 23"),
        ("Yesterday Angela\r\nMerkel visited Rome.\r\n", "10 16;18 24"),
        ("> Yesterday Angela\n> Merkel visited Rome.\n", "12 18;21 27"),
        (">> Yesterday Angela\n>> Merkel visited Rome.\n", "13 19;23 29"),
        ("Yesterday Angela\n    Merkel visited Rome.\n", "10 16;21 27"),
        ("Yesterday Angela \n\tMerkel visited Rome.\n", "10 16;19 25"),
        ("Yesterday Angela\tMerkel visited Rome.\n", "10 16;17 23"),
        ("Yesterday Angela  Merkel visited Rome.\n", "10 24"),
        ("Yesterday Angela\xa0Merkel visited Rome.\n", "10 23"),
    ],
)
def test_a_name_over_two_lines_is_in_fragments(text, places):
    found = entities(text, *WRAPPED)
    assert [(label, place) for label, _, place in found][:1] == [("PER", places)]


def test_a_word_that_a_line_end_cuts_is_in_fragments():
    text = "Yesterday Angela Mer-\nkel visited Rome.\n"
    (_, covered, places), *_ = entities(text, *WRAPPED, "--join-hyphens")
    assert (covered, places) == ("Angela Mer- kel", "10 21;22 25")


@pytest.fixture(scope="module")
def marking(tmp_path_factory):
    """A model that marks spans of any words, with a label that has a space in it."""
    path = tmp_path_factory.mktemp("marking") / "model.safetensors"
    labels = "O", "B-A B", "I-A B", "E-A B", "S-A B"
    write_model(path, *model_arguments([word_part("med", labels=labels, seed=2)]))
    return path


@pytest.mark.slow
@given(lines=st.lists(any_lines, max_size=5), options=st.sampled_from([(), WRAPPED]))
def test_any_text_is_read_by_brat(marking, lines, options):
    text = "\n".join(lines)
    data = text.encode("utf-8", "surrogateescape")
    result = run(
        "senna-tag", "--path", marking, "--format", "brat", *options, stdin=data
    )
    if result.returncode == 0:  # and not a NUL or what else is no text
        text = data.decode("utf-8", "surrogateescape").removeprefix("\ufeff")
        found = spans_as_brat_reads_them(
            text, result.stdout.decode("utf-8", "surrogateescape")
        )
        assert {label for label, *_ in found} <= {"A_B"}


def test_each_text_has_a_file_that_pairs_with_it(tmp_path):
    texts = {"a.txt": "Mary lives .\n", "b.c.txt": "In Rome .\n", "empty.txt": ""}
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    paths = [tmp_path / name for name in texts]
    assert tag("--format", "brat", "-ner", "-o", f"{tmp_path}/", *paths).returncode == 0
    assert {path.name for path in tmp_path.glob("*.ann")} == {
        "a.ann",
        "b.c.ann",
        "empty.ann",
    }
    for path in paths:
        alone = tag("--format", "brat", "-ner", path).stdout
        assert path.with_suffix(".ann").read_bytes() == alone
    refused = tag("--format", "brat", *paths)
    assert_one_line_error(refused, "a file for each text: name a directory", code=2)


def test_texts_of_one_name_are_refused(tmp_path):
    paths = [tmp_path / "a.txt", tmp_path / "b" / "a.txt.gz"]
    result = tag("--format", "brat", "-o", f"{tmp_path}/out/", *paths)
    assert_one_line_error(result, "both would be a.ann", code=2)
    assert not (tmp_path / "out").exists()
