"""Annotation exports: each tool's format, the unit of offsets, and wrong files."""

import json

import pytest

from senna_py.corpora.annotations.files import read_annotations
from senna_py.errors import SennaError

TEXT = "Mary met IBM."
SPANS = [(0, 4, "PER"), (9, 12, "ORG")]
OBJECTS = [{"start": b, "end": e, "label": label} for b, e, label in SPANS]
RESULT = [
    {
        "from_name": "label",
        "to_name": "text",
        "type": "labels",
        "value": {"start": b, "end": e, "text": TEXT[b:e], "labels": [label]},
    }
    for b, e, label in SPANS
]
LISTS = [[*span] for span in SPANS]
NEW_DOCCANO = [
    {"id": i, "label": label, "start_offset": b, "end_offset": e}
    for i, (b, e, label) in enumerate(SPANS)
]
TASK = {
    "id": 1,
    "data": {"text": TEXT},
    "annotations": [{"id": 2, "was_cancelled": False, "result": RESULT}],
    "predictions": [],
}


def lines(*items):
    return "".join(f"{json.dumps(item)}\n" for item in items)


FILES = {
    "doccano label": ("doccano", lines({"id": 1, "text": TEXT, "label": LISTS})),
    "doccano labels": ("doccano", lines({"id": 1, "text": TEXT, "labels": LISTS})),
    "doccano entities": (
        "doccano",
        lines({"id": 1, "text": TEXT, "entities": NEW_DOCCANO, "relations": []}),
    ),
    "Prodigy": (
        "Prodigy",
        lines({"text": TEXT, "spans": OBJECTS, "answer": "accept", "_task_hash": 3}),
    ),
    "Label Studio": ("Label Studio", json.dumps([TASK], indent=2)),
    "Label Studio, lines": ("Label Studio", lines(TASK)),
    "Label Studio, JSON-MIN": (
        "Label Studio",
        json.dumps([{"id": 1, "text": TEXT, "label": [r["value"] for r in RESULT]}]),
    ),
    "spaCy, lines": ("spaCy", lines([TEXT, {"entities": LISTS}])),
    "spaCy, array": ("spaCy", json.dumps([[TEXT, {"entities": LISTS}]], indent=1)),
    "spaCy, wrapped": (
        "spaCy",
        json.dumps({"classes": ["PER"], "annotations": [[TEXT, {"entities": LISTS}]]}),
    ),
    "spaCy, to_json": ("spaCy", lines({"text": TEXT, "ents": OBJECTS, "tokens": []})),
}


def spans(text):
    return [(each.begin, each.end, each.label) for each in text.annotations]


def write(path, text):
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


@pytest.mark.parametrize("name", FILES)
def test_json_of_every_tool(tmp_path, name):
    tool, contents = FILES[name]
    file = read_annotations(write(tmp_path / "a.json", contents))
    assert file.form == f"JSON of {tool}"
    (text,) = file.texts
    assert (text.text, spans(text), text.words) == (TEXT, SPANS, None)
    assert text.place.startswith(f"{tmp_path / 'a.json'}: ")


def test_texts_without_annotations_are_texts(tmp_path):
    contents = lines({"text": "None."}, {"text": TEXT, "spans": OBJECTS})
    file = read_annotations(write(tmp_path / "a.jsonl", contents))
    assert [spans(text) for text in file.texts] == [[], SPANS]
    contents = lines({"text": "None.", "label": []}, {"text": TEXT, "label": LISTS})
    file = read_annotations(write(tmp_path / "b.jsonl", contents))
    assert [spans(text) for text in file.texts] == [[], SPANS]
    assert file.form == "JSON of doccano"


def test_prodigy_reads_only_accepted_texts(tmp_path):
    answers = ("reject", "accept", "ignore")
    contents = lines(*({"text": TEXT, "spans": OBJECTS, "answer": a} for a in answers))
    file = read_annotations(write(tmp_path / "a.jsonl", contents))
    assert len(file.texts) == 1
    assert file.notes == ["2 texts left out: rejected or ignored"]


def test_label_studio_chooses_among_annotations(tmp_path):
    cancelled = {"was_cancelled": True, "result": RESULT}
    other = {"was_cancelled": False, "result": RESULT[:1]}
    truth = {"was_cancelled": False, "ground_truth": True, "result": RESULT[1:]}
    tasks = [
        {**TASK, "annotations": [other, cancelled]},
        {**TASK, "annotations": [truth, other]},
        {**TASK, "annotations": [cancelled]},
    ]
    file = read_annotations(write(tmp_path / "a.json", json.dumps(tasks)))
    assert [spans(text) for text in file.texts] == [SPANS[:1], SPANS[1:]]
    assert file.notes == ["1 text left out: without a finished annotation"]


