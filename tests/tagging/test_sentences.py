"""Labelled sentences out of columns and bracketed text, and files that cannot be
used.
"""

import gzip

import pytest

from senna_py.errors import SennaError
from senna_py.labels.tasks import find_task
from senna_py.tagging.sentences import read_sentences
from senna_py.tagging.settings import DataSet
from tests.helpers.gold import plain
from tests.helpers.random_trees import format_tree
from tests.helpers.refusal import refusal


def read(tmp_path, text, columns=("word", "chk"), task="chk", kind="", **options):
    features = options.pop("features", ())
    (tmp_path / "a.tsv").write_bytes(text.encode() if isinstance(text, str) else text)
    data = DataSet(["a.tsv"], list(columns), **options)
    return read_sentences([data], {task: find_task(task, kind)}, tmp_path, features)


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
        assert plain(found.gold["chk"]) == [["B-NP", "E-NP", "S-NP"], ["O"]]


def test_a_column_without_labels(tmp_path):
    with pytest.raises(
        SennaError, match=r"a\.tsv: no word has a label in its column pos, only _"
    ):
        read(tmp_path, "a\t_\nb\t_\n", ("word", "pos"), "pos")
    assert read(tmp_path, "a\t_\n", ("word", "feats"), "feats").words == [["a"]]
    (tmp_path / "b.tsv").write_text("b\tNN\n")
    sets = [DataSet([name], ["word", "pos"]) for name in ("a.tsv", "b.tsv")]
    found = read_sentences(sets, {"pos": find_task("pos")}, tmp_path)
    assert plain(found.gold["pos"]) == [["_"], ["NN"]]


def test_places_parts_and_feature_columns(tmp_path):
    text = "".join(f"w{i}\tT{i}\tO\n\n" for i in range(10))
    found = read(
        tmp_path,
        text,
        ["word", "pos", "chk"],
        part=[0.3, 0.7],
        features=["pos", "caps"],
    )
    assert found.words == [[f"w{i}"] for i in range(3, 7)]
    assert found.columns == {"pos": [[f"T{i}"] for i in range(3, 7)]}
    assert found.place[0] == (str(tmp_path / "a.tsv"), range(7, 8))


def test_names_with_the_characters_of_patterns(tmp_path):
    place = tmp_path / "en [1]"
    place.mkdir()
    for name in ("a[1].tsv", "b.tsv"):
        (place / name).write_text(f"{name} O\n")
    for pattern, names in (
        ("a[1].tsv", ["a[1].tsv"]),
        ("?*.tsv", ["a[1].tsv", "b.tsv"]),
    ):
        data = DataSet([pattern], ["word", "chk"])
        found = read_sentences([data], {"chk": find_task("chk")}, place)
        assert found.words == [[name] for name in names]


def test_other_names_of_labels(tmp_path):
    labels = {"LOC": "PLACE", "MISC": "O"}
    found = read(tmp_path, "a B-LOC\nb B-MISC\nc I-MISC\nd B-PER\n", labels=labels)
    assert plain(found.gold["chk"]) == [["S-PLACE", "O", "O", "S-PER"]]
    found = read(tmp_path, "a I-LOC\nb I-ORG\nc I-ORG\n", labels={"ORG": "LOC"})
    assert plain(found.gold["chk"]) == [["S-LOC", "B-LOC", "E-LOC"]]
    columns = ["word", "mine"]
    found = read(
        tmp_path, "a NNX\nb NN\n", columns, "mine", "tags", labels={"NNX": "NN"}
    )
    assert plain(found.gold["mine"]) == [["NN", "NN"]]


def test_predicates_and_roles(tmp_path):
    text = "a\t-\tB-A0\tO\nb\tx\tB-V\tO\nc\ty\tO\tB-V\n\nd\t-\n"
    columns = ["word", "predicate", "roles"]
    found = read(tmp_path, text, columns, "srl", "roles")
    assert plain(found.gold["srl"]) == [
        {1: ["S-A0", "S-V", "O"], 2: ["O", "O", "S-V"]},
        {},
    ]
    found = read(tmp_path, text, columns, "vbs", "tags")
    assert plain(found.gold["vbs"]) == [["NOVB", "VB", "VB"], ["NOVB"]]
    # as senna-tag writes them
    text = "a\t-\tB-A0|O\nb\tx\tB-V|O\nc\ty\tO|B-V\n\nd\t-\t-\n"
    found = read(tmp_path, text, columns, "srl", "roles")
    assert plain(found.gold["srl"]) == [
        {1: ["S-A0", "S-V", "O"], 2: ["O", "O", "S-V"]},
        {},
    ]


def test_phrases_from_parse_bits(tmp_path):
    text = "a\t(S(NP-SBJ*\nb\t*)\nc\t*)\n"
    found = read(tmp_path, text, ["word", "parse"], "pt0")
    assert plain(found.gold["pt0"]) == [["B-NP", "E-NP", "O"]]
    text = "a\t(S(NP*))\tO\n"
    found = read(tmp_path, text, ["word", "parse", "chk"], features=["pt0"])
    assert found.columns == {"pt0": [["S-NP"]]}


