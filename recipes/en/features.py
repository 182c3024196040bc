"""Give a model file the features of EWT and GUM in one convention, and their rules.

python recipes/en/features.py MODEL CORPORA OUT [GUM_DEV]

CORPORA has {ewt,gum}/{train,dev}.conllu. The treebanks differ in their features. Those of
GUM are put into the convention of EWT by rules (`senna_py/labels/features.py`), and by
words: if a word with the same tags always has one label in EWT and another one in GUM,
GUM's label is replaced. The head of `feats` is then trained again on the states of the
trunk, which does not change. The combinations of tag, universal part of speech and
features are those of the converted treebanks, and some for tags that only MASC has. The
rules by which features agree with the tree are those of EWT. All other arrays of the
model stay as they are. The file GUM_DEV gets the dev set of GUM in the convention of EWT.
"""

import json
from collections import Counter, defaultdict
from dataclasses import dataclass
from itertools import chain

import numpy as np

from senna_py.cli.scripts import run_script
from senna_py.evaluation.layers import headline
from senna_py.features.agreement_rules import AgreementRules
from senna_py.features.assembly import Assembly
from senna_py.features.combination_lists import COMBINATIONS, CombinationLists
from senna_py.features.protocol import Batch
from senna_py.labels.agreement import Agreement, TaggedWords
from senna_py.labels.features import Convention
from senna_py.labels.tag_combinations import TagCombinations
from senna_py.labels.tasks import ARCS, FEATS, POS, UPOS, find_task
from senna_py.model import Model
from senna_py.models.native import NativeModel
from senna_py.models.tensors import read_tensors, write_tensors
from senna_py.networks.batch import WordBatch
from senna_py.networks.trunk import Trunk
from senna_py.tagging.score_model import score_model
from senna_py.tagging.sentences import read_sentences
from senna_py.tagging.settings import DataSet
from senna_py.text.tokenizer import Tokenizer

# The universal parts of speech of tags that only MASC has.
PARTS_OF_OTHER_TAGS = {"-LSB-": "PUNCT", "-RSB-": "PUNCT", "CODE": "X", "XX": "X"}
TREEBANKS = "ewt", "gum"
LEAST = 4  # the number of words that a label must have
SURE = 0.95  # the share of its words with which a label counts as that of a word
EPOCHS, BATCH, RATE, DROPOUT, SEED = 6, 2000, 0.003, 0.1, 1
SENTENCES = 500  # the number of sentences whose states are computed at once


@dataclass
class Treebank:
    """The words of a part of a treebank; the lists have an element for each word."""

    sentences: list[list[str]]
    words: list[str]
    pos: list[str]
    upos: list[str]
    feats: list[str]

    def keys(self):
        """Yield what determines the features of a word: the word and its tags."""
        return zip(map(str.lower, self.words), self.upos, self.pos, strict=True)


def read(directory, name, part):
    """Read a part of a treebank, with features in the convention of EWT by rules."""
    columns = ["form", "upos", "feats", "pos=xpos"]
    tasks = {task: find_task(task) for task in (POS, UPOS, FEATS)}
    files = DataSet([f"{name}/{part}.conllu"], columns)
    sentences = read_sentences([files], tasks, directory)
    tags = {
        task: [*chain.from_iterable(sentences.gold[task].tags().values())]
        for task in tasks
    }
    words = [*chain.from_iterable(sentences.words)]
    convention = Convention()
    rows = zip(words, tags[UPOS], tags[FEATS], strict=True)
    feats = [convention.features(*row) for row in rows]
    return Treebank(sentences.words, words, tags[POS], tags[UPOS], feats)


def sure_labels(treebank, least):
    """Return the label of each word and its tags that has almost always the same one."""
    counts = defaultdict(Counter)
    for key, feats in zip(treebank.keys(), treebank.feats, strict=True):
        counts[key][feats] += 1
    sure = {}
    for key, of_key in counts.items():
        ((label, n),) = of_key.most_common(1)
        if of_key.total() >= least and n >= SURE * of_key.total():
            sure[key] = label
    return sure