def test_directory_of_brat(tmp_path):
    write(tmp_path / "b.txt", f"Title\r\n{TEXT}\n")
    annotations = (
        "T1\tPER 7 11\tMary\nR1\tWorks Arg1:T1 Arg2:T2\nT2\tORG 16 19\tIBM\n"
        "T3\tX 0 2;4 5\tTi e\n#1\tAnnotatorNotes T1\tnone\n"
    )
    write(tmp_path / "b.ann", annotations)
    (tmp_path / "more").mkdir()
    write(tmp_path / "more/a.txt", TEXT)
    write(tmp_path / "more/a.ann", "")
    file = read_annotations(tmp_path)
    assert file.form == "BRAT"
    assert [spans(text) for text in file.texts] == [
        [(7, 11, "PER"), (16, 19, "ORG")],
        [],
    ]
    assert file.notes == ["1 annotation in several pieces left out"]


@pytest.mark.parametrize(
    "contents",
    [
        "Mary\tB-PER\nmet\tO\nIBM\tB-ORG\n.\tO\n",
        "-DOCSTART- -X- -X- O\n\nMary NNP I-NP I-PER\nmet VBD I-VP O\n"
        "IBM NNP I-NP I-ORG\n. . O O\n",
        "Mary\tNNP\tU-PER\nmet\tVBD\tO\nIBM\tNNP\tU-ORG\n.\t.\tO\n",
    ],
)
def test_columns_of_conll(tmp_path, contents):
    file = read_annotations(write(tmp_path / "a.conll", contents))
    (text,) = file.texts
    assert file.form == "columns of CoNLL"
    assert (text.text, spans(text)) == ("Mary met IBM .", SPANS)
    assert text.words == ((0, 4), (5, 8), (9, 12), (13, 14))


def test_conllu_with_tags_of_entities(tmp_path):
    rows = [("Mary", "B-PER"), ("left", "O")]
    contents = "".join(
        f"{i}\t{word}\t_\t_\t_\t_\t_\t_\t_\tNER={tag}\n"
        for i, (word, tag) in enumerate(rows, 1)
    )
    file = read_annotations(write(tmp_path / "a.txt", f"# text = x\n{contents}\n"))
    assert [spans(text) for text in file.texts] == [[(0, 4, "PER")]]


UNICODE = "🎉 Zoë and 👩‍👩‍👧 met Mary in Köln."


