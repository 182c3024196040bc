"""Learning from annotated texts: by the command and in Python."""

import json

import pytest

import senna_py
from senna_py.errors import SennaError, UsageError
from senna_py.learning.data import LearningData
from senna_py.learning.division import Division
from senna_py.learning.report import Results, report
from senna_py.learning.teach import prepare
from senna_py.models.native import NativeModel
from tests.helpers.commands import assert_one_line_error, run
from tests.helpers.small_entities import example, write_jsonl

NEW = [
    example(f"{who} has {what} .", **{what: "DISEASE"})
    for who in ("Anna", "the dog", "a cat", "the old cat")
    for what in ("malaria", "asthma")
]
OLD = [
    example(f"{a} sees {b} .", **{a: "NAME", b: "NAME"})
    for a, b in (("Anna", "Rome"), ("Rome", "Anna"))
] * 4
TEXT = "Anna has malaria . Rome sees a dog .\n"
FAST = "--set", "training.epochs=3", "--set", "training.rate=0.05"


def learn(place, *args, code=0):
    result = run("senna-py", "learn", *args, cwd=place)
    assert result.returncode == code, result.stderr
    return result


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    place = tmp_path_factory.mktemp("learn")
    write_jsonl(place / "new.jsonl", NEW)
    write_jsonl(place / "old.jsonl", OLD)
    (place / "text.txt").write_text(
        "Anna sees Rome .\nthe dog gives Anna stars .\n" * 8
    )
    return place


@pytest.fixture(scope="module")
def taught(place, old_model):
    """What the command prints, and the run."""
    result = learn(
        place,
        "new.jsonl",
        "runs/new",
        *("--path", old_model, "--check", "old.jsonl", "--text", "text.txt", *FAST),
    )
    return result.stdout.decode(), result.stderr.decode(), place / "runs/new"


def test_the_model_has_old_and_new_labels_and_all_tasks(taught, old_model):
    _, _, path = taught
    new, old = NativeModel(path), NativeModel(old_model)
    assert new.networks == old.networks
    labels = new.labels("ner").keys()
    n_old = len(old.labels("ner").keys())
    assert labels[:n_old] == old.labels("ner").keys()
    assert labels[n_old:] == ["S-DISEASE"]
    nlp = senna_py.load(path)
    document = nlp.document("Anna has malaria .")
    assert [(e.text, e.label) for e in document.entities] == [
        ("Anna", "NAME"),
        ("malaria", "DISEASE"),
    ]
    assert [token.pos for token in document.tokens] == [
        token.pos
        for token in senna_py.load(old_model).document("Anna has malaria .").tokens
    ]


def test_what_is_said_before_and_after(taught):
    printed, said, path = taught
    assert "new.jsonl: JSON of doccano: 8 texts, 8 spans" in said
    assert "8 sentences, 40 tokens, 8 DISEASE" in said
    assert "new labels: DISEASE (the model knows NAME)" in said
    assert " s on an idle core: " in said
    assert (
        "NAME: not annotated, so the model's own answers are learned again: 2 sp"
        in said
    )
    assert (
        "6 trainings, 5 of them for a cross-validation" in said or "8 trainings" in said
    )
    assert "in 5 rounds of a cross-validation" in printed
    assert "8 spans: too few for a score to be sure" in printed
    assert "What the model knew before (NAME), on other text" in printed
    assert "  old.jsonl: F1 " in printed
    assert (
        f"The model is {path.relative_to(path.parents[1])}/model.safetensors" in printed
    )
    assert not (path / "steps").exists()


def test_a_run_is_not_overwritten(taught, place, old_model):
    result = learn(place, "new.jsonl", "runs/new", "--path", old_model, code=1)
    assert_one_line_error(result, "continue it with --resume", is_last=True)


def test_a_stopped_run_resumes_to_the_same_model(taught, place, old_model):
    options = "--path", old_model, "--check", "old.jsonl", "--text", "text.txt", *FAST
    args = "new.jsonl", "runs/again", *options
    result = learn(place, *args, "--time-limit", "0.01s")
    assert b"stopped; continue with --resume" in result.stderr
    result = learn(place, *args, "--resume")
    expected = taught[0].replace("runs/new", "runs/again")
    assert result.stdout.decode() == expected
    networks = [
        NativeModel(place / "runs" / name).network("ner") for name in ("new", "again")
    ]
    for name, array in networks[0].arrays().items():
        assert (array == networks[1].arrays()[name]).all()
    other = learn(place, *args[:-1], "training.rate=0.06", "--resume", code=1)
    problem = (
        "made with settings.training.rate 0.05, asked for 0.06; give --set as before"
    )
    assert_one_line_error(other, f"run.json: {problem}", is_last=True)
    other = learn(place, *args, "--dev", "new.jsonl", "--resume", code=1)
    problem = "made with dev none, asked for 8 texts, CRC-32 "
    assert_one_line_error(other, problem, "; give --dev as before", is_last=True)


def test_a_task_of_its_own(place, old_model):
    args = (
        "--from",
        "new.jsonl",
        "--task",
        "med",
        "--path",
        old_model,
        "runs/med",
        *FAST,
    )
    result = learn(place, *args, "--dev", "new.jsonl", "--no-curve")
    assert (
        b"senna-py tag --path runs/med/model.safetensors --task med text.txt"
        in result.stdout
    )
    assert b"on other text" not in result.stdout
    model = NativeModel(place / "runs/med")
    assert model.networks == ("pos", "ner", "med")
    assert model.labels("med").keys() == ["O", "S-DISEASE"]
    assert model.labels("ner").keys() == NativeModel(old_model).labels("ner").keys()


