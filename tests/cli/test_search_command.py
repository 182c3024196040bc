"""senna-py search: text and tagged files, formats, errors, streams."""

import csv
import io
import json
import sys
from pathlib import Path

import pytest

from tests.helpers.commands import (
    MODEL,
    assert_one_line_error,
    printed,
    run,
    run_program,
)
from tests.helpers.searched import SAMPLE, searched

VERBS = 'verb:[upos="VERB"] >nsubj who:<dep/> >obj what:[]?'
TEXT = "Angela Merkel visited Berlin. She gave a speech.\nIt rained.\n"


def search(*args, **options):
    return run("senna-py", "search", *args, **options)


def found(*args, **options):
    """The objects of what a search finds."""
    lines = printed(search("--format", "jsonl", *args, **options)).splitlines()
    return [json.loads(line) for line in lines]


def test_text_is_tagged_on_the_way():
    objects = found(
        "--path", MODEL, 'who:<ner="ORG"/> [pos="JJR"]', stdin=TEXT.encode()
    )
    assert objects == [
        {
            "id": "stdin-1-1",
            "document": "stdin",
            "line": 1,
            "sentence": 1,
            "start_token": 0,
            "end_token": 2,
            "start_char": 0,
            "end_char": 13,
            "text": "Angela Merkel",
            "left": "",
            "right": " visited Berlin.",
            "captures": {
                "who": {
                    "start_token": 0,
                    "end_token": 1,
                    "start_char": 0,
                    "end_char": 6,
                    "text": "Angela",
                }
            },
        }
    ]


def test_the_second_sentence_of_a_line_has_its_own_place():
    (she,) = found("--path", MODEL, '"She"', stdin=TEXT.encode())
    assert (she["id"], she["start_token"], she["start_char"]) == ("stdin-1-2", 0, 30)
    (rained,) = found("--path", MODEL, '"rained"', stdin=TEXT.encode())
    assert (rained["line"], rained["start_char"], rained["right"]) == (2, 3, ".")


def test_only_the_tasks_of_the_pattern_run():
    result = search("--path", MODEL, "[upos='VERB']", stdin=b"He slept .")
    assert result.returncode == 2
    message = result.stderr.decode().splitlines()
    assert message[0].startswith(
        "senna-py: the pattern, column 2: the model does not have the task upos; there are pos,"
    )
    assert message[1:] == ["  [upos='VERB']", "   ^"]


def test_lines_in_context():
    out = printed(search("--context", "12", VERBS, SAMPLE))
    lines = out.splitlines()
    assert (
        lines[0]
        == "  Mary Smith [told] her old frie\tverb=told  who=Mary Smith\tsample.txt-1-1"
    )
    assert {line.index("[") for line in lines} == {13}
    line = f"{'The red':>40} [car] was sold by Mary.\tsample.txt-2-1\n"
    assert printed(search('"car"', SAMPLE)) == line


def test_wide_characters_are_aligned():
    text = "日本語 see\nab see\n"
    out = printed(
        search(
            "--path",
            MODEL,
            "--usrtokens",
            "--context",
            "8",
            '"see"',
            stdin=text.encode(),
        )
    )
    assert out.splitlines() == [
        "  日本語 [see]\tstdin-1-1",
        "      ab [see]\tstdin-2-1",
    ]


def test_csv():
    out = printed(search("--format", "csv", "--context", "5", VERBS, SAMPLE))
    rows = [*csv.DictReader(io.StringIO(out))]
    assert rows[1] == {
        "id": "sample.txt-1-1",
        "document": str(SAMPLE),
        "line": "5",
        "sentence": "1",
        "start_token": "9",
        "end_token": "10",
        "start_char": "45",
        "end_char": "49",
        "left": " had ",
        "text": "paid",
        "right": " $5 m",
        "verb": "paid",
        "who": "IBM",
        "what": "$",
    }
    assert rows[0]["what"] == ""


def test_an_array_of_json():
    out = printed(search("--format", "json", "<ner/>", SAMPLE))
    assert [each["text"] for each in json.loads(out)] == [
        match.text for match in searched().search("<ner/>")
    ]
    assert json.loads(printed(search("--format", "json", '"zzz"', SAMPLE))) == []


