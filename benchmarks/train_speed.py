"""Seconds an epoch of training taggers takes on one core, beside a plain NumPy loop.

python benchmarks/train_speed.py VECTORS [--chunks TRAIN] [--roles TRAIN] [--trees TRAIN]

VECTORS: word vectors with PADDING and UNKNOWN. --chunks: the training file of the CoNLL-2000
shared task (word, POS, chunk): window 5, 300 hidden units, caps and POS, sentence-level criterion,
by SGD sentence by sentence and by AdaGrad in batches of 32. The plain loop is NumPy, one matrix
product a layer and sentence and a loop over words for the criterion, with the same network, data
and SGD.
--roles: word, POS, parse bit, predicate and roles: window 3, 300 units in both layers.
--trees: word, POS and parse bit: the English model's network for trees. All take
turns; the best epoch of each counts, as other programs may be using the core, and the processor's
time stands beside that of the clock. Dev scores are not in it. `share` is the multiply-adds of
the layers, forward and backward, at the rate of a float32 matrix product on one core, over the time
taken.
"""

import os

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"

import time
from pathlib import Path
from tempfile import TemporaryDirectory

import click
import numpy as np
from common.roofline import sgemm_rate

from senna_py.tagging.config import Config
from senna_py.tagging.run import Run
from senna_py.training.workers import Workers

SGD = {"optimizer": "sgd", "rate": 0.01, "batch": 1}
ADAGRAD = {"optimizer": "adagrad", "rate": 0.05, "batch": 32}


class PlainLoop:
    """The same network as a window network with sentence-level scores, in NumPy, by SGD."""

    def __init__(self, network, inputs, rate):
        self.inputs, self.rate = inputs, rate
        self.padding, self.half = network.padding, network.window // 2
        self.tables = [table.copy() for table in network.tables]
        self.weights = [network.hidden_weight.copy(), network.output_weight.copy()]
        self.biases = [network.hidden_bias.copy(), network.output_bias.copy()]
        self.initial, self.transition = network.initial.copy(), network.transition.copy()

    def timed_epoch(self):
        begin, processor = time.perf_counter(), time.process_time()
        self.epoch()
        return time.perf_counter() - begin, time.process_time() - processor

    def epoch(self):
        starts = self.inputs.starts
        for s in np.random.default_rng(0).permutation(len(starts) - 1):
            a, b = starts[s], starts[s + 1]
            self.step(self.inputs.features[a:b], self.inputs.gold[a:b])

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
    """Gradients of the sentence-level criterion with respect to all scores."""
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


def trainer(directory, vectors, path, values):
    """A new TrainingRun whose dev set is a few sentences of its training file."""
    columns = values.pop("columns")
    data = {"files": [Path(path).name], "columns": columns}
    config = Config.of(
        {**values, "train": [data], "dev": [{**data, "part": [0.99, 1.0]}]},
    )
    made = Run.load(config, Path(path).parent, directory, vectors, lambda line: None)
    return made.trainer(report=lambda line, figures: None)


def chunk_trainer(directory, vectors, path, training):
    return trainer(directory, vectors, path, {
        "task": "chk", "columns": ["word", "pos", "chk"], "features": {"caps": 5, "pos": 5},
        "network": {"window": 5, "hidden": 300}, "training": {**training, "epochs": 10_000},
    })  # fmt: skip


def role_trainer(directory, vectors, path):
    return trainer(directory, vectors, path, {
        "task": "srl", "columns": ["word", "pos", "parse", "predicate", "roles"],
        "features": {"caps": 5, "pos": 5},
        "network": {"approach": "sentence", "window": 3, "hidden": 300, "conv": 300, "reach": 20},
        "training": {**ADAGRAD, "epochs": 10_000},
    })  # fmt: skip


def tree_trainer(directory, vectors, path):
    return trainer(directory, vectors, path, {
        "task": "psg", "columns": ["word", "pos", "parse"],
        "features": {"caps": 5, "sentence.caps": 5, "pos": 25, "shape": 5, "suffix.2": 10,
                     "suffix.3": 10, "prefix.3": 5},
        "network": {"approach": "chart", "hidden": 400},
        "training": {"optimizer": "adam", "rate": 0.001, "batch": 20, "epochs": 10_000,
                     "dropout": 0.3, "embedding_dropout": 0.2, "min_label_count": 5},
    })  # fmt: skip


