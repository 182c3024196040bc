"""CoNLL-U files and the layouts of shared tasks, read by the installed commands."""

import csv
import json
import shutil

import pytest

from senna_py.answers.document import Document
from tests.helpers.commands import assert_one_line_error, printed, run, tag
from tests.helpers.small_corpora import conllu, corpus, write_vectors

SENTENCE = """\
# sent_id = s7
# text = "Du 13 819."
1\t"\t"\tPUNCT\t``\t_\t0\troot\t_\tSpaceAfter=No
2-3\tDu\t_\t_\t_\t_\t_\t_\t_\t_
2\tDe\tde\tADP\tIN\t_\t1\tdep\t_\t_
3\tle\tle\tDET\tDT\t_\t1\tdep\t_\t_
4\t13 819\t13 819\tNUM\tCD\t_\t1\tdep\t_\tSpaceAfter=No
5\t.\t.\tPUNCT\t.\t_\t1\tdep\t_\tSpaceAfter=No
6\t"\t"\tPUNCT\t''\t_\t1\tdep\t_\t_

"""


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """Directory with `train.conllu`, `dev.conllu` and vectors."""
    place = tmp_path_factory.mktemp("conllu")
    write_vectors(place / "vectors.txt")
    (place / "train.conllu").write_text(conllu(corpus(40, seed=1)))
    (place / "dev.conllu").write_text(conllu(corpus(10, seed=2)))
    return place


def test_train_and_score(place):
    data = "\n".join(
        f'[[{part}]]\nfiles = ["{part}.conllu"]\ncolumns = ["form", "ner=misc.NER"]'
        for part in ("train", "dev")
    )
    (place / "ner.toml").write_text(f'task = "ner"\n{data}\n[training]\nepochs=1\n')
    vectors = ("--vectors", place / "vectors.txt")
    trained = run("senna-train", place / "ner.toml", place, place / "ner", *vectors)
    assert trained.returncode == 0, trained.stderr.decode()
    model = "-path", place / "ner"
    scored = printed(run("senna-eval", "model", "ner", place / "dev.conllu", *model))
    assert scored.splitlines()[-1] == trained.stdout.decode().splitlines()[-1]
    plain = shutil.copy(place / "dev.conllu", place / "dev.txt")
    wrong = run("senna-eval", "model", "ner", plain, "--columns", "word,ner")
    assert_one_line_error(wrong, "looks like CoNLL-U", "--layout conllu")
    assert (
        printed(run("senna-eval", "model", "ner", plain, *model, "--layout", "conllu"))
        == scored
    )


def test_tags_of_what_a_file_has(write):
    path = write(SENTENCE * 2, "a.conllu")
    found = printed(tag(path, "-pos", "-offsettags"))
    rows = [row.split() for row in found.splitlines()]
    assert [row[0] for row in rows[:4]] == ['"', "De", "le", "13"]  # of `13 819`
    assert len(rows) == 2 * 7
    for words in ("words", "tokens"):
        result = tag("--format", "jsonl", "-pos", "--multiwords", words, path)
        first, second = map(json.loads, result.stdout.splitlines())
        assert first["text"] == second["text"] == '"Du 13 819."'
        assert [first[key] for key in ("id", "line", "sentence")] == ["s7", 3, 1]
        assert second["line"] == 3 + 10
    piped = tag("--layout", "conllu", "-pos", "-offsettags", stdin=path.read_bytes())
    assert printed(piped) == found


RANGES = """\
# text = É can't gonna: leave.
1\tÉ\t_\tPRON\t_\t_\t0\troot\t_\t_
2-3\tcan't\t_\t_\t_\t_\t_\t_\t_\t_
2\tca\tcan\tAUX\t_\t_\t1\tdep\t_\t_
3\tn't\tnot\tPART\t_\t_\t1\tdep\t_\t_
4-5\tgonna\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No
4\tgoing\t_\tAUX\t_\t_\t1\tdep\t_\t_
5\tto\t_\tPART\t_\t_\t1\tdep\t_\t_
6\t:\t_\tPUNCT\t_\t_\t1\tdep\t_\t_
7\tleave\t_\tVERB\t_\t_\t1\tdep\t_\tSpaceAfter=No
8\t.\t_\tPUNCT\t_\t_\t1\tdep\t_\t_

"""
WORDS = ["É", "ca", "n't", "going", "to", ":", "leave", "."]