def test_counts():
    assert printed(search("--format", "count", "<ner/>", SAMPLE)) == "12\n"
    both = printed(search("--format", "count", "<ner/>", SAMPLE, SAMPLE))
    assert both == f"{SAMPLE}\t12\n{SAMPLE}.2\t12\n"


def test_a_limit_counts_over_all_files():
    args = "--limit", "13", "--format", "jsonl", "<ner/>", SAMPLE, SAMPLE
    assert len(printed(search(*args)).splitlines()) == 13


def test_output_goes_to_a_file(tmp_path):
    out = tmp_path / "out.jsonl"
    assert printed(search("--format", "jsonl", "-o", out, "<ner/>", SAMPLE)) == ""
    assert len(out.read_text("utf-8").splitlines()) == 12


@pytest.fixture
def tagged(tmp_path):
    """The sample in several formats, by ending."""
    document = searched()
    rows = [sentence.to_dict() for sentence in document.sentences]
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    array = ",\n".join(map(json.dumps, rows))
    (tmp_path / "a.json").write_text(f"[\n{array}\n]\n")
    (tmp_path / "whole.json").write_text(document.to_json())
    return tmp_path


PATTERNS = [
    VERBS,
    'a:[pos="DT"] b:<chk/>? [Number="Plur"]',
    "<psg='VP'> []* v:<ner/> []* </psg>",
    "[] >srl.A0 who:[] >srl.A1 what:<val/>?",
    "[lemma='be|have' & !ner]",
]


@pytest.mark.parametrize("pattern", PATTERNS)
def test_every_format_has_the_same_matches(tagged, pattern):
    def places(objects):
        return [
            (
                each["start_token"],
                each["text"],
                {name: span["text"] for name, span in each["captures"].items()},
            )
            for each in objects
        ]

    conllu = places(found(pattern, SAMPLE))
    assert conllu
    for name in ("a.jsonl", "a.json", "whole.json"):
        assert places(found(pattern, tagged / name)) == conllu
    python = [
        (
            match.start - match.sentence.start,
            match.text,
            {name: span.text for name, span in match.captures.items()},
        )
        for match in searched().search(pattern)
    ]
    assert python == conllu


def test_standard_input_of_a_source_that_is_named(tagged):
    lines = (tagged / "a.jsonl").read_bytes()
    assert len(found("--from", "jsonl", "<ner/>", stdin=lines)) == 12
    assert (
        len(found("--from", "conllu", "<ner/>", "-", stdin=SAMPLE.read_bytes())) == 12
    )


def test_a_layer_that_a_file_lacks_is_named(tagged, write):
    rows = "1\tGo\t_\t_\tVB\t_\t_\t_\t_\t_\n\n"
    result = search("[upos='VERB'] >obj []", write(rows, "a.conllu"))
    assert result.returncode == 2
    assert (
        b"a.conllu was not tagged with upos; senna-py tag --upos --format conllu adds it\n"
        in result.stderr
    )
    result = search("--format", "csv", "<ner/>", write(rows, "a.conllu"))
    assert (result.returncode, result.stdout) == (2, b"")
    bare = json.dumps({"text": "Go", "tokens": [], "tags": {"pos": []}})
    result = search("[upos='VERB']", write(bare, "b.jsonl"))
    assert result.returncode == 2
    assert b"was not tagged with upos; there are pos" in result.stderr


def test_the_ending_of_the_output_chooses_the_format(tmp_path):
    for ending in ("csv", "json", "jsonl"):
        named = search("--format", ending, '"car"', SAMPLE)
        assert printed(search("-o", tmp_path / f"a.{ending}", '"car"', SAMPLE)) == ""
        assert (tmp_path / f"a.{ending}").read_bytes() == named.stdout
    assert printed(search("-o", tmp_path / "a.txt", '"car"', SAMPLE)) == ""
    assert "[car]" in (tmp_path / "a.txt").read_text("utf-8")
    for ending in ("xlsx", "parquet", "conllu"):
        result = search("-o", tmp_path / f"a.{ending}", '"car"', SAMPLE)
        problem = f"matches are not written as {ending}, but .csv, .json"
        assert_one_line_error(result, problem, code=2)


