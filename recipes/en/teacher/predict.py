"""What the teacher says of tokenized text, as senna-tag --probabilities prints it.

python recipes/en/teacher/predict.py RUN ENCODER NAMES SENTENCES OUT [--predicates FILE | --words]

NAMES is a directory of lists of names. SENTENCES has one a line, words between blanks. OUT gets a
file for each task that the teacher learned: pos.tsv, chk.tsv, ner.tsv, pt0.tsv, vbs.tsv, psg.tsv
and srl.tsv; with --words, which takes half the time, no psg.tsv and srl.tsv. Predicates are those
of FILE, a line a word, `-` for none, and an empty line after each sentence; else words that are one
with a probability of 0.2 at least.
"""

import argparse
import json
from contextlib import ExitStack
from pathlib import Path

import torch
from average import cell_of, pruned
from inputs import Names, Reader
from network import Teacher
from safetensors.torch import load_file
from scores import shares_of

from senna_py.networks.answers import LEAST_SHARE

_SURE = 0.2
_POOL = 2000  # sentences that are sorted by length at once


def load(run, encoder, names):
    """The network of a run, and its Reader; names: directory of lists of names."""
    about = json.loads((Path(run) / "teacher.json").read_text(encoding="utf8"))
    network = Teacher(encoder, about["labels"])
    network.encoder.load(f"{encoder}/model.safetensors")
    weights = {
        name: value.float() for name, value in load_file(Path(run) / "teacher.safetensors").items()
    }
    network.load_state_dict(weights, strict=False)  # but for the FROZEN ones
    return network.eval(), Reader(encoder, Names(names), about["shapes"])


def _cells(rows, labels):
    """Cells of float32[n, n_labels]."""
    found, kept = [{} for _ in rows], rows >= LEAST_SHARE
    for i, k in zip(*(each.tolist() for each in kept.nonzero()), strict=True):
        found[i][labels[k]] = float(rows[i, k])
    return [cell_of(pruned(shares or {labels[row.argmax()]: 1.0}))
            for shares, row in zip(found, rows, strict=True)]  # fmt: skip


def columns_of(shares, words, labels):
    """{task: lists of one cell a word} of the Shares of a sentence."""
    found = {task: [_cells(rows, labels[task])] for task, rows in shares.words.items()}
    if shares.spans is None:
        return found
    begins = [{} for _ in words]
    for (i, j), types in shares.spans.items():
        begins[i] |= {f"{kind}/{j - i + 1}": share for kind, share in types.items()}
    found["psg"] = [list(map(cell_of, begins))]
    marks = [word if i in shares.roles else "-" for i, word in enumerate(words)]
    found["srl"] = [
        marks,
        *(_cells(rows, labels["srl"]) for _, rows in sorted(shares.roles.items())),
    ]
    return found


def _predicates(path):
    """Yield the places of predicates of each sentence of a file."""
    for block in Path(path).read_text(encoding="utf8").rstrip("\n").split("\n\n"):
        yield [i for i, line in enumerate(block.split("\n")) if line != "-"]


def main():
    """Write the files."""
    parser = argparse.ArgumentParser()
    for name in ("run", "encoder", "names", "sentences", "out"):
        parser.add_argument(name)
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--predicates")
    which.add_argument("--words", action="store_true")
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    torch.set_flush_denormal(True)
    torch.set_num_threads(options.threads)
    network, read = load(options.run, options.encoder, options.names)
    lines = Path(options.sentences).read_text(encoding="utf8").rstrip("\n").split("\n")
    sentences = [line.split(" ") for line in lines]
    given = list(_predicates(options.predicates)) if options.predicates else None
    if options.words:
        network.labels |= {"psg": [], "srl": []}
    sure = 2.0 if given or options.words else _SURE  # no word is that sure
    out = Path(options.out)
    out.mkdir(parents=True, exist_ok=True)
    with ExitStack() as stack:
        files = {task: stack.enter_context(open(out / f"{task}.tsv", "w", encoding="utf8"))
                 for task, labels in network.labels.items() if labels}  # fmt: skip
        for first in range(0, len(sentences), _POOL):
            pool = sentences[first : first + _POOL]
            asked = given and given[first : first + _POOL]
            found = dict(shares_of(network, [read(words) for words in pool], asked, sure))
            for number, words in enumerate(pool):
                for task, columns in columns_of(found[number], words, network.labels).items():
                    rows = zip(words, *columns, strict=True)
                    files[task].writelines("\t".join(row) + "\n" for row in rows)
                    files[task].write("\n")


if __name__ == "__main__":
    main()
