"""A SENNA-format model of SENNA's sizes with random weights, for measuring speed.

Random weights would mark any share of the words as predicates and build trees of two
levels, which is little work. So two biases are set on a sample of the text: PREDICATES
of its tokens become predicates, and a token is on LEVELS levels of its tree.
"""

import itertools
import string
from pathlib import Path

import numpy as np

from senna_py import Model, Tagger
from senna_py.features.protocol import Batch
from senna_py.features.registry import find_feature
from senna_py.models.senna_directory import GAZETTEERS
from senna_py.models.senna_weights import write_network
from senna_py.networks.sentence import SentenceNetwork
from senna_py.networks.tree import TreeNetwork
from senna_py.networks.window import WindowNetwork

N_WORDS, N_SUFFIXES = 130_000, 455
N_LABELS = {
    "pos": 45,
    "chk": 42,
    "ner": 17,
    "pt0": 101,
    "srl": 186,
    "vbs": 23,
    "psg": 161,
}
HIDDEN, SECOND_HIDDEN = 300, 500
PREDICATES = 0.13  # share of the tokens that are predicates
# nested brackets over a token's sentence, mean over the tokens: GUM, Penn Treebank
LEVELS = 10.4
WORDS = (
    Path(__file__).resolve().parents[2] / "models" / "embeddings" / "embeddings.words"
)


def make_model(path, sample=None, seed=0):
    """Write the model into the new directory `path`; return its words as a list of str.

    sample: bytes, lines of tokens separated by blanks, on which predicates and trees are
        set; by default, they are drawn from the words
    """
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
            predicates = network
        write_network(path / "data" / f"{name}.dat", network)
    write_network(path / "data" / "srl.dat", _sentence_network(rng, tables))
    trees = _tree_network(rng, tables)
    write_network(path / "data" / "psg.dat", trees)
    sample = sample or "\n".join(map(" ".join, rng.choice(words, (200, 24)))).encode()
    _set_predicates(path, predicates, sample)
    write_network(path / "data" / "vbs.dat", predicates)
    _set_levels(path, trees, sample)
    write_network(path / "data" / "psg.dat", trees)
    return words


def _random(rng, *shape):
    return rng.normal(0, 0.1, shape).astype(np.float32)