def test_columns_have_attributes_of_captures():
    pattern = 'verb:[upos="VERB"] >obj what:<dep/>'
    columns = "verb.lemma,verb.pos, what ,what.lemma,what.ner,what.psg,Tense,id,right"
    out = printed(search("--columns", columns, "--context", "4", pattern, SAMPLE))
    rows = [*csv.DictReader(io.StringIO(out))]
    assert rows[0] == {
        "verb.lemma": "pay",
        "verb.pos": "VBN",
        "what": "$5 million",
        "what.lemma": "$ 5 million",
        "what.ner": "",
        "what.psg": "NP",
        "Tense": "Past",
        "id": "sample.txt-1-1",
        "right": " $5 ",
    }
    args = "--columns", columns, "--context", "4", pattern, SAMPLE
    assert json.loads(printed(search("--format", "json", *args))) == rows
    lines = printed(search("--format", "jsonl", *args)).splitlines()
    assert [*map(json.loads, lines)] == rows


def test_columns_of_text_need_their_tasks():
    args = "--path", MODEL, "--columns", "who.pos,who", 'who:<ner="ORG"/>'
    assert printed(search(*args, stdin=TEXT.encode())).startswith("who.pos,who\n")


def test_values_of_columns_are_counted():
    args = "--count-by", "verb.lemma,verb.pos", 'verb:[lemma="be|have|run"]', SAMPLE
    assert printed(search(*args)) == (
        "verb.lemma,verb.pos,count\n"
        "be,VBD,2\nrun,VBD,2\nbe,VBN,1\nbe,VBP,1\nhave,VBD,1\nhave,VBZ,1\n"
    )
    rows = json.loads(printed(search("--format", "json", *args, SAMPLE)))
    assert rows[0] == {"verb.lemma": "be", "verb.pos": "VBD", "count": 4}
    lines = printed(search("--format", "jsonl", *args, SAMPLE)).splitlines()
    assert [*map(json.loads, lines)] == rows
    nothing = search("--count-by", "lemma", "--format", "json", '"zzz"', SAMPLE)
    assert json.loads(printed(nothing)) == []


def test_a_missing_capture_has_no_value():
    args = "--columns", "verb,what.lemma", "--format", "jsonl", VERBS, SAMPLE
    row = json.loads(printed(search(*args)).splitlines()[0])
    assert row == {"verb": "told", "what.lemma": None}


@pytest.mark.parametrize(
    ("args", "problem"),
    [
        (
            ["--columns", "a.lemma", "b:[]"],
            "the column a.lemma: no capture a; there are b",
        ),
        (["--columns", "text,text", "[]"], "the column text is named twice"),
        (["--columns", "text,", "[]"], "a column needs a name: 'text,'"),
        (["--columns", ".lemma", "[]"], "a column needs a name: '.lemma'"),
        (["--columns", "b.tag", "b:[]"], "there is no attribute tag; the tags are pos"),
        (
            ["--columns", "id", "--count-by", "id", "[]"],
            "cannot be used with --count-by",
        ),
        (["--columns", "id", "--format", "kwic", "[]"], "format kwic has no columns;"),
        (
            ["--count-by", "id", "--format", "count", "[]"],
            "format count has no columns;",
        ),
    ],
)
def test_errors_of_columns(args, problem):
    assert_one_line_error(search(*args, SAMPLE), problem, code=2)


@pytest.mark.parametrize(
    ("pattern", "problem"),
    [
        ('[upos="NOUNS"]', 'column 2: no label of upos in the files matches "NOUNS"'),
        ('<ner="PERSON"/>', '"PERSON"; there are PER, ORG, LOC'),
        ("[] >nsubjpass []", '"nsubjpass"; there are nsubj:pass'),
        (
            '[Number="Sg"]',
            'no value of Number in the files matches "Sg"; there are Sing',
        ),
        ("[Nummer]", "no word in the files has the feature Nummer; there are "),
    ],
)
def test_labels_that_no_file_has_are_noted(pattern, problem):
    result = search(pattern, SAMPLE)
    assert (result.returncode, result.stdout) == (0, b"")
    (line,) = result.stderr.decode().splitlines()
    assert problem in line