def test_known_labels_and_renamed_ones(place, old_model):
    other = [(text, [(b, e, "PERSON") for b, e, _ in spans]) for text, spans in OLD]
    write_jsonl(place / "person.jsonl", other)
    args = "person.jsonl", "runs/person", "--path", old_model, *FAST, "--curve"
    result = learn(place, *args, "--rename", "PERSON=NAME")
    labels = NativeModel(place / "runs/person").labels("ner").keys()
    assert labels == NativeModel(old_model).labels("ner").keys()
    printed = result.stdout.decode()
    assert "F1 by share of the data: a quarter of the data " in printed
    row = next(line for line in printed.splitlines() if line.startswith("NAME "))
    assert len(row.split()) == 6  # with the score before


def test_labels_that_may_mean_the_same(place, old_model):
    said = []
    nlp = senna_py.load(old_model)
    texts = [(text, [(b, e, "PERSON") for b, e, _ in spans]) for text, spans in OLD]
    more = [("the dog has malaria .", [(12, 19, "Name")])]
    options = {"curve": False, "settings": ["training.epochs=1"], "say": said.append}
    nlp.learn(texts + more, **options)
    assert (
        "the model takes 16 of 16 PERSON for NAME; if they mean the same: "
        "--rename PERSON=NAME"
    ) in said
    assert (
        "Name and NAME differ only in case; if they mean the same: --rename Name=NAME"
        in said
    )


def test_old_labels_that_are_not_annotated(old_model):
    def said_of(*examples):
        said = []
        inputs = prepare(list(examples), old_model, "ner", say=said.append)
        LearningData(inputs, said.append, said.append)
        return [line for line in said if "NAME: not" in line or "overlapped" in line]

    assert said_of(example("Anna sees a dog .", Anna="WITNESS")) == [
        "NAME: not annotated",
        "1 answer of the model with these labels overlapped with your annotations, which "
        "are learned instead; --task NAME leaves the old labels as they are",
    ]
    assert said_of(example("a dog sees a cat .", cat="ANIMAL")) == [
        "NAME: not annotated, and the model finds none in these texts"
    ]


@pytest.mark.parametrize(
    ("after", "has_new_tags", "advice"),
    [
        (98.0, False, None),
        (85.0, False, "--set network.keep=0.5"),
        (85.0, True, "--task NAME, which leaves the old labels as they are"),
    ],
)
def test_advice_if_the_model_forgets(after, has_new_tags, advice):
    results = Results(["DISEASE"], ["NAME"], Division([], crosses=False))
    results.checks, results.has_new_tags = {"old.tsv": (98.7, after)}, has_new_tags
    last = report(results)[-1]
    if advice is None:
        assert last == "  old.tsv: F1 98.70 before, 98.00 after"
    else:
        assert last.startswith("  To forget less: --text FILE, with text like ")
        assert last.endswith(f" or {advice}")


def test_a_file_to_check_has_old_labels(place, old_model):
    options = "--path", old_model, "--check", "new.jsonl"
    result = learn(place, "new.jsonl", "runs/x", *options, code=1)
    problem = "new.jsonl: none of the labels that the model knows (NAME)"
    assert_one_line_error(result, problem, is_last=True)


def test_python_learns_from_pairs_and_documents(old_model, capsys):
    nlp = senna_py.load(old_model)
    settings = ["training.epochs=3", "training.rate=0.05"]
    taught = nlp.learn(NEW, curve=False, settings=settings)
    assert "8 DISEASE" in capsys.readouterr().out
    sentence = taught("the dog has asthma .")
    assert [(e.text, e.label) for e in sentence.entities] == [("asthma", "DISEASE")]
    documents = [nlp.document("Anna sees Rome ."), nlp.document("Rome sees Anna .")]
    said = []
    again = taught.learn(documents, say=said.append, curve=False, settings=settings)
    assert "2 sentences, 8 tokens, 4 NAME" in said
    assert again.tasks == nlp.tasks


@pytest.mark.parametrize(
    ("examples", "problem"),
    [
        (["Anna"], "No such file"),
        ([("Anna", [(0, 9, "X")])], "the span X from 0 to 9 is not inside its text"),
        ([("Anna", [(0, "4", "X")])], "example 0: expected pairs such as"),
        ([3], "example 0: expected pairs such as"),
        (3, "expected pairs such as"),
        ([("Anna", [])], "1 text, but no annotation to learn from"),
    ],
)
def test_wrong_examples(old_model, examples, problem):
    with pytest.raises(SennaError, match=problem):
        senna_py.load(old_model).learn(examples, say=lambda line: None)


def test_wrong_calls(place, old_model):
    path = "--path", old_model
    for args, problem in (
        (("new.jsonl",), "expected FILE RUN"),
        (("new.jsonl", "runs/x", "--rename", "X"), "--rename X: expected LABEL=NEW"),
        (("new.jsonl", "runs/x", "--task", "a b"), "--task 'a b': expected a name"),
    ):
        result = run("senna-py", "learn", *args, *path, cwd=place)
        assert result.returncode == 2
        assert problem in result.stderr.decode()
    result = learn(place, "new.jsonl", "runs/x", "--task", "pos", *path, code=1)
    assert_one_line_error(result, "its task pos has tags", is_last=True)
    result = learn(
        place, "new.jsonl", "runs/x", *path, "--set", "training.rate=-1", code=1
    )
    assert_one_line_error(result, "senna-py: training.rate: expected", is_last=True)
    with pytest.raises(UsageError, match="--task"):
        senna_py.load(old_model).learn(NEW, task="a b")
    (place / "o.jsonl").write_text(json.dumps({"text": "Anna", "label": []}) + "\n")
    result = learn(place, "o.jsonl", "runs/x", *path, code=1)
    problem = "o.jsonl: 1 text, but no annotation to learn from"
    assert_one_line_error(result, problem, is_last=True)
