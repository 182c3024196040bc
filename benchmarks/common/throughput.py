"""Tokens a second in this process, from the bytes of a file to the bytes printed."""

import os
import time
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

import numpy as np

from senna_py import Model, Tagger
from senna_py.corpora.places import BatchPlace
from senna_py.formats.columns import ColumnPrinter
from senna_py.io.streaming import Source, read_batches, read_lines
from senna_py.kernels.runtime.jit import by_fallbacks

__all__ = ["Run", "best", "layer_flops"]


@dataclass
class Run:
    """What is measured: a model's path, tasks, and a file of one sentence a line.

    whitespace: tokens are given, else those of the Treebank are found; batch: sentences
    in a batch, or None for batches as senna-tag makes them; plain: without compiled
    kernels; pipe: sentences are those of `Tagger.pipe`, whose tags and entities are
    read, and nothing is printed.
    """

    path: str
    tasks: list[str]
    text: str
    whitespace: bool = True
    batch: int | None = None
    plain: bool = False
    pipe: bool = False

    def __call__(self):
        """Read the model, tag the file; returns a dict of what was done and how long it
        took.

        Reading the model is `load`, not in `seconds`; whatever is computed at its first
        use is.
        """
        with by_fallbacks(self.plain):
            return self._tag()

    def _tag(self):
        begin = time.perf_counter()
        tagger = Tagger(Model(self.path), self.tasks)
        if not self.whitespace:
            tagger.tokenizer.kind = "treebank"
        loaded, used = time.perf_counter(), time.process_time()
        counts = self._read(tagger) if self.pipe else self._print(tagger)
        seconds, processor = time.perf_counter() - loaded, time.process_time() - used
        names = ("tokens", "sentences", "predicates", "levels")
        return {
            **dict(zip(names, counts.tolist(), strict=True)),
            "load": loaded - begin,
            "seconds": seconds,
            "processor": processor,
        }

    def _read(self, tagger):
        lines = Path(self.text).read_text("utf-8", "surrogateescape").splitlines()
        counts = np.zeros(4, np.int64)
        for sentence in tagger.pipe(
            map(str.split, lines) if self.whitespace else lines
        ):
            assert sentence.tags
            assert isinstance(sentence.entities, tuple)
            counts[:2] += len(sentence), 1
        return counts

    def _print(self, tagger):
        printer, counts = ColumnPrinter(tagger), np.zeros(4, np.int64)
        with Source(self.text) as source, open(os.devnull, "wb", buffering=0) as output:
            for data in self._batches(source):
                tokens = tagger.tokenizer.lines(data, self.whitespace)
                if tagger.longest_sentence:
                    tokens = tokens.cut(tagger.longest_sentence)
                found = tagger.annotate(tokens)
                output.write(printer.print(found, BatchPlace("")))
                counts += _count(found)
        return counts

    def _batches(self, source):
        if self.batch is None:
            yield from read_batches(source)
            return
        lines = read_lines(source)
        while batch := list(islice(lines, self.batch)):
            yield b"\n".join(batch) + b"\n"


def _count(found):
    """Tokens, sentences, predicates, and words of all constituents, of a batch."""
    roles, trees = found.layers.get("srl"), found.layers.get("psg")
    predicates = 0 if roles is None else len(roles.anchors)
    words = 0 if trees is None else int((trees.end - trees.begin).sum())
    return np.array([len(found.tokens), found.tokens.n_sentences, predicates, words])


def best(runs, rounds, warm, clock):
    """Fastest result of each of the Runs, which take turns, with its `rate` in tokens a
    second.

    warm: text that has them compiled before; clock: the time that counts, `seconds` or
    `processor`.
    """
    for run in runs:
        replace(run, text=warm)()
    results = [[run() for run in runs] for _ in range(rounds)]
    fastest = [
        min(column, key=lambda result: result[clock])
        for column in zip(*results, strict=True)
    ]
    return [{**result, "rate": result["tokens"] / result[clock]} for result in fastest]


def layer_flops(path, tasks):
    """Floating-point operations a token of the layers of networks for words, done
    plainly.
    """
    model = Model(path)
    total = 0
    for task in model.networks_for(tasks, "vbs"):
        network = model.storage.network(task)
        layers = (a for name, a in network.arrays().items() if name.endswith("_weight"))
        total += sum(
            2 * getattr(layer, "numbers", layer).size for layer in layers
        )  # or 8 bits
    return total