def convert(gum, labels, own_labels):
    """Replace features in GUM, by the labels of words in EWT and in GUM itself."""
    for i, key in enumerate(gum.keys()):
        feats = gum.feats[i]
        if own_labels.get(key) == feats:
            feats = labels.get(key, feats)
        if gum.upos[i] == "PROPN":  # Only GUM marks abbreviations of names.
            pairs = [pair for pair in feats.split("|") if pair != "Abbr=Yes"]
            feats = "|".join(pairs) or "_"
        gum.feats[i] = feats


def write_converted(source, feats, target):
    """Write a CoNLL-U file with other features of its words."""
    feats = iter(feats)
    with (
        open(source, encoding="utf-8") as lines,
        open(target, "w", encoding="utf-8") as out,
    ):
        for line in lines:
            row = line.split("\t")
            if row[0].isdigit():
                row[5] = next(feats)
            out.write("\t".join(row))


def states_of(model, treebank):
    """Return the states of the trunk for all words: float32[n_words, n]."""
    network, assembly = model.network(FEATS), Assembly.of_network(model, FEATS)
    tokenizer, trunk, parts = Tokenizer(model.words), Trunk({FEATS: network}), []
    for first in range(0, len(treebank.sentences), SENTENCES):
        sentences = treebank.sentences[first : first + SENTENCES]
        tokens = tokenizer.pretokenized(sentences)
        words = WordBatch(assembly(Batch(tokens)), tokens.starts)
        parts.append(trunk.states(words)[FEATS])
    return np.concatenate(parts)


