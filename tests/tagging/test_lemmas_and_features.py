"""Tasks of words that treebanks have: lemmas, universal parts of speech, features."""

import json

import numpy as np
import pytest

from senna_py import load
from senna_py.errors import SennaError
from senna_py.features.lemma_lists import LemmaLists
from senna_py.labels.lemma_learning import Dictionary, learn_lemmas
from senna_py.models.build import build_model
from senna_py.models.joining import all_resources
from senna_py.models.native import NativeModel
from senna_py.models.native_writer import write_model
from senna_py.networks.lemmas import lemmas_of
from senna_py.tagging.config import Config
from senna_py.tagging.rare_labels import replace_rare
from senna_py.tagging.sentences import Sentences
from senna_py.text.tokenizer import Tokenizer
from senna_py.text.vocabulary import Vocabulary
from tests.helpers.commands import MODEL, assert_one_line_error
from tests.helpers.commands import run as run_command
from tests.helpers.gold import make_gold, plain
from tests.helpers.small_corpora import conllu, corpus, run

SENTENCE = "the old dog gives stars ."
FOUND = {
    "pos": ("DT", "JJ", "NN", "VBZ", "NNS", "."),
    "upos": ("DET", "ADJ", "NOUN", "VERB", "NOUN", "PUNCT"),
    "feats": ("_", "Degree=Pos", "Number=Sing", "Tense=Pres", "Number=Plur", "_"),
    "lemma": ("the", "old", "dog", "give", "star", "."),
}
TASKS = [*FOUND]


@pytest.fixture(scope="module")
def place(corpora, tmp_path_factory):
    """Directory with CoNLL-U, and `run`, a model of all four tasks."""
    place = tmp_path_factory.mktemp("treebank")
    (place / "vectors.txt").write_bytes((corpora / "vectors.txt").read_bytes())
    (place / "train.conllu").write_text(conllu(corpus(60, seed=1)))
    (place / "dev.conllu").write_text(conllu(corpus(20, seed=2)))
    notes = []
    made = run(place / "run", config(), place, notes.append)
    assert notes[-1].endswith(
        "tokens to learn from, by pos; with the labels of dev 100.00% are right"
    )
    assert made.trainer().run()
    scores = made.score_saved()
    assert [*scores] == TASKS and all(each.accuracy == 100 for each in scores.values())
    return place


def config(tasks=TASKS, **changes):
    values = {
        "tasks": tasks,
        "features": {"caps": 2, "suffix": 3},
        "network": {"approach": "window", "window": {"window": 3, "hidden": 12}},
        "train": [{"files": ["train.conllu"]}],
        "dev": [{"files": ["dev.conllu"]}],
        "training": {
            "rate": 0.02,
            "batch": 4,
            "epochs": 8,
            "dropout": 0.0,
            "embedding_dropout": 0.0,
            "unknown": 0.0,
        },
    }
    return Config.of(values | changes)


def test_sentences_have_them(place):
    nlp = load(place / "run")
    sentence = nlp(SENTENCE)
    assert nlp.tasks == (*TASKS,) and nlp.networks == ("pos", "upos", "feats")
    assert sentence.tags == FOUND
    token = sentence[4]
    assert (token.lemma, token.upos, token.feats) == ("star", "NOUN", "Number=Plur")
    assert type(sentence).from_json(sentence.to_json()) == sentence
    alone = load(place / "run", "lemma")
    assert alone(SENTENCE).tags == {"lemma": FOUND["lemma"]} and alone.networks == (
        "pos",
    )
    assert alone("").tags == {"lemma": ()}


def tag(place, *options, text=SENTENCE):
    result = run_command(
        "senna-tag", *options, "--path", place / "run", stdin=text.encode()
    )
    assert result.returncode == 0, result.stderr
    return result.stdout.decode()


def test_formats(place):
    rows = [*zip(SENTENCE.split(), *FOUND.values(), strict=True)]
    columns = "".join("\t".join(row) + "\n" for row in rows) + "\n"
    assert tag(place, "--format", "conll", "--usrtokens") == columns
    padded = tag(place, "--lemma", "--upos")
    assert padded.splitlines()[4] == f"{'stars':>15}\t{'NOUN':>10}\t{'star':>10}"
    (line,) = tag(place, "--format", "jsonl").splitlines()
    assert json.loads(line)["tags"] == {task: [*tags] for task, tags in FOUND.items()}
    lines = tag(place, "--format", "conllu").splitlines()
    assert lines[8].split("\t")[:6] == [
        "5",
        "stars",
        "star",
        "NOUN",
        "NNS",
        "Number=Plur",
    ]
    quotes = tag(place, "--format", "conll", "--lemma", text='"\nzzz\n')
    assert quotes == '""""\t""""\n\nzzz\tzzz\n\n'


