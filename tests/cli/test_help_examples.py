"""The examples of help run as they stand; docs/reference/cli shows the same ones."""

import json
import shutil

import pytest

from tests.helpers.all_commands import COMMANDS, GROUPS
from tests.helpers.commands import GOLDEN
from tests.helpers.page_commands import run_lines
from tests.helpers.preparing import remove, run_before, write_table
from tests.helpers.shell import Shell
from tests.helpers.small_corpora import conllu, corpus, toml, write_columns
from tests.helpers.small_entities import write_model
from tests.helpers.small_treebank import QUICK, small_treebank

EXAMPLES = {
    name: command.examples for name, command in COMMANDS + GROUPS if command.examples
}
# Options that keep the work small, by the beginnings of commands.
ONE_EPOCH = ["--set", "training.epochs=1"]
LSTM = ["--hidden", "8", "--epochs", "1"]
OPTIONS = {
    "senna-lm train char": LSTM,
    "senna-lm train morph": LSTM,
    "senna-lm train nplm": ["--epochs", "1"],
    "senna-lm train word": LSTM,
    "senna-py corpus": ["--path", "my.safetensors"],
    "senna-py learn": ["--path", "my.safetensors", "--no-curve", *ONE_EPOCH],
    "senna-py vectors cluster": ["--clusters", "3"],
    "senna-py vectors train ranking": ["--duration", "0.1s", "--stages", "8,12"],
    "senna-py vectors train skipgram": ["--epochs", "1", "--dim", "4"],
    "senna-train --text": [word for each in QUICK for word in ("--set", each)],
    "senna-train": ONE_EPOCH,
}
CLUSTER = "senna-py corpus --cluster"  # it needs a cluster and an object store
SENTENCE = "The big dog sees a cat. Anna sold the old house in Rome.\n"
ROWS = corpus(12)


def write_texts(shell):
    """Write texts, and texts with annotations."""
    for name in ("text.txt", "letters.txt", "texts/a.txt", "texts/b.txt.gz"):
        shell.write(name, SENTENCE)
    lines = "".join(" ".join(row[0] for row in rows) + " <unk>\n" for rows in ROWS)
    for name in ("tokenized.txt.gz", "dev.txt", "news.txt", "other.txt", "test.txt"):
        shell.write(name, lines)
    for name in ("train.txt", "text/a.txt", "news/a.txt", "web.txt.gz"):
        shell.write(name, (lines + "france red looooook the market\n") * 5)
    shell.write("reviews.csv", "id,text\n1,Anna sees Rome.\n2,\n")
    shell.write("pages.jsonl", '{"body": "Anna sees Rome."}\n')
    shell.write("UD_Welsh-CCG/cy_ccg-ud-train.conllu", small_treebank(40))
    shell.write("UD_Welsh-CCG/cy_ccg-ud-dev.conllu", small_treebank(8, 2))


def write_columns_of(shell):
    """Write files of tokens with tags, and trees and roles."""
    for name in ("test.conllu", "train.conllu", "news/a.conllu"):
        shell.write(name, conllu(ROWS))
    columns = {"test.tsv": (0, 1, 3), "eng.testa": (0, 1, 2, 3), "train.conll": (0, 1)}
    columns |= {"gold.txt": (0, 1), "old.txt": (0, 1), "new.txt": (0, 1)}
    columns |= {"test.conll": (0, 3), "predictions.txt": (0, 2, 2), "pos.txt": (1, 1)}
    every = range(len(ROWS[0][0]))
    columns |= {"corpora/train.tsv": every, "corpora/dev.tsv": every}
    for name, kept in columns.items():
        rows = [[[row[c] for c in kept] for row in rows] for rows in ROWS]
        write_columns(shell.directory / name, rows)
    shell.write("ner.txt", "S-PER S-PER\nO B-LOC\n")
    for name in ("gold.mrg", "predicted.mrg"):
        shell.write(name, "(S (NP (NNP Anna)) (VP (VBZ sees) (NP (NNP Rome))))\n")
    for name in ("gold.props", "predicted.props"):
        shell.write(name, "- (A0*)\nsees (V*)\n- (A1*)\n\n")
    for name in ("gold.conllu", "system.conllu"):
        shell.write(name, small_treebank(4))
    shell.write("pos.toml", toml("pos"))


def write_annotations(shell):
    """Write annotated texts in three formats."""
    texts = [("Anna sees Rome .", [[0, 4, "PERSON"], [10, 14, "GPE"]])] * 6
    for name in ("annotated.jsonl", "project.json"):
        lines = [json.dumps({"text": text, "label": spans}) for text, spans in texts]
        shell.write(name, "".join(f"{line}\n" for line in lines))
    shell.write("brat/a.txt", "Anna sees Rome .\n")
    shell.write("brat/a.ann", "T1\tPERSON 0 4\tAnna\n")


