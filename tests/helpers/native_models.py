"""Small native models with random weights, for tests."""

import json

import numpy as np

from senna_py.features.caps import CAPS_KEYS
from senna_py.features.gazetteer import (
    GAZETTEER_KEYS,
    PLACE_KEYS,
    Gazetteer,
    phrase_lines,
)
from senna_py.features.word_class import WordClasses, class_lines
from senna_py.kernels.runtime.switch import fixed_kernels
from senna_py.layers.int8 import ByteColumns
from senna_py.layers.lookup import ByteRows
from senna_py.models.native import NativeModel
from senna_py.models.native_parts import ModelPart
from senna_py.models.native_writer import write_model
from senna_py.models.tensors import read_tensors, write_tensors
from senna_py.text.vocabulary import Vocabulary
from tests.helpers.random_networks import (
    arc_network,
    chart_network,
    dilated_network,
    sentence_network,
    tree_network,
    window_network,
)
from tests.helpers.refusal import refusal

ARGUMENTS = ("words", "vectors", "parts", "resources", "info")
_LETTERS = "zyxwvutsrqponmlkjihgfedcba"
# Not in byte order: a SENNA directory has to put them in order.
WORDS = Vocabulary.from_keys(
    ["PADDING", "UNKNOWN", "0", ".", "the", "in", "he", *_LETTERS, "chicago", "reads"]
)
GAZETTEERS = {
    "loc": ["Chicago", "New York", "New York City"],
    "msc": ["the s-bahn"],
    "org": ["x", "x y z"],
    "per": ["he"],
}
CLASSES = {
    "kinds": [("001", "He", 3), ("001", "she", 2), ("010", "New", 1), ("11", "in", 9)]
}
_DIM = 6

_SUFFIXES = ["PADDING", "NOSUFFIX", "ds", "he", "go", "in"]
_LABELS = {
    "pos": ["NN", "VB", "DT"],
    "chk": ["O", "B-NP", "I-NP", "E-NP", "S-NP"],
    "ner": ["S-LOC", "O"],
    "pt0": ["O", "S-VP"],
    "vbs": ["NOVB", "S1"],
    "srl": ["O", "S-V", "S-A0"],
    "psg": ["", "(S", "(S", "(S", "(S"],
}
_KEYS = {
    "caps": CAPS_KEYS[::-1],
    "suffix": _SUFFIXES,
    "suffix.3": ["PADDING", "NOSUFFIX", "ago"],
    "prefix.2": ["PADDING", "NOPREFIX", "re"],
    "shape": ["PADDING", "UNKNOWN", "Aa", "a"],
    "gazetteer.places": PLACE_KEYS,
    "psg": _LABELS["psg"],
    "class.kinds": ["PADDING", "NOCLASS", "001", "010", "11"],
    "class.kinds.1": ["PADDING", "NOCLASS", "0"],
    **{f"gazetteer.{name}": GAZETTEER_KEYS for name in GAZETTEERS},
    **{
        name: [*_LABELS[name], "PADDING", "UNAVAILABLE"]
        for name in ("pos", "pt0", "vbs")
    },
}
_FEATURES = {
    "pos": ("word", "caps", "suffix"),
    "chk": ("word", "caps", "pos"),
    "ner": ("word", "caps", *(f"gazetteer.{name}" for name in GAZETTEERS)),
    "pt0": ("word", "caps", "pos"),
    "vbs": ("word", "caps", "pos"),
    "srl": ("word", "caps", "pt0"),
    "psg": ("word", "caps", "pos", "psg"),
}


