"""The corpora of entities as soft labels of PER, LOC, ORG and MISC.

python recipes/en/teacher/entities.py CORPORA RUN ENCODER

CORPORA gets entities/ewt.tsv and entities/others.tsv. A word has the label of its corpus; where the
corpus leaves several (one that does not mark MISC says no more of a word outside entities than that
it is O or MISC), these have the shares that the teacher of RUN gives them.
"""

import sys
from itertools import compress
from pathlib import Path

import corpora
import torch
from average import cell_of, left_by
from inputs import batches_of, make_batch
from network import rounding
from predict import load

from senna_py.io.files import replace_file


@torch.no_grad()
def shares_of(network, seen):
    """Yield the number of each Seen and float32[n, n_labels], the shares of its words' labels."""
    for numbers in batches_of([len(s.pieces) for s in seen], 4000):
        batch = make_batch([seen[k] for k in numbers])
        with rounding():
            scores = network.heads["ner"](network.states(batch)["ner"])
        for number, n, rows in zip(numbers, batch.lengths, scores.float().softmax(-1), strict=True):
            yield number, rows[:n]


def main(directory, run, encoder):
    """Write the files."""
    torch.set_flush_denormal(True)
    network, read = load(run, encoder, f"{directory}/gazetteers")
    sentences = [s for s in corpora.training(directory) if s.options]
    found = dict(shares_of(network, [read(s.words) for s in sentences]))
    out = Path(directory) / "entities"
    labels = network.labels["ner"]
    is_ewt = [s.group == "ewt" for s in sentences]
    for name, chosen in (("ewt", is_ewt), ("others", [not each for each in is_ewt])):
        text = []
        for number in compress(range(len(sentences)), chosen):
            s = sentences[number]
            shares = [dict(zip(labels, row, strict=True)) for row in found[number].tolist()]
            cells = [cell_of(left_by(*each)) for each in zip(s.options, shares, strict=True)]
            text += [f"{word}\t{cell}\n" for word, cell in zip(s.words, cells, strict=True)] + [
                "\n"
            ]
        data = "".join(text).encode()
        replace_file(out / f"{name}.tsv", lambda file, data=data: file.write(data))


if __name__ == "__main__":
    main(*sys.argv[1:])
