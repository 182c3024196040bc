"""Requests: what they may choose, and what is refused."""

import csv
import json

import pytest

from senna_py import Document
from senna_py.errors import UsageError
from senna_py.formats.registry import FORMATS, UNNAMED
from senna_py.server.limits import Limits
from senna_py.server.requests import (
    JSON,
    MEDIA_TYPES,
    TagRequest,
    read_request,
    tag_schema,
)
from senna_py.server.service import Service
from senna_py.tagger import Tagger
from tests.helpers.commands import MODEL

TEXT = "He left Rome. <b>She</b>\ndid not."
SCHEMA = tag_schema(("pos", "ner"), Limits())


@pytest.fixture(scope="module")
def service():
    return Service(Tagger(MODEL, ["pos", "ner"]))


def tag(service, *texts, is_wanted=lambda: True, **options):
    """The text of an answer, after its counts are checked."""
    answer = service.tag(TagRequest(texts, **options), is_wanted)
    assert answer.n_texts <= len(texts)
    return answer.body.decode()


def test_json_is_what_python_gives(service):
    document = service.default.document(TEXT)
    assert tag(service, TEXT) == document.to_json() + "\n"
    batch = json.loads(tag(service, TEXT, "", "No.", is_batch=True))
    assert [*batch] == ["documents"]
    found = [Document.from_dict(each) for each in batch["documents"]]
    assert found == [document, Document(""), service.default.document("No.")]


def test_tasks_tokens_and_scores_are_those_of_a_tagger(service):
    request = {"tasks": ("chk", "ner"), "scores": True, "tokens": "ptb"}
    expected = Tagger(MODEL, ["chk", "ner"], with_scores=True).document(TEXT)
    assert Document.from_json(tag(service, TEXT, **request)) == expected
    assert [*expected.layers] == ["chk", "ner"]


def test_taggers_are_kept_but_not_all(service, monkeypatch):
    monkeypatch.setattr("senna_py.server.service._MOST_TAGGERS", 2)
    made = []
    make = service._make
    monkeypatch.setattr(service, "_make", lambda *key: made.append(key) or make(*key))
    for task in ("pos", "chk", "pos", "ner", "pos", "chk"):
        tag(service, "a", tasks=(task,))
    assert [[*tasks] for tasks, *_ in made] == [["pos"], ["chk"], ["ner"], ["chk"]]
    tag(service, "a", tasks=("ner", "pos"))
    assert len(made) == 4  # the default ones


def test_a_limited_service_has_only_its_tasks():
    tagger = Tagger(MODEL, ["ner"])
    assert Service(tagger, ["ner"]).tasks == ("ner",)
    assert "srl" in Service(tagger).tasks
    limited = Service(tagger, ["ner"])
    with pytest.raises(UsageError, match="format trees shows no task of this server"):
        tag(limited, "a", format="trees")
    assert "pos" not in tag(limited, "a", format="conll")


def test_rules_hold_for_whatever_a_request_chooses(tmp_path):
    path = tmp_path / "my.toml"
    path.write_text('[[entities]]\nphrases = ["Senna Py"]\nlabel = "MISC"\n')
    ruled = Service(Tagger(MODEL, ["ner"], rules=path))
    text = "We use Senna Py."
    for options in ({}, {"scores": True}, {"tasks": ("pos", "ner")}, {"tokens": "ptb"}):
        (sentence,) = Document.from_json(tag(ruled, text, **options)).sentences
        found = [(each.label, each.text) for each in sentence.entities]
        assert ("MISC", "Senna Py") in found
    rows = csv.DictReader(tag(ruled, text, format="entities").splitlines())
    assert ("MISC", "Senna Py") in [(row["label"], row["text"]) for row in rows]
    request = TagRequest((text,), pattern='[word="Senna" & ner="MISC"]')
    (match,) = json.loads(ruled.search(request, lambda: True).body)["matches"]
    assert match["text"] == "Senna"


def test_every_format_is_served_or_left_out():
    left_out = {"brat", "html", "parquet"}  # files beside texts, pages, tables
    assert {*MEDIA_TYPES} | {JSON} | left_out == {*FORMATS} - {*UNNAMED}


@pytest.mark.parametrize("name", [n for n in MEDIA_TYPES if "triples" not in n])
def test_formats_of_texts(service, name):
    text = tag(
        service, "Ann left Rome.", "", "She sang.\nNo.", is_batch=True, format=name
    )
    assert "Rome" in text
    assert "sang" in text
    assert tag(service, format=name, is_batch=True) in ("", text.splitlines()[0] + "\n")


def test_rows_name_the_text_that_they_are_from(service):
    texts = ("Ann left Rome.", "No\nNo")
    text = tag(service, *texts, is_batch=True, format="csv", tasks=("ner",))
    rows = [*csv.DictReader(text.splitlines())]
    assert [row["document"] for row in rows] == [*"0000", *"11"]
    assert [row["line"] for row in rows] == [*"1111", *"12"]
    for row in rows:
        own = texts[int(row["document"])]
        assert own[int(row["start_char"]) : int(row["end_char"])] == row["text"]


def test_offsets_of_formats_are_those_of_the_text_also_with_odd_characters(service):
    text = "a \ud800 b\u0000 c \U0001f600 d"
    for name in ("jsonl", "csv", "conllu"):
        assert tag(service, text, format=name).encode()
    lines = tag(service, text, format="jsonl").splitlines()
    token = json.loads(lines[-1])["tokens"][-1]
    assert text[token["start_char"] : token["end_char"]] == "d"


