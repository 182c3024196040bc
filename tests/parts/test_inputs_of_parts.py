"""Inputs that are found, and cut into parts."""

import bz2
import gzip
import lzma
import tempfile

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

fsspec = pytest.importorskip("fsspec")

from senna_py.io.streaming import BY_MARK, InputError, Source, read_batches  # noqa: E402
from senna_py.parts import inputs  # noqa: E402 - it needs the library
from senna_py.parts.inputs import (  # noqa: E402
    LINES,
    PARAGRAPHS,
    Part,
    cut,
    find_inputs,
    open_part,
)

pytestmark = pytest.mark.extra

# Lines, blank ones, marks and bytes that are no UTF-8, many of them at every border.
PIECES = (
    b"\n",
    b"\n",
    b"a",
    b"b c",
    b" ",
    b"\xc3\xa9",
    b"\xff\xfe",
    b"\xef\xbb\xbf",
    b"\r\n",
)
texts = st.lists(st.sampled_from(PIECES), max_size=30).map(b"".join)


def stored(data, name="in.txt"):
    """The Input of some bytes in memory."""
    fsspec.filesystem("memory").pipe_file(f"/{name}", data)
    (found,), errors = find_inputs([f"memory://{name}"], lambda url: False)
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


def test_hidden_files_of_a_directory_are_left_out(tmp_path):
    for name in ("a.txt", "_b", "b/.c", "b/c_.txt", "b/_d/e.txt", ".f/g.txt"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("No .\n")
    found, errors = find_inputs([str(tmp_path)], lambda url: False)
    names = [each.name.removeprefix(f"{tmp_path}/") for each in found]
    assert (names, errors) == (["a.txt", "b/c_.txt"], {})


def read(parts, mark=LINES):
    """What each part has."""
    out = []
    for part in parts:
        with open_part(part, BY_MARK, mark) as source:
            out.append(b"".join(read_batches(source)))
    return out


@given(texts, st.integers(1, 9), st.sampled_from([LINES, PARAGRAPHS]))
def test_parts_are_all_of_a_file_in_whole_units(data, size, mark):
    parts = cut(stored(data), size)
    found = read(parts, mark)
    assert b"".join(found) == whole(data)
    ends = [len(b"".join(found[:i])) for i in range(1, len(found))]
    assert all(
        whole(data)[:end].endswith(mark) for end in ends if 0 < end < len(whole(data))
    )
    assert len(parts) <= max(-(-len(data) // size), 1)


def test_parts_are_of_about_the_size_that_is_asked_for():
    found = read(cut(stored(b"a line\n" * 1000), 700))
    assert [len(each) for each in found] == [707, *[700] * 8, 693]


def test_what_cannot_be_cut_is_one_part():
    text = "aĊb\n" * 20  # U+010A has the byte of a newline
    (part,) = cut(stored(text.encode("utf-16")), 16)
    assert read([part]) == [text.encode()]
    assert len(cut(stored(b"\xe4\n" * 20), 16, "cp1252")) == 1
    for ending, module in ((".gz", gzip), (".xz", lzma), (".bz2", bz2)):
        data = b"one\ntwo\n" * 1000
        parts = cut(stored(module.compress(data), f"in.txt{ending}"), 10)
        assert [part.name for part in parts] == [f"in.txt{ending}.00000"]
        assert read(parts) == [data]


def test_what_cannot_be_read_names_the_file(monkeypatch):
    parts = cut(stored(b"\x1f\x8b\x08\x00 no gzip", "in.gz"), 10)
    with pytest.raises(InputError, match=r"^memory://in.gz: damaged compressed file"):
        read(parts)
    parts = cut(stored(b"a\n" * 10), 8)
    fsspec.filesystem("memory").rm("/in.txt")
    with pytest.raises(InputError, match=r"^memory://in.txt: "):
        read(parts)
    monkeypatch.setattr(inputs.streaming, "LONGEST_LINE", 1 << 17)
    with pytest.raises(InputError, match="a line has more than 131,072 bytes"):
        read(cut(stored(b"a" * (1 << 19)), 1 << 16)[:1])


def test_inputs_are_found(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in (
        "a.txt",
        "dir/b.jsonl",
        "dir/c/d.json.gz",
        "dir/_d",
        "dir/.e/f",
        "dir/g[1].txt",
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x")
    names = [
        "a.txt",
        "dir",
        "d*/*.jsonl",
        str(tmp_path / "a.txt"),
        "dir/g[1].txt",
        "no",
        "x*",
    ]
    found, errors = find_inputs(names, lambda url: False)
    assert [(each.name, each.is_records) for each in found] == [
        ("a.txt", False),
        ("dir/b.jsonl", True),
        ("dir/c/d.json.gz", True),
        ("dir/g[1].txt", False),
    ]
    assert errors == {"no": "no: no such file", "x*": "x*: no such file"}
    assert find_inputs(["dir/.e"], lambda url: False)[1] == {}
    (tmp_path / "empty").mkdir()
    assert (
        find_inputs(["empty"], lambda url: False)[1]["empty"] == "empty: no file in it"
    )
    held = find_inputs(["dir", "a.txt", "*.txt"], lambda url: True)[1]
    assert [*held.values()] == [
        f"{name}: no file outside the output directory" for name in held
    ]
    assert len(held) == 3
    found, _ = find_inputs(["*.txt", "d*/*"], lambda url: "b.js" in url)
    assert [each.name for each in found] == ["a.txt", "dir/_d", "dir/g[1].txt"]
    (up,), _ = find_inputs([f"../{tmp_path.name}/a.txt"], lambda url: False)
    assert Part(up).name == f"__/{tmp_path.name}/a.txt.00000"
