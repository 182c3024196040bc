"""Rules for tokens, labels of words, and entities."""

import pickle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from senna_py import Document, SennaError, Tagger, load
from senna_py.rules.file import rules_of
from tests.helpers.commands import MODEL, run

TASKS = ["pos", "ner", "lemma"]
FILE = """
[new_labels]
ner = ["PRODUCT"]

[[tokens]]
text = "dunnow"
tokens = ["dun", "now"]

[[tokens]]
text = ["C++", "x-ray/y"]
ignore_case = true

[[words]]
form = "LGTM"
ignore_case = true
pos = "UH"
lemma = "look good"

[[words]]
form = "run"
priority = "model"
pos = "UH"

[[entities]]
label = "PRODUCT"
phrases = ["Senna Py", "Acme Inc.", "Marks & Spencer's", "Py Tools"]

[[entities]]
label = "ORG"
phrases = ["angela merkel", "py tools"]
ignore_case = true

[[entities]]
label = "LOC"
phrases = ["Berlin Senate"]
priority = "model"
"""
TEXT = (
    "We dunnow c++ or (C++), C++11. lgtm! Angela Merkel of the Senna Py Tools met "
    "Acme Inc. They run Marks & Spencer's."
)


@pytest.fixture(scope="module")
def nlp():
    return load(tasks=TASKS)


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    path = tmp_path_factory.mktemp("rules") / "my.toml"
    path.write_text(FILE)
    return path


@pytest.fixture(scope="module")
def ruled(nlp, file):
    return nlp.add_rules(file)


def spans(document):
    return [(span.label, span.text) for span in document.entities]


def test_the_three_sorts_of_rules(nlp, ruled):
    document = ruled.document(TEXT)
    tokens = [token.text for token in document]
    assert tokens[:12] == [
        "We",
        "dun",
        "now",
        "c++",
        "or",
        "(",
        "C++",
        ")",
        ",",
        "C++11",
        ".",
        "lgtm",
    ]
    assert (document[11].pos, document[11].lemma) == ("UH", "look good")
    assert next(token.pos for token in document if token.text == "run") != "UH"
    found = spans(document)
    assert [each for each in found if each[1] != "C++11"] == [
        ("ORG", "Angela Merkel"),
        ("PRODUCT", "Senna Py"),
        ("PRODUCT", "Acme Inc."),
        ("PRODUCT", "Marks & Spencer's"),
    ]
    assert "dunnow" in [token.text for token in nlp.document(TEXT)]
    assert nlp.tasks == ruled.tasks
    assert pickle.loads(pickle.dumps(ruled)).document(TEXT) == document


def test_the_longest_counts_and_then_the_first_of_the_file(ruled):
    assert spans(ruled.document("We use Py Tools.")) == [("PRODUCT", "Py Tools")]
    assert spans(ruled.document("We use PY tools.")) == [("ORG", "PY tools")]
    text = "We use the old Senna Py Tools."  # both have two tokens
    assert spans(ruled.document(text)) == [("PRODUCT", "Senna Py")]


def test_the_model_can_have_priority(nlp, ruled, tmp_path):
    text = "The Berlin Senate met."
    assert spans(ruled.document(text)) == spans(nlp.document(text)) != []
    path = tmp_path / "a.toml"
    path.write_text('[[entities]]\nlabel="MISC"\nphrases=["Senate met"]')
    assert spans(ruled.add_rules(path).document(text)) == [("MISC", "Senate met")]


def test_own_tokens_have_phrases_but_no_exceptions(ruled):
    sentence = ruled(["dunnow", "Marks", "&", "Spencer", "'s"])
    assert len(sentence) == 5
    assert [(each.label, each.start) for each in sentence.entities] == [("PRODUCT", 1)]


def test_patterns_see_layers_and_the_labels_of_rules(nlp, tmp_path):
    path = tmp_path / "a.toml"
    path.write_text(
        """
[[words]]
form = "Dr"
pos = "SYM"
[[words]]
pattern = '[word="(?i)ship"] word:[pos="PRP"]'
lemma = "ship it"
[[entities]]
label = "PER"
patterns = ['[pos="SYM"] entity:[pos="NNP.*"]']
[[entities]]
label = "LOC"
patterns = '[lemma="live"] [] [word="X.*"]'
"""
    )
    ruled = nlp.add_rules(path)
    document = ruled.document("Dr Xenon may ship it. They lived at Xanten.")
    found = spans(document)
    assert ("PER", "Xenon") in found and ("LOC", "lived at Xanten") in found
    assert (document[0].pos, document[4].lemma) == ("SYM", "ship it")
    # The tasks that patterns need run, too, and the result is the same without them.
    alone = load(tasks="ner", rules=path).document(document.text)
    assert spans(alone) == found and [*alone.layers] == ["ner"]