def random_part(rng, name, features, labels):
    """Random ModelPart; its word table is shared vectors' but for a few rows."""
    keys_of = {"word": WORDS.keys(), **_KEYS}
    vocabularies = {
        f: Vocabulary.from_keys(_KEYS[f], f) for f in features if f in _KEYS
    }
    keys = [len(keys_of[f]) for f in features]
    dims = [_DIM if f == "word" else 2 for f in features]
    if name == "psg":
        network = tree_network(rng, keys[:-1], dims, n_types=1)
        vocabularies["psg-right"] = Vocabulary.from_keys(["", "", ")", ")", ")"])
    elif name == "srl":
        network = sentence_network(rng, 3, keys, dims, n_tags=len(labels))
    else:
        network = window_network(rng, 3, keys, dims, 6, len(labels), name != "vbs")
    network.padding[:] = [
        list(keys_of[f]).index("PADDING" if f != "psg" else "") for f in features
    ]
    info = {
        "configuration": {"window": 3, "train": {"rate": 0.1}},
        "scores": {"f1": 90.5},
    }
    return ModelPart(
        name, network, features, Vocabulary.from_keys(labels), vocabularies, info
    )


def word_part(name, needs=(), labels=("a", "b"), carried=False, seed=0):
    """A small ModelPart for words that takes the labels a and b of the networks
    `needs`.
    """
    keys = {need: ["a", "b", "PADDING", "UNAVAILABLE"] for need in needs} or {
        "caps": CAPS_KEYS
    }
    network = window_network(
        np.random.default_rng(seed),
        1,
        [len(found) for found in keys.values()],
        [1] * len(keys),
        1,
        len(labels),
        False,
    )
    lists = {feature: Vocabulary.from_keys(found) for feature, found in keys.items()}
    labels = Vocabulary.from_keys(labels)
    return ModelPart(name, network, tuple(keys), labels, lists, {"seed": seed}, carried)


def vectors():
    """Shared vectors that float16 holds."""
    rng = np.random.default_rng(7)
    return rng.standard_normal((len(WORDS), _DIM)).astype(np.float16).astype(np.float32)


def _with_shared_vectors(rng, parts):
    shared = vectors()
    for each in parts:
        if "word" not in each.features:
            continue
        table = shared.copy()
        rows = rng.choice(len(table), 5, replace=False)
        table[rows] += 1
        each.network.tables[each.features.index("word")] = table
    return parts


def senna_parts(rng):
    """Parts of the seven networks as SENNA has them."""
    return _with_shared_vectors(
        rng,
        [random_part(rng, name, _FEATURES[name], _LABELS[name]) for name in _FEATURES],
    )


def all_parts(rng):
    """Parts that use every feature and every kind of network."""
    new = (
        "word",
        "shape",
        "suffix.3",
        "prefix.2",
        "gazetteer.places",
        "gazetteer.loc",
        "class.kinds",
        "class.kinds.1",
    )
    parts = [
        random_part(rng, "pos", new, _LABELS["pos"]),
        random_part(rng, "mine", ("caps", "pos"), ["yes", "no"]),
        *(
            random_part(rng, name, _FEATURES[name], _LABELS[name])
            for name in ("vbs", "pt0", "srl", "psg")
        ),
    ]
    return _with_shared_vectors(rng, parts)


def _over_tables(network, make, rng, **sizes):
    """A network that `make` makes, with the lookup tables of another one."""
    keys, dims = zip(*(table.shape for table in network.tables), strict=True)
    made = make(rng, keys=keys, dims=dims, **sizes)
    made.tables, made.padding = network.tables, network.padding
    return made


def by_sentence(parts, name):
    """The parts, of which the network `name` now labels words by the sentence
    approach.
    """
    part = next(part for part in parts if part.name == name)
    part.network = _over_tables(
        part.network,
        sentence_network,
        np.random.default_rng(1),
        n_tags=len(part.labels),
        predicates=False,
    )
    return parts


def resources(gazetteers=(), classes=()):
    """Resources as `write_model` takes them, of phrases and rows of classes, by
    name.
    """
    return {
        "gazetteers": {
            n: Gazetteer(phrase_lines(p)) for n, p in dict(gazetteers).items()
        },
        "classes": {
            name: WordClasses(class_lines(r)) for name, r in dict(classes).items()
        },
    }