def write_models(shell):
    """Write the models that commands read, of this project and of SENNA."""
    place = shell.directory
    write_model(place / "small")
    shutil.move(place / "small/old.safetensors", place / "my.safetensors")
    for name in ("pos", "ner"):
        shutil.move(place / "small" / name, place / "runs" / name)
    shutil.rmtree(place / "small")
    (place / "my").symlink_to("my.safetensors")
    (place / "senna-v3").symlink_to(GOLDEN / "model")
    shell.write("info.toml", 'language = "en"\n')
    shell.write("morphemes.txt", "the the (morph)\ndog dog (morph)\n")
    shell.write("glove.6B.100d.txt", "the 0.1 0.2\ncat 0.3 0.4\n")


@pytest.fixture(scope="session")
def files(tmp_path_factory):
    """The directory with the files that examples name, of a few sentences."""
    shell = Shell(tmp_path_factory.mktemp("examples"), {})
    (shell.directory / "runs").mkdir()
    for write in (write_texts, write_columns_of, write_annotations, write_models):
        write(shell)
    return shell.directory


def copy_runs(shell):
    """Write two runs of one task."""
    for number in "12":
        runs = shell.directory / "runs"
        shutil.copytree(runs / "pos", runs / f"pos-{number}")


def train_again(shell):
    """Replace the run of the example before."""
    shutil.rmtree(shell.directory / "runs/pos")
    shell.run("senna-train pos.toml corpora/ runs/pos")


def train_characters(shell):
    """Train a model of characters, in place of the run of an example before."""
    shutil.rmtree(shell.directory / "run", ignore_errors=True)
    shell.run(f"senna-lm train char run/ train.txt {' '.join(LSTM)}")


NGRAM = "senna-lm train ngram --order 3 news.arpa train.txt"
VECTORS = "senna-py vectors train skipgram run/ text/ --dim 4 --epochs 1"
# What comes before an example, by its beginning.
BEFORE = {
    "senna-lm export": run_before(NGRAM, "senna-lm export --to lm news.arpa news.lm"),
    "senna-lm generate": train_characters,
    "senna-lm info": train_characters,
    "senna-lm mix": run_before(
        "senna-lm train nplm run/ train.txt --epochs 1",
        "senna-lm train ngram news.lm train.txt",
    ),
    "senna-lm score --format": run_before(NGRAM),
    "senna-lm score run/": train_characters,
    "senna-model ensemble": copy_runs,
    "senna-model export": run_before("senna-model import senna-v3 my.safetensors"),
    "senna-py corpus --jobs": remove("tagged"),
    "senna-py corpus --field": remove("tagged"),
    "senna-py learn --rename": remove("runs/mine"),
    "senna-py learn --from": remove("runs/mine"),
    "senna-py search --count-by": write_table,
    "senna-py search 'verb": write_table,
    "senna-py vectors coverage": run_before(
        "senna-py vectors prepare --cover train.conll corpus/ text/"
    ),
    "senna-py vectors export": run_before(VECTORS),
    "senna-py vectors neighbors vectors.npy": run_before(
        VECTORS,
        "senna-py vectors export --to npy run/ vectors.npy",
    ),
    "senna-py vectors neighbors --from lm": train_characters,
    "senna-py vectors print": train_characters,
    "senna-py vectors train skipgram --cover": remove("run"),
    "senna-train pos.toml": remove("runs/pos"),
    "senna-train --set": remove("runs/pos"),
    "senna-train --resume": train_again,
}


# Commands whose examples take the longest, beside other tests of the same.
LONG = (
    "senna-py corpus",
    "senna-py serve",
    "senna-py tag",
    "senna-py vectors",
    "senna-py vectors export",
    "senna-py vectors neighbors",
    "senna-py vectors train ranking",
    "senna-py vectors train skipgram",
    "senna-py warm-up",
    "senna-train",
)
CASES = [
    pytest.param(name, marks=pytest.mark.script if name in LONG else ())
    for name in EXAMPLES
]


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_examples_run_as_they_stand(name, files, tmp_path, shipped_model):
    place = shutil.copytree(files, tmp_path / "place", symlinks=True)
    shell = Shell(place, OPTIONS, {"~/senna": "senna"})
    lines = [line for line in EXAMPLES[name] if not line.startswith(CLUSTER)]
    _, left_out = run_lines(shell, lines, BEFORE)
    if left_out:
        pytest.skip("; ".join(left_out))


def test_what_is_prepared_is_an_example():
    lines = [line for examples in EXAMPLES.values() for line in examples]
    for beginning in (*OPTIONS, *BEFORE, CLUSTER):
        assert any(beginning in line for line in lines), beginning
    assert {*LONG} <= {*EXAMPLES}
