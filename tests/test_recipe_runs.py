"""Recipes that need no large corpora run, on a few sentences; figures then mean
nothing.

`recipes/en/teacher` and `recipes/en/gpu` need PyTorch and run nowhere here. What draws
or needs Morfessor runs in test_recipes.py and cli/test_language_recipe.py, as does
recipes/page.py.
"""

import json
import lzma
import os
import re
import sys
from pathlib import Path

import pytest

from senna_py.models.native import NativeModel
from tests.helpers import commands
from tests.helpers.commands import run_program
from tests.helpers.recipe_corpora import ROLES, write_corpora
from tests.helpers.small_corpora import corpus, write_columns, write_vectors
from tests.helpers.small_text import sentences

ROOT = Path(__file__).resolve().parent.parent
RECIPES = ROOT / "recipes"
ONE_EPOCH = ["--set", "training.epochs=1"]
# Sentences that everyday.py makes others of: word, part of speech, chunk.
GOLD = """
The/DT/B-NP store/NN/I-NP ,/,/O a/DT/B-NP chain/NN/I-NP ,/,/O closed/VBD/B-VP in/IN/B-PP
the/DT/B-NP town/NN/I-NP ././O

You/PRP/B-NP should/MD/B-VP mix/VB/I-VP the/DT/B-NP old/JJ/I-NP milk/NN/I-NP at/IN/B-PP
5/CD/B-NP pm/NN/I-NP ././O

The/DT/B-NP door/NN/I-NP was/VBD/B-VP closed/VBN/I-VP to/TO/B-PP all/DT/B-NP ././O
"""
# The files of TEXT in vectors.sh and characters.sh.
TEXTS = re.findall(r"\[(\w+)\]=", (RECIPES / "en/vectors.sh").read_text())

