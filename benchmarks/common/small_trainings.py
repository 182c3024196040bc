"""Small trainings of some seconds each, which together cover most of what can be trained.

They need files of three public corpora in the directory CORPORA, like the recipes:

conll2000/train.txt  the training data of the CoNLL-2000 shared task: word, tag, IOB2
                     chunk
ewt/dev.srl.tsv      the dev set of UD English EWT with PropBank 3: word, tag, parse bit,
                     roleset or `-`, a column of IOB2 roles for each predicate
brown.train.txt      the first 800,000 words of the Brown corpus in file order, a
                     sentence per line
brown.valid.txt      the next 200,000 words

The first two have a token per line, and an empty line after each sentence.
"""

import json
from itertools import islice
from pathlib import Path

import click

__all__ = ["TRAININGS", "fill_in", "write_inputs"]

ROOT = Path(__file__).resolve().parents[2]
VECTORS = ROOT / "models" / "embeddings" / "embeddings.npy"
CHUNKING = ROOT / "recipes" / "paper" / "chunking.toml"
CHUNKS, ROLES = "conll2000/train.txt", "ewt/dev.srl.tsv"
TEXT, VALID = "brown.train.txt", "brown.valid.txt"
# What stands in commands for directories and files that are made for a run.
RUN, CORPORA, CONFIG, MANY_LINES, FEW_LINES, FEW_VALID = (
    "<run>",
    "<corpora>",
    "<config>",
    "<many lines>",
    "<few lines>",
    "<few valid>",
)
ROLES_CONFIG = f"""
task = "srl"
[[train]]
files = ["{ROLES}"]
columns = ["word", "-", "-", "predicate", "roles"]
part = [0.0, 0.3]
[[dev]]
files = ["{ROLES}"]
columns = ["word", "-", "-", "predicate", "roles"]
part = [0.9, 1.0]
[features]
caps = 5
"suffix.2" = 10
[network]
approach = "sentence"

[network.sentence]
conv = 60
hidden = 80
[training]
optimizer = "adam"
rate = 0.001
final_rate = 0.0
batch = 8
epochs = 2
dropout = 0.4
embedding_dropout = 0.2
unknown = 0.01
min_count = 3
"""
SGD = {"training.optimizer": "sgd", "training.rate": 0.01, "training.batch": 1}


def _tagger(config, changes):
    options = []
    for name, value in changes.items():
        options += ["--set", f"{name}={_toml(value)}"]
    return ["train", config, CORPORA, RUN, "--vectors", str(VECTORS), *options]


def _toml(value):
    """Return a value in TOML, which is mostly as in JSON."""
    if isinstance(value, dict):
        return (
            "{"
            + ", ".join(f"{key} = {_toml(inner)}" for key, inner in value.items())
            + "}"
        )
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return json.dumps(value)


def _chunks(share, changes):
    data = {"files": [CHUNKS], "columns": ["word", "pos", "chk"]}
    parts = {
        "train": [{**data, "part": [0.0, share]}],
        "dev": [{**data, "part": [0.95, 1.0]}],
    }
    return _tagger(str(CHUNKING), {**parts, "training.epochs": 2, **changes})


def _words(kind, options):
    text = [FEW_LINES, "--valid", FEW_VALID, "--min-count", "2"]
    return ["lm", "train", kind, RUN, *text, *options.split()]


# By name: a program without `senna-`, and its arguments.
TRAININGS = {
    "chunks": _chunks(0.15, {"training.unknown": 0.02, 'features."suffix.2"': 5}),
    "chunks-sgd": _chunks(0.1, SGD),
    "roles": _tagger(CONFIG, {}),
    "roles-sgd": _tagger(
        CONFIG, {**SGD, "training.epochs": 1, "training.dropout": 0.0}
    ),
    "ranking": [
        *("py", "vectors", "train", "ranking", RUN, MANY_LINES, "--threads", "1"),
        *("--examples", "400000", "--stages", "2000:1,4000:1"),
    ],
    "skipgram": [
        *("py", "vectors", "train", "skipgram", RUN, MANY_LINES, "--threads", "1"),
        *("--size", "4000", "--dim", "40", "--epochs", "1"),
    ],
    "nplm": _words(
        "nplm",
        "--order 5 --dim 20 --hidden 30 --batch 64 --optimizer adagrad --rate 0.05 "
        "--dropout 0.2 --epochs 2",
    ),
    "nplm-single": _words("nplm", "--order 4 --dim 10 --hidden 10 --direct --epochs 1"),
    "nplm-classes": _words(
        "nplm",
        "--order 5 --dim 20 --hidden 30 --output-layer classes --batch 64 --optimizer adam "
        "--rate 0.001 --epochs 1",
    ),
    "nplm-energy": _words(
        "nplm",
        "--order 3 --dim 10 --hidden 10 --output-layer energy --size 800 --batch 64 "
        "--optimizer adagrad --rate 0.02 --epochs 1",
    ),
    "char": _words("char", "--hidden 60 --epochs 2"),
    "word": _words("word", "--hidden 60 --dim 60 --output-layer clusters --epochs 2"),
}


def write_inputs(directory: Path, corpora: Path) -> dict[str, str]:
    """Write the files that the commands need, cut from the corpora, into a directory.

    Returns:
        The replacement of each placeholder of the commands.

    Raises:
        click.UsageError: If a corpus is missing.
    """
    for name in (CHUNKS, ROLES, TEXT, VALID):
        if not (corpora / name).is_file():
            raise click.UsageError(f"{corpora}: has no {name}")
    places = {
        CONFIG: directory / "roles.toml",
        MANY_LINES: directory / "many",
        FEW_LINES: directory / "few.txt",
        FEW_VALID: directory / "few.valid.txt",
    }
    places[CONFIG].write_text(ROLES_CONFIG)
    places[MANY_LINES].mkdir()
    _head(corpora / TEXT, 20_000, places[MANY_LINES] / "text.txt")
    _head(corpora / TEXT, 3000, places[FEW_LINES])
    _head(corpora / VALID, 300, places[FEW_VALID])
    return {CORPORA: str(corpora), **{key: str(path) for key, path in places.items()}}


def _head(source, n_lines, target):
    with open(source, "rb") as lines:
        target.write_bytes(b"".join(islice(lines, n_lines)))


def fill_in(name: str, places: dict[str, str], run: Path) -> list[str]:
    """Return the command of a training in the new directory `run`.

    `places` is the result of `write_inputs`.
    """
    places = {**places, RUN: str(run)}
    return [places.get(part, part) for part in TRAININGS[name]]