def train(states, gold, weight, bias):
    """Train a linear head in place, with Adam and a rate that falls to 0."""
    rng = np.random.default_rng(SEED)
    arrays = [weight, bias]
    means = [[np.zeros_like(array) for array in arrays] for _ in range(2)]
    n_steps, step = EPOCHS * -(-len(gold) // BATCH), 0
    for _ in range(EPOCHS):
        order = rng.permutation(len(gold))
        for first in range(0, len(order), BATCH):
            rows, step = order[first : first + BATCH], step + 1
            kept = rng.random((len(rows), states.shape[1]), np.float32) > DROPOUT
            inputs = states[rows] * kept / np.float32(1 - DROPOUT)
            scores = inputs @ weight + bias
            shares = np.exp(scores - scores.max(axis=1, keepdims=True))
            shares /= shares.sum(axis=1, keepdims=True)
            shares[np.arange(len(rows)), gold[rows]] -= 1
            shares /= len(rows)
            rate = RATE * (1 - (step - 1) / n_steps)
            slopes = inputs.T @ shares, shares.sum(axis=0)
            for array, slope, mean, square in zip(arrays, slopes, *means, strict=True):
                mean[...] += 0.1 * (slope - mean)
                square[...] += 0.001 * (slope**2 - square)
                fraction = np.sqrt(square / (1 - 0.999**step)) + 1e-8
                array[...] -= rate * (mean / (1 - 0.9**step)) / fraction


def accuracy(states, treebank, labels, weight, bias):
    """Return the percentage of words with the right features, by the head alone."""
    best = (states @ weight + bias).argmax(axis=1)
    pairs = zip(best, treebank.feats, strict=True)
    return 100 * np.mean([labels[i] == gold for i, gold in pairs])


def learn_agreement(directory):
    """Learn by which rules features agree with the trees of EWT."""
    columns = ["form", "upos", "feats", "pos=xpos", "head", "deprel"]
    tasks = {task: find_task(task) for task in (POS, UPOS, FEATS, ARCS)}
    files = DataSet(["ewt/train.conllu"], columns)
    sentences = read_sentences([files], tasks, directory)
    layers = [sentences.gold[task].layer for task in tasks]
    tag, upos, feats, relation = (layer.label for layer in layers)
    names = tuple(layer.names for layer in layers)
    words = [*map(str.lower, chain.from_iterable(sentences.words))]
    return Agreement.learned(
        TaggedWords(
            lambda rows: [words[row] for row in rows.tolist()],
            *(tag, upos, feats, relation),
            names,
            layers[3].anchor,
        )
    )


def with_scores(metadata, path, directory):
    """Return the metadata with new scores on EWT's dev set.

    They are those of the tasks that the features and the rules change.
    """
    header, model = json.loads(metadata["model"]), Model(path)
    files = DataSet(["ewt/dev.conllu"], ["form", "upos", "feats", "head", "deprel"])
    for network in header["networks"]:
        if (task := network["name"]) in (UPOS, FEATS, ARCS):
            scores = score_model(model, task, files, directory)
            value, what = headline(find_task(task), scores)
            network["info"].setdefault("scores", {})["dev"] = {what: round(value, 2)}
    return metadata | {"model": json.dumps(header)}


def main(model, directory, out, gum_dev=None):
    """Write the model file and, if it is named, the converted dev set of GUM."""
    old = NativeModel(model)
    parts = {
        (name, part): read(directory, name, part)
        for name in TREEBANKS
        for part in ("train", "dev")
    }
    labels = sure_labels(parts["ewt", "train"], 4)
    own_labels = sure_labels(parts["gum", "train"], 2)
    for part in ("train", "dev"):
        convert(parts["gum", part], labels, own_labels)
    if gum_dev is not None:
        feats = parts["gum", "dev"].feats
        write_converted(f"{directory}/gum/dev.conllu", feats, gum_dev)
    learned = [parts[name, "train"] for name in TREEBANKS]
    counts = Counter(chain.from_iterable(each.feats for each in learned))
    before = old.labels(FEATS).names
    names = [
        name for name in dict.fromkeys((*before, *counts)) if counts[name] >= LEAST
    ]
    network = old.network(FEATS)
    weight = np.zeros((network.output_weight.shape[0], len(names)), np.float32)
    bias = np.full(len(names), network.output_bias.min(), np.float32)
    for i, name in enumerate(names):
        if name in before:
            weight[:, i] = network.output_weight[:, before.index(name)]
            bias[i] = network.output_bias[before.index(name)]
    place = {name: i for i, name in enumerate(names)}
    states = np.concatenate([states_of(old, each) for each in learned])
    gold = np.array([place.get(f, -1) for each in learned for f in each.feats])
    train(states[gold >= 0], gold[gold >= 0], weight, bias)
    for name in TREEBANKS:
        dev = parts[name, "dev"]
        score = accuracy(states_of(old, dev), dev, names, weight, bias)
        print(f"{name}: {score:.2f}% of dev are right, in this convention")
    rows = {
        row
        for each in learned
        for row in zip(each.pos, each.upos, each.feats, strict=True)
    } | {(tag, part, "_") for tag, part in PARTS_OF_OTHER_TAGS.items()}
    combinations = TagCombinations([POS, UPOS, FEATS], sorted(rows))
    agreement = learn_agreement(directory)
    metadata, tensors = read_tensors(old.path)
    arrays = {
        f"networks/{FEATS}/labels": np.frombuffer(
            "".join(f"{name}\n" for name in names).encode(), np.uint8
        ),
        f"networks/{FEATS}/output_weight": weight.astype(np.float16),
        f"networks/{FEATS}/output_bias": bias.astype(np.float16),
        f"{CombinationLists.place}/{COMBINATIONS}": combinations.array,
        f"{AgreementRules.place}/{FEATS}": agreement.array,
    }
    write_tensors(out, metadata, tensors | arrays)
    write_tensors(out, with_scores(metadata, out, directory), tensors | arrays)


if __name__ == "__main__":
    run_script(main, __doc__)