def dilated_parts(rng):
    """The parts, of which pt0 and srl now have the dilated approach."""
    parts = all_parts(rng)
    for part in parts:
        if part.name in ("pt0", "srl"):
            more = {"n_tags": len(part.labels), "predicates": part.name == "srl"}
            part.network = _over_tables(part.network, dilated_network, rng, **more)
    return parts


def joint_parts(rng):
    """Parts of which pos, vbs, srl and psg share dilated layers, and pt0 and mine the
    first one.
    """
    parts = {part.name: part for part in all_parts(rng)}
    own = _with_shared_vectors(
        rng,
        [
            random_part(rng, name, ("word", "caps", "suffix.3"), _LABELS[name])
            for name in ("pos", "vbs")
        ],
    )
    first = own[0]
    for name, make, more in (
        ("pos", dilated_network, {"n_tags": 3, "predicates": False}),
        ("vbs", dilated_network, {"n_tags": 2, "predicates": False}),
        ("srl", dilated_network, {"n_tags": 3}),
        ("psg", chart_network, {"n_types": 1}),
    ):
        part = parts[name]
        part.features = first.features
        part.vocabularies = first.vocabularies | {
            key: value for key, value in part.vocabularies.items() if key == "psg-right"
        }
        network = _over_tables(first.network, make, rng, **more)
        part.network = network if name == "pos" else network.share(parts["pos"].network)
    labels = _LABELS["chk"]
    parts["mine"] = random_part(rng, "mine", parts["pt0"].features, labels)
    parts["mine"].network = parts["mine"].network.share(parts["pt0"].network)
    return [parts[name] for name in ("vbs", "pos", "pt0", "srl", "mine", "psg")]


def arc_parts(rng):
    """A part for parts of speech, and one for dependencies."""
    (own,) = _with_shared_vectors(
        rng, [random_part(rng, "pos", ("word", "caps", "suffix.3"), _LABELS["pos"])]
    )
    network = _over_tables(own.network, arc_network, rng, n_tags=3)
    labels = Vocabulary.from_keys(["root", "nsubj:x", "det"])
    return [own, ModelPart("dep", network, own.features, labels, own.vocabularies, {})]


def change(path, alter):
    """Message, without the path, when a model is read of which `alter` changed
    something.

    alter: called with metadata, the description in it as a dict, and the arrays.
    """
    metadata, tensors = read_tensors(path)
    tensors = {name: array.copy() for name, array in tensors.items()}
    model = json.loads(metadata["model"])
    alter(metadata, model, tensors)
    if isinstance(metadata["model"], str):
        metadata["model"] = json.dumps(model)
    changed = path.with_name("changed.safetensors")
    write_tensors(changed, metadata, tensors)

    def read():
        opened = NativeModel(changed)
        for name in opened.networks:
            opened.part(name)

    return refusal(changed, read)


def change_array(path, name, alter=None):
    """The message when array `name` is what alter(array), or alter(None), gives; or is
    missing.
    """

    def put(metadata, model, tensors):
        array = tensors.pop(name, None)
        if alter:
            tensors[name] = np.array(alter(array), order="C")

    return change(path, put)


def answers(tagger, texts, plain=False):
    """What a tagger finds in texts, as a list of arrays."""
    with fixed_kernels(plain):
        found = tagger.annotate(tagger.tokenizer.texts(texts)).layers
    arrays = []
    for _, layer in sorted(found.items()):
        anchors = layer.anchor, layer.anchors
        arrays += [layer.label, layer.begin, layer.end]
        arrays += [array for array in anchors if array is not None]
    return arrays


def write_singles(directory, parts, info=lambda name: {}):
    """Write a model of each part alone, with what it needs; returns paths by name of
    the part.

    info: gives, of a name, what the model says of itself.
    """
    paths = {}
    for part in parts:
        paths[part.name] = path = directory / f"{part.name}.safetensors"
        gazetteers = GAZETTEERS if part.name == "ner" else {}
        write_model(
            path, WORDS, vectors(), [part], resources(gazetteers), info(part.name)
        )
    return paths