def test_files_without_labels_have_no_notes(write):
    result = search('[upos="NOUNS"]', write("", "a.conllu"))
    assert (result.returncode, result.stdout, result.stderr) == (0, b"", b"")
    bare = "1\tGo\t_\t_\tVB\t_\t_\t_\t_\tNER=O\n\n"
    result = search('<ner="PERSON"/>', write(bare, "b.conllu"))
    assert (result.returncode, result.stdout, result.stderr) == (0, b"", b"")


def test_labels_that_the_model_lacks_are_noted_once():
    result = search("--path", MODEL, '[ner="PERSON"]', stdin=TEXT.encode())
    assert (result.returncode, result.stdout) == (0, b"")
    (line,) = result.stderr.decode().splitlines()
    assert 'the pattern, column 2: no label of ner matches "PERSON"; there are ' in line
    result = search("--path", MODEL, "[psg='N.*' & srl='ARG0']", stdin=TEXT.encode())
    assert result.stderr.decode().count("\n") == 1
    assert b'no label of srl matches "ARG0"; there are V, A0, ' in result.stderr
    for pattern in ('[ner="ORG|X"]', '[word="zzz"]', '[!ner & "zzz"]', "<s/> <s/>"):
        result = search("--path", MODEL, pattern, stdin=TEXT.encode())
        assert (result.returncode, result.stderr) == (0, b"")


def test_tagged_files_on_standard_input_are_noted():
    result = search("--path", MODEL, '"zzz"', stdin=SAMPLE.read_bytes())
    assert b"looks like CoNLL-U, and is tagged as text; --from conllu" in result.stderr


def test_names_of_other_programs_are_explained(write):
    result = search("--path", MODEL, '[tag="NN"]', stdin=b"He slept .")
    assert result.returncode == 2
    assert b"column 2: there is no attribute tag; the tags are pos" in result.stderr
    for pattern in ('[head="0"]', "[head]"):
        result = search(pattern, SAMPLE)
        assert result.returncode == 2
        assert b"there is no attribute head; a relation such as" in result.stderr


def test_malformed_files_are_named(write):
    path = write('{"text": 3}\n', "a.jsonl")
    assert_one_line_error(
        search("[]", path), "a.jsonl: line 1: no sentence that was tagged"
    )
    path = write("{", "b.jsonl")
    assert_one_line_error(search("[]", path), "b.jsonl: line 1: no JSON object")
    head = "1\tGo\t_\t_\tVB\t_\t7\troot\t_\t_\n\n"
    path = write(head, "a.conllu")
    assert_one_line_error(search("[] > []", path), "a.conllu: lines 1 to 1: dep:")


def test_a_file_that_is_missing_does_not_stop_the_others(tmp_path):
    result = search("--format", "count", "<ner/>", tmp_path / "no.conllu", SAMPLE)
    assert result.returncode == 1
    assert result.stdout.decode() == f"{SAMPLE}\t12\n"


def test_usage_errors():
    result = search('[pos="NN"', SAMPLE)
    assert result.returncode == 2
    assert result.stderr.decode().splitlines() == [
        "senna-py: the pattern, column 10: expected ] for the [ in column 1, but the pattern "
        "ends here",
        '  [pos="NN"',
        "           ^",
    ]
    result = search("--format", "csv", "text:[]", SAMPLE)
    assert_one_line_error(
        result, "the capture text has the name of another column", code=2
    )


@pytest.mark.process
def test_a_reader_that_leaves_ends_the_search(tmp_path):
    many = tmp_path / "many.conllu"
    many.write_bytes(SAMPLE.read_bytes() * 200)
    result = run_program(
        "sh",
        "-c",
        f"{sys.executable} -m senna_py search '[]' {many} | head -n 1",
        cwd=Path(__file__).resolve().parents[2],
    )
    assert (result.returncode, result.stderr) == (0, "")
    assert len(result.stdout.splitlines()) == 1