def _write_lists(directory):
    def write(name, keys):
        (directory / f"{name}.lst").write_text("".join(f"{key}\n" for key in keys))

    letters = string.ascii_lowercase
    words = WORDS.read_text(encoding="utf-8").split("\n")[:N_WORDS]
    write("words", sorted(words, key=str.encode))
    words = words[2:]  # without PADDING and UNKNOWN
    suffixes = ["".join(pair) for pair in itertools.product(letters, repeat=2)][
        :N_SUFFIXES
    ]
    write("suffix", sorted([*suffixes, "PADDING", "NOSUFFIX"]))
    write("caps", ["PADDING", "allcaps", "hascap", "initcap", "nocaps"])
    write("gazetteer", ["NO", "PADDING", "UNAVAILABLE", "YES"])
    for name in GAZETTEERS:
        write(f"ner.{name}", sorted(words[:: len(words) // 1000][:1000]))
    for name, count in N_LABELS.items():
        if name == "psg":
            constituents = [""] + [
                text for i in range(40) for text in (f"(X{i}", "", "", f"(X{i}")
            ]
            write("psg-left", constituents)
            write("psg-right", [""] + ["", "", ")", ")"] * 40)
        elif name == "vbs":
            write(
                name,
                [
                    *(f"S{i}" for i in range(count - 1)),
                    "NOVB",
                    "PADDING",
                    "UNAVAILABLE",
                ],
            )
        else:
            segments = [f"{p}-X{i}" for i in range(count // 4) for p in "BIES"]
            labels = ["O", *segments, *(f"T{i}" for i in range(count))][:count]
            write(name, [*labels, "PADDING", "UNAVAILABLE"])
    return words


def _window_network(rng, tables, n_tags, window=5):
    n_in = window * sum(table.shape[1] for table in tables)
    return WindowNetwork(
        tables,
        np.zeros(len(tables), np.int32),
        window=window,
        hidden_weight=_random(rng, n_in, HIDDEN),
        hidden_bias=_random(rng, HIDDEN),
        **_output(rng, HIDDEN, n_tags),
    )


def _output(rng, n_hidden, n_tags):
    shapes = {
        "output_weight": (n_hidden, n_tags),
        "output_bias": (n_tags,),
        "initial": (n_tags,),
        "transition": (n_tags, n_tags),
    }
    return {name: _random(rng, *shape) for name, shape in shapes.items()}


def _set_predicates(path, network, sample):
    """Set the bias of NOVB, the last label, so that PREDICATES of the tokens score
    higher.
    """
    tagger = Tagger(Model(path), ["pos"])
    tokens = tagger.tokenizer.lines(sample, whitespace=True)
    found = tagger.annotate(tokens).layers["pos"].label
    keys = tagger.model.storage.feature_vocabulary("vbs", "caps")
    caps = find_feature("caps").column(keys, None)(Batch(tokens))
    columns = zip(network.tables, (tokens.word, caps, found), strict=True)
    x = np.concatenate([table[index] for table, index in columns], axis=1)
    windows = np.concatenate([np.roll(x, 2 - k, axis=0) for k in range(5)], axis=1)
    hidden = np.clip(windows @ network.hidden_weight + network.hidden_bias, -1, 1)
    scores = hidden @ network.output_weight + network.output_bias
    margin = scores[:, :-1].max(axis=1) - (scores[:, -1] - network.output_bias[-1])
    network.output_bias[-1] = np.quantile(margin, 1 - PREDICATES)


def _set_levels(path, network, sample):
    """Set the bias of S, the constituents of one word, so that a token is on LEVELS levels.

    The fewer such constituents there are, the more levels it takes to join the others.
    """
    model = Model(path)
    tagger = Tagger(model, ["psg"])
    used = model.storage.network("psg")
    tokens = tagger.tokenizer.lines(
        b"\n".join(sample.splitlines()[:100]), whitespace=True
    )
    lengths = np.diff(tokens.starts)
    low, high = 0.0, 4.0
    single = np.arange(len(network.output_bias)) % 4 == 0
    single[0] = False
    bias = network.output_bias.copy()
    for _ in range(8):
        middle = (low + high) / 2
        network.output_bias[single] = bias[single] - np.float32(middle)
        used.output_bias[:] = network.output_bias
        batch = Batch(tokens, tagger.annotate(tokens).layers)
        spans = used.decode(tagger._words("psg", batch)[0])
        levels = np.zeros(len(lengths), np.int32)
        sentence = np.searchsorted(tokens.starts, spans.begin, side="right") - 1
        np.maximum.at(levels, sentence, spans.level + 1)
        if (levels * lengths).sum() < LEVELS * lengths.sum():
            low = middle
        else:
            high = middle


def _grow_from_seeds(network):
    """Make a TreeNetwork join what is next to a constituent, but never free words.

    Two units of each layer carry what these rules need; all others stay random. One says
    whether a word is in a constituent already, the other is a number that depends on the
    word alone and makes some words seeds.
    """
    kind = np.arange(len(network.output_bias)) % 4
    begin_end, inside, single = (kind == 1) | (kind == 3), kind == 2, kind == 0
    single[0] = False
    n_dims = network.tables[-1].shape[1]
    network.tables[-1][:, 0] = 1
    network.tables[-1][0, 0] = 0  # O
    network.word_weight[:, 0] = network.word_weight[-n_dims:, 1] = network.word_bias[
        :2
    ] = 0
    network.word_weight[-n_dims, 0] = 1
    centre = len(network.position_bias) // 2
    network.position_bias[:, :2] = -10  # nothing of other words
    network.position_bias[centre, :2] = 0
    network.hidden_weight[:, :2] = 0
    network.hidden_weight[0, 0], network.hidden_weight[1, 1] = 2, 8
    network.hidden_bias[:2] = -1, 0
    outside = ~(begin_end | single)
    network.output_weight[:, outside] = network.output_bias[outside] = 0
    network.output_weight[:2] = 0
    network.output_weight[0, begin_end] = 4
    network.output_weight[0, inside], network.output_bias[inside] = 5, -5
    network.output_weight[1, single] = 3
    network.initial[:] = 0
    network.transition[:] = 0


def _sentence_network(rng, tables, window=3, reach=60):
    features = [tables[name] for name in ("word", "caps", "pt0")]
    distances = [_random(rng, 2 * reach + 1, 5) for _ in range(2)]
    n_in = window * sum(table.shape[1] for table in features)
    n_tags = N_LABELS["srl"]
    return SentenceNetwork(
        features,
        np.zeros(3, np.int32),
        window=window,
        verb_distances=distances[0],
        word_distances=distances[1],
        word_weight=_random(rng, n_in, HIDDEN),
        verb_distance_weight=_random(rng, window * 5, HIDDEN),
        word_distance_weight=_random(rng, window * 5, HIDDEN),
        conv_bias=_random(rng, HIDDEN),
        hidden_weight=_random(rng, HIDDEN, SECOND_HIDDEN),
        hidden_bias=_random(rng, SECOND_HIDDEN),
        **_output(rng, SECOND_HIDDEN, n_tags),
    )


def _tree_network(rng, tables, positions=41):
    features = [tables[name] for name in ("word", "caps", "pos", "psg")]
    n_labels = N_LABELS["psg"]
    n_in = sum(table.shape[1] for table in features)
    network = TreeNetwork(
        features,
        np.zeros(4, np.int32),
        word_weight=_random(rng, n_in, HIDDEN),
        word_bias=_random(rng, HIDDEN),
        position_bias=_random(rng, positions, HIDDEN),
        hidden_weight=_random(rng, HIDDEN, SECOND_HIDDEN),
        hidden_bias=_random(rng, SECOND_HIDDEN),
        **_output(rng, SECOND_HIDDEN, n_labels),
    )
    _grow_from_seeds(network)
    return network