def test_levels_of_trees(tmp_path):
    text = "a\t(S(VP*\tO\nb\t(NP*)))\tO\n"
    assert plain(read(tmp_path, text, ["word", "parse", "-"], "pt1").gold["pt1"]) == [
        ["B-VP", "E-VP"]
    ]
    columns = ["word", "parse", "chk"]
    found = read(tmp_path, text, columns, features=["pt0", "pt1", "pt2", "pt3", "pt4"])
    none = [["O", "O"]]
    assert found.columns == {
        "pt0": [["S-VP", "S-NP"]],
        "pt1": [["B-VP", "E-VP"]],
        "pt2": none,
        "pt3": none,
        "pt4": none,
    }


CHUNKS = {"columns": ["word", "chk"], "task": "chk"}
ROLES = {"columns": ["word", "predicate", "roles"], "task": "srl"}
BITS = {"columns": ["word", "parse"], "task": "pt0"}
TREES = {"columns": ["word", "pos", "parse"], "task": "psg"}
BRACKETS = {"columns": ["brackets"], "task": "psg"}
OF_BITS = "It PRP (TOP(S(NP-SBJ*)\nworks VBZ (VP*)\n. . *))\n\nYes UH (INTJ*)\n"
OF_BRACKETS = (
    "( (S (NP-SBJ-1 (PRP It))\n     (VP (VBZ works)\n       (NP (-NONE- *-1)))\n     (. .)))\n"
    "(())\n\n"
    "(TOP (INTJ (UH Yes)))\n(TOP (NP (-NONE- *)))\n"
)
BARE = ["(TOP (S (NP (PRP It)) (VP (VBZ works)) (. .)))", "(TOP (INTJ (UH Yes)))"]


@pytest.mark.parametrize(("text", "how"), [(OF_BITS, TREES), (OF_BRACKETS, BRACKETS)])
def test_both_formats_give_bare_trees(text, how, tmp_path):
    found = read(tmp_path, text, features=["caps", "pos", "chk"], **how)
    assert [format_tree(tree) for tree in plain(found.gold["psg"])] == BARE
    assert found.words == [["It", "works", "."], ["Yes"]]
    assert found.columns == {"pos": [["PRP", "VBZ", "."], ["UH"]]}
    lines = [[*lines] for _, lines in found.place]
    assert lines == ([[1, 2, 3], [5]] if how is TREES else [[1, 1, 1], [7]])
    renamed = read(tmp_path, text, labels={"NP": "N", "VP": "O", "TOP": "X"}, **how)
    assert (
        format_tree(plain(renamed.gold["psg"])[0])
        == "(TOP (S (N (PRP It)) (VBZ works) (. .)))"
    )


def test_parts_of_compressed_files(tmp_path):
    with gzip.open(tmp_path / "a.mrg.gz", "wt") as file:
        file.write("\n".join(BARE))
    data = DataSet(["*.gz"], ["brackets"], part=[0.5, 1.0])
    found = read_sentences([data], {"psg": find_task("psg")}, tmp_path)
    assert [format_tree(tree) for tree in plain(found.gold["psg"])] == BARE[1:]
    assert found.columns == {}