@pytest.mark.parametrize(
    ("unit", "width"),
    [
        ("", len),
        ("offsets count UTF-16 code units", lambda s: len(s.encode("utf-16-le")) // 2),
        ("offsets count bytes", lambda s: len(s.encode())),
    ],
)
@pytest.mark.parametrize("with_text", [True, False])
def test_offsets_in_any_unit(tmp_path, unit, width, with_text):
    expected, values = [], []
    for name in ("Zoë", "Mary", "Köln"):
        begin = UNICODE.index(name)
        expected.append((begin, begin + len(name), "NAME"))
        start = width(UNICODE[:begin])
        value = {"start": start, "end": start + width(name), "label": "NAME"}
        values.append({**value, "text": name} if with_text else value)
    contents = lines({"text": UNICODE, "spans": values})
    file = read_annotations(write(tmp_path / "a.jsonl", contents))
    assert [spans(text) for text in file.texts] == [expected]
    assert file.notes == ([unit] if unit else [])


@pytest.mark.parametrize("unit", ["", "offsets count characters, and \\r\\n as one"])
def test_line_breaks_of_windows_are_one_or_two_characters(tmp_path, unit):
    text = "Title\r\n\r\nMary met IBM.\r\n"
    first = text.index("Mary") - (2 if unit else 0)
    values = [[first, first + 4, "PER"], [first + 9, first + 12, "ORG"]]
    contents = lines({"text": text, "label": values})
    file = read_annotations(write(tmp_path / "a.jsonl", contents))
    assert [spans(each) for each in file.texts] == [[(9, 13, "PER"), (18, 21, "ORG")]]
    assert file.notes == ([unit] if unit else [])


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig"])
@pytest.mark.parametrize(
    "contents",
    [lines({"text": TEXT, "label": LISTS}), "Mary B-PER\r\nmet O\r\nIBM B-ORG\r\n"],
)
def test_files_with_byte_order_marks(tmp_path, contents, encoding):
    path = write(tmp_path / "a.txt", contents.encode(encoding))
    assert [spans(text) for text in read_annotations(path).texts] == [SPANS]
    write(tmp_path / "b.txt", TEXT.encode(encoding))
    write(tmp_path / "b.ann", "T1\tPER 0 4\tMary\n".encode(encoding))
    assert spans(read_annotations(tmp_path / "b.ann").texts[0]) == SPANS[:1]


HYPERTEXT = [{"value": {"start": "/p[1]", "hypertextlabels": ["PER"]}}]
WRONG = {
    "id,text\n1,Mary met IBM.\n": (
        "line 1: expected JSON of Label Studio, spaCy, Prodigy, doccano, or on each line "
        "a word and, in the last column, a tag such as B-PER; found 'id,text'"
    ),
    "": "expected annotated texts, found none",
    "[]": "expected annotated texts, found none",
    "Mary B-PER\nmet X\n": (
        "line 2: expected O or a tag such as B-PER in the last column, found 'X'"
    ),
    '{"text": "a b", "spans": [{"start": 0, "end": 9, "label": "X"}]}': (
        "line 1: the annotation X from 0 to 9 is not inside its text of 3 characters"
    ),
    '{"text": "a b", "spans": [{"start": 0, "end": 0, "label": "X"}]}': (
        "line 1: the annotation X from 0 to 0 is not inside its text of 3 characters"
    ),
    '{"text": "a b", "label": [[0, 1, "X"]]}\n{"text": 3}\n': (
        "line 2: as JSON of doccano: expected a text in 'text', found 3"
    ),
    '{"text": "a b", "label": [[0, 1, "X"]]}\n{"text": "a", "label": [[0, "1", "X"]]}': (
        "line 2: as JSON of doccano: expected an offset, found '1'"
    ),
    '{"text": "a b", "label": [[0, 1, "X"]]}\n[1, 2]': (
        'line 2: as JSON of doccano: expected {"text": "...", "label": [[0, 5, "PER"]]}, '
        "found [1, 2]"
    ),
    '{"text": "a b", "label": [[0, 1, "X"]]}\n{"text"': (
        "line 2: expected JSON: column 8: Expecting ':' delimiter"
    ),
    '[{"text": "a b",\n "label": [[0, 1, "X"]]},\n}]': "line 3: expected JSON: ",
    '{"text": "a b"}': "line 1: expected JSON of Label Studio",
    '{"a": 1}': "line 1: expected JSON of Label Studio",
    '{"text": "a b", "spans": [{"start": 0, "end": 1, "label": "X", "text": "b"}]}': (
        "line 1: expected 'b' at the characters 0 to 1, found 'a'"
    ),
    b'{"text": "a"}\n{"text": "\xff"}': "line 2: not UTF-8",
    b"Mary B-PER\nZo\xeb B-PER\n": "line 2: not UTF-8",
    "Mary B-PER\nleft O\n".encode(
        "utf-16-le"
    ): "line 1: a null character: if the file is",
    '{"text": "a b", "answer": "reject"}': (
        "expected annotated texts, found none: 1 text left out: rejected or ignored"
    ),
    json.dumps([{**TASK, "annotations": [{"result": HYPERTEXT}]}]): (
        "item 1: as JSON of Label Studio: expected labels of plain text, found hypertext"
    ),
}


@pytest.mark.parametrize("contents", WRONG, ids=range(len(WRONG)))
def test_wrong_files_say_where_and_what_was_expected(tmp_path, contents):
    path = write(tmp_path / "a.jsonl", contents)
    with pytest.raises(SennaError) as raised:
        read_annotations(path)
    assert str(raised.value).startswith(f"{path}: {WRONG[contents]}")


def test_wrong_directories_and_missing_files(tmp_path):
    with pytest.raises(SennaError, match=r"there is no \.ann file in it"):
        read_annotations(tmp_path)
    with pytest.raises(SennaError, match="No such file"):
        read_annotations(tmp_path / "none.jsonl")
    write(tmp_path / "a.ann", "T1 PER 0 5 John\n")
    with pytest.raises(SennaError, match=r"expected its text in a\.txt"):
        read_annotations(tmp_path)
    write(tmp_path / "a.txt", "John left")
    with pytest.raises(SennaError, match=r"a\.ann: line 1: expected T1, a tab"):
        read_annotations(tmp_path)
    with pytest.raises(SennaError, match="a binary file of spaCy"):
        read_annotations(write(tmp_path / "a.spacy", "x"))
