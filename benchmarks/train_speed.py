"""Seconds that an epoch of training a tagger takes, and a plain NumPy loop.

python benchmarks/train_speed.py VECTORS [--chunks TRAIN] [--roles TRAIN] [--trees
TRAIN]

VECTORS is a file of word vectors with PADDING and UNKNOWN. Everything runs on one core.

--chunks: the training file of the CoNLL-2000 shared task (word, POS, chunk). The network
    has window 5, 300 hidden units, caps and POS, and the sentence-level criterion. It is
    trained by SGD sentence by sentence, and by AdaGrad in batches of 32. The plain loop
    is in NumPy, with one matrix product per layer and sentence and a loop over words for
    the criterion, and has the same network, data and SGD.
--roles: word, POS, parse bit, predicate and roles. The network has window 3 and 300
    units in both layers.
--trees: word, POS and parse bit. The network is a chart network of 400 units.

The trainings take turns. The best epoch of each counts, because other programs may be
using the core; the time of the processor is printed besides that of the clock. Dev
scores are not included.
"""

import os

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"

import time
from pathlib import Path
from tempfile import TemporaryDirectory

import click
import numpy as np

from senna_py.tagging.config import Config
from senna_py.tagging.run import Run

SGD = {"optimizer": "sgd", "rate": 0.01, "batch": 1}
ADAGRAD = {"optimizer": "adagrad", "rate": 0.05, "batch": 32}


class PlainLoop:
    """A window network with sentence-level scores in NumPy, trained by SGD."""

    def __init__(self, network, inputs, rate):
        self.inputs, self.rate = inputs, rate
        self.padding, self.half = network.padding, network.window // 2
        self.tables = [table.copy() for table in network.tables]
        self.weights = [network.hidden_weight.copy(), network.output_weight.copy()]
        self.biases = [network.hidden_bias.copy(), network.output_bias.copy()]
        self.initial, self.transition = (
            network.initial.copy(),
            network.transition.copy(),
        )

    def epoch(self):
        starts, gold = self.inputs.starts, self.inputs.targets["chk"].gold
        for s in np.random.default_rng(0).permutation(len(starts) - 1):
            a, b = starts[s], starts[s + 1]
            self.step(self.inputs.features[a:b], gold[a:b])

    def step(self, features, gold):
        half, n = self.half, len(features)
        around = np.repeat(self.padding[None], half, axis=0)
        index = np.concatenate([around, features, around])
        x = np.concatenate([t[index[:, f]] for f, t in enumerate(self.tables)], axis=1)
        window = 2 * half + 1
        windows = np.concatenate([x[k : k + n] for k in range(window)], axis=1)
        hidden = np.clip(windows @ self.weights[0] + self.biases[0], -1, 1)
        scores = hidden @ self.weights[1] + self.biases[1]
        d_scores, d_initial, d_transition = sentence_gradients(
            scores, self.initial, self.transition, gold
        )
        d_hidden = (d_scores @ self.weights[1].T) * (np.abs(hidden) < 1)
        d_windows = d_hidden @ self.weights[0].T
        for k, d_out, from_below in ((1, d_scores, hidden), (0, d_hidden, windows)):
            rate = self.rate / len(self.weights[k])
            self.weights[k] -= rate * (from_below.T @ d_out)
            self.biases[k] -= rate * d_out.sum(axis=0)
        self.initial -= self.rate * d_initial
        self.transition -= self.rate * d_transition
        d_x = np.zeros_like(x)
        for k in range(window):
            d_x[k : k + n] += d_windows[:, k * x.shape[1] : (k + 1) * x.shape[1]]
        column = 0
        for f, table in enumerate(self.tables):
            part = d_x[:, column : column + table.shape[1]]
            np.subtract.at(table, index[:, f], self.rate * part)
            column += table.shape[1]


def sentence_gradients(scores, initial, transition, gold):
    """Return the gradients of the sentence-level criterion with respect to all scores."""
    n = len(scores)
    step = np.exp(transition)
    factor = np.exp(scores - scores.max(axis=1, keepdims=True))
    alpha, beta = np.empty_like(factor), np.empty_like(factor)
    norm = np.empty(n, np.float32)
    alpha[0] = np.exp(initial) * factor[0]
    for t in range(n):
        if t:
            alpha[t] = (alpha[t - 1] @ step) * factor[t]
        norm[t] = alpha[t].sum()
        alpha[t] /= norm[t]
    beta[-1] = 1
    pairs = np.zeros_like(step)
    for t in range(n - 1, 0, -1):
        ahead = factor[t] * beta[t] / norm[t]
        pairs += np.outer(alpha[t - 1], ahead)
        beta[t - 1] = step @ ahead
    d_scores, d_transition = alpha * beta, pairs * step
    d_scores[np.arange(n), gold] -= 1
    np.subtract.at(d_transition, (gold[:-1], gold[1:]), 1)
    return d_scores, d_scores[0], d_transition