def test_later_rules_come_first(ruled, tmp_path):
    path = tmp_path / "more.toml"
    path.write_text(
        '[[words]]\nform="LGTM"\npos="NN"\n[[tokens]]\ntext="dunnow"\n'
        '[[entities]]\nlabel="PER"\nphrases="Senna Py"'
    )
    document = ruled.add_rules(path).document("LGTM dunnow Senna Py.")
    assert [token.text for token in document] == ["LGTM", "dunnow", "Senna", "Py", "."]
    assert (document[0].pos, document[0].lemma) == ("NN", "look good")
    assert ("PER", "Senna Py") in spans(document)


def test_scores_of_rules_are_certain(file):
    document = load(tasks="ner", with_scores=True, rules=[file]).document(
        "I use Senna Py."
    )
    assert [span.score for span in document.entities] == [1.0]


def test_files_of_phrases(nlp, tmp_path):
    (tmp_path / "names.txt").write_text("Zorg Blarg\n\nFoo Baz\n")
    path = tmp_path / "a.toml"
    path.write_text('[[entities]]\nlabel="PER"\nfiles=["names.txt"]')
    ruled = nlp.add_rules(path)
    (tmp_path / "names.txt").unlink()
    again = pickle.loads(pickle.dumps(ruled))
    assert spans(again.document("a Foo Baz, a Zorg Blarg")) == [
        ("PER", "Foo Baz"),
        ("PER", "Zorg Blarg"),
    ]


@pytest.mark.parametrize("tokens", ["ud", "ptb"])
def test_exceptions_of_either_standard(tokens, file):
    tagger = load(tasks=[], tokens=tokens, rules=file)
    text = "the x-ray/y, X-Ray/Y and dunnow."
    assert [token.text for token in tagger.document(text)] == [
        *("the", "x-ray/y", ",", "X-Ray/Y", "and", "dun", "now", "."),
    ]


def test_exceptions_of_senna(tmp_path):
    path = tmp_path / "a.toml"
    path.write_text(
        '[[tokens]]\ntext="C++"\n[[tokens]]\ntext="gon2"\ntokens=["gon","2"]'
    )
    tagger = Tagger(MODEL, ["pos"], rules=path)
    tokens = [token.text for token in tagger("C++ é gon2, C++.")]
    assert tokens == ["C++", "é", "gon", "2", ",", "C++", "."]


WORDS = st.sampled_from(["Ann", "met", "New", "York", "é", ".", "don't", "C++"])
TEXTS = st.lists(WORDS, min_size=1, max_size=4).map(" ".join)
ENTITY = st.fixed_dictionaries(
    {
        "label": st.sampled_from(["PER", "LOC"]),
        "phrases": st.lists(TEXTS, min_size=1, max_size=3),
        "ignore_case": st.booleans(),
        "priority": st.sampled_from(["rules", "model"]),
    }
)
WORD = st.fixed_dictionaries(
    {"form": WORDS, "pos": st.sampled_from(["NN", "VB"]), "ignore_case": st.booleans()}
)
TOKEN = WORDS.map(lambda word: {"text": word, "tokens": [*word]})


