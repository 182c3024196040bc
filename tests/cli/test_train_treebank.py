"""senna-train TREEBANK RUN: a whole model from a treebank of Universal Dependencies."""

import json
import re
import signal
import subprocess

import pytest

from senna_py.models.embeddings import read_embeddings
from tests.helpers.commands import assert_one_line_error, installed, run
from tests.helpers.small_treebank import (
    QUICK,
    SMALL,
    row,
    small_entities,
    small_treebank,
)

ROWS = (
    "F1 Tokens Sentences Words UPOS XPOS UFeats AllTags Lemmas UAS LAS CLAS MLAS BLEX"
)


def train(*args, small=SMALL, **options):
    settings = [each for setting in small for each in ("--set", setting)]
    return run("senna-train", *settings, *args, **options)


def write_treebank(place, dev=True, entities=False):
    """Write the files of a treebank to a directory, which is returned."""
    place.mkdir()
    text = small_treebank(90, entities=entities)
    (place / "eo_x-ud-train.conllu").write_text(text, "utf-8")
    if dev:
        text = small_treebank(20, 2, entities)
        (place / "eo_x-ud-dev.conllu").write_text(text, "utf-8")
    return place


def rows_of(result):
    """Return the scores that a run printed: the first cell and the others."""
    assert result.returncode == 0, result.stderr
    table, _, advice = result.stdout.decode().partition("\n\n")
    cells = [re.split(r"  +", line.strip()) for line in table.splitlines()]
    return {first: others for first, *others in cells}, advice


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A directory with a treebank that has entities, and a finished run."""
    place = tmp_path_factory.mktemp("treebank")
    treebank = write_treebank(place / "treebank")
    (treebank / "ner.train").write_text(small_entities(60), "utf-8")
    (treebank / "ner.dev").write_text(small_entities(20, 2), "utf-8")
    (place / "more.txt").write_text("Maria amas la urbon. Petro vidas.\n" * 9, "utf-8")
    return place


@pytest.fixture(scope="module")
def finished(place):
    return train("--text", place / "more.txt", place / "treebank", place / "run")


@pytest.mark.slow
def test_the_last_lines_are_scores_and_what_to_do(finished, place):
    rows, advice = rows_of(finished)
    assert list(rows)[1:-1] == ROWS.split()[1:]
    assert float(rows["UPOS"][1]) > 90 and float(rows["Entities"][0]) > 90
    assert float(rows["Tokens"][1]) == 100
    model = place / "run" / "model.safetensors"
    assert f"The model is {model}." in advice and f"--path {model} text.txt" in advice
    said = finished.stderr.decode()
    assert (
        "tokens: learned: words F1 " in said
        and "; better than unicode: " in said
        and "entities: dev F1" in said
    )
    tagged = run("senna-tag", "--path", model, stdin=b"Petro vidas la katon.\n")
    assert tagged.returncode == 0, tagged.stderr
    assert tagged.stdout.split()[:2] == [b"Petro", b"PROPN"]
    info = run("senna-model", "info", model).stdout
    assert b"language: eo; tokenizer: learned" in info


@pytest.mark.slow
def test_words_of_tokens(finished, place):
    rows, _ = rows_of(finished)
    assert float(rows["Words"][0]) > 95
    options = ["--format", "conllu", "--path", place / "run" / "model.safetensors"]
    tagged = run("senna-tag", *options, stdin=b"Petro vidas del kato.\n").stdout
    assert b"3-4\tdel\t" in tagged and b"3\tde\t" in tagged and b"4\tla\t" in tagged


@pytest.fixture(scope="module")
def without_dev(tmp_path_factory):
    """A directory with a run on a treebank without a dev file, whose tokenizer has
    learned nothing, and the result of the command.
    """
    place = tmp_path_factory.mktemp("without_dev")
    treebank = write_treebank(place / "eo_x", dev=False)
    poor = ["--set", "tokens.training.rate=1e-9"]
    return place, train(*poor, treebank, place / "run", small=QUICK)


@pytest.mark.script
def test_sentences_that_are_better(without_dev):
    """A network that has learned nothing does not find the sentences."""
    _, result = without_dev
    rows_of(result)
    assert b"tokens: learned: " not in result.stderr


@pytest.mark.script
def test_without_dev_a_tenth_is_taken(without_dev):
    place, result = without_dev
    rows, _ = rows_of(result)
    assert b"train.conllu, 9 sentences\n" in result.stderr
    assert "Entities" not in rows
    steps = place / "run" / "steps"
    train_part, dev_part = (
        (steps / f"{name}.conllu").read_text("utf-8") for name in ("train", "dev")
    )
    assert train_part + dev_part == small_treebank(90)
    assert dev_part.count("\n\n") == 9


@pytest.mark.script
def test_a_tokenizer_may_be_chosen(tmp_path):
    treebank = write_treebank(tmp_path / "eo_x")
    french = "--tokenizer", "french"
    result = train(*french, treebank, tmp_path / "run", small=QUICK)
    rows_of(result)
    assert b"tokens: french: words F1" in result.stderr
    assert b"learned" not in result.stderr


@pytest.mark.slow
def test_a_run_that_is_finished(finished, place):
    again = ("--text", place / "more.txt", place / "treebank", place / "run")
    result = train("--resume", *again)
    assert result.returncode == 0 and result.stdout == finished.stdout
    journal = place / "run" / "run.json"
    assert_one_line_error(train(*again), f"{journal}: there is a run already")
    changed = train("--resume", "--set", "training.epochs=7", *again)
    problem = "settings.words.training.epochs 6, asked for 7"
    assert_one_line_error(changed, f"{journal}: made with {problem}")
    other = train("--resume", place / "treebank", place / "run")
    assert_one_line_error(other, f"{journal}: made with files.", "more.txt")


@pytest.mark.slow
def test_a_model_has_no_directories(finished, place):
    assert str(place).encode() not in (place / "run/model.safetensors").read_bytes()


@pytest.mark.script
def test_a_run_that_is_stopped_again_and_again(finished, place, tmp_path):
    again = ("--text", place / "more.txt", place / "treebank", tmp_path / "run")
    for _ in range(9):
        result = train("--resume", "--time-limit", "0.001s", *again)
        assert result.returncode == 0 and not result.stdout
        assert result.stderr.endswith(b"stopped; continue with --resume\n")
    result = train("--resume", *again)
    assert result.stdout.splitlines()[:-2] == finished.stdout.splitlines()[:-2]
    one, other = (
        (path / "run" / "model.safetensors").read_bytes() for path in (place, tmp_path)
    )
    assert one == other


@pytest.mark.process
def test_a_signal_stops_a_run(place, tmp_path):
    long = (*SMALL, "training.epochs=100000")
    settings = [each for setting in long for each in ("--set", setting)]
    command = [installed("senna-train"), *settings, place / "treebank"]
    process = subprocess.Popen(
        [*command, tmp_path / "run"], stderr=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert any(line.startswith(b"word classes") for line in process.stderr)
    process.send_signal(signal.SIGINT)
    stdout, stderr = process.communicate(timeout=60)
    assert process.returncode == 130 and not stdout
    assert b"Traceback" not in stderr


@pytest.mark.script
def test_parts_of_a_treebank(tmp_path):
    treebank = write_treebank(tmp_path / "eo_x")
    whole = treebank / "eo_x-ud-train.conllu"
    sentences = whole.read_text("utf-8").removesuffix("\n\n").split("\n\n")
    whole.unlink()
    for part, own in (("b", sentences[50:]), ("a", sentences[:50])):
        text = "".join(f"{sentence}\n\n" for sentence in own)
        (treebank / f"eo_x-ud-train-{part}.conllu").write_text(text, "utf-8")
    rows_of(train(treebank, tmp_path / "run", small=QUICK))
    joined = tmp_path / "run" / "steps" / "whole.train.conllu"
    assert joined.read_text("utf-8") == small_treebank(90)


@pytest.mark.slow
def test_words_with_spaces(finished, place):
    steps = place / "run" / "steps"
    assert "\tLa Karlo\t" in (steps / "classes.tsv").read_text("utf-8")
    assert "la karlo" in read_embeddings(steps / "vectors.npz").words


@pytest.mark.script
def test_entities_in_the_treebank(tmp_path):
    treebank = write_treebank(tmp_path / "eo_x", entities=True)
    rows, _ = rows_of(train(treebank, tmp_path / "run"))
    assert float(rows["Entities"][0]) > 90
    settings = json.loads((tmp_path / "run" / "run.json").read_text())["settings"]
    assert settings["language"] == "eo"


@pytest.mark.script
def test_entities_alone(tmp_path):
    corpus = tmp_path / "eo"
    corpus.mkdir()
    (corpus / "eo_ner.train").write_text(small_entities(90), "utf-8")
    rows, _ = rows_of(train(corpus, tmp_path / "run"))
    assert [*rows] == ["F1 on dev", "Entities"]
    model = tmp_path / "run" / "model.safetensors"
    tagged = run("senna-tag", "--path", model, stdin=b"Petro vidas la katon.\n")
    assert b"PER" in tagged.stdout


@pytest.mark.script
def test_a_single_file_and_other_vectors(tmp_path):
    file = tmp_path / "all.conllu"
    file.write_text(small_treebank(60), "utf-8")
    vectors = tmp_path / "vectors.txt"
    vectors.write_text("la 0.1 0.2\nvidas 0.3 0.1\nMaria 1 0\n")
    result = train("--vectors", vectors, file, tmp_path / "run", small=QUICK)
    rows_of(result)
    assert b"word vectors" not in result.stderr
    again = "--vectors", tmp_path / "run", file, tmp_path / "again"
    rows_of(train(*again, small=QUICK))
    result = train("--vectors", tmp_path / "none", file, tmp_path / "third")
    assert_one_line_error(result, f"{tmp_path / 'none'}: No such file")


def test_what_is_wrong_is_said(tmp_path):
    treebank, out = tmp_path / "eo", tmp_path / "run"
    treebank.mkdir()
    problem = "no file to train on: none has a name that ends in train.conllu"
    assert_one_line_error(train(treebank, out), f"{treebank}: {problem}")
    file = treebank / "train.conllu"
    file.touch()
    assert_one_line_error(
        train(treebank, out), f"{file}: there is no sentence", is_last=True
    )
    file.write_text("Maria vidas la katon.\n")
    problem = f"{file}: line 1: expected the 10 col"
    assert_one_line_error(train(treebank, out), problem, is_last=True)
    file.write_text(small_treebank(1), "utf-8")
    problem = f"{file}: a single sentence"
    assert_one_line_error(train(treebank, out), problem, is_last=True)
    forms = re.sub(r"(?m)^([\d-]+\t[^\t]+).*", r"\1" + "\t_" * 8, small_treebank(9))
    file.write_text(forms)
    result = train(treebank, out)
    problem = f"{file}: no tags, lemmas, dependencies or entities"
    assert_one_line_error(result, problem, is_last=True)
    assert b"dev" not in result.stderr and b"tokens:" not in result.stderr
    file.write_text(row(1, "Ne", "ne", "INTJ", "_", 0, "root") + "\n\n" * 2)
    problem = f"{file}: no sentence has two words"
    assert_one_line_error(train(treebank, out), problem, is_last=True)
    file.write_text(small_treebank(9), "utf-8")
    dev = treebank / "dev.conllu"
    dev.write_text("1\tx\n")
    problem = f"{dev}: line 1: expected the 10 col"
    assert_one_line_error(train(treebank, out), problem, is_last=True)
    dev.write_text(forms)
    problem = f"{dev}: none of the labels of {file}: deprel, feats, lemma, upos, xpos"
    assert_one_line_error(train(treebank, out), problem, is_last=True)
    dev.unlink()
    file.write_text(small_treebank(9).replace("\t4\tdet", "\t9\tdet"), "utf-8")
    assert_one_line_error(
        train(treebank, out),
        f"{file}: line 12: expected a head",
        "found '9'",
        is_last=True,
    )
    file.write_bytes(small_treebank(9).replace("\tla\t", "\tlá\t").encode("latin-1"))
    assert_one_line_error(
        train(treebank, out), f"{file}: line ", "not UTF-8", is_last=True
    )
    (treebank / "ner.train").write_text("Anna B-PER\nvidas PER\n")
    file.write_text(small_treebank(9), "utf-8")
    result = train(treebank, out)
    assert_one_line_error(result, "ner.train: line 2: ", is_last=True)
    (treebank / "eo-train.conllu").touch()
    result = train(treebank, out)
    names = "eo-train.conllu, train.conllu"
    assert_one_line_error(
        result, f"{treebank}: several files end in train.conllu: {names}"
    )
    assert_one_line_error(train(tmp_path / "x.conllu", out), "x.conllu: No such file")
    assert not (out / "run.json").exists()


def test_wrong_options(tmp_path):
    treebank = write_treebank(tmp_path / "eo_x", entities=True)
    out = tmp_path / "run"

    def said(*args):
        return train(*args, treebank, out, small=())

    assert_one_line_error(said("--set", "text.dim=0"), "text.dim: expected 1 at least")
    assert_one_line_error(said("--set", "text.x=1"), "text.x: no such setting")
    for setting in ("training.x", "tokens.foo", "tokens.training.x", "entities.foo"):
        result = said("--set", f"{setting}=1")
        problem = f"--set: {setting}: no such setting"
        assert_one_line_error(result, problem, is_last=True)
    assert_one_line_error(
        said("--set", "entities.networks=0"), "entities.networks: expected 1 to 100"
    )
    assert_one_line_error(said("--set", "entities=0"), "entities: expected a table")
    result = said("--set", "training=3")
    problem = "--set: training: expected a table"
    assert_one_line_error(result, problem, is_last=True)
    result = said("--language", "../x")
    problem = "--language '../x': expected a code such as fr"
    assert_one_line_error(result, problem, code=2)
    result = said("--language", "old french")
    problem = "--language 'old french': expected a code such as fr; old french is fro"
    assert_one_line_error(result, problem, code=2)
    result = said("--tokenizer", "klingon")
    assert_one_line_error(result, "--tokenizer klingon: expected one of", code=2)
    assert_one_line_error(
        said("--text", tmp_path / "none.txt"), "none.txt: no such file"
    )
    result = run("senna-train", "--language", "eo", "a.toml", tmp_path, out)
    assert (
        result.returncode == 2
        and b"--language can be used only with TREEBANK" in result.stderr
    )
    result = run("senna-train", treebank)
    assert (
        result.returncode == 2 and b"expected TREEBANK RUN, or CONFIG" in result.stderr
    )


def test_a_learned_tokenizer_needs_a_treebank(tmp_path):
    (tmp_path / "ner.train").write_text(small_entities(9), "utf-8")
    result = train("--tokenizer", "learned", tmp_path, tmp_path / "run")
    problem = "--tokenizer learned: it learns from a file that ends in train.conllu"
    assert_one_line_error(result, problem, code=2)


@pytest.mark.script
def test_three_sentences(tmp_path):
    file = tmp_path / "train.conllu"
    file.write_text(small_treebank(3, entities=True).replace("B-PER", "yes"), "utf-8")
    result = train(file, tmp_path / "run", small=QUICK)
    rows_of(result)
    first, second, *_ = result.stderr.decode().splitlines()
    assert first.startswith("language: unknown: ") and "--language CODE" in first
    assert second.startswith(f"{file}: NER in MISC is not learned: 'yes' is no tag")


def test_a_run_that_is_stopped_in_its_first_step(tmp_path):
    treebank, out = write_treebank(tmp_path / "eo_x"), tmp_path / "run"
    stopped = train("--time-limit", "0.001s", treebank, out)
    first, *_, last = stopped.stderr.decode().splitlines()
    assert first == "language: eo, from the name eo_x-ud-train.conllu"
    assert last == "stopped; continue with --resume"
    assert_one_line_error(train(treebank, out), "there is a run already")
    again = train("--resume", "--time-limit", "0.001s", treebank, out)
    assert again.returncode == 0 and b"a run begins" not in again.stderr


def test_help_says_how():
    said = " ".join(run("senna-train", "--help").stdout.decode().split())
    assert "(TREEBANK | CONFIG CORPORA) RUN" in said
    assert "TREEBANK is a directory with files of Universal Dependencies" in said
