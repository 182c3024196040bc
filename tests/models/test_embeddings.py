"""Word vectors: what one format writes it reads, and damage is one line."""

import errno
import gzip
import os

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from senna_py.cli import vectors_files
from senna_py.errors import SennaError
from senna_py.models.checkpoint import write_arrays
from senna_py.models.embeddings import (
    FORMATS,
    Embeddings,
    files_of,
    read_embeddings,
    write_embeddings,
)
from senna_py.models.tensors import write_tensors
from senna_py.models.vector_import import import_vectors

SUFFIX = {"npy": ".npy", "word2vec-binary": ".bin"}
word = st.text(
    st.characters(exclude_categories=["Z", "Cc", "Cs"], exclude_characters="\x85"),
    min_size=1,
).filter(lambda text: text.split() == [text])
finite = st.floats(width=32, allow_nan=False, allow_infinity=False)


@st.composite
def embeddings(draw):
    words = draw(st.lists(word, min_size=1, max_size=6, unique=True))
    shape = (len(words), draw(st.integers(1, 4)))
    return Embeddings(words, draw(arrays(np.float32, shape, elements=finite)))


def test_commands_have_all_formats():
    assert vectors_files.FORMATS == FORMATS


@pytest.mark.parametrize("form", FORMATS)
@given(original=embeddings())
def test_round_trip(form, original, tmp_path_factory):
    path = tmp_path_factory.mktemp("vectors") / f"v{SUFFIX.get(form, '')}"
    write_embeddings(path, original, form)
    found = read_embeddings(path, form)
    order = range(len(original.words))
    if form == "senna":
        order = sorted(order, key=lambda i: original.words[i].encode())
    assert found.words == [original.words[i] for i in order]
    assert np.array_equal(found.vectors, original.vectors[list(order)])


@pytest.mark.parametrize("form", FORMATS)
def test_format_is_found_out_and_old_files_are_replaced(form, tmp_path):
    path = tmp_path / f"v{SUFFIX.get(form, '.txt')}"
    original = Embeddings(["a", "b-c"], np.array([[0.1, -2], [3e-9, 4e9]], np.float32))
    write_embeddings(path, original, form)
    found = read_embeddings(path)
    assert found.words == original.words
    assert np.array_equal(found.vectors, original.vectors)
    before = {
        each: each.stat().st_ino for each in tmp_path.rglob("*") if each.is_file()
    }
    write_embeddings(path, original, form)
    assert before and all(
        each.stat().st_ino != number for each, number in before.items()
    )


# Layouts that other tools write, by hand: the file, its bytes, and the words in it;
# vectors are [1, 2], [3, 4] and so on.
FOREIGN = [
    # word2vec -binary 0: a blank after every number
    (
        "v.txt",
        b"2 2\n</s> 1.000000 2.000000 \nthe 3.000000 4.000000 \n",
        ["</s>", "the"],
    ),
    ("v.txt", b"2 2\r\nof 1 2\r\nthe 3 4\r\n", ["of", "the"]),
    # word2vec -binary 1: a newline after every vector; gensim: none
    ("v.bin", b"2 2\n</s> \0\0\x80?\0\0\0@\nthe \0\0@@\0\0\x80@\n", ["</s>", "the"]),
    ("v.bin", b"2 2\n</s> \0\0\x80?\0\0\0@the \0\0@@\0\0\x80@", ["</s>", "the"]),
    ("v", b"2 2\n</s> \0\0\x80?\0\0\0@the \0\0@@\0\0\x80@", ["</s>", "the"]),
    # GloVe: words with blanks, an empty one, U+0085, a double, bytes outside UTF-8
    (
        "glove.txt",
        b", 1 2\n. . . 3 4\nat name@domain.com 5 6\n 7 8\n\xc2\x85 9 10\n, 11 12\ncaf\xe9 13 14\n",
        [",", ". . .", "at name@domain.com", "", "\x85", ",", "caf\udce9"],
    ),
]


@pytest.mark.parametrize(("name", "data", "words"), FOREIGN)
def test_layouts_of_other_tools(name, data, words, tmp_path):
    (tmp_path / name).write_bytes(data)
    found = read_embeddings(tmp_path / name)
    assert found.words == words
    assert found.vectors.ravel().tolist() == list(range(1, 2 * len(words) + 1))


def test_layout_of_senna(tmp_path):
    for name, data in (
        ("hash/words.lst", b"!\r\nPADDING\nUNKNOWN\nthe\n"),
        ("embeddings/embeddings.txt", b"1 2\r\n 3\t4 \n5 6\n7 8\n"),
    ):
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_bytes(data)
    found = read_embeddings(tmp_path)
    assert found.words == ["!", "PADDING", "UNKNOWN", "the"]
    assert found.vectors.ravel().tolist() == list(range(1, 9))


