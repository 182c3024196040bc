"""The files of a treebank, and what they have."""

import gzip
from dataclasses import replace

import pytest

from senna_py.errors import SennaError
from senna_py.treebanks.configs import tokens_config, words_config
from senna_py.treebanks.contents import join_files, read_contents, split_file
from senna_py.treebanks.files import find_files
from senna_py.treebanks.settings import read_settings
from tests.helpers.small_treebank import small_treebank


@pytest.mark.parametrize(
    ("directory", "names", "language"),
    [
        ("UD_French-Sequoia", ["fr_sequoia-ud-train.conllu", "README.md"], "fr"),
        ("UD_French-Sequoia", ["train.conllu", "dev.conllu"], "fr"),
        ("UD_Portuguese-Bosque", ["pt_bosque-ud-train.conllu"], "pt"),
        ("UD_Old_Church_Slavonic-PROIEL-r2.14", ["train.conllu"], "cu"),
        ("UD_Klingon-Own", ["train.conllu"], ""),
        ("pt_gsd", ["train.conllu", "dev.conllu"], "pt"),
        ("data", ["train.conllu.gz", "dev.conllu.xz"], ""),
        ("es", ["es_ner.train", "es_ner.dev"], "es"),
        ("yue_hk-ud-2.14", ["train.conllu"], "yue"),
        ("data", ["my_x-ud-train.conllu"], "my"),
        ("data", ["yue_hk-ud-train.conllu"], "yue"),
        ("data", ["the_train.conllu"], ""),
        ("data", ["xx_train.conllu"], ""),
        ("my_run", ["train.conllu"], ""),
        ("new-data", ["train.conllu"], ""),
        ("de-facto", ["train.conllu"], ""),
    ],
)
def test_files_are_found_by_their_ends(directory, names, language, tmp_path):
    place = tmp_path / directory
    place.mkdir()
    for name in names:
        (place / name).touch()
    files = find_files(place)
    assert [path.name for path in files.paths()] == [n for n in names if n[0] != "R"]
    assert files.language == language
    alone = find_files(place / names[0])
    assert (alone.language, alone.named_by) == (files.language, files.named_by)


def test_a_file_is_a_treebank(tmp_path):
    path = tmp_path / "cy_all.conllu"
    files = find_files(path)
    assert (files.train, files.dev, files.language) == ((path,), (), "cy")


def test_parts_of_a_set_are_joined_in_order(tmp_path):
    parts = [f"de_hdt-ud-train-{part}.conllu" for part in ("a-1", "a-2", "a-10", "b-1")]
    names = [*parts, "de_hdt-ud-dev.conllu"]
    for number, name in enumerate(reversed(names)):
        text = f"# part {number}\n" + small_treebank(3)
        (tmp_path / name).write_text(text, "utf-8")
    files = find_files(tmp_path)
    assert [path.name for path in files.paths()] == names
    assert (files.language, files.train_place) == ("de", tmp_path)
    whole = tmp_path / "run" / "whole.train.conllu"
    join_files(files.train, whole)
    texts = [path.read_text("utf-8") for path in files.train]
    assert whole.read_text("utf-8") == "".join(texts)


@pytest.mark.parametrize(
    ("names", "problem"),
    [
        (["a-train.conllu", "b-train.conllu"], "several files end in train.conllu"),
        (["a-train-x.conllu", "b-train-x.conllu"], "end in train-PART.conllu: a-tr"),
        (["train-1.txt", "retrain-1.conllu"], "no file to train on"),
    ],
)
def test_several_treebanks(names, problem, tmp_path):
    for name in names:
        (tmp_path / name).touch()
    with pytest.raises(SennaError, match=problem):
        find_files(tmp_path)


def test_a_whole_set_needs_no_parts(tmp_path):
    for name in ("train.conllu", "train-small.conllu"):
        (tmp_path / name).touch()
    assert [path.name for path in find_files(tmp_path).train] == ["train.conllu"]


def test_contents(tmp_path):
    path = tmp_path / "train.conllu.gz"
    with gzip.open(path, "wt", encoding="utf-8") as file:
        file.write(small_treebank(6, entities=True))
    contents = read_contents(path)
    assert (contents.n_sentences, contents.n_words, contents.n_ranges) == (6, 32, 2)
    assert contents.columns == {"upos", "xpos", "feats", "lemma", "deprel"}
    assert contents.entities == "NER"
    assert contents.has_spaces


@pytest.mark.parametrize("value", ["person(", "Yes", "O"])
def test_other_values_are_no_entities(value, tmp_path):
    path = tmp_path / "train.conllu"
    path.write_text(small_treebank(3, entities=True).replace("B-PER", value), "utf-8")
    contents = read_contents(path)
    assert contents.entities == ""
    assert contents.other_values == ({} if value == "O" else {"NER": value})


@pytest.mark.parametrize("prefix", "BIESLUMW")
def test_tags_of_entities_in_any_scheme(prefix, tmp_path):
    path = tmp_path / "train.conllu"
    text = small_treebank(3, entities=True).replace("B-PER", f"{prefix}-PER")
    path.write_text(text, "utf-8")
    assert read_contents(path).entities == "NER"


def test_sentences_are_divided_as_they_are(tmp_path):
    text = "# global\n" + small_treebank(25)
    path, train, dev = (tmp_path / name for name in ("all", "train", "dev"))
    path.write_text(text, "utf-8")
    assert split_file(path, 25, train, dev) == 2
    assert train.read_text("utf-8") + dev.read_text("utf-8") == text
    with pytest.raises(SennaError, match="a single sentence"):
        split_file(path, 1, train, dev)


def test_epochs_by_the_number_of_words():
    epochs = read_settings().epochs
    assert [epochs.epochs(n) for n in (18_000, 200_000, 400_000, 10**6)] == [
        80,
        30,
        15,
        10,
    ]
    changed = read_settings(["training.epochs=3", "epochs.least=5"], seed=7)
    assert changed.epochs.epochs(10**7) == 5
    assert changed.words["training"]["epochs"] == 3
    assert changed.words["training"]["seed"] == 7


@pytest.mark.parametrize(("n_joined", "unknown"), [(6, 0.3), (30, 0.0)])
def test_forms_are_masked_if_they_are_words(n_joined, unknown, tmp_path):
    path = tmp_path / "train.conllu"
    path.write_text(small_treebank(6), "utf-8")
    contents = replace(read_contents(path), n_joined=n_joined)
    settings = read_settings(), [path, path], contents, "unicode"
    assert tokens_config(*settings).training.unknown == unknown
    changed = read_settings(["tokens.training.unknown=0.1"])
    assert tokens_config(changed, *settings[1:]).training.unknown == 0.1


def test_arcs_have_a_weight_where_there_are_other_tasks(tmp_path):
    path = tmp_path / "train.conllu"
    path.write_text(small_treebank(3), "utf-8")

    def heads(*tasks):
        files = [path, path]
        return words_config(read_settings(), [*tasks], files, 100, {}).heads

    assert heads("upos", "dep")["dep"].weight == 2
    assert heads("upos", "feats") == heads("dep") == {}