def test_what_a_treebank_has_is_kept_unless_it_is_asked_for(place):
    given = (
        conllu(corpus(3))
        .replace("_\t_\t_\t_\n", "_\t_\t_\tA=b\n")
        .replace("star\t", "sun\t")
    )
    kept = tag(place, "--format", "conllu", "--layout", "conllu", "--upos", text=given)
    assert kept == given
    asked = tag(
        place, "--format", "conllu", "--layout", "conllu", "--lemma", text=given
    )
    assert asked == given.replace("sun\t", "star\t")


def test_scores_of_raw_text(place):
    result = run_command(
        "senna-eval", "text", place / "dev.conllu", "--path", place / "run"
    )
    found = {
        line.split()[0]: line.split()[1:]
        for line in result.stdout.decode().splitlines()[1:]
    }
    assert found.keys() >= {"UPOS", "XPOS", "UFeats", "AllTags", "Lemmas"}
    assert all(
        found[name][3] == "100.00" for name in ("UPOS", "UFeats", "AllTags", "Lemmas")
    )


def test_lemmas_go_where_their_tags_go(place, tmp_path):
    def built(*sources):
        return NativeModel(build_model(tmp_path / "built", sources))

    whole = built(place / "run")
    assert whole.info["tasks"] == TASKS and whole.resources("lemmas") == ("pos",)
    assert load(whole.path)(SENTENCE).tags == FOUND
    assert built(f"{place / 'run'}:pos").info["tasks"] == ["pos", "lemma"]
    assert built(f"{place / 'run'}:upos").info["tasks"] == ["upos"]
    result = run_command("senna-model", "info", place / "run")
    n = whole.resource("lemmas", "pos").array.tobytes().count(b"ending\t")
    assert b"\nlemmas by pos: %d endings, " % n in result.stdout
    assert b", feats, lemma\n" in result.stdout


def test_lemmas_by_what_labels_no_words_are_not_used(place, tmp_path):
    model = NativeModel(place / "run")
    lemmas = {"pos-srl": model.resource("lemmas", "pos")}
    parts = [model.part(name) for name in model.networks]
    write_model(
        tmp_path / "model.safetensors",
        model.words,
        model.vectors,
        parts,
        all_resources(model) | {"lemmas": lemmas},
    )
    with pytest.raises(SennaError, match="the model cannot do lemma"):
        load(tmp_path, "lemma")


def test_rare_features_are_those_of_the_form_and_tag():
    data = Sentences(
        [["a", "a", "a", "b", "c"], ["A", "b"]],
        {
            "feats": make_gold(
                "feats", [["X", "X", "rare", "Y", "odd"], ["once", "Y"]]
            ),
            "pos": make_gold("pos", [["N", "N", "N", "N", "V"], ["N", "N"]]),
        },
    )
    replace_rare(data, "feats", 2)
    assert plain(data.gold["feats"]) == [["X", "X", "X", "Y", "X"], ["X", "Y"]]
    replace_rare(data, "feats", 9)  # nothing is left
    assert plain(data.gold["feats"]) == [["X", "X", "X", "Y", "X"], ["X", "Y"]]


