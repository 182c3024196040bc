"""Make a model file of the weights of train.py, and of the rest of another model.

usage: convert.py TRAINED MODEL OUT

TRAINED is the directory that train.py wrote, with weights.npz, about.json and
settings.json. It may also have scores.json, whose scores, as scores.sh prints them for
such a file, `senna-model info` then shows:
{"pos": {"dev": {"accuracy": 96.81}, "data": "EWT"}}.
MODEL is the model whose words and resources prepare.py read. The new model has its
words, lists and splitter, and its lemmas until recipes/en/lemmas.py learns others.
"""

import json
from pathlib import Path

import numpy as np

from senna_py import __version__
from senna_py.cli.scripts import run_script
from senna_py.io.toml import read_toml
from senna_py.labels.tasks import LEMMA, default_order
from senna_py.labels.tree_keys import brackets_of_keys, keys_of_types
from senna_py.layers.likelihood import IMPOSSIBLE
from senna_py.layers.lookup import ByteRows
from senna_py.models.joining import all_resources
from senna_py.models.native import NativeModel
from senna_py.models.native_parts import ModelPart
from senna_py.models.native_writer import write_model
from senna_py.networks.arcs import ArcNetwork
from senna_py.networks.chart import ChartNetwork
from senna_py.networks.dilated import DilatedNetwork
from senna_py.tagging.inputs import constraints
from senna_py.text.vocabulary import Vocabulary

KINDS = {"psg": "trees", "srl": "roles", "dep": "arcs"}
KINDS |= dict.fromkeys(("chk", "ner", "pt0", "val"), "segments")
APPROACHES = {"psg": "chart", "dep": "arcs"}
NETWORKS = {"psg": ChartNetwork, "dep": ArcNetwork}
DONE = "pos", "chk", "ner", "psg", "srl", "dep", LEMMA  # when no task is named
# What teaches each task, in the order of the file.
TAUGHT = {
    "pos": "ewt masc gum",
    "chk": "conll2000",
    "ner": "ewt masc wnut btc crossner sec wikigold",
    "pt0": "ewt masc gum",
    "vbs": "ewt masc",
    "psg": "ewt masc gum",
    "srl": "ewt masc",
    "dep": "ewt gum",
    "upos": "ewt gum",
    "feats": "ewt gum",
    "val": "",
}


def features(about):
    """Return the names and sizes of the features, in the order of the network's tables."""
    found = {
        name: int(size) for size, names in about["groups"].items() for name in names
    }
    return found | dict.fromkeys(about["of_sentence"], 5)


def dilations_of(settings):
    """Return the dilations of the blocks."""
    return [int(d) for d in settings["dilations"].split(",")]


def config(task, settings, about):
    """Return the configuration with which senna-train can train the network further."""
    own = {"width": settings["width"], "kernel": settings["kernel"]}
    own |= {"dilations": dilations_of(settings)}
    if task in settings["hidden"]:
        own |= {"hidden": settings["hidden"][task], "reach": settings["reach"]}
    approach = APPROACHES.get(task, "dilated")
    training = {
        "optimizer": "adam",
        "rate": settings["rate"],
        "final_rate": 0.0,
        "dropout": settings["dropout"],
        "embedding_dropout": settings["input_dropout"],
        "unknown": settings["unknown"],
        "min_count": about["min_count"],
        "seed": settings["seed"],
    }
    # The criterion, by words, is left out: decoding keeps to IOBES, as after that of
    # sentences.
    return {
        "task": task,
        "features": features(about),
        "gazetteer_places": True,
        "network": {"approach": approach, approach: own},
        "training": training,
    }


def part(task, arrays, tables, padding, vocabularies, about, settings, scores):
    """Return the ModelPart of a task."""
    head = {
        n.removeprefix(f"{task}/"): a
        for n, a in arrays.items()
        if n.startswith(f"{task}/")
    }
    dilations = dilations_of(settings)
    blocks = [f"block{k}" for k in range(1, 1 + len(dilations))]
    trunk = {
        n: a
        for n, a in arrays.items()
        if n.partition("_")[0] in ("input", "norm", *blocks)
    }
    keys, more = about["labels"]["rel" if task == "dep" else task], {}
    kind = KINDS.get(task, "tags")
    if kind in ("segments", "roles"):
        order = [keys.index("O"), *(k for k, key in enumerate(keys) if key != "O")]
        keys = [keys[k] for k in order]
        for name in ("output_weight", "output_bias"):
            head[name] = head[name][..., order]
        for name, may in zip(
            ("initial", "transition", "final"), constraints(keys), strict=True
        ):
            head[name] = np.where(may, np.float32(0), np.float32(IMPOSSIBLE))
    if task == "pos":  # rules of decoding, see labels/constraints.py, are for sequences
        n = len(keys)
        head |= {
            "initial": np.zeros(n),
            "transition": np.zeros((n, n)),
            "final": np.zeros(n),
        }
    of_kind = NETWORKS.get(task, DilatedNetwork)
    network = of_kind(tables, padding, dilations=dilations, **trunk | head)
    if kind == "trees":
        keys, right = brackets_of_keys(keys_of_types(keys))
        more["psg-right"] = Vocabulary.from_keys(right, "psg-right")
    info = {
        "config": config(task, settings, about),
        "kind": kind,
        "senna_py": __version__,
        "recipe": "recipes/en/gpu",
        "corpora": TAUGHT[task],
        "words": settings["trained_words"],
    }
    if task in scores:
        info["scores"] = scores[task]
    names = ("word", *features(about))
    return ModelPart(
        task,
        network,
        names,
        Vocabulary.from_keys(keys, task),
        vocabularies | more,
        info,
    )


def main(trained, model, out):
    """Write the model file."""
    trained, model = Path(trained), NativeModel(model)
    about, settings = (
        json.loads((trained / f).read_text()) for f in ("about.json", "settings.json")
    )
    scores = trained / "scores.json"
    scores = json.loads(scores.read_text()) if scores.exists() else {}
    arrays = {
        k: v.astype(np.float32) for k, v in np.load(trained / "weights.npz").items()
    }
    names = list(features(about))
    vocabularies = {
        name: Vocabulary(
            "".join(f"{key}\n" for key in about["keys"][name]).encode(
                "utf-8", "surrogateescape"
            ),
            name,
        )
        for name in names
    }
    vectors = ByteRows.of(arrays.pop("tables/word"))
    tables = [vectors, *(arrays[f"tables/{name}"] for name in names)]
    padding = [
        each.position("PADDING") for each in (model.words, *vocabularies.values())
    ]
    given = tables, np.array(padding, np.int32), vocabularies, about, settings, scores
    parts = [part(task, arrays, *given) for task in TAUGHT]
    info = read_toml(Path(__file__).parents[1] / "model.toml")
    info["tasks"] = default_order(DONE)
    write_model(
        out, model.words, vectors, parts, all_resources(model), info, model.splitter
    )


if __name__ == "__main__":
    run_script(main, __doc__)