def tagger_training(directory, vectors, path, values):
    """Return a new TaggerTraining whose dev set is the end of its training file."""
    data = {"files": [Path(path).name], "columns": values.pop("columns")}
    parts = {"train": [data], "dev": [{**data, "part": [0.9, 1.0]}]}
    config = Config.of({**values, **parts})
    return Run.load(
        config, Path(path).parent, directory, vectors, lambda line: None
    ).training()


def chunk_training(directory, vectors, path, training):
    values = {
        "task": "chk",
        "columns": ["word", "pos", "chk"],
        "features": {"caps": 5, "pos": 5},
        "network": {"approach": "window", "window": {"window": 5, "hidden": 300}},
        "training": training,
    }
    return tagger_training(directory, vectors, path, values)


def role_training(directory, vectors, path):
    sizes = {"window": 3, "hidden": 300, "conv": 300, "reach": 20}
    values = {
        "task": "srl",
        "columns": ["word", "pos", "parse", "predicate", "roles"],
        "features": {"caps": 5, "pos": 5},
        "network": {"approach": "sentence", "sentence": sizes},
        "training": ADAGRAD,
    }
    return tagger_training(directory, vectors, path, values)


def tree_training(directory, vectors, path):
    affixes = {"suffix.2": 10, "suffix.3": 10, "prefix.3": 5}
    regular = {"dropout": 0.3, "embedding_dropout": 0.2, "min_label_count": 5}
    values = {
        "task": "psg",
        "columns": ["word", "pos", "parse"],
        "features": {"caps": 5, "sentence.caps": 5, "pos": 25, "shape": 5, **affixes},
        "network": {"approach": "chart", "chart": {"hidden": 400}},
        "training": {"optimizer": "adam", "rate": 0.001, "batch": 20, **regular},
    }
    return tagger_training(directory, vectors, path, values)


def epoch_of(training):
    """Return a function that trains on all batches of a TaggerTraining once."""

    def epoch():
        training.begin_epoch()
        for number in range(int(training.n_batches())):
            training.train(number, 0)

    return epoch


def seconds_of(epoch):
    """Return the seconds that an epoch takes, by the clock and by the processor."""
    begin, processor = time.perf_counter(), time.process_time()
    epoch()
    return time.perf_counter() - begin, time.process_time() - processor


@click.command()
@click.argument("vectors", type=click.Path(exists=True))
@click.option(
    "--chunks", type=click.Path(exists=True), help="Training file of CoNLL-2000."
)
@click.option("--roles", type=click.Path(exists=True), help="Training file with roles.")
@click.option(
    "--trees", type=click.Path(exists=True), help="Training file with parse bits."
)
@click.option("--epochs", default=3, show_default=True, help="Epochs of each kind.")
def main(vectors, chunks, roles, trees, epochs):
    with TemporaryDirectory() as directory:
        place, trainings, runs = Path(directory), {}, {}
        if chunks:
            for name, how in (("chunks, SGD", SGD), ("chunks, AdaGrad in 32", ADAGRAD)):
                trainings[name] = chunk_training(place / name, vectors, chunks, how)
            sgd = trainings["chunks, SGD"]
            plain = PlainLoop(sgd.networks["chk"], sgd.tagging_data.train, SGD["rate"])
            runs["chunks, plain NumPy loop"] = plain.epoch
        if roles:
            trainings["roles, AdaGrad in 32"] = role_training(
                place / "roles", vectors, roles
            )
        if trees:
            trainings["trees, Adam in 20"] = tree_training(
                place / "trees", vectors, trees
            )
        for name, training in trainings.items():
            training.begin_epoch()
            training.train(0, 0)  # compiles
            runs[name] = epoch_of(training)
        best = dict.fromkeys(runs, (np.inf, np.inf))
        for _ in range(epochs):
            for name, epoch in runs.items():
                best[name] = min(best[name], seconds_of(epoch))
        for name, (seconds, processor) in best.items():
            used = f"{seconds:7.2f} s an epoch ({processor:.2f} s of the processor)"
            n_tokens = trainings.get(
                name, sgd if chunks else None
            ).tagging_data.train.starts[-1]
            print(f"{name:<26} {used}   {n_tokens:,} tokens")


if __name__ == "__main__":
    main()