@pytest.mark.parametrize(
    "form", ["word2vec", "word2vec-binary", "glove", "npy", "senna"]
)
def test_a_byte_order_mark_is_no_part_of_the_first_word(form, tmp_path):
    path = tmp_path / f"v{SUFFIX.get(form, '')}"
    original = Embeddings(["a", "b"], np.ones((2, 1), np.float32))
    write_embeddings(path, original, form)
    marked = {
        "npy": path.with_suffix(".words"),
        "senna": path / "hash" / "words.lst",
    }.get(form, path)
    marked.write_bytes(b"\xef\xbb\xbf" + marked.read_bytes())
    assert read_embeddings(path, form).words == ["a", "b"]
    assert read_embeddings(path).words == ["a", "b"]


@pytest.mark.parametrize(("ends", "encoding"), [("\r\n", "utf-8"), ("\n", "utf-16")])
def test_word_lists_of_other_systems(ends, encoding, tmp_path):
    write_embeddings(tmp_path / "v.npy", Embeddings(["ä", "b"], np.ones((2, 1))), "npy")
    (tmp_path / "v.words").write_bytes(f"ä{ends}b{ends}".encode(encoding))
    assert read_embeddings(tmp_path / "v.npy").words == ["ä", "b"]


@pytest.mark.parametrize("name", ["cc.de.bin", "cc.de.ftz", "cc.de.bin.gz"])
def test_a_model_of_fasttext_names_its_text(name, tmp_path):
    data = b"\xba\x16\x4f\x2f\x0c\0\0\0" + bytes(range(256)) * 9
    (tmp_path / name).write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    for form in (None, "word2vec-binary", "glove"):
        with pytest.raises(
            SennaError, match=rf"a fastText model, .* in {tmp_path}/cc\.de\.vec$"
        ):
            read_embeddings(tmp_path / name, form)


def test_name_with_a_period_is_kept(tmp_path):
    write_embeddings(tmp_path / "glove.50d", Embeddings(["a"], np.ones((1, 1))), "npy")
    assert read_embeddings(tmp_path / "glove.50d.npy").words == ["a"]


@pytest.mark.parametrize("before", [b"", b"a 1\n", b"2 1\na 1\n"])
def test_lines_longer_than_any_are_not_read(before, tmp_path):
    (tmp_path / "v.txt.gz").write_bytes(gzip.compress(before + b"x" * (1 << 25)))
    with pytest.raises(
        SennaError, match=r"v\.txt\.gz: a line has more than 16,777,216 bytes"
    ):
        read_embeddings(tmp_path / "v.txt.gz")


def test_float64_becomes_float32(tmp_path, recwarn):
    np.save(tmp_path / "v.npy", np.array([[1.5], [-3e38]]))
    (tmp_path / "v.words").write_text("a\nb\n")
    assert read_embeddings(tmp_path / "v.npy").vectors.dtype == np.float32
    np.save(tmp_path / "v.npy", np.array([[1.5], [-1e39]]))
    with pytest.raises(SennaError, match=r"'b' .* is not finite, or beyond float32"):
        read_embeddings(tmp_path / "v.npy")
    np.save(tmp_path / "v.npy", np.ones((2, 0), np.float32))
    with pytest.raises(SennaError, match=r"v\.npy: vectors of dimension 0"):
        read_embeddings(tmp_path / "v.npy")
    assert not recwarn.list


def test_archive_named_as_an_array(tmp_path):
    write_arrays(tmp_path / "v.npy", {})
    with pytest.raises(SennaError, match=r"v\.npy: an archive of arrays"):
        read_embeddings(tmp_path / "v.npy")


def test_half_precision_is_kept(tmp_path):
    vectors = np.array([[0.1, 2], [3, -4]], np.float16)
    write_embeddings(tmp_path / "v.npy", Embeddings(["a", "b"], vectors), "npy")
    found = read_embeddings(tmp_path / "v.npy")
    assert found.vectors.dtype == np.float16
    assert np.array_equal(found.vectors, vectors)


@pytest.mark.parametrize("bad", ["", "a b", "a\n"])
def test_words_that_no_format_holds(bad, tmp_path):
    with pytest.raises(SennaError, match="white space"):
        write_embeddings(tmp_path / "v", Embeddings([bad], np.zeros((1, 2))), "glove")
    assert not (tmp_path / "v").exists()