def timed_epoch(run):
    """Seconds that one epoch takes to train: of the clock, and of the processor."""
    processor = time.process_time()

    def show(done, total):
        if done == total:
            run.stop()

    run._stopped = False
    run.run(checkpoint_every=float("inf"), show=show)  # to the last batch, and a checkpoint
    processor = time.process_time() - processor
    seconds = run.progress.span
    run._end_epoch(Workers(1))
    return seconds, processor


def multiply_adds(network, inputs):
    """Of the layers for an epoch: forward, and twice as many backward."""
    n_tokens, n_rows = int(inputs.starts[-1]), int(inputs.row_starts[-1])
    if inputs.trees is not None:
        lengths = np.diff(inputs.starts).astype(np.int64)
        n_spans, n_hidden = int((lengths * (lengths + 1) // 2).sum()), len(network.hidden_bias)
        words = network.input_weight.size + 4 * network.hidden_weight.size
        words += sum(a.size for name, a in network.arrays().items()
                     if name.startswith("block") and name.endswith("_weight"))  # fmt: skip
        labels = len(inputs.trees.label) * (network.output_weight.size - n_hidden)
        return 3 * (n_tokens * words + n_spans * 3 * n_hidden + labels)
    if inputs.sentence is None:
        return 3 * n_tokens * (network.hidden_weight.size + network.output_weight.size)
    layers = network.hidden_weight.size + network.output_weight.size
    return 3 * (n_tokens * network.word_weight.size + n_rows * layers)


@click.command()
@click.argument("vectors", type=click.Path(exists=True))
@click.option("--chunks", type=click.Path(exists=True), help="Training file of CoNLL-2000.")
@click.option("--roles", type=click.Path(exists=True), help="Training file with roles.")
@click.option("--trees", type=click.Path(exists=True), help="Training file with parse bits.")
@click.option("--epochs", default=3, show_default=True, help="Epochs of each kind.")
def main(vectors, chunks, roles, trees, epochs):
    with TemporaryDirectory() as place:
        runs, work, sizes = {}, {}, {}
        if chunks:
            for name, training in (("chunks, SGD", SGD), ("chunks, AdaGrad in 32", ADAGRAD)):
                runs[name] = chunk_trainer(Path(place) / name, vectors, chunks, training)
            sgd = runs["chunks, SGD"].trainable
            plain = PlainLoop(sgd.network, sgd.problem.train, SGD["rate"])
            runs["chunks, plain NumPy loop"] = plain
            work["chunks, plain NumPy loop"] = multiply_adds(sgd.network, sgd.problem.train)
        if roles:
            runs["roles, AdaGrad in 32"] = role_trainer(Path(place) / "roles", vectors, roles)
        if trees:
            runs["trees, Adam in 20"] = tree_trainer(Path(place) / "trees", vectors, trees)
        for name, run in runs.items():
            if not isinstance(run, PlainLoop):
                train = run.trainable.problem.train
                run.run(time_limit=0)  # compiles
                run.resume()
                work[name] = multiply_adds(run.trainable.network, train)
                sizes[name] = (
                    f"{int(train.starts[-1]):,} tokens, {int(train.row_starts[-1]):,} rows"
                )
        best = dict.fromkeys(runs, (np.inf, np.inf))
        for _ in range(epochs):
            for name, run in runs.items():
                timed = run.timed_epoch() if isinstance(run, PlainLoop) else timed_epoch(run)
                best[name] = min(best[name], timed)
    roof = sgemm_rate()
    print(
        f"roofline: {roof / 1e9:.1f} Gflop/s; load {' '.join(f'{x:.1f}' for x in os.getloadavg())}"
    )
    for name, (seconds, processor) in best.items():
        share = 2 * work[name] / roof / seconds
        print(
            f"{name:<26} {seconds:7.2f} s an epoch ({processor:.2f} s of the processor)   "
            f"share {share:.2f}   {sizes.get(name, '')}"
        )


if __name__ == "__main__":
    main()