def parts_named(name, seeds):
    """Lists of parts, of which each has a network `name` of its own."""
    makers = all_parts, lambda rng: by_sentence(all_parts(rng), name), dilated_parts
    return [makers[seed % 3](np.random.default_rng(seed)) for seed in seeds]


def parts_apart(directory, name, seeds=(0, 1, 2, 3), bits=(16,) * 4):
    """Paths of models of one network each, beside that of all other networks of the
    first.

    bits: of a number of the word vectors of each.
    """
    paths = []
    directory.mkdir(parents=True, exist_ok=True)
    for seed, parts, n_bits in zip(seeds, parts_named(name, seeds), bits, strict=True):
        words, shared, _, resources, info = model_arguments(parts, n_bits)
        own = [part for part in parts if part.name == name]
        paths.append(directory / f"{seed}.safetensors")
        write_model(paths[-1], words, shared, own, resources, info)
        if seed == seeds[0]:
            others = [part for part in parts if part.name != name]
            write_model(
                directory / "others.safetensors", words, shared, others, resources, info
            )
    return paths


def stored(network, name, array):
    """What a file gives back of an array of a network: float32 of 16 bits, or of 8."""
    if any(
        each.name == name and each.rounded for each in network.declare(network.sizes())
    ):
        return ByteColumns.of(array).dense()
    return array.astype(np.float16).astype(np.float32)


def model_arguments(parts, vector_bits=16):
    """What `write_model` takes after the path, in the order of ARGUMENTS."""
    gazetteers, classes = dict(GAZETTEERS), {}
    if any("gazetteer.places" in each.features for each in parts):
        gazetteers["places"] = ["new york", "york"]
    if any("class.kinds" in each.features for each in parts):
        classes = CLASSES
    found = resources(gazetteers, classes)
    info = {"name": "small", "license": "MIT", "tokenizer": "senna"}
    shared = vectors() if vector_bits == 16 else ByteRows.of(vectors())
    return WORDS, shared, parts, found, info


def write_parts(path, parts, vector_bits=16):
    """Write a model file of parts, and return its path."""
    write_model(path, *model_arguments(parts, vector_bits))
    return path


# Types of constituents, one of which is two phrases over the same words.
_TYPES = ("(S", "(NP", "(VP(NP", "(ADJP")


def write_tree_model(path, seed, outside=0.0, chart=False):
    """Write a model with the networks for pos and psg to `path`.

    outside: added to the score of the label of words outside constituents, so that all
    or no words are; for a chart network taken from the score of each span. chart:
    whether psg is such.
    """
    rng = np.random.default_rng(seed)
    parts = [part for part in senna_parts(rng) if part.name in ("pos", "psg")]
    psg = parts[-1]
    tables, padding = psg.network.tables[:-1], psg.network.padding
    if chart:
        psg.network.tables, psg.network.padding = tables, padding[:-1]
        psg.network = _over_tables(psg.network, chart_network, rng, n_types=len(_TYPES))
        psg.network.output_bias[0] -= outside
        psg.features = psg.features[:-1]
    else:
        keys, dims = zip(*(table.shape for table in psg.network.tables), strict=True)
        psg.network = tree_network(rng, keys[:-1], dims, n_types=len(_TYPES))
        psg.network.tables[:-1], psg.network.padding = tables, padding
        psg.network.output_bias[0] += outside
    left = ["", *(text for kind in _TYPES for text in (kind, "", "", kind))]
    right = ["", *(")" * kind.count("(") * i for kind in _TYPES for i in (0, 0, 1, 1))]
    psg.labels = Vocabulary.from_keys(left)
    psg.vocabularies |= {"psg": psg.labels, "psg-right": Vocabulary.from_keys(right)}
    if chart:
        del psg.vocabularies["psg"]  # it does not read its own labels
    write_model(path, *model_arguments(parts))
