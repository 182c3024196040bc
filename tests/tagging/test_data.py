"""Labelled sentences out of column files, and files that cannot be used."""

import pytest

from senna_py.errors import SennaError
from senna_py.tagging.data import read_sentences
from senna_py.tagging.kinds import kind_of
from senna_py.tagging.settings import DataSet


def read(tmp_path, text, columns=("word", "chk"), task="chk", kind="", **options):
    features = options.pop("features", ())
    (tmp_path / "a.tsv").write_bytes(text.encode() if isinstance(text, str) else text)
    data = DataSet(["a.tsv"], list(columns), **options)
    return read_sentences([data], {task: kind_of(task, kind)}, tmp_path, features)


def test_segments_become_iobes(tmp_path):
    for text in (
        "a I-NP\nb I-NP\nc B-NP\n\nd O\n",  # IOB1
        "a B-NP\nb I-NP\nc B-NP\n\nd O\n",
        "a\tI-NP\r\nb\tE-NP\r\nc\tE-NP\r\n\r\n\r\nd\tO\r\n",  # IOE, CRLF
        "-DOCSTART- O\n\na B-NP\nb E-NP\nc S-NP\n\nd O",
        "# BILOU\na\tB-NP\t\nb\tL-NP\t\nc\tU-NP\t\n\n# text = d\nd\tO\t\n",
    ):
        found = read(tmp_path, text)
        assert found.words == [["a", "b", "c"], ["d"]]
        assert found.labels["chk"] == [["B-NP", "E-NP", "S-NP"], ["O"]]


def test_places_parts_and_feature_columns(tmp_path):
    text = "".join(f"w{i}\tT{i}\tO\n\n" for i in range(10))
    found = read(tmp_path, text, ["word", "pos", "chk"], part=[0.3, 0.7], features=["pos", "caps"])
    assert found.words == [[f"w{i}"] for i in range(3, 7)]
    assert found.columns == {"pos": [[f"T{i}"] for i in range(3, 7)]}
    assert found.place[0] == (str(tmp_path / "a.tsv"), range(7, 8))
    assert found.take([1, 3]).columns == {"pos": [["T4"], ["T6"]]}


def test_names_with_the_characters_of_patterns(tmp_path):
    place = tmp_path / "en [1]"
    place.mkdir()
    for name in ("a[1].tsv", "b.tsv"):
        (place / name).write_text(f"{name} O\n")
    for pattern, names in (("a[1].tsv", ["a[1].tsv"]), ("?*.tsv", ["a[1].tsv", "b.tsv"])):
        data = DataSet([pattern], ["word", "chk"])
        found = read_sentences([data], {"chk": kind_of("chk")}, place)
        assert found.words == [[name] for name in names]


def test_other_names_of_labels(tmp_path):
    labels = {"LOC": "PLACE", "MISC": "O"}
    found = read(tmp_path, "a B-LOC\nb B-MISC\nc I-MISC\nd B-PER\n", labels=labels)
    assert found.labels["chk"] == [["S-PLACE", "O", "O", "S-PER"]]
    found = read(tmp_path, "a I-LOC\nb I-ORG\nc I-ORG\n", labels={"ORG": "LOC"})
    assert found.labels["chk"] == [["S-LOC", "B-LOC", "E-LOC"]]
    columns = ["word", "mine"]
    found = read(tmp_path, "a NNX\nb NN\n", columns, "mine", "tags", labels={"NNX": "NN"})
    assert found.labels["mine"] == [["NN", "NN"]]


def test_predicates_and_roles(tmp_path):
    text = "a\t-\tB-A0\tO\nb\tx\tB-V\tO\nc\ty\tO\tB-V\n\nd\t-\n"
    columns = ["word", "predicate", "roles"]
    found = read(tmp_path, text, columns, "srl", "roles")
    assert found.labels["srl"] == [{1: ["S-A0", "S-V", "O"], 2: ["O", "O", "S-V"]}, {}]
    found = read(tmp_path, text, columns, "vbs", "tags")
    assert found.labels["vbs"] == [["NOVB", "VB", "VB"], ["NOVB"]]
    text = "a\t-\tB-A0|O\nb\tx\tB-V|O\nc\ty\tO|B-V\n\nd\t-\t-\n"  # as senna-tag writes them
    found = read(tmp_path, text, columns, "srl", "roles")
    assert found.labels["srl"] == [{1: ["S-A0", "S-V", "O"], 2: ["O", "O", "S-V"]}, {}]


def test_phrases_from_parse_bits(tmp_path):
    text = "a\t(S(NP-SBJ*\nb\t*)\nc\t*)\n"
    found = read(tmp_path, text, ["word", "parse"], "pt0")
    assert found.labels["pt0"] == [["B-NP", "E-NP", "O"]]
    text = "a\t(S(NP*))\tO\n"
    found = read(tmp_path, text, ["word", "parse", "chk"], features=["pt0"])
    assert found.columns == {"pt0": [["S-NP"]]}