@pytest.mark.slow
@settings(max_examples=30, deadline=None)
@given(
    st.lists(TEXTS, min_size=1, max_size=4),
    st.lists(ENTITY, max_size=3),
    st.lists(WORD, max_size=3),
    st.lists(TOKEN, max_size=2),
)
def test_documents_stay_valid(nlp, texts, entities, words, tokens):
    rules = rules_of({"tokens": tokens, "words": words, "entities": entities}, "a.toml")
    ruled = nlp.add_rules(rules)
    text = "\n".join(texts)
    document = ruled.document(text)
    again = Document.from_bytes(document.to_bytes())  # checks all layers
    assert again == document and document.text == text
    assert "".join(document.text.split()) == "".join(t.text for t in document)
    plain = ruled(text.split())
    for token in plain:
        labels = {
            word["pos"]
            for word in words
            if word["form"] == token.text
            or (word["ignore_case"] and word["form"].lower() == token.text.lower())
        }
        assert not labels or token.pos in labels
    assert list(ruled.pipe(texts)) == [ruled(each) for each in texts]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("x = 1", "a.toml: x: there is no such table; there are tokens, words"),
        ("tokens = 1", "a.toml: tokens: expected tables, [[tokens]]"),
        ("new_labels = 1", "a.toml: new_labels: expected a table"),
        ('[new_labels]\nfoo = ["X"]', "[new_labels]: foo: the model has no such task"),
        ('[[tokens]]\ntokens=["a"]', "[[tokens]] 1: text: expected a text"),
        ('[[tokens]]\ntext="a b"', "[[tokens]] 1: text: 'a b' has white space"),
        ('[[tokens]]\ntext="ab"\ntokens=["b"]', "[[tokens]] 1: tokens: b is not 'ab'"),
        ('[[words]]\npos="NN"', "[[words]] 1: form: expected a form, or a pattern"),
        ('[[words]]\nform="a"', "[[words]] 1: form: expected a label"),
        ('[[words]]\nform="a b"\npos="NN"', "form: 'a b' is more than a word"),
        ('[[words]]\nform="a"\nps="NN"', "[[words]] 1: ps: the model has no such task"),
        ('[[words]]\nform="a"\npos="XY"', "pos: 'XY' is no label of pos"),
        ('[[words]]\nform="a"\npos="NN"\npriority="me"', "expected 'rules' or 'model'"),
        ('[[entities]]\nphrases="a"', "[[entities]] 1: label: expected a text"),
        ('[[entities]]\nlabel="PER"', "phrases: expected phrases, or patterns"),
        ('[[entities]]\nlabel="PERSON"\nphrases="a"', "ner = ['PERSON'] below [new_l"),
        ('[[entities]]\nlabel="PER"\nfiles="no.txt"', "[[entities]] 1: files: "),
        ('[[entities]]\nlabel="PER"\nphrases=[1]', "phrases: expected a text, found 1"),
        ('[[entities]]\nlabel="PER"\nphrases="a"\nx=1', "x: there is no such key"),
        (
            '[[entities]]\nlabel="PER"\npatterns="[pos=]"',
            "[[entities]] 1: patterns: '[pos=]': the pattern, column 6: ",
        ),
        (
            "[[words]]\npattern='[foo=\"x\"]'\npos='NN'",
            "[[words]] 1: pattern: '[foo=\"x\"]': the pattern, column 2: the model has no",
        ),
        (
            '[[entities]]\nlabel="NN"\ntask="pos"\nphrases="a"',
            "[[entities]] 1: task: the model has no such task 'pos'; there are chk",
        ),
    ],
)
def test_what_is_wrong_is_said_with_its_place(nlp, tmp_path, text, problem):
    path = tmp_path / "a.toml"
    path.write_text(text)
    with pytest.raises(SennaError) as error:
        nlp.add_rules(path)
    assert problem in str(error.value) and str(error.value).startswith(str(path))


def test_only_files_are_rules(nlp):
    with pytest.raises(TypeError, match="rules: expected a file, not int"):
        nlp.add_rules(3)
    with pytest.raises(TypeError, match="rules: expected a file, not dict"):
        nlp.add_rules([{}])


@pytest.mark.slow
def test_commands_take_rules(file, tmp_path):
    lines = tmp_path / "text.txt"
    lines.write_text(f"{TEXT}\n" * 300)
    outputs = {
        run(
            "senna-py", "tag", "--pos", "--ner", "--rules", file, lines, "--jobs", n
        ).stdout
        for n in (1, 2)
    }
    assert len(outputs) == 1 and b"B-PRODUCT" in outputs.pop()
    printed = run("senna-py", "tokenize", "--rules", file, stdin=b"a (C++) dunnow\n")
    assert printed.stdout == b"a ( C++ ) dun now\n"
    file = tmp_path / "bad.toml"
    file.write_text("[[tokens]]")
    failed = run("senna-py", "tag", "--rules", file, stdin=b"a\n")
    assert failed.returncode == 1
    assert (
        failed.stderr.decode().count("\n") == 1 and b"bad.toml: [[tok" in failed.stderr
    )


@pytest.mark.slow
def test_rules_travel_in_a_model(nlp, ruled, file, tmp_path):
    path = tmp_path / "own.safetensors"
    # The tags of `pos` are chosen together with `upos` and `feats`.
    source = f"{nlp.model.path}:pos,upos,feats,ner"
    built = run("senna-model", "build", path, source, "--rules", file)
    assert built.returncode == 0, built.stderr
    assert load(path, TASKS).document(TEXT) == ruled.document(TEXT)
    shown = run("senna-model", "info", path, "--verbose").stdout.decode()
    assert "rules for tokens: dunnow, C++, x-ray/y\n" in shown
    assert "rules for entities: Senna Py, Acme Inc." in shown
    bad = tmp_path / "bad.toml"
    bad.write_text('[[words]]\nform="a"\npos="XY"')
    failed = run(
        "senna-model", "build", tmp_path / "b.safetensors", source, "--rules", bad
    )
    assert failed.returncode == 1 and b"bad.toml: [[words]] 1: pos" in failed.stderr
    assert not (tmp_path / "b.safetensors").exists()