pytestmark = [pytest.mark.process, pytest.mark.script]


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A directory with small corpora, text and vectors."""
    place, rows = tmp_path_factory.mktemp("recipes"), corpus(30)
    write_corpora(place, rows)
    turns = [[*s[:-1], ("/", "SU", "O", "O", "*", "-", "O"), s[-1]] for s in rows]
    write_columns(
        place / "masc/train.srl.tsv",
        [[[r[c] for c in ROLES] for r in s] for s in turns],
    )
    gold = [
        [word.split("/") for word in block.split()] for block in GOLD.split("\n\n")
    ] * 9
    write_columns(place / "ewt/train.pos.tsv", [[row[:2] for row in s] for s in gold])
    chunks = [*gold, *([row[:3] for row in s] for s in rows)]
    write_columns(place / "conll2000/train.txt", chunks)
    columns = (place / "conll2000/train.txt").read_text().replace("\t", " ")
    (place / "conll2000/train.txt").write_text(f"{columns}\n")
    text = "".join(" ".join(row[0] for row in sentence) + "\n" for sentence in rows)
    (place / "text.txt").write_text(text * 10)
    write_vectors(place / "vectors.txt")
    write_lists(place)
    write_running_text(place / "text")
    for name, n in (("train", 400), ("valid", 40)):
        for corpus_name in ("brown", "ptb"):
            lines = "".join(f"{line} .\n" for line in sentences(n))
            (place / f"{corpus_name}.{name}.txt").write_text(lines)
    words = sorted({word for line in sentences(400) for word in line.split()})
    (place / "brown.vocab.txt").write_text(
        "".join(f"{word}\n" for word in [*words, "."])
    )
    (place / "morphemes.txt").write_text(
        "".join(f"{w} {w[:2]} {w[2:]}\n" for w in words)
    )
    return place


def write_lists(place):
    """Write word classes, and names."""
    (place / "classes").mkdir()
    (place / "classes/casing.tsv").write_text("lower\tsees\t9\ncapital\tRome\t9\n")
    (place / "classes/brown.tsv").write_text("00\tsees\t9\n01\tRome\t9\n1\tdog\t9\n")
    (place / "gazetteers").mkdir()
    lists = (RECIPES / "senna/ner.toml").read_text() + (
        RECIPES / "en/english.toml"
    ).read_text()
    for name in re.findall(r"gazetteers/([\w.*]+)", lists):
        (place / "gazetteers" / name.replace("*", "x")).write_text("Rome\nAnna\n")


def write_running_text(directory):
    """Write the files of TEXT: most lines are empty, long paragraphs follow the 3000th.

    Of those before, each recipe leaves out others, or all.
    """
    some = {*range(0, 3000, 48), *range(1, 3000, 1000)}
    lines = ["We visit Rome ." if n in some else "" for n in range(1, 3001)]
    lines += [
        "We like the old city of Rome, and the dog sees a cat in it today. " * 2
        + "He said that they visit Paris soon."
    ] * 60
    directory.mkdir()
    for name in TEXTS:
        text = "".join(f"{line}\n" for line in lines)
        (directory / f"{name}.txt.xz").write_bytes(
            lzma.compress(text.encode(), preset=0)
        )


def run(place, name, *arguments, **environment):
    """Run a recipe of this checkout; returns what it prints."""
    path = RECIPES / name
    command = [sys.executable, path] if path.suffix == ".py" else [path]
    result = run_program(
        *command, *arguments, cwd=place, PYTHONPATH=str(ROOT), **environment
    )
    assert result.returncode == 0, result.stderr
    return result.stdout


def test_capitals(place):
    assert "lower\tsees\t" in run(place, "en/casing.py", "text.txt")


def test_hyphens(place):
    printed = run(place, "en/hyphens.py", "conll2000/train.txt")
    assert printed.split() == (place / "conll2000/train.txt").read_text().split()


def test_contradictions(place):
    assert "argument" in run(place, "en/contradictions.py", "text.txt", "--tokens")


def test_trees_by_length(place):
    columns = "word,pos,parse,predicate,roles"
    assert "F1" in run(
        place, "en/tree_lengths.py", "ewt/dev.srl.tsv", "--columns", columns
    )


def test_chunks_by_vectors(place):
    given = ["conll2000/train.txt", "vectors.txt", "--epochs", "1"]
    assert "random" in run(place, "paper/chunking_with_vectors.py", *given)


def test_the_networks_of_senna(place):
    run(place, "senna/train.sh", place, "vectors.txt", "senna", *ONE_EPOCH)
    assert (place / "senna/senna/data/srl.dat").exists()


@pytest.mark.parametrize("approach", ["window", "sentence"])
def test_one_network_and_several(place, approach):
    printed = run(
        place, "paper/joint.sh", approach, place, "vectors.txt", approach, *ONE_EPOCH
    )
    assert len(printed.splitlines()) == 4 + (approach == "sentence")


def test_a_sample_of_running_text(place):
    printed = run(
        place, "en/sample.py", place, "text", "enwiki_core=60", "news_allsides=60"
    )
    assert "Rome" in printed


def test_sentences_of_rare_kinds(place):
    run(place, "en/everyday.py", place)
    for name, width in (("pos", 2), ("chk", 3)):
        rows = (place / f"everyday/{name}.tsv").read_text().splitlines()
        assert {len(row.split("\t")) for row in rows if row} == {width}


SMALL = [
    "network.dilated.width=8",
    "network.dilated.dilations=[1]",
    "training.epochs=1",
]
SMALL += ["training.min_label_count=1"]
# A sentence whose words have, of each task, one label for sure.
LABELED = """
the DT:1 B-NP:1 O:1 O:1 O:1 DET:1 O NP/2:1,S/3:1 2 det 1 - S-A0:1
dog NN:1 E-NP:1 O:1 O:1 O:1 NOUN:1 S-DATE - 3 nsubj 1 - O:1
sees VBZ:1 S-VP:1 O:1 O:1 S-V:1 VERB:1 O VP/1:1 0 root 1 sees S-V:1
"""


@pytest.fixture(scope="module")
def english(place):
    """The model that model.sh makes where labels and the words of WordNet are there."""
    if not (ROOT / "models/embeddings/embeddings.npy").exists():
        pytest.skip("needs the vectors of a checkout")
    (place / "labels/all").mkdir(parents=True)
    (place / "labels/val.best.xz").touch()
    for name in ("0000", "0010"):
        text = LABELED.strip().replace(" ", "\t") + "\n\n"
        (place / f"labels/all/{name}.tsv").write_text(text * 20)
    (place / "wordnet").mkdir()
    (place / "wordnet/forms.tsv").write_text("dogs\tdog\tNOUN\nsaw\tsee\tVERB\n")
    options = [part for setting in SMALL for part in ("--set", setting)]
    run(place, "en/model.sh", *options, place, "text", "runs", ROOT / "models/en")
    return place / "runs/en"


def test_the_english_model(place, english):
    for name in (
        "everyday/chk",
        "tweets/pos",
        "tweets/dev.ner",
        "entities/ewt",
        "entities/others",
    ):
        assert (place / f"{name}.tsv").read_text()
    assert (english / "model.safetensors").exists()


def test_the_english_model_trained_further(place, english):
    labels = {name: [] for name in ("psg", "srl", "rel")} | {"rel": ["dep", "root"]}
    (place / "labels/index.json").write_text(json.dumps({"labels": labels}))
    for number in range(14):
        text = LABELED.strip().replace(" ", "\t") + "\n\n"
        (place / f"labels/all/{number:04}.tsv").write_text(text * 20)
    for name in ("first.nltk_kantrowitz", "last.census1990"):
        (place / f"gazetteers/person.{name}.txt").write_text("Anna\n")
    (place / "gazetteers/location.nltk.txt").write_text("Rome\n")
    options = ["--set", "training.epochs=1", "--set", "training.min_label_count=1"]
    run(place, "en/further.sh", *options, place, "further", english)
    before, after = (
        NativeModel(path / "model.safetensors")
        for path in (english, place / "further/en")
    )
    assert after.networks == before.networks
    assert [*after.resources("lemmas")] == ["pos"] and "lemma" in after.info["tasks"]
    assert after.combinations is not None and after.splitter is not None
    assert after.words.data == before.words.data


def test_scores_of_some_tasks(place, english):
    lines = run(
        place, "en/scores.sh", place, english, "chk", "dep", "lemma"
    ).splitlines()
    assert [line.split()[0] for line in lines] == [
        "chk",
        "accuracy:",
        *["dep", "UAS:", "lemma", "Lemmas"] * 2,
    ]


def test_every_line_of_scores(place, english):
    """Each of its commands runs in this process, as starting them takes half a minute.

    So the script finds a senna-eval that prints the beginning of the line that is
    looked for.
    """
    stub = place / "bin/senna-eval"
    stub.parent.mkdir()
    names = {"vbs": "VB:", "psg": "Bracketing FMeasure", "srl": "Overall"}
    cases = "".join(f"{task}) echo '{name}' ;; " for task, name in names.items())
    stub.write_text(f"#!/bin/sh\ncase $2 in {cases}*) echo accuracy ;; esac\n")
    stub.chmod(0o755)
    paths = os.pathsep.join([str(stub.parent), os.environ["PATH"]])
    tasks = ["pos", "ner", "pt0", "psg", "vbs", "srl", "upos", "feats"]
    lines = run(place, "en/scores.sh", place, english, *tasks, PATH=paths).splitlines()
    assert {line.split()[0] for line in lines[::2]} == {*tasks}
    for command, line in zip(lines[::2], lines[1::2], strict=True):
        result = commands.run(
            "senna-eval", "model", *command.split(), "-path", english, cwd=place
        )
        assert result.returncode == 0, result.stderr
        printed = result.stdout.decode()
        assert re.search(f"^ *{line.strip()}", printed, re.MULTILINE), printed


def test_vectors(place):
    small = ["--dim", "4", "--epochs", "1", "--min-count", "1"]
    run(place, "en/vectors.sh", "text", place, "vectors", *small)
    assert (place / "vectors/checkpoint.npz").exists()


def test_the_character_model(place):
    run(
        place, "en/characters.sh", "text", "characters", "--hidden", "4", "--batch", "2"
    )
    assert (place / "characters/english.lm").exists()


def test_ablations(place):
    lines = run(
        place, "paper/ablation.sh", place, "vectors.txt", "ablation", *ONE_EPOCH
    ).splitlines()
    assert len(lines) == 8
    assert all(re.search(r"\d+\.\d\d +\d+\.\d\d$", line) for line in lines[1:])


def test_ensembles(place):
    lines = run(
        place, "paper/ensemble.sh", place, "vectors.txt", "ensemble", 2, *ONE_EPOCH
    ).split()
    assert lines[::2] == ["worst", "mean", "best", "vote", "scores", "joined"]


def test_models_of_brown(place):
    lines = run(
        place, "paper/nplm.sh", place, "brown", "classes", "energy"
    ).splitlines()
    assert [len(line.split()) for line in lines] == [6, 6, 6]


def test_models_of_characters(place):
    names = ["plain", "highway-two", "word-small-2", "morph"]
    given = {"EPOCHS": "1", "SEGMENTATION": "morphemes.txt"}
    lines = run(
        place, "paper/characters.sh", place, "ptb", *names, **given
    ).splitlines()
    assert [line.split()[0] for line in lines] == names