DAMAGE = [
    ("v.txt", b"", "no vectors"),
    ("v.txt", b"2 2\na 1 2\n", "1 words, line 1 says 2"),
    ("v.txt", b"1 2\na 1\n", "line 2: 1 numbers after a word, expected 2"),
    ("v.txt", b"a 1 2\nb 1 x\n", "line 2: not a number"),
    *(
        (
            name,
            f"{n} 3\nthe {bad} 0.2 0.3\n".encode() + b"cat 0.5 0.1 0.2\n" * (n - 1),
            "line 2: ",
        )
        for bad in (
            "0.1.2",
            "1e",
            "--1",
            "0x1p3",
            "null",
            "1.#IND",
            "0,1",
            "0.5f",
            "1_0",
            "１.５",
            "",
        )
        for name, n in (("v", 2), ("v.vec", 2), ("v.txt", 300))
    ),
    ("v.txt", b"a 1 2\nb nan 1\n", "'b' (number 2) is not finite"),
    ("v.txt", b"a 1e99\n", "not finite"),
    ("v.txt", b"1_0 3\na 1 2 3\n", "line 1: '1_0 3', expected the number of words"),
    ("v.bin", b"", "line 1: expected the number of words"),
    ("v.bin", b"2 1\na \0\0\0\0\nb \0\0", "the file ends in word 2"),
    ("v.bin", b"1 1\na \0\0\0\0\nb", "2 bytes follow the last word"),
    ("v.npy", b"", "not a NumPy array"),
    ("v.npy", b"\x93NUMPY\1\0", "not a NumPy array"),
    ("checkpoint.npz", b"", "not a checkpoint, or damaged"),
]


@pytest.mark.parametrize(("name", "data", "message"), DAMAGE)
def test_damaged_file(name, data, message, tmp_path, recwarn):
    (tmp_path / name).write_bytes(data)
    with pytest.raises(SennaError) as error:
        read_embeddings(tmp_path / name)
    assert message in str(error.value)
    assert str(tmp_path / name) in str(error.value)
    assert not recwarn.list


@pytest.mark.parametrize("name", ["missing.txt", "missing.npy", "missing.npz", ""])
def test_missing_file(name, tmp_path):
    with pytest.raises(SennaError, match=str(tmp_path)):
        read_embeddings(tmp_path / name)


def test_arrays_of_other_programs_have_any_words(tmp_path):
    np.save(tmp_path / "v.npy", np.ones((2, 3), np.float16))
    (tmp_path / "v.words").write_text("a\nb\n")
    assert read_embeddings(tmp_path / "v.npy").words == ["a", "b"]


@pytest.mark.parametrize("shape", [(2, 1), (300, 7), (1, 12345)])
def test_numpy_reads_what_tells_its_words(shape, tmp_path):
    vectors = np.random.default_rng(0).normal(size=shape).astype(np.float32)
    words = [f"w{i}" for i in range(shape[0])]
    write_embeddings(tmp_path / "v.npy", Embeddings(words, vectors), "npy")
    assert (np.load(tmp_path / "v.npy") == vectors).all()
    assert (np.load(tmp_path / "v.npy", mmap_mode="r") == vectors).all()
    assert read_embeddings(tmp_path / "v.npy").words == words


def test_words_and_vectors_of_two_pairs_are_not_read_together(tmp_path):
    for name, words in (("a", ["one", "two"]), ("b", ["two", "one"])):
        write_embeddings(
            tmp_path / f"{name}.npy", Embeddings(words, np.ones((2, 2))), "npy"
        )
    os.replace(tmp_path / "b.words", tmp_path / "a.words")
    with pytest.raises(
        SennaError, match=r"a\.words: not the words that .*a\.npy was written with"
    ):
        read_embeddings(tmp_path / "a.npy")


@pytest.mark.parametrize("form", ["npy", "senna"])
def test_a_pair_is_replaced_whole_or_not_at_all(form, tmp_path, monkeypatch):
    path = tmp_path / ("v.npy" if form == "npy" else "v")
    old = Embeddings(["a", "b"], np.ones((2, 2), np.float32))
    write_embeddings(path, old, form)
    before = {p: p.read_bytes() for p in files_of(path, form)}

    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("senna_py.io.files.os.fsync", full)
    with pytest.raises(SennaError, match="not written: No space left"):
        write_embeddings(
            path, Embeddings(["c", "d"], np.zeros((2, 2), np.float32)), form
        )
    assert {p: p.read_bytes() for p in files_of(path, form)} == before
    assert {p for p in tmp_path.rglob("*") if p.is_file()} == {*before}


def test_words_and_vectors_of_different_number(tmp_path):
    write_embeddings(
        tmp_path / "v.npy", Embeddings(["a", "b"], np.zeros((2, 2))), "npy"
    )
    (tmp_path / "v.words").write_text("a\n")
    with pytest.raises(SennaError, match=r"v\.words: 1 words"):
        read_embeddings(tmp_path / "v.npy")
    write_embeddings(tmp_path / "s", Embeddings(["a", "b"], np.zeros((2, 2))), "senna")
    (tmp_path / "s" / "hash" / "words.lst").write_text("a\n")
    with pytest.raises(SennaError, match=r"2 vectors for 1 words"):
        read_embeddings(tmp_path / "s")


