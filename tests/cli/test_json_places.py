"""Where JSON says that sentences stand, against the lines of the input."""

import itertools
import json
import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from senna_py.io.streaming import Source, arriving_batches
from senna_py.kernels.runtime.switch import fixed_kernels
from senna_py.pipeline import columns
from tests.helpers.commands import MODEL
from tests.helpers.tagging import tag_paths

NO_COLUMNS = "\t_" * 8
IDS = ("id", "document", "paragraph", "line", "sentence")
LINES = [
    "",
    "",
    " ",
    "\t",
    "\x1c",
    "\x85",
    "\u3000",
    "\r",
    "It rains.",
    "It rains. It pours. ",
    " One ",
    "and more",
    "é. Then",
    "> I",
    "> stay. No.",
    ">",
    "--",
    "-- ",
    "Anna",
    "a\x1cb\x0c",
]


@pytest.fixture(scope="module", autouse=True)
def small_pieces():
    """Text is read a few bytes at a time."""
    with pytest.MonkeyPatch.context() as patch, fixed_kernels(plain=False):
        patch.setattr(Source.read, "__defaults__", (24,))
        patch.setattr(arriving_batches, "__defaults__", (24,))
        patch.setattr(columns, "BATCH_BYTES", 24)
        yield


@pytest.fixture(scope="module")
def room(tmp_path_factory):
    """A directory, which examples share."""
    return tmp_path_factory.mktemp("json")


def blank(text, usrtokens):
    """Whether SENNA's tokenizer, or white space of ASCII, leaves nothing of a text."""
    return not (text.encode() if usrtokens else text.replace("\x1c", "x")).strip()


def paragraphs_of(lines, joined, usrtokens):
    """The lines of each paragraph, as lists of (number, text without marks of
    quotation).

    joined: whether lines go on, up to an empty one; otherwise each is a paragraph.
    """
    found, depth, signed = [], 0, False
    for number, line in enumerate(lines, 1):
        marks = re.match(r"[ \t]*(?:>[ \t]*)+", line) if joined else None
        body, its_depth = line, 0
        if marks:
            body, its_depth = line[marks.end() :], marks.group().count(">")
        # White space of any script parts paragraphs, though SENNA's tokenizer has
        # tokens of some.
        parts = not body.strip() if joined else not body.encode().strip()
        ends = parts or its_depth != depth  # of a paragraph, before this line
        signed = (signed and not ends) or (joined and body.strip() == "--")
        if ends or signed or not joined or not found or not found[-1]:
            found.append([])
        depth = its_depth
        if body.encode().strip():
            found[-1].append((number, body))
        if parts:
            found.append([])
    return [paragraph for paragraph in found if paragraph]


def id_of(document, line, sentence=1):
    return f"{document.replace('/', '_')}-{line}-{sentence}"


def letters(text, usrtokens):
    return "".join(c for c in text if not blank(c, usrtokens))


def check_split(objects, lines, document, joined, usrtokens):
    """The sentences, in order, are the text, and their places those of it."""
    left = iter(objects)
    for paragraph in paragraphs_of(lines, joined, usrtokens):
        characters = [
            (c, number) for number, body in paragraph for c in letters(body, usrtokens)
        ]
        if not characters:
            continue
        taken = 0
        begins = characters[0][1]
        for sentence in itertools.count(1):
            found = next(left)
            text = letters(found["text"], usrtokens)
            assert text
            assert text == "".join(c for c, _ in characters[taken : taken + len(text)])
            line = characters[taken][1]
            name = id_of(document, line, sentence)
            assert [found[key] for key in IDS] == [
                name,
                document,
                begins,
                line,
                sentence,
            ]
            if not joined:
                for part in (found, *found["tokens"]):
                    assert (
                        lines[line - 1][part["start_char"] : part["end_char"]]
                        == part["text"]
                    )
            taken += len(text)
            if taken == len(characters):
                break
    assert next(left, None) is None


def check_lines(objects, lines, document, usrtokens):
    """Every line with a token is an object; paragraphs are parted by lines without."""
    expected, paragraph = [], 0
    for number, line in enumerate(lines, 1):
        if blank(line, usrtokens):
            paragraph = 0
            continue
        paragraph = paragraph or number
        expected.append([id_of(document, number), document, paragraph, number, 1])
    assert [[found[key] for key in IDS] for found in objects] == expected


documents = st.lists(
    st.lists(st.sampled_from(LINES), max_size=12), min_size=1, max_size=2
)
modes = st.sampled_from(
    [{}, {"split_sentences": True}, {"split_sentences": True, "paragraphs": True}]
)


def printed(directory, files, **options):
    """The objects of files, (name, bytes), and the paths of these."""
    paths = []
    for name, data in files:
        (directory / name).write_bytes(data)
        paths.append(str(directory / name))
    out = directory / "out"
    given = {"tasks": ["pos"], "path": MODEL, "format": "jsonl", "output": str(out)}
    assert tag_paths(paths, **given, **options) == 0
    objects = [json.loads(line) for line in out.read_bytes().splitlines()]
    assert len({found["id"] for found in objects}) == len(objects)
    return objects, paths


@example([[" ", "\x1c", "It rains. It pours. "]], {}, False, 1, False)
@example(
    [["\x1c", "\x1c"]], {"split_sentences": True, "paragraphs": True}, False, 1, False
)
@given(documents, modes, st.booleans(), st.sampled_from([1, 2]), st.booleans())
def test_places_are_those_of_the_input(room, texts, mode, usrtokens, jobs, ends):
    files = [
        (f"text{i}", ("\n".join(lines) + "\n" * ends).encode())
        for i, lines in enumerate(texts)
    ]
    objects, paths = printed(room, files, jobs=jobs, usrtokens=usrtokens, **mode)
    for path, lines in zip(paths, texts, strict=True):
        own = [found for found in objects if found["document"] == path]
        if mode:
            check_split(own, lines, path, "paragraphs" in mode, usrtokens)
        else:
            check_lines(own, lines, path, usrtokens)


sentences = st.lists(
    st.tuples(st.sampled_from(["", "# newpar\n", "# newdoc id = x\n"]), st.booleans()),
    max_size=8,
)


@settings(max_examples=25)
@given(sentences, modes, st.sampled_from([1, 2]))
def test_places_of_column_files_are_those_of_their_sentences(room, found, mode, jobs):
    text, expected, line, paragraph = "", [], 1, 0
    path = str(room / "a.conllu")
    for number, (comment, named) in enumerate(found):
        name = f"# sent_id = s{number}\n" if named else ""
        rows = f"1\tIt{number}{NO_COLUMNS}\n2\trains{NO_COLUMNS}\n\n"
        first = line + comment.count("\n") + name.count("\n")
        paragraph = first if comment or not number else paragraph
        expected.append(
            [f"s{number}" if named else id_of(path, first), path, paragraph, first, 1]
        )
        text += comment + name + rows
        line = text.count("\n") + 1
    objects, _ = printed(room, [("a.conllu", text.encode())], jobs=jobs, **mode)
    assert [[each[key] for key in IDS] for each in objects] == expected


def test_identifiers_tell_inputs_apart(room):
    (room / "x").mkdir()
    names = ["x_a", "x/a", "x_a", "x_a.2"]
    objects, paths = printed(room, [(name, b"It rains.\n") for name in names])
    assert [found["document"] for found in objects] == [
        paths[0],
        f"{paths[1]}.2",
        f"{paths[2]}.3",
        f"{paths[3]}.2",
    ]
