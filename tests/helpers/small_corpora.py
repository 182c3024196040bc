"""Small corpora and vectors, and runs on them.

The language has two kinds of sentences, `the big dog sees a cat .` and `Anna gives Rome
stars .`, so that its tags, phrases and roles follow from a few words.
"""

from dataclasses import fields, replace

import numpy as np

from senna_py.models.native import NativeModel
from senna_py.tagging.cascade import add_predictions
from senna_py.tagging.config import Config
from senna_py.tagging.config_lines import config_lines
from senna_py.tagging.run import Run
from senna_py.tagging.settings import SETTINGS, NetworkSettings

_TAGS = {
    "the": "DT",
    "a": "DT",
    "big": "JJ",
    "old": "JJ",
    "dog": "NN",
    "cat": "NN",
    "stars": "NNS",
    "Anna": "NNP",
    "Rome": "NNP",
    "sees": "VBZ",
    "gives": "VBZ",
    ".": ".",
}
_UNIVERSAL = {
    "DT": ("DET", "_"),
    "JJ": ("ADJ", "Degree=Pos"),
    "NN": ("NOUN", "Number=Sing"),
    "NNS": ("NOUN", "Number=Plur"),
    "NNP": ("PROPN", "Number=Sing"),
    "VBZ": ("VERB", "Tense=Pres"),
    ".": ("PUNCT", "_"),
}
WORDS = ["PADDING", "UNKNOWN", *(word.lower() for word in _TAGS)]


def _sentence(rng):
    """Rows of word, POS, chunk, entity, parse bit, predicate and role."""
    verb = rng.choice(["sees", "gives"])
    phrases = [_phrase(rng), [verb], _phrase(rng)]
    rows = []
    for phrase, kind, role in zip(
        phrases, ("NP", "VP", "NP"), ("A0", "V", "A1"), strict=True
    ):
        for i, word in enumerate(phrase):
            prefix = "I" if i else "B"
            entity = f"{prefix}-NAME" if _TAGS[word] == "NNP" else "O"
            bit = (
                "(S" * (not rows)
                + f"({kind}" * (i == 0)
                + "*"
                + ")" * (i + 1 == len(phrase))
            )
            mark = word if kind == "VP" else "-"
            rows.append(
                (
                    word,
                    _TAGS[word],
                    f"{prefix}-{kind}",
                    entity,
                    bit,
                    mark,
                    f"{prefix}-{role}",
                )
            )
    return [*rows, (".", ".", "O", "O", "*)", "-", "O")]


def _phrase(rng):
    kind = rng.integers(3)
    if kind == 0:
        return [rng.choice(["Anna", "Rome", "stars"])]
    noun = [rng.choice(["the", "a"]), rng.choice(["dog", "cat"])]
    return noun if kind == 1 else [noun[0], rng.choice(["big", "old"]), noun[1]]


def corpus(n_sentences, seed=0):
    """Sentences, each a list of rows of word, POS, chunk, entity, parse bit, predicate,
    role.
    """
    rng = np.random.default_rng(seed)
    return [_sentence(rng) for _ in range(n_sentences)]


def write_columns(path, sentences):
    """Write lists of rows as a column file with tabs."""
    path.parent.mkdir(parents=True, exist_ok=True)
    blocks = ("".join("\t".join(row) + "\n" for row in rows) for rows in sentences)
    path.write_text("\n".join(blocks))
    return path


def conllu(sentences):
    """Sentences of `corpus` as CoNLL-U, with names in MISC."""
    lines = []
    for rows in sentences:
        for i, (word, tag, _, entity, *_) in enumerate(rows, 1):
            upos, feats = _UNIVERSAL[tag]
            lemma = word[:-1] if tag in ("NNS", "VBZ") else word
            misc = "_" if entity == "O" else f"NER={entity}"
            lines.append(
                f"{i}\t{word}\t{lemma}\t{upos}\t{tag}\t{feats}\t_\t_\t_\t{misc}"
            )
        lines.append("")
    return "".join(f"{line}\n" for line in lines)


def write_corpora(directory, n_train=60, n_dev=20):
    """Write `train.tsv` and `dev.tsv` below `directory`."""
    write_columns(directory / "train.tsv", corpus(n_train, seed=1))
    write_columns(directory / "dev.tsv", corpus(n_dev, seed=2))
    return directory


def write_vectors(path, words=WORDS, dim=6):
    """Write random vectors in GloVe's format, with PADDING and UNKNOWN."""
    rng = np.random.default_rng(3)
    rows = (" ".join(f"{x:.4f}" for x in rng.normal(0, 0.5, dim)) for _ in words)
    path.write_text(
        "".join(f"{word} {row}\n" for word, row in zip(words, rows, strict=True))
    )
    return path


_COLUMNS = ["word", "pos", "chk", "ner", "parse", "predicate", "roles"]


def settings(task="chk", **changes):
    """A Config for the corpora of `write_corpora`; changes: of any section, by their
    names.
    """
    columns = list(_COLUMNS)
    if task not in ("srl", "vbs"):
        columns[5:] = ["-", "-"]
    elif task == "vbs":
        columns[6] = "-"
    values = {
        "task": task,
        "train": [{"files": ["train.tsv"], "columns": columns}],
        "dev": [{"files": ["dev.tsv"], "columns": columns}],
        "features": {"caps": 2},
        "network": {
            "approach": "window",
            "window": 3,
            "hidden": 12,
            "conv": 14,
            "distance": 3,
            "reach": 4,
        },
        "training": {
            "epochs": 3,
            "batch": 4,
            "optimizer": "adagrad",
            "rate": 0.1,
            "final_rate": 1.0,
            "dropout": 0.0,
            "embedding_dropout": 0.0,
            "unknown": 0.0,
        },
    }
    if task == "srl":
        values["network"]["approach"] = "sentence"
    for name, change in changes.items():
        if isinstance(change, dict) and name in values:
            values[name] = {**values[name], **change}
        else:
            values[name] = change
    values["network"] = nested(values["network"], changes.get("network", {}))
    return Config.of(values)


def toml(task="chk", **changes):
    """`settings` as a configuration says them."""
    return "\n".join(config_lines(settings(task, **changes).as_dict()))


def nested(network, asked=()):
    """Settings of a network with those of its approach in their table.

    Small sizes that the approach has no use for are left out, unless they were asked
    for.
    """
    approach = network.get("approach", "window")
    own = {f.name for f in fields(SETTINGS[approach])} if approach in SETTINGS else ()
    shared = {f.name for f in fields(NetworkSettings)}
    made = {name: value for name, value in network.items() if name in shared}
    if approach in SETTINGS:
        made[approach] = {
            n: v
            for n, v in network.items()
            if n in own or (n not in shared and n in asked)
        }
    return made


def run(directory, config, corpora, say=lambda line: None):
    """A Run on the corpora and vectors in the directory `corpora`."""
    return Run.load(config, corpora, directory, corpora / "vectors.txt", say)


def predicted(path, sentences):
    """Parts of speech that a run's network predicts for Sentences, which stay as they
    are.
    """
    copy = replace(sentences, columns=dict(sentences.columns))
    add_predictions(NativeModel(path), "pos", [copy])
    return copy.columns["pos"]
