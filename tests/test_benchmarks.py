"""Benchmarks: each script runs, on the smallest input; what it then measures means
nothing.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.helpers.commands import run as run_here
from tests.helpers.small_corpora import corpus, write_columns, write_vectors
from tests.helpers.small_text import sentences

ROOT = Path(__file__).resolve().parent.parent
SCRIPTS = {path.name for path in (ROOT / "benchmarks").glob("*.py")}
ESPERANTO = ROOT / "tests/data/esperanto"
# A model of SENNA's sizes has the words of the vectors, which are in a checkout only.
WORDS = ROOT / "models/embeddings/embeddings.words"
sys.path.insert(0, str(ROOT / "benchmarks"))
from common.small_trainings import TRAININGS, fill_in, write_inputs  # noqa: E402

FEW = ["--rounds", "1", "--pairs", "1"]

pytestmark = [pytest.mark.process, pytest.mark.script]
in_checkout = pytest.mark.skipif(
    not WORDS.exists(), reason="needs the vectors of a checkout"
)


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A directory with the corpora that the scripts read, cut to some sentences."""
    place, rows = tmp_path_factory.mktemp("benchmarks"), corpus(24)

    def write(name, *columns):
        write_columns(
            place / name, [[[row[c] for c in columns] for row in s] for s in rows]
        )

    write("conll2000/train.txt", 0, 1, 2)
    write("ewt/dev.srl.tsv", 0, 1, 4, 5, 6)
    for part in ("train", "dev"):
        write(f"ewt/{part}.pos.tsv", 0, 1)
        write(f"ewt/{part}.ner.tsv", 0, 1, 3)
    write("trees.tsv", 0, 1, 4)
    for name, n in (("brown.train.txt", 1000), ("brown.valid.txt", 40)):
        (place / name).write_text("".join(f"{line}\n" for line in sentences(n)))
    write_vectors(place / "vectors.txt")
    return place