def test_paragraphs_may_extend_over_lines():
    service = Service(Tagger(MODEL, ["pos"]), paragraphs=True)
    text = "She did\nnot sing.\n\nNo.\n"
    (first, second) = Document.from_json(tag(service, text)).sentences
    lines = tag(service, text, format="jsonl").splitlines()
    joined = [each.text.replace("\n", " ") for each in (first, second)]
    assert [json.loads(line)["text"] for line in lines] == joined


def test_matches_are_those_of_python(service):
    texts, pattern = ("Yes! He left Rome.", "", "Ann left."), "who:[] verb:'left'"
    request = TagRequest(texts, True, pattern=pattern)
    answer = service.search(request, lambda: True)
    assert (answer.n_texts, answer.n_tokens) == (3, 9)
    matches = json.loads(answer.body)["matches"]
    assert [(m["document"], m["sentence"], m["text"]) for m in matches] == [
        (0, 1, "He left"),
        (2, 0, "Ann left"),
    ]
    first = matches[0]
    assert (first["start_token"], first["end_token"]) == (0, 2)
    assert (first["left"], first["right"]) == ("", " Rome.")
    verb = first["captures"]["verb"]
    assert (verb["start_token"], verb["start_char"], verb["text"]) == (1, 8, "left")


@pytest.mark.parametrize(
    ("pattern", "said"),
    [
        ("[", "the pattern, column"),
        ('[val="DATE"]', "the server has no val"),
        ('[word="(a|aa)+"]', "takes too long"),
    ],
)
def test_patterns_that_cannot_be_searched_for(service, pattern, said):
    with pytest.raises(UsageError, match=said):
        service.search(TagRequest(("a" * 60 + "b",), pattern=pattern), lambda: True)


def test_work_for_nobody_ends(service):
    for name in (JSON, "csv"):
        request = TagRequest(("a", "b"), True, format=name)
        assert service.tag(request, lambda: False).n_tokens == 0


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"format": "triples"}, "has no upos, which --format triples needs"),
        ({"format": "conll2003", "tasks": ("srl",)}, "srl cannot be used with format"),
        (
            {"format": "trees", "scores": True},
            "scores cannot be used with format trees",
        ),
        ({"tokens": "ud"}, "no tokens of ud"),
    ],
)
def test_choices_that_contradict_each_other(service, options, said):
    with pytest.raises(UsageError, match=said):
        tag(service, "a", **options)


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({}, "one of text and texts is needed"),
        ({"text": "a", "texts": []}, "one of text and texts is needed"),
        ({"text": "a", "task": ["ner"]}, "no key 'task'; did you mean tasks"),
        ({"text": "a", "tasks": "ner"}, "tasks: expected a list"),
        ({"text": "a", "tasks": []}, "tasks: the list is empty"),
        ({"text": "a", "tasks": ["nre"]}, r"tasks\[0\]: .*did you mean ner"),
        ({"text": "a", "tasks": [["ner"]]}, r"tasks\[0\]: expected a text"),
        ({"text": "a", "format": "html"}, "format: there is no value 'html'"),
        ({"text": "a", "scores": 1}, "scores: expected true or false"),
        ({"text": "a", "tokens": None}, "tokens: expected a text"),
        ({"texts": ["a", 1]}, r"texts\[1\]: expected a text"),
        ({"texts": ["a"] * 257}, "at most 256 texts, this one 257"),
        ({"text": "a", "\n" * 900: 1}, "no key"),
    ],
)
def test_what_a_request_may_not_be(values, said):
    with pytest.raises(UsageError, match=said) as error:
        read_request(json.dumps(values).encode(), SCHEMA)
    assert len(str(error.value)) < 400


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b" ", "the body is empty"),
        (b'{"text": "a",\n "tasks" 1}', "the body, line 2, column 10: expecting ':'"),
        (b'{"text": "\xff"}', "the body is not UTF-8 at byte 11"),
        (b'{"text": NaN}', "the body: NaN is not a value of JSON"),
        (b"[" * 100 + b"]" * 100, "the body: nested more than 64 deep"),
        (b"[]", "the body is not an object"),
    ],
)
def test_what_is_no_json_is_told_apart(body, said):
    with pytest.raises(UsageError, match=said) as error:
        read_request(body, SCHEMA)
    assert "send a JSON object in UTF-8" in str(error.value)


def test_what_a_request_may_be():
    values = {"texts": ["a"], "tasks": ["ner", "pos", "ner"], "scores": True}
    values |= {"tokens": "ud", "format": "conllu"}
    assert read_request(json.dumps(values).encode(), SCHEMA) == TagRequest(
        ("a",), True, ("ner", "pos"), "ud", "conllu", True
    )
    assert read_request(b'{"text": ""}', SCHEMA) == TagRequest(("",))


def test_long_sentences_are_cut_to_what_takes_little_time():
    tagger = Tagger(MODEL, ["psg"])
    assert tagger.longest_sentence == 1024
    tagger.cut_sentences(256)
    (found,) = tagger.document("word " * 600).sentences
    assert [len(part.leaves) for part in found.tree.children] == [256, 256, 88]
    for wrong in (0, 1025):
        with pytest.raises(ValueError, match="sentences of 1 to 1,024 tokens"):
            tagger.cut_sentences(wrong)