def test_ranges_of_a_file_are_its_text(write):
    path = write(RANGES * 2, "a.conllu")
    options = "-pos", "-chk", "--format"
    objects = printed(tag(*options, "jsonl", path)).splitlines()
    first, second = [json.loads(line) for line in objects]
    assert first["text"] == second["text"] == "É can't gonna: leave."
    assert [token["text"] for token in first["tokens"]] == WORDS
    assert [each["text"] for each in first["ranges"]] == ["can't", "gonna"]
    places = [(token["start_char"], token["end_char"]) for token in first["tokens"]]
    assert places[:5] == [(0, 1), (2, 4), (4, 7), (8, 13), (8, 13)]
    assert Document.from_conllu(RANGES).text == first["text"]
    table = csv.DictReader(printed(tag(*options, "csv", path)).splitlines())
    starts = [int(row["start_char"]) for row in table]
    n_characters = len(first["text"]) + 1
    assert starts[8:] == [start + n_characters for start in starts[:8]]
    rows = printed(tag(*options, "senna", path)).splitlines()
    assert [row.split()[0] for row in rows[:8]] == WORDS
    assert printed(tag(*options, "conllu", path)).count("2-3\tcan't") == 2
    # The tags are those of a file in which these words have no ranges.
    plain = "".join(line for line in RANGES.splitlines(True) if "-" not in line[:3])
    written = tag(*options, "senna", write(plain * 2, "b.conllu"))
    assert printed(written).splitlines() == rows


def test_what_is_piped_in_without_its_layout_is_noted():
    for text in (SENTENCE, SENTENCE.split("\n", 2)[2].replace("\n", "\r\n")):
        noted = tag("-pos", "-usrtokens", stdin=text.encode())
        assert noted.stderr.count(b"looks like CoNLL-U") == 1
        assert not tag("-pos", "--layout", "conllu", stdin=text.encode()).stderr
    assert not tag("-pos", stdin=b"# 1\n1\tHe\t_\n").stderr


def test_tags_of_the_shared_tasks_files():
    text = b"-DOCSTART- -X- -X- O\n\nHe PRP I-NP O\nlives VBZ I-VP O\n\nGo VB I-VP O\n"
    found = tag("-pos", "--layout", "conll2003", stdin=text)
    assert found.stdout == tag("-pos", "-usrtokens", stdin=b"He lives\nGo\n").stdout
    documents = 3 * text
    found = tag(
        "--format", "conll2003", "-pos", "--layout", "conll2003", stdin=documents
    ).stdout
    assert [line.split()[0] for line in found.split(b"\n") if line] == [
        line.split()[0] for line in documents.split(b"\n") if line
    ]


def test_usage():
    for options, problem in (
        (("--columns", "word,pos=tag"), "no column 'tag'"),
        ((), "--columns are missing"),
    ):
        layout = ("--layout", "conllu") if options else ()
        result = run("senna-eval", "model", "pos", "a.txt", *layout, *options)
        assert_one_line_error(result, problem, code=2, is_last=True)


def test_bytes_outside_utf8_are_noted_and_other_encodings_are_read(tmp_path):
    line = "1\t%s\t_\t_\t_\t_\t0\troot\t_\t_\n\n"
    (tmp_path / "a.conllu").write_bytes((line % "He" + line % "café").encode("latin-1"))
    result = tag("-pos", "a.conllu", cwd=tmp_path)
    assert b"caf\xe9" in result.stdout
    assert (
        b"a.conllu: line 3 is not UTF-8: such bytes stay as they are; --enc"
        in result.stderr
    )
    (tmp_path / "nul.conllu").write_bytes((line % "a\0b").encode())
    assert_one_line_error(
        tag("-pos", "nul.conllu", cwd=tmp_path), "nul.conllu: a binary file"
    )
    result = tag("-pos", "--encoding", "latin-1", "a.conllu", cwd=tmp_path)
    assert "café" in result.stdout.decode()
    assert not result.stderr


def test_a_line_of_tabs_is_an_empty_one(tmp_path):
    """As a spreadsheet writes it; what comes out is read again."""
    for end in ("\n", "\r\n"):
        row = f"1\tHi\t_\t_\t_\t_\t0\troot\t_\t_{end}"
        text = row + "\t" * 9 + end + row + " " + end
        (tmp_path / "a.conllu").write_bytes(text.encode())
        found = printed(tag("-pos", "--format", "conllu", tmp_path / "a.conllu"))
        lines = found.split(end)
        assert [line[:2] for line in lines] == ["1\t", "", "1\t", "", ""]
        (tmp_path / "b.conllu").write_bytes(found.encode())
        printed(run("senna-eval", "text", tmp_path / "b.conllu", tmp_path / "b.conllu"))
