"""Tokens per second in this process, from the bytes of a file to the printed bytes."""

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
from senna_py.kernels.runtime.switch import fixed_kernels

__all__ = ["Run", "best", "layer_flops"]


@dataclass
class Run:
    """What is measured: the path of a model, tasks, and a file of one sentence per line.

    whitespace: whether tokens are given; otherwise the Treebank's tokens are found
    batch: sentences in a batch, or None for the batches of senna-tag
    plain: whether to run without compiled kernels
    pipe: whether sentences come from `Tagger.pipe`; then tags and entities are read, and
        nothing is printed
    """

    path: str
    tasks: list[str]
    text: str
    whitespace: bool = True
    batch: int | None = None
    plain: bool = False
    pipe: bool = False

    def __call__(self):
        """Read the model and tag the file; return a dict of counts and times.

        Reading the model is `load` and not part of `seconds`; what is computed when the model
        is first used is part of them.
        """
        with fixed_kernels(self.plain):
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
                annotations = tagger.annotate(tokens)
                output.write(printer.format(annotations, BatchPlace("")))
                counts += _count(annotations)
        return counts

    def _batches(self, source):
        if self.batch is None:
            yield from read_batches(source)
            return
        lines = read_lines(source)
        while batch := list(islice(lines, self.batch)):
            yield b"\n".join(batch) + b"\n"


def _count(annotations):
    """Count tokens, sentences, predicates, and the words of all constituents of a
    batch.
    """
    roles, trees = annotations.layers.get("srl"), annotations.layers.get("psg")
    predicates = 0 if roles is None else len(roles.anchors)
    words = 0 if trees is None else int((trees.end - trees.begin).sum())
    return np.array(
        [len(annotations.tokens), annotations.tokens.n_sentences, predicates, words]
    )


def best(runs, rounds, warm, clock):
    """Return the fastest result of each Run, with its `rate` in tokens per second.

    The Runs take turns. `warm` is a text with which kernels are compiled before, and
    `clock` the time that counts: `seconds` or `processor`.
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
    """Count the floating-point operations per token of the layers of networks for words.

    This is what a plain implementation would do.
    """
    model = Model(path)
    total = 0
    for task in model.networks_for(tasks, "vbs"):
        network = model.storage.network(task)
        layers = (a for name, a in network.arrays().items() if name.endswith("_weight"))
        # Or 8 bits.
        total += sum(2 * getattr(layer, "numbers", layer).size for layer in layers)
    return total