@pytest.mark.parametrize(
    ("how", "text", "line", "message"),
    [
        (CHUNKS, "a O\nb\n", 2, "expected 2 columns, as in line 1, found 1"),
        (
            CHUNKS,
            "a O x\n",
            1,
            "expected 2 columns (word, chk), found 3; what is not read is named -",
        ),
        (
            CHUNKS,
            "a O\n\nb O\nc NP\n",
            4,
            "expected O or a tag such as B-NP (B, I, E or S), found 'NP'",
        ),
        (CHUNKS, "a X-NP\n", 1, "found 'X-NP'"),
        (CHUNKS, "a -\n", 1, "found '-'"),
        (CHUNKS, "a O\nb B-\n", 2, "found 'B-'"),
        (CHUNKS, "a\tO\n\tO\n", 2, "an empty word"),
        (CHUNKS, b"the\tO\n\na\tO\ncaf\xe9\tO\n", 4, "not UTF-8"),
        (
            CHUNKS | {"scheme": "iob2"},
            "a B-NP\nb I-NP\n\nc O\nd I-NP\n",
            5,
            "expected B-NP in IOB2, found I-NP",
        ),
        (
            CHUNKS | {"scheme": "iob1"},
            "a B-NP\n",
            1,
            "expected I-NP in IOB1, found B-NP",
        ),
        (
            CHUNKS | {"scheme": "ioe2"},
            "a I-NP\nb O\n",
            1,
            "expected E-NP in IOE2, found I-NP",
        ),
        (
            CHUNKS | {"scheme": "iobes"},
            "a B-NP\nb I-NP\n",
            2,
            "expected E-NP in IOBES, found I-NP",
        ),
        (
            ROLES,
            "a\tx\tB-V\nb\ty\tO\n",
            1,
            "expected 4 columns in a sentence of 2 predicates, found 3",
        ),
        (
            ROLES,
            "a\t-\n\nb\t-\tO\n",
            3,
            "expected 2 columns in a sentence of 0 predicates, found 3",
        ),
        (
            ROLES,
            "a\t-\n\nb\tx\tV\n",
            3,
            "expected O or a tag such as B-NP (B, I, E or S), found 'V'",
        ),
        (ROLES, "a\tx\tB-V\nb\t-\n", 2, "expected 3 columns, as in line 1, found 2"),
        (
            BITS,
            "a\t(S*)\n\nb\t(S*\nc\tNP\n",
            4,
            "expected a parse bit such as (NP* or *",
        ),
        (BITS, "a\t(S*\nb\t*\n", 2, "expected S to end in its sentence"),
        (
            TREES,
            "a X (S*\nb Y *))\n",
            2,
            "expected at most 1 closing bracket, found '*))'",
        ),
        (TREES, "a X (S*\nb Y *\n", 2, "expected S to end in its sentence"),
        (TREES, "a X (S*)\n\nb Y NP\n", 3, "expected a parse bit such as (NP* or *"),
        (TREES, "a X (S*\nb Y (*))\n", 2, "expected a label after each (, found none"),
        (TREES, "a X (S*\n* -NONE- *)\n", 2, "expected a word, found a trace (-NONE-)"),
        (TREES, "a X\n", 1, "expected at least 3 columns, found 2"),
        (
            BRACKETS,
            "(S (X a))\n(S (NP (X b)\n",
            2,
            "found the end: 2 brackets are not closed",
        ),
        (BRACKETS, "(S (X a))\n(S (X b)))\n", 2, "found ) after its end"),
        (
            BRACKETS,
            "(S\n  (X a)\n  (NP b c))\n",
            3,
            "expected ) after (NP b, found 'c'",
        ),
    ],
)
def test_errors_name_file_and_line(how, text, line, message, tmp_path):
    said = refusal(tmp_path / "a.tsv", read, tmp_path, text, **how)
    assert said.startswith(f"line {line}: ") and message in said


@pytest.mark.parametrize(
    ("how", "text"),
    [
        (CHUNKS, ""),
        (CHUNKS, "\n\n  \n"),
        (CHUNKS, "-DOCSTART- O\n"),
        (BRACKETS, "(())\n"),
    ],
)
def test_no_sentence(how, text, tmp_path):
    with pytest.raises(SennaError, match=rf"{tmp_path}/a\.tsv: no sentence"):
        read(tmp_path, text, **how)


def test_files_that_are_not_there(tmp_path):
    for how in (CHUNKS, BRACKETS):
        for name, message in (
            ("none.tsv", "No such file"),
            ("none*.tsv", "no file has such"),
        ):
            data = DataSet([name], how["columns"])
            with pytest.raises(SennaError, match=message) as error:
                read_sentences([data], {how["task"]: find_task(how["task"])}, tmp_path)
            assert name in str(error.value)


def test_a_column_that_some_files_lack(tmp_path):
    (tmp_path / "a").write_text("a\tNN\tO\n")
    (tmp_path / "b").write_text("a\tO\n")
    sets = [DataSet(["a"], ["word", "pos", "chk"]), DataSet(["b"], ["word", "chk"])]
    with pytest.raises(
        SennaError, match="column pos: some files have it, others do not"
    ):
        read_sentences(sets, {"chk": find_task("chk")}, tmp_path, ["pos"])
    assert [
        *map(len, read_sentences(sets, {"chk": find_task("chk")}, tmp_path).words)
    ] == [1, 1]


def test_files_in_the_order_of_their_names(tmp_path):
    for name in "ba":
        (tmp_path / f"{name}.txt").write_text(f"{name} O\n")
    data = DataSet(["*.txt"], ["word", "chk"])
    assert read_sentences([data], {"chk": find_task("chk")}, tmp_path).words == [
        ["a"],
        ["b"],
    ]


def test_empty_cells_are_no_labels(tmp_path):
    row = "1\tw\tw\tNOUN\tNN\t_\t0\troot\t_\t_\n\n"
    for column, task in (("upos", "upos"), ("xpos", "pos"), ("deprel", "dep")):
        cell = {"upos": "NOUN", "xpos": "NN", "deprel": "root"}[column]
        path = tmp_path / "a.conllu"
        path.write_text(row + row.replace(f"\t{cell}\t", "\t\t"))
        data = DataSet.of({"files": [path.name]})
        data.fill_columns([find_task(task)])
        message = refusal(
            path, read_sentences, [data], {task: find_task(task)}, tmp_path
        )
        assert message == f"line 3: {column.upper()} is empty; _ stands for no value"


@pytest.mark.parametrize("blank", ["\u00a0", "\u2003"])
def test_white_space_is_no_label(blank, tmp_path):
    message = f"line 2: a cell that is only white space, {blank!r}"
    with pytest.raises(SennaError) as error:
        read(tmp_path, f"a\tX\nb\t{blank}\n", ("word", "pos"), "pos")
    assert str(error.value) == f"{tmp_path / 'a.tsv'}: {message}"