def test_levels_of_trees(tmp_path):
    text = "a\t(S(VP*\tO\nb\t(NP*)))\tO\n"
    assert read(tmp_path, text, ["word", "parse", "-"], "pt1").labels["pt1"] == [["B-VP", "E-VP"]]
    columns = ["word", "parse", "chk"]
    found = read(tmp_path, text, columns, features=["pt0", "pt1", "pt2", "pt3", "pt4"])
    none = [["O", "O"]]
    assert found.columns == {
        "pt0": [["S-VP", "S-NP"]], "pt1": [["B-VP", "E-VP"]], "pt2": none, "pt3": none, "pt4": none,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("a O\nb\n", 2, "expected 2 columns, as in line 1, found 1"),
        ("a O x\n", 1, "expected 2 columns (word, chk), found 3; what is not read is named -"),
        ("a O\n\nb O\nc NP\n", 4, "expected O or a tag such as B-NP (B, I, E or S), found 'NP'"),
        ("a X-NP\n", 1, "found 'X-NP'"),
        ("a -\n", 1, "found '-'"),
        ("a O\nb B-\n", 2, "found 'B-'"),
        ("a\tO\n\tO\n", 2, "an empty word"),
    ],
)
def test_lines_that_cannot_be_used(text, line, message, tmp_path):
    with pytest.raises(SennaError) as error:
        read(tmp_path, text)
    assert str(error.value).startswith(f"{tmp_path / 'a.tsv'}: line {line}: ")
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("scheme", "text", "line", "message"),
    [
        ("iob2", "a B-NP\nb I-NP\n\nc O\nd I-NP\n", 5, "expected B-NP in IOB2, found I-NP"),
        ("iob1", "a B-NP\n", 1, "expected I-NP in IOB1, found B-NP"),
        ("ioe2", "a I-NP\nb O\n", 1, "expected E-NP in IOE2, found I-NP"),
        ("iobes", "a B-NP\nb I-NP\n", 2, "expected E-NP in IOBES, found I-NP"),
    ],
)
def test_tags_of_another_scheme(scheme, text, line, message, tmp_path):
    with pytest.raises(SennaError, match=f"a.tsv: line {line}: {message}"):
        read(tmp_path, text, scheme=scheme)


@pytest.mark.parametrize("text", ["", "\n\n  \n", "-DOCSTART- O\n"])
def test_no_sentence(text, tmp_path):
    with pytest.raises(SennaError, match=rf"{tmp_path}/a\.tsv: no sentence"):
        read(tmp_path, text)


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("a\tx\tB-V\nb\ty\tO\n", 1, "expected 4 columns in a sentence of 2 predicates, found 3"),
        ("a\t-\n\nb\t-\tO\n", 3, "expected 2 columns in a sentence of 0 predicates, found 3"),
        ("a\t-\n\nb\tx\tV\n", 3, "expected O or a tag such as B-NP (B, I, E or S), found 'V'"),
        ("a\tx\tB-V\nb\t-\n", 2, "expected 3 columns, as in line 1, found 2"),
    ],
)
def test_roles_that_cannot_be_used(text, line, message, tmp_path):
    with pytest.raises(SennaError) as error:
        read(tmp_path, text, ["word", "predicate", "roles"], "srl", "roles")
    assert str(error.value) == f"{tmp_path / 'a.tsv'}: line {line}: {message}"


def test_malformed_parse_bits(tmp_path):
    with pytest.raises(SennaError, match=r"a.tsv: line 4: expected a parse bit .* found 'NP'"):
        read(tmp_path, "a\t(S*)\n\nb\t(S*\nc\tNP\n", ["word", "parse"], "pt0")
    with pytest.raises(SennaError, match=r"a\.tsv: line 2: expected S to end in its sentence"):
        read(tmp_path, "a\t(S*\nb\t*\n", ["word", "parse"], "pt0")


def test_files_that_are_not_there(tmp_path):
    for pattern, message in (("none.tsv", "No such file"), ("none*.tsv", "no file has such")):
        data = DataSet([pattern], ["word", "chk"])
        with pytest.raises(SennaError, match=message) as error:
            read_sentences([data], {"chk": kind_of("chk")}, tmp_path)
        assert pattern in str(error.value)


def test_a_column_that_some_files_lack(tmp_path):
    (tmp_path / "a").write_text("a\tNN\tO\n")
    (tmp_path / "b").write_text("a\tO\n")
    sets = [DataSet(["a"], ["word", "pos", "chk"]), DataSet(["b"], ["word", "chk"])]
    with pytest.raises(SennaError, match="column pos: some files have it, others do not"):
        read_sentences(sets, {"chk": kind_of("chk")}, tmp_path, ["pos"])
    assert [*map(len, read_sentences(sets, {"chk": kind_of("chk")}, tmp_path).words)] == [1, 1]


def test_files_in_the_order_of_their_names(tmp_path):
    for name in "ba":
        (tmp_path / f"{name}.txt").write_text(f"{name} O\n")
    data = DataSet(["*.txt"], ["word", "chk"])
    assert read_sentences([data], {"chk": kind_of("chk")}, tmp_path).words == [["a"], ["b"]]


def test_a_file_that_is_not_utf8(tmp_path):
    (tmp_path / "a.tsv").write_bytes(b"the\tDT\n\na\tDT\ncaf\xe9\tNN\n")
    with pytest.raises(SennaError, match=r"a\.tsv: line 4: not UTF-8"):
        read_sentences([DataSet(["a.tsv"], ["word", "pos"])], {"pos": kind_of("pos")}, tmp_path)
