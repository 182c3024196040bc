"""Redaction of documents, stand-ins, and the way back."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from senna_py import load
from senna_py.errors import SennaError, UsageError
from senna_py.redaction import STYLES, TYPES, Redactor, restore
from senna_py.redaction.findings import Finding
from senna_py.redaction.stand_ins import StandIns

LETTER = (
    "\ufeffDear Angela Merkel,\r\n\r\n  thank you 😀 for  the call from +49 30 1234567.\tMerkel "
    "and J. Smith met in Berlin\x0bon 3 May 2012; John Smith paid $50 to Siemens AG.\n"
    "Mail a.b@example.org\udce9"
)


@pytest.fixture(scope="module")
def nlp(shipped_model):
    return load(shipped_model, tasks=["ner", "val"])


@pytest.mark.parametrize("style", STYLES)
def test_everything_else_stays(nlp, style):
    redaction = nlp.document(LETTER).redact("all", style)
    done, rest = 0, redaction.text
    for start, end, _, text, stand_in in redaction.replacements:
        assert LETTER[start:end] == text
        assert rest.startswith(LETTER[done:start] + stand_in)
        rest = rest[start - done + len(stand_in) :]
        done = end
    assert rest == LETTER[done:]
    assert redaction.restore() == LETTER
    assert restore(redaction.text, json.dumps(redaction.to_map())) == LETTER


def test_by_number(nlp):
    text = nlp.document(LETTER).redact(replace_by="number").text
    assert text == (
        "\ufeffDear PERSON_1,\r\n\r\n  thank you 😀 for  the call from PHONE_1.\tPERSON_1 "
        "and PERSON_2 met in PLACE_1\x0bon DATE_1; PERSON_2 paid MONEY_1 to ORGANIZATION_1.\n"
        "Mail EMAIL_1\udce9"
    )


@given(st.text("ab \n😀", max_size=40), st.data())
def test_restore_undoes_redact(text, data):
    cuts = data.draw(st.lists(st.integers(0, len(text)), unique=True, max_size=8))
    places = sorted(cuts)
    for style in STYLES:
        findings = [
            Finding(start, end, data.draw(st.sampled_from([*TYPES])))
            for start, end in zip(places[::2], places[1::2], strict=False)
        ]
        assert Redactor(replace_by=style).replace(text, findings).restore() == text


@pytest.mark.parametrize(
    ("mentions", "numbers"),
    [
        ("Angela Merkel, Merkel, Angela, Ms. Merkel, MERKEL", [1, 1, 1, 1, 1]),
        ("Merkel, Angela Merkel, Angela", [1, 1, 1]),
        ("John Smith, J. Smith, John Q. Smith, Smith", [1, 1, 1, 1]),
        ("John Smith, Jane Smith, Smith, John Smith, Smith", [1, 2, 2, 1, 1]),
        ("John Smith, John Smith Jr., James Smith, K. Smith", [1, 2, 3, 4]),
        ("John R. Smith, John Q. Smith, John Smith", [1, 2, 2]),
        ("Ann Lee, Lee Ann", [1, 2]),
    ],
)
def test_who_is_who(mentions, numbers):
    stand_ins = StandIns("number")
    given_numbers = [
        stand_ins.stand_in("PERSON", text) for text in mentions.split(", ")
    ]
    assert given_numbers == [f"PERSON_{number}" for number in numbers]


@pytest.mark.parametrize(
    ("type_name", "mentions", "numbers"),
    [
        ("ORGANIZATION", "Siemens AG, Siemens, the Siemens Co., Bosch", [1, 1, 1, 2]),
        ("CARD", "4111 1111 1111 1111, 4111111111111111", [1, 1]),
        ("IP", "1.23.4.5, 12.3.4.5", [1, 2]),
        ("DATE", "3 May, 3  May, 3 may", [1, 1, 2]),
    ],
)
def test_what_is_the_same(type_name, mentions, numbers):
    stand_ins = StandIns("number")
    given_numbers = [
        stand_ins.stand_in(type_name, text) for text in mentions.split(", ")
    ]
    assert given_numbers == [f"{type_name}_{number}" for number in numbers]


def test_invented_names():
    stand_ins = StandIns("name")
    full, last, first = (
        stand_ins.stand_in("PERSON", text)
        for text in ("Angela Merkel", "Merkel", "Angela")
    )
    assert full == f"{first} {last}"
    names = {stand_ins.stand_in("PERSON", f"A B{n}").split()[-1] for n in range(200)}
    assert len(names) == 200
    assert stand_ins.stand_in("EMAIL", "a@b.org") == "EMAIL_1"
    many = [stand_ins.stand_in("PLACE", f"P{n}") for n in range(1000)]
    assert len({*many}) == 1000


def test_stand_ins_are_the_same_in_all_documents(nlp):
    redactor = Redactor("person", "number")
    texts = ["Angela Merkel met John Smith.", "John Smith left.", "Merkel stayed."]
    redacted = [redactor.redact(doc).text for doc in nlp.pipe(texts, documents=True)]
    assert redacted == ["PERSON_1 met PERSON_2.", "PERSON_2 left.", "PERSON_1 stayed."]


def test_changed_text_is_restored_by_name(nlp):
    document = nlp.document("Angela Merkel met John Smith. Merkel left.")
    redaction = document.redact("person", "number")
    answer = "Yes: PERSON_2 met PERSON_1, PERSON_11 and PERSON_1's friend."
    assert restore(answer, redaction.to_map()) == (
        "Yes: John Smith met Angela Merkel, PERSON_11 and Angela Merkel's friend."
    )
    by_type = document.redact("person")
    with pytest.raises(SennaError, match="not the redacted one"):
        restore("x" + by_type.text, by_type.to_map())


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("{", "not JSON"),
        ("[]", "expected a JSON object"),
        ("{}", "its format is not"),
        ('{"format": "senna-py redaction", "version": 2}', "version 2"),
        ('{"format": "senna-py redaction", "version": 1}', "missing"),
        (
            '{"format": "senna-py redaction", "version": 1, "replace_by": "type",'
            ' "replacements": [{"start": "1"}]}',
            "replacement 0 is malformed",
        ),
        (
            '{"format": "senna-py redaction", "version": 1, "replace_by": {},'
            ' "replacements": []}',
            "replace_by or replacements is missing",
        ),
    ],
)
def test_malformed_maps(text, problem):
    with pytest.raises(SennaError, match=problem):
        restore("x", text)


def test_wrong_arguments(nlp):
    document = nlp.document("Ann left.")
    with pytest.raises(
        UsageError, match="no such type: 'persn'; there are person, place"
    ):
        document.redact("persn")
    with pytest.raises(UsageError, match="no such style: 'x'; there are type, number"):
        document.redact(replace_by="x")
    with pytest.raises(UsageError, match="no types"):
        document.redact([])
    nouns = load(nlp.model, tasks=["ner"]).document("Ann left.")
    assert nouns.redact(["person", "email"]).text == "[PERSON] left."
    with pytest.raises(UsageError, match="the task val, which finds date, time, money"):
        nouns.redact()


def test_labels_of_rules_are_types(shipped_model, tmp_path):
    rules = tmp_path / "rules.toml"
    rules.write_text(
        '[[entities]]\nlabel = "DRUG"\nphrases = ["ibuprofen"]\n[new_labels]\nner = ["DRUG"]\n'
    )
    nlp = load(shipped_model, tasks=["ner", "val"], rules=rules)
    document = nlp.document("Ann Lee took ibuprofen on Monday.")
    assert document.redact().text == "[PERSON] took ibuprofen on [DATE]."
    assert document.redact("drug").text == "Ann Lee took [DRUG] on Monday."
    assert document.redact("all").text == "[PERSON] took [DRUG] on [DATE]."
