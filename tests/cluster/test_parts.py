"""Inputs cut into parts, and what is known of the text before a part."""

import bz2
import codecs
import gzip
import lzma
import tempfile
from itertools import pairwise

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

pytest.importorskip("fsspec")

import fsspec

from senna_py.cluster.extents import NOTHING, extent_of
from senna_py.cluster.inputs import find_inputs
from senna_py.cluster.parts import LINES, PARAGRAPHS, PartSource, border, cut, is_cut_anywhere
from senna_py.corpora.places import Place
from senna_py.io import streaming
from senna_py.io.streaming import BY_MARK, InputError, Source, read_batches

pytestmark = pytest.mark.extra

# Lines, blank ones, marks and bytes that are no UTF-8, many of them at every border.
PIECES = (b"\n", b"\n", b"a", b"b c", b" ", b"\xc3\xa9", b"\xff\xfe", b"\xef\xbb\xbf", b"\r\n")
texts = st.lists(st.sampled_from(PIECES), max_size=30).map(b"".join)


def stored(data, name="in.txt"):
    """The Input of some bytes in memory."""
    fsspec.filesystem("memory").pipe_file(f"/{name}", data)
    (found,), errors = find_inputs([f"memory://{name}"])
    assert not errors
    return found


def whole(data):
    """What one process reads of a file of these bytes."""
    with tempfile.NamedTemporaryFile() as file:
        file.write(data)
        file.flush()
        with Source(file.name, BY_MARK) as source:
            try:
                return b"".join(read_batches(source))
            except InputError:  # half a character of UTF-16
                assume(False)


def read(parts, mark=LINES):
    """What each part has."""
    out = []
    for part in parts:
        with PartSource(part, BY_MARK, mark) as source:
            out.append(b"".join(read_batches(source)))
    return out


@given(texts, st.integers(1, 9), st.sampled_from([LINES, PARAGRAPHS]))
def test_each_unit_belongs_to_the_part_in_which_it_begins(data, size, mark):
    begins = [i for i in range(len(data)) if i == 0 or data[:i].endswith(mark)]
    expected = [b""] * max(-(-len(data) // size), 1)
    for begin, end in pairwise([*begins, len(data)]):
        expected[begin // size] += data[begin:end]
    if data.startswith(codecs.BOM_UTF16_LE):  # whose newlines are no single bytes
        expected = [data] + [b""] * (len(expected) - 1)
    expected[0] = whole(expected[0])
    assert read(cut(stored(data), size), mark) == expected


@given(texts, st.integers(0, 60), st.sampled_from([LINES, PARAGRAPHS]))
def test_a_border_is_the_first_place_where_a_unit_begins(data, position, mark):
    expected = [
        i for i in range(len(data) + 1)
        if i >= position and (i == 0 or data[:i].endswith(mark) or i == len(data))
    ]  # fmt: skip
    found = border(lambda at, n: data[at : at + min(n, 3)], position, len(data), mark)
    assert found == (expected[0] if expected else len(data))


@given(texts.filter(lambda data: not data.startswith(codecs.BOM_UTF16_LE)), st.integers(1, 9))
def test_extents_say_where_parts_begin(data, size):
    before, place, text = NOTHING, Place(""), b""
    for part in cut(stored(data), size):
        assert before.place == place
        assert before.lines == text.count(b"\n") + (not text.endswith(b"\n") and text != b"")
        assert before.begun == bool(text.decode("utf-8", "surrogateescape").strip())
        with PartSource(part, BY_MARK) as source:
            before = before.after(extent_of(source))
        with PartSource(part, BY_MARK) as source:
            for batch in read_batches(source, 1):
                place = place.after(batch)
                text += batch


def test_utf16_is_read_by_the_first_part():
    text = "aĊb\n" * 20  # U+010A has the byte of a newline
    found = read(cut(stored(text.encode("utf-16")), 16))
    assert b"".join(found) == found[0] == text.encode()


def test_compressed_files_are_one_part():
    for ending, module in ((".gz", gzip), (".xz", lzma), (".bz2", bz2)):
        data = b"one\ntwo\n" * 1000
        parts = cut(stored(module.compress(data), f"in.txt{ending}"), 10)
        assert [part.name for part in parts] == [f"in.txt{ending}.00000-of-00001"]
        assert read(parts) == [data]


def test_what_cannot_be_read_names_the_file():
    parts = cut(stored(b"\x1f\x8b\x08\x00 no gzip", "in.gz"), 10)
    with pytest.raises(InputError, match=r"^memory://in.gz: damaged compressed file"):
        read(parts)
    parts = cut(stored(b"a\n" * 10), 8)
    stored(b"a\n")
    with pytest.raises(InputError, match=r"in\.txt: has fewer bytes than when"):
        read(parts)
    fsspec.filesystem("memory").rm("/in.txt")
    with pytest.raises(InputError, match=r"in\.txt: "):
        read(parts)


def test_a_line_without_end_is_refused(monkeypatch):
    monkeypatch.setattr("senna_py.cluster.parts.LONGEST_LINE", 1 << 17)
    parts = cut(stored(b"a" * (1 << 19)), 1 << 16)
    with pytest.raises(InputError, match="a line has more than 131,072 bytes"):
        read(parts[1:2])
    assert streaming.LONGEST_LINE == 1 << 29


@pytest.mark.parametrize(
    ("encoding", "cut_anywhere"),
    [(None, True), ("utf-8", True), ("cp1252", True), ("latin-1", True), ("koi8-r", True),
     ("utf-16", False), ("utf-8-sig", False), ("gb18030", False), ("cp037", False)],
)  # fmt: skip
def test_encodings_whose_newline_is_one_byte(encoding, cut_anywhere):
    assert is_cut_anywhere(encoding) == cut_anywhere


def test_inputs_are_found(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = "a.txt", "dir/b.jsonl", "dir/deep/c.parquet", "dir/_d", "dir/.e/f", "dir/g[1].txt"
    for name in (*names, "a.conllu"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x")
    names = ["a.txt", "dir", "d*/*.jsonl", tmp_path / "a.txt", "no", "x*", "a.conllu"]
    found, errors = find_inputs(names)
    assert [(each.name, each.kind) for each in found] == [
        ("a.txt", "text"), ("dir/b.jsonl", "jsonl"), ("dir/deep/c.parquet", "parquet"),
        ("dir/g[1].txt", "text"),
    ]  # fmt: skip
    assert errors == {
        "no": "no: No such file or directory", "x*": "x*: no file is there",
        "a.conllu": "a.conllu: CoNLL-U is read without --output-dir only",
    }  # fmt: skip
    (up,), _ = find_inputs([f"../{tmp_path.name}/a.txt"])
    assert cut(up, 10)[0].name == f"__/{tmp_path.name}/a.txt.00000-of-00001"
