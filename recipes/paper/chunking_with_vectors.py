"""Compare vectors by the F1 of chunking with a small network on held-out sentences.

python recipes/paper/chunking_with_vectors.py TRAIN VECTORS [--epochs N]

The vectors are compared with random ones. TRAIN is the training file of the CoNLL-2000
shared task (word, POS, chunk); every tenth sentence is held out and called dev. VECTORS
is any file that `vectors export` reads. The network is fixed: the window approach with
five words, their vectors and caps, 150 HardTanh units, a softmax per word, and AdaGrad
in batches of 64, without POS tags and sentence-level scores. It only serves to compare
vectors; a trained tagger is better.
"""

import click
import numpy as np

from senna_py.features.protocol import Batch
from senna_py.features.registry import find_feature
from senna_py.kernels.nn.lookup import pad_sentences
from senna_py.labels.tag_schemes import segments
from senna_py.models.embeddings import read_embeddings
from senna_py.text.tokenizer import Tokenizer
from senna_py.text.vocabulary import Vocabulary

CAPS = Vocabulary.from_keys(["PADDING", "allcaps", "hascap", "initcap", "nocaps"])
WINDOW, HIDDEN, BATCH = 5, 150, 64


def read_sentences(path):
    """Return a list of (word, chunk tag) for each sentence."""
    with open(path, encoding="utf-8") as file:
        blocks = file.read().strip().split("\n\n")
    return [
        [(row.split()[0], row.split()[2]) for row in block.split("\n")]
        for block in blocks
    ]


def windows(sentences, tokenizer):
    """Return word and caps indices of each token's window, int32[n_tokens, WINDOW]."""
    tokens = tokenizer.pretokenized([[word for word, _ in s] for s in sentences])
    caps = find_feature("caps").column(CAPS, None)(Batch(tokens))
    index = np.stack([tokens.word, caps], axis=1)
    padded = np.empty((len(tokens) + (WINDOW - 1) * tokens.n_sentences, 2), np.int32)
    first = np.empty(len(tokens), np.int32)
    pad_sentences(
        index, tokens.starts, WINDOW // 2, np.zeros(2, np.int32), padded, first
    )
    rows = first[:, None] + np.arange(WINDOW)
    return padded[rows, 0], padded[rows, 1]


class Network:
    """Vectors, caps, a hidden layer and an output layer, with AdaGrad."""

    def __init__(self, vectors, n_tags, rng):
        """Begin with the vectors, and with random numbers for everything else."""
        dim = vectors.shape[1] + 5

        def layer(n_in, n_out):
            bound = np.sqrt(3 / n_in)
            return rng.uniform(-bound, bound, (n_in, n_out)).astype(np.float32)

        self.parameters = [
            vectors.astype(np.float32),
            layer(len(CAPS), 5),
            layer(WINDOW * dim, HIDDEN),
            np.zeros(HIDDEN, np.float32),
            layer(HIDDEN, n_tags),
            np.zeros(n_tags, np.float32),
        ]
        self.squares = [np.full_like(p, 1e-6) for p in self.parameters]

    def forward(self, words, caps):
        vectors, caps_table, w1, b1, w2, b2 = self.parameters
        x = np.concatenate([vectors[words], caps_table[caps]], axis=2).reshape(
            len(words), -1
        )
        h = np.clip(x @ w1 + b1, -1, 1)
        return x, h, h @ w2 + b2

    def step(self, words, caps, tags, rate):
        vectors, _, w1, _, w2, _ = self.parameters
        x, h, scores = self.forward(words, caps)
        scores -= scores.max(axis=1, keepdims=True)
        d_scores = np.exp(scores)
        d_scores /= d_scores.sum(axis=1, keepdims=True)
        d_scores[np.arange(len(tags)), tags] -= 1
        d_h = (d_scores @ w2.T) * (np.abs(h) < 1)
        d_x = (d_h @ w1.T).reshape(len(words), WINDOW, -1)
        split = vectors.shape[1]
        for k, d in (
            (2, x.T @ d_h),
            (3, d_h.sum(0)),
            (4, h.T @ d_scores),
            (5, d_scores.sum(0)),
        ):
            self.squares[k] += d * d
            self.parameters[k] -= rate * d / np.sqrt(self.squares[k])
        for k, index, d in (
            (0, words, d_x[:, :, :split]),
            (1, caps, d_x[:, :, split:]),
        ):
            rows, inverse = np.unique(index, return_inverse=True)
            total = np.zeros((len(rows), d.shape[2]), np.float32)
            np.add.at(total, inverse.ravel(), d.reshape(-1, d.shape[2]))
            self.squares[k][rows] += total * total
            self.parameters[k][rows] -= rate * total / np.sqrt(self.squares[k][rows])


def f1(gold, predicted):
    """Return the F1 of the segments of two lists of tag sequences, in percent."""
    found = [
        {(s, *span) for s, tags in enumerate(x) for span in segments(tags)}
        for x in (gold, predicted)
    ]
    return 200 * len(found[0] & found[1]) / (len(found[0]) + len(found[1]))


def run(vectors, train, dev, dev_sentences, tags, epochs, seed):
    """Return the best dev F1 over the epochs."""
    rng = np.random.default_rng(seed)
    network = Network(vectors, len(tags), rng)
    words, caps, gold = train
    best = 0
    for _ in range(epochs):
        order = rng.permutation(len(gold))
        for begin in range(0, len(order), BATCH):
            batch = order[begin : begin + BATCH]
            network.step(words[batch], caps[batch], gold[batch], rate=0.03)
        found = iter(tags[network.forward(*dev)[2].argmax(axis=1)].tolist())
        predicted = [[next(found) for _ in s] for s in dev_sentences]
        best = max(best, f1([[t for _, t in s] for s in dev_sentences], predicted))
    return best


@click.command()
@click.argument("train")
@click.argument("vectors")
@click.option("--epochs", default=5, show_default=True)
@click.option("--seed", default=1, show_default=True)
def main(train, vectors, epochs, seed):
    """Print the dev F1 with random vectors and with VECTORS."""
    embeddings = read_embeddings(vectors)
    tokenizer = Tokenizer(Vocabulary.from_keys(embeddings.words))
    sentences = read_sentences(train)
    dev = sentences[9::10]
    rest = [s for i, s in enumerate(sentences) if i % 10 != 9]
    tags = np.array(sorted({tag for s in rest for _, tag in s}))
    gold = np.searchsorted(tags, [tag for s in rest for _, tag in s])
    data = (*windows(rest, tokenizer), gold)
    given = np.asarray(embeddings.vectors, np.float32)
    random = (
        np.random.default_rng(seed).uniform(-1, 1, given.shape)
        * given.std()
        * np.sqrt(3)
    )
    for name, start in (("random", random), ("given", given)):
        score = run(start, data, windows(dev, tokenizer), dev, tags, epochs, seed)
        print(f"{name:8}dev F1 {score:.2f}")


if __name__ == "__main__":
    main()