def run(place, name, *arguments, status=0):
    """Run a script of this checkout; returns what it prints."""
    path = os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
    result = subprocess.run(
        [sys.executable, str(ROOT / "benchmarks" / name), *map(str, arguments)],
        cwd=place,
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert result.returncode == status, result.stderr
    return result.stdout


SOON = ["--seconds", "0.1"]
VALID = ["--valid", "brown.valid.txt", "--rounds", "1"]
# Arguments, a row that is printed, and its unit.
LANGUAGE_MODELS = {
    "char_lm.py": (["brown.train.txt", *SOON], "scoring", "words a CPU second"),
    "ngram_lm.py": (["brown.train.txt", *VALID], "printed", "words/s"),
    "nplm_speed.py": (["--words", "50", *SOON], "training by classes", "words/s"),
    "ranking_lm.py": (
        ["--words", "50", "--learn", "1000", *SOON],
        "as many models",
        "examples/s",
    ),
    "skipgram_lm.py": (
        ["--words", "50", "--dim", "8", "--rounds", "1"],
        "1 threads:",
        "words/s",
    ),
}


@pytest.mark.parametrize("name", LANGUAGE_MODELS)
def test_trainers_of_language_models(place, name):
    arguments, row, unit = LANGUAGE_MODELS[name]
    lines = [line for line in run(place, name, *arguments).splitlines() if row in line]
    assert lines
    assert unit in lines[-1]


def test_kernels(place):
    assert "Viterbi, 101 tags" in run(
        place, "kernel_rates.py", "--rows", "32", "--rounds", "1"
    )


def test_blocks_with_each_instruction_set(place):
    printed = run(place, "kernel_rates.py", "--rows", "32", "--rounds", "1", "--blocks")
    rows = [line.split("|") for line in printed.splitlines()]
    assert rows[-1][1].strip() == "NumPy"
    assert all(row[-2].strip()[0].isdigit() for row in rows[2:])


def test_trainers_of_taggers(place):
    data = [
        "--chunks",
        "conll2000/train.txt",
        "--roles",
        "ewt/dev.srl.tsv",
        "--trees",
        "trees.tsv",
    ]
    printed = run(place, "train_speed.py", "vectors.txt", *data, "--epochs", "1")
    assert [line.split(",")[0] for line in printed.splitlines()] == [
        "chunks",
        "chunks",
        "chunks",
        "roles",
        "trees",
    ]


def test_tokenizers(place):
    columns = ["ewt/dev.pos.tsv", "--columns", "word,pos", "--confusions", "--speed"]
    assert "tokens/s" in run(place, "raw_text.py", "english", *columns)
    learned = ["--one-paragraph", "--train", ESPERANTO / "train.conllu"]
    assert "Sentences" in run(
        place, "raw_text.py", "unicode", ESPERANTO / "dev.conllu", *learned
    )


def test_redaction(place):
    (place / "letters.txt").write_text("# 1\n{PERSON|Mrs. Lee|Lee} met {PERSON|Al}.\n")
    assert "| PERSON | 2 |" in run(place, "redaction.py", "letters.txt", "--missed")


def test_search(place):
    printed = run(place, "search.py", ROOT / "tests/data/search.conllu", *FEW[:2])
    assert '| `[lemma="see"]` | search.conllu | 1 |' in printed
    assert "grep" in printed


@in_checkout
def test_rates(place):
    parts = [
        f"--parts={part}"
        for part in ("rates", "cores", "starts", "fallbacks", "memory")
    ]
    given = [
        "--text",
        "conll2000/train.txt",
        "--tokens",
        "20",
        *FEW,
        "--json",
        "speed.json",
    ]
    given += ["--model", ROOT / "models/en"]
    assert "| peak memory, the whole text" in run(place, "speed.py", *given, *parts)
    figures, *_ = json.loads((place / "speed.json").read_text())["models"].values()
    number, text = figures["trees"]
    assert number > 0
    assert "levels a token" in text


@in_checkout
def test_profiles(place):
    printed = run(
        place, "speed.py", "--tokens", "60", "--profile", "--model", ROOT / "models/en"
    )
    assert {"SENNA's sizes: pos of raw text", "en: all tasks"} <= {
        *printed.splitlines()
    }


@in_checkout
@pytest.mark.extra
def test_scaling(place):
    pytest.importorskip("matplotlib")
    text = ["--text", "conll2000/train.txt", "--tokens", "60"]
    given = [*text, "--scaling", "--largest", "1000", "--plot", "scaling.svg"]
    assert "all tasks" in run(place, "speed.py", *given)
    assert "seconds" in (place / "scaling.svg").read_text()


@in_checkout
def test_ways_to_tag(place):
    text = ["--text", "conll2000/train.txt", "--tokens", "300", "--plain-tokens", "30"]
    printed = run(place, "same_bytes.py", *text)
    assert printed.count(" 0 lines differ") == len(printed.splitlines()) == 4


@in_checkout
def test_two_checkouts(place):
    text = ["--text", "conll2000/train.txt", "--tokens", "60", "--slow-tokens", "60"]
    only = ["--only", "POS of", "--only", "one sentence, en", "--only", "train char"]
    printed = run(
        place, "two_checkouts.py", ROOT, ROOT, *text, *FEW, *only, "--train", place
    )
    rows = [
        line.split("|")[1].strip() for line in printed.splitlines() if line[:1] == "|"
    ]
    assert rows[2:] == ["POS of raw text", "one sentence, en, all tasks", "train char"]


@in_checkout
def test_weights_of_two_checkouts(place):
    only = ["--only", "chunks", "--only", "nplm"]
    printed = run(place, "same_weights.py", ROOT, ROOT, "--corpora", place, *only)
    assert printed.count(": same, ") == len(printed.splitlines()) == 2


@in_checkout
@pytest.mark.parametrize("name", TRAININGS)
def test_small_trainings(place, name, tmp_path):
    made = tmp_path / "inputs"
    made.mkdir()
    program, *arguments = fill_in(name, write_inputs(made, place), tmp_path / "run")
    result = run_here(f"senna-{program}", *arguments)
    assert result.returncode == 0, result.stderr
    assert list((tmp_path / "run").iterdir())


@pytest.mark.extra
def test_peers(place):
    pytest.importorskip("pycrfsuite")
    shutil.copy(ESPERANTO / "train.conllu", place / "ewt")
    few = ["--quick-udpipe", "--json", "peers.json"]
    printed = run(place, "peers.py", place, "--cache", "models", *few)
    assert printed.startswith("| | senna-py | ")
    assert "| POS, ewt dev |" in printed
    run(place, "chart.py", "peers.json", "chart")
    for name in ("chart-light.svg", "chart-dark.svg"):
        assert "senna-py" in (place / name).read_text("utf-8")
    given = [
        "--crf-train",
        "conll2000/train.txt",
        "--crf-cache",
        "models",
        "--parts",
        "memory",
    ]
    if WORDS.exists():
        assert "CRFsuite POS" in run(place, "speed.py", "--tokens", "60", *FEW, *given)


@pytest.mark.extra
def test_a_treebank(place):
    pytest.importorskip("ufal.udpipe")
    data = [
        ESPERANTO / "train.conllu",
        ESPERANTO / "dev.conllu",
        "--model",
        "model.udpipe",
        *("--tokenizer", "epochs=1"),
        *("--tagger", "iterations=1"),
        *("--parser", "iterations=1"),
    ]
    printed = run(place, "udpipe_treebank.py", *data, "--path", ROOT / "models/en")
    for row in ("UDPipe", "senna-py"):
        assert f"{row}, raw text" in printed
        assert f"{row}, gold tokens" in printed
    for unit in ("words tagged and parsed", "characters tokenized"):
        assert f"{unit} per second: UDPipe " in printed


@pytest.mark.extra
def test_learning_beside_spacy(place):
    pytest.importorskip("spacy")
    few = ["--sizes", "8", "--set", "training.epochs=1"]
    options = [*few, "--spacy", "--training.max_steps 2"]
    files = ["ewt/train.ner.tsv", "ewt/dev.ner.tsv", "--old", "ewt/dev.ner.tsv"]
    printed = run(place, "learning.py", *files, *options)
    rows = [row.split("|")[1:3] for row in printed.splitlines() if row[:1] == "|"]
    programs = [program.strip() for _, program in rows]
    assert programs[2:] == ["the English model", "senna-py learn", "spaCy train"]


@pytest.mark.extra
def test_rows_of_parquet(place):
    pytest.importorskip("pyarrow")
    (place / "rows.txt").write_text("Anna left. She is in Rome.\nIt rained.\n")
    printed = run(place, "parquet_rows.py", "rows.txt", "--rows", "2")
    assert printed.startswith("2 rows, ")


def test_load_of_servers(place):
    for module in ("starlette", "uvicorn"):
        pytest.importorskip(module)
    few = ["--clients", "3", "--requests", "2", "--sentences", "1"]
    lines = run(place, "server_load.py", *few).splitlines()
    (row,) = (line.split() for line in lines if line.startswith("senna-py"))
    assert row[-1] == "0"


def test_every_script_has_a_test():
    files = Path(__file__), ROOT / "tests" / "test_playground.py"
    tests = "".join(path.read_text("utf-8") for path in files)
    assert {name for name in SCRIPTS if f'"{name}"' not in tests} == set()