FORMS = ["PADDING", "UNKNOWN", "0", "00", "00-year-old", "0:00", "é"]


@pytest.mark.parametrize(
    ("words", "vectors", "adopted", "rows", "left_out"),
    [
        (
            ["The", "the", "1999", "<unk>", "12.5"],
            [[0, 1], [2, 3], [4, 5], [6, 7], [8, 9]],
            ["PADDING", "UNKNOWN", "the", "0"],
            [[0, 0], [6, 7], [0, 1], [4, 5]],
            [2, 0],
        ),
        (
            ["a", "b"],
            [[1, 2], [3, 6]],  # the unknown word is their mean
            ["PADDING", "UNKNOWN", "a", "b"],
            [[0, 0], [2, 4], [1, 2], [3, 6]],
            [0, 0],
        ),
        (
            [". . .", "", "\x85", "a\nb", "the"],
            [[0], [1], [2], [3], [4]],  # no token is like them
            ["PADDING", "UNKNOWN", "the"],
            [[0], [4], [4]],
            [0, 4],
        ),
        # Look-up forms stay as they are: `50-50` is `00`, which would be looked up as
        # `0`.
        (
            FORMS,
            [[0], [1], [2], [3], [4], [5], [6]],
            FORMS,
            [[0], [1], [2], [3], [4], [5], [6]],
            [0, 0],
        ),
        (
            FORMS[1:],
            [[1], [2], [3], [4], [5], [6]],
            ["PADDING", "UNKNOWN", "0", "0-year-old", "0:0", "é"],
            [[0], [1], [2], [4], [5], [6]],
            [1, 0],
        ),
    ],
)
def test_adopting_other_vectors(words, vectors, adopted, rows, left_out):
    found, *n = import_vectors(Embeddings(words, np.array(vectors, np.float16)))
    assert (found.words, found.vectors.tolist(), n) == (adopted, rows, left_out)
    assert found.vectors.dtype == np.float16
    again, *n = import_vectors(found)
    assert (again.words, again.vectors.tolist(), n) == (adopted, rows, [0, 0])


@pytest.mark.parametrize("other", ["Paris", "É", "1999"])
def test_one_word_that_is_no_look_up_form_has_all_of_them_folded(other):
    vectors = np.arange(8, dtype=np.float32).reshape(8, 1)
    found, n_merged, _ = import_vectors(Embeddings([*FORMS, other], vectors))
    assert "00" not in found.words and n_merged > 0


def test_no_usable_word():
    with pytest.raises(SennaError, match=r"v\.txt: every word is empty"):
        import_vectors(Embeddings([""], np.ones((1, 1))), "v.txt")


@pytest.mark.parametrize("name", ["a.arpa", "a.arpa.gz", "a"])
def test_an_n_gram_model_is_said_to_be_one(name, tmp_path):
    text = b"made by me\n\\data\\\nngram 1=1\n\n\\1-grams:\n-1\tdog\n\n\\end\\\n"
    (tmp_path / name).write_bytes(gzip.compress(text) if name.endswith("gz") else text)
    with pytest.raises(SennaError, match=f"{tmp_path}/{name}: an n-gram model"):
        read_embeddings(tmp_path / name)


@pytest.mark.parametrize("form", ["glove", "word2vec", "word2vec-binary"])
def test_compressed_vectors(form, tmp_path):
    write_embeddings(
        tmp_path / "v", Embeddings(["a", "b"], np.eye(2, dtype=np.float32)), form
    )
    name = "v.bin.gz" if form == "word2vec-binary" else "v.vec.gz"
    data = gzip.compress((tmp_path / "v").read_bytes())
    (tmp_path / name).write_bytes(data)
    found = read_embeddings(tmp_path / name)
    assert (found.words, found.vectors.tolist()) == (["a", "b"], [[1, 0], [0, 1]])
    (tmp_path / name).write_bytes(data[:-12])
    with pytest.raises(
        SennaError, match=f"{tmp_path}/{name}: damaged compressed file: "
    ):
        read_embeddings(tmp_path / name)
    (tmp_path / "v.npy.gz").write_bytes(data)
    with pytest.raises(
        SennaError,
        match=f"{tmp_path}/v.npy.gz: arrays are not read from compressed files",
    ):
        read_embeddings(tmp_path / "v.npy.gz")


def test_a_model_by_another_name_is_no_text(tmp_path):
    write_tensors(
        tmp_path / "m", {"format": "senna-py-lm"}, {"x": np.zeros(1, np.float32)}
    )
    with pytest.raises(SennaError, match=f"{tmp_path}/m: no words and vectors"):
        read_embeddings(tmp_path / "m")
