"""A SENNA-format model of the original's sizes with random weights, for measuring speed."""

import itertools
import string
from pathlib import Path

import numpy as np

from senna_py.formats.senna_directory import GAZETTEERS
from senna_py.formats.senna_weights import write_network
from senna_py.networks.sentence import SentenceNetwork
from senna_py.networks.training import Dropout
from senna_py.networks.tree import TreeNetwork
from senna_py.networks.window import WindowNetwork

N_WORDS, N_SUFFIXES = 130_000, 455
N_LABELS = {"pos": 45, "chk": 42, "ner": 17, "pt0": 101, "srl": 186, "vbs": 23, "psg": 161}
HIDDEN, SECOND_HIDDEN = 300, 500
PREDICATES = 0.13  # share of the tokens that are predicates


def make_model(path, seed=0):
    """Write the model into the new directory `path`; returns its words as a list of str."""
    rng = np.random.default_rng(seed)
    path = Path(path)
    (path / "hash").mkdir(parents=True)
    (path / "data").mkdir()
    words = _write_lists(path / "hash")
    for name in GAZETTEERS:
        (path / "data" / f"ner.{name}.dat").write_bytes(bytes([1] * 1000))
    tables = {
        "word": _random(rng, N_WORDS, 50),
        "caps": _random(rng, 5, 5),
        "suffix": _random(rng, N_SUFFIXES + 2, 5),
        "gazetteer": _random(rng, 4, 5),
        **{task: _random(rng, N_LABELS[task] + 2, 5) for task in ("pos", "pt0")},
        "psg": _random(rng, N_LABELS["psg"], 5),
    }
    inputs = {
        "pos": ("word", "caps", "suffix"),
        "chk": ("word", "caps", "pos"),
        "ner": ("word", "caps", *["gazetteer"] * 4),
        "pt0": ("word", "caps", "pos"),
        "vbs": ("word", "caps", "pos"),
    }
    for name, features in inputs.items():
        network = _window_network(rng, [tables[f] for f in features], N_LABELS[name])
        if name == "vbs":
            network.initial = network.transition = None
            # NOVB is the last label; its bias sets the share of predicates.
            network.output_bias[-1] = _threshold(rng, network)
        write_network(path / "data" / f"{name}.dat", network)
    write_network(path / "data" / "srl.dat", _sentence_network(rng, tables))
    write_network(path / "data" / "psg.dat", _tree_network(rng, tables))
    return words


def _random(rng, *shape):
    return rng.normal(0, 0.1, shape).astype(np.float32)


def _write_lists(directory):
    def write(name, keys):
        (directory / f"{name}.lst").write_text("".join(f"{key}\n" for key in keys))

    letters = string.ascii_lowercase
    words = ["".join(w) for n in (3, 4) for w in itertools.product(letters, repeat=n)]
    words = words[:: len(words) // (N_WORDS - 3)][: N_WORDS - 3]
    write("words", sorted([*words, "PADDING", "UNKNOWN", "0"]))
    suffixes = ["".join(pair) for pair in itertools.product(letters, repeat=2)][:N_SUFFIXES]
    write("suffix", sorted([*suffixes, "PADDING", "NOSUFFIX"]))
    write("caps", ["PADDING", "allcaps", "hascap", "initcap", "nocaps"])
    write("gazetteer", ["NO", "PADDING", "UNAVAILABLE", "YES"])
    for name in GAZETTEERS:
        write(f"ner.{name}", sorted(words[:: len(words) // 1000][:1000]))
    for name, count in N_LABELS.items():
        if name == "psg":
            constituents = [""] + [text for i in range(40) for text in (f"(X{i}", "", "", f"(X{i}")]
            write("psg-left", constituents)
            write("psg-right", [""] + ["", "", ")", ")"] * 40)
        elif name == "vbs":
            write(name, [*(f"S{i}" for i in range(count - 1)), "NOVB", "PADDING", "UNAVAILABLE"])
        else:
            segments = [f"{p}-X{i}" for i in range(count // 4) for p in "BIES"]
            labels = ["O", *segments, *(f"T{i}" for i in range(count))][:count]
            write(name, [*labels, "PADDING", "UNAVAILABLE"])
    return words


def _window_network(rng, tables, n_tags, window=5):
    n_in = window * sum(table.shape[1] for table in tables)
    return WindowNetwork(
        window, tables, np.zeros(len(tables), np.int32),
        _random(rng, n_in, HIDDEN), _random(rng, HIDDEN),
        _random(rng, HIDDEN, n_tags), _random(rng, n_tags),
        _random(rng, n_tags), _random(rng, n_tags, n_tags),
    )  # fmt: skip


def _threshold(rng, network):
    """Output bias of NOVB with which a share PREDICATES of random words is above it."""
    index = np.stack([rng.integers(0, len(t), 20_000) for t in network.tables], axis=1)
    starts = np.array([0, len(index)], np.int32)
    scores, _ = network.forward(index.astype(np.int32), starts, Dropout(rng))
    margin = scores[:, :-1].max(axis=1) - (scores[:, -1] - network.output_bias[-1])
    return np.quantile(margin, 1 - PREDICATES)


def _sentence_network(rng, tables, window=3, reach=60):
    features = [tables[name] for name in ("word", "caps", "pt0")]
    distances = [_random(rng, 2 * reach + 1, 5) for _ in range(2)]
    n_in = window * sum(table.shape[1] for table in features)
    n_tags = N_LABELS["srl"]
    return SentenceNetwork(
        window, features, np.zeros(3, np.int32), *distances,
        _random(rng, n_in, HIDDEN), _random(rng, window * 5, HIDDEN),
        _random(rng, window * 5, HIDDEN), _random(rng, HIDDEN),
        _random(rng, HIDDEN, SECOND_HIDDEN), _random(rng, SECOND_HIDDEN),
        _random(rng, SECOND_HIDDEN, n_tags), _random(rng, n_tags),
        _random(rng, n_tags), _random(rng, n_tags, n_tags),
    )  # fmt: skip


def _tree_network(rng, tables, positions=41):
    features = [tables[name] for name in ("word", "caps", "pos", "psg")]
    n_labels = N_LABELS["psg"]
    return TreeNetwork(
        features, np.zeros(4, np.int32),
        _random(rng, sum(table.shape[1] for table in features), HIDDEN), _random(rng, HIDDEN),
        _random(rng, positions, HIDDEN),
        _random(rng, HIDDEN, SECOND_HIDDEN), _random(rng, SECOND_HIDDEN),
        _random(rng, SECOND_HIDDEN, n_labels), _random(rng, n_labels),
        _random(rng, n_labels), _random(rng, n_labels, n_labels),
    )  # fmt: skip