def test_a_dictionary(place, tmp_path):
    for name in ("train.conllu", "dev.conllu", "vectors.txt"):
        (tmp_path / name).write_bytes((place / name).read_bytes())
    dictionary = tmp_path / "forms.tsv"
    dictionary.write_text(
        "stars\tstar\tNOUN\nstar\tstar\tNOUN\nstera\tsteron\tNOUN\r\n"
    )
    changed = config(lemmas={"dictionary": ["form*.tsv"]})
    lemmas = run(tmp_path / "run", changed, tmp_path).data.all_resources["lemmas"][
        "pos"
    ]
    assert lemmas.find("stera", "NNS") == "steron"
    kind = LemmaLists()
    (line,) = kind.lines({"pos": kind.describe(lemmas)})
    assert line.endswith(
        " words, a dictionary of 3 words and ends, and 2 irregular forms"
    )
    for line in (b"a\tb\n", b"a\t\tNOUN\n", b"a\tb\tNOUN\tc\n", b"\xff\tb\tNOUN\n"):
        dictionary.write_bytes(b"a\ta\tNOUN\n" + line)
        with pytest.raises(
            SennaError, match=r"forms\.tsv: line 2: (not UTF-8|expected a form, )"
        ):
            run(tmp_path / "other", changed, tmp_path)
    dictionary.write_text("a\ta\tNOUN\n")
    without = config(["pos", "lemma"], lemmas={"dictionary": ["forms.tsv"]})
    with pytest.raises(
        SennaError, match="goes by the labels of upos, which is no task"
    ):
        run(tmp_path / "other", without, tmp_path)
    with pytest.raises(
        SennaError, match=r"lemmas\.dictionary: expected a list of files"
    ):
        config(lemmas={"dictionary": "forms.tsv"})


def test_words_by_what_follows_and_auxiliaries_in_a_batch():
    """What single words have is decided once; some go by their sentence, or by another
    layer.
    """
    rows = [
        [("it", "P", "it"), (verb, "V", lemma), ("gone", "N", "go")]
        for verb, lemma in [("is", "be"), ("has", "have")] * 9
    ]
    rows += [[("it", "P", "it"), ("'s", "V", "be"), ("old", "J", "old")]] * 12
    rows += [[("it", "P", "it"), ("'s", "V", "have"), ("been", "N", "be")]] * 12
    rows += [[("it", "P", "it"), ("has", "V", "have"), ("been", "N", "be")]] * 12
    lemmas = learn_lemmas(rows, Dictionary(auxiliaries=["be", "have"]))
    words = Vocabulary.from_keys(["PADDING", "UNKNOWN"])
    text = [["it", "'s", "been"], ["'s", "old"], ["its", "'s"], ["been"]]
    tokens = Tokenizer(words).pretokenized(text)
    tags = np.array([0, 1, 2, 1, 3, 0, 1, 2], np.int32)
    found = lemmas_of(tokens, lemmas, tags, ("P", "V", "N", "J"))
    assert " ".join(found.texts()) == "it have be be old its be be"
    checked = lemmas_of(tokens, lemmas, tags, ("P", "V", "N", "J"), np.arange(8) == 5)
    assert " ".join(checked.texts()) == "it have be be old be be be"


def test_errors(place):
    for tasks, problem in (
        (["chk", "lemma"], "lemmas go by the tags of a task pos, xpos or upos"),
        (["lemma"], "lemmas go by the tags of a task"),
    ):
        with pytest.raises(SennaError, match=problem):
            config(tasks)
    with pytest.raises(SennaError, match=r"heads\.lemma: no such task; there are pos"):
        config(["pos", "lemma"], heads={"lemma": {"after": 1}})
    result = run_command(
        "senna-tag", "--probabilities", "--lemma", "--path", place / "run"
    )
    assert result.returncode == 2 and b"one task with a network" in result.stderr
    for task in ("lemma", "dep", "upos", "val"):
        for options in ([f"--{task}"], ["--pos", f"--{task}", "--format", "conllu"]):
            result = run_command("senna-tag", *options, "--path", MODEL, stdin=b"a\n")
            assert_one_line_error(result, f"the model cannot do {task}: it has no ")


def test_labels_that_occur_together_are_learned(place, tmp_path):
    model = NativeModel(place / "run")
    combinations = model.combinations
    assert combinations.tasks == ("pos", "upos", "feats")
    assert ("VBZ", "VERB", "Tense=Pres") in combinations.rows
    words = " ".join(["the dog gives", *("xyz" * k for k in range(1, 30))])
    found = load(place / "run")(words).tags
    tags = zip(*(found[task] for task in combinations.tasks), strict=True)
    assert {*tags} <= {*combinations.rows}
    for task in combinations.tasks:  # a task says the same alone
        alone = load(place / "run", [task])
        assert alone.networks == combinations.tasks
        assert alone(words).tags == {task: found[task]}
    built = build_model(tmp_path / "m.safetensors", [f"{place / 'run'}:pos,upos"])
    assert NativeModel(built).combinations is None
