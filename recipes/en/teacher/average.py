"""The mean of what several teachers say of the same text, of one task.

python recipes/en/teacher/average.py TASK FILE=WEIGHT... > mean.tsv

FILEs are as predict.py and senna-tag --probabilities write them; of roles, all have the same
predicates (see predict.py --predicates and senna-tag -usrvbs). Weights need not add up to 1. A
teacher that knows no MISC is silent about it: what it calls no entity is one as often as the others
say. Times of day that are one token are CD: corpora have none, and teachers only guess.
"""

import re
import sys
from itertools import groupby
from pathlib import Path

from senna_py.networks.answers import LEAST_SHARE
from senna_py.tagging.soft_labels import parse_constituents, parse_shares

MISC = "MISC"
_TIME = r"\d\d?([:.]\d\d)?"
_HALF = r"[ap]\.?m\.?"
TIME_OF_DAY = re.compile(rf"({_TIME}({_HALF})?[-–])?{_TIME}{_HALF}", re.IGNORECASE)


def cell_of(shares):
    """A cell of shares {label: share}, the largest first."""
    ordered = sorted(shares.items(), key=lambda pair: -pair[1])
    return (
        ",".join(f"{label}:{f'{share:.4f}'.rstrip('0').rstrip('.')}" for label, share in ordered)
        or "-"
    )


def pruned(shares):
    """Shares {label: share} of one word without small ones, that add up to 1."""
    least = min(LEAST_SHARE, max(shares.values()))
    kept = {label: share for label, share in shares.items() if share >= least}
    total = sum(kept.values())
    return {label: share / total for label, share in kept.items()}


def left_by(options, shares):
    """Shares {label: share} of the labels that a corpus leaves, None for any, adding up to 1."""
    if options is None:
        return pruned(shares)
    kept = {label: shares[label] for label in sorted(options)}
    total = sum(kept.values())
    return pruned(
        {label: share / total if total else 1 / len(kept) for label, share in kept.items()}
    )


def sentences(path):
    """Yield the sentences of a file: lists of columns, lists of one str a word."""
    with open(path, encoding="utf8") as file:
        for is_empty, lines in groupby(file, key=lambda line: line == "\n"):
            if not is_empty:
                yield [
                    *map(list, zip(*(line.rstrip("\n").split("\t") for line in lines), strict=True))
                ]


def shares_of_cell(task, cell):
    """{label: share}; labels of constituents are such as NP/2."""
    if task == "psg":
        return {f"{label}/{n}": share for label, n, share in parse_constituents(cell)}
    return dict(parse_shares(cell))


def with_misc(shares, other):
    """Shares of a word, of which that of O is parted between O and MISC as it is in `other`."""
    parts = {label: share for label, share in other.items() if label == "O" or label[2:] == MISC}
    outside, total = shares.pop("O", 0.0), sum(parts.values())
    parts = {label: share * outside / total for label, share in parts.items()} or {"O": outside}
    return shares | parts


def mean_of_cells(task, cells, weights, knows_misc):
    """The mean {label: share}.

    weights: they add up to 1; knows_misc: whether each teacher of entities does, list of bool.
    """
    each = [shares_of_cell(task, cell) for cell in cells]
    if True in knows_misc:
        other = each[knows_misc.index(True)]
        each = [shares if knows else with_misc(shares, other)
                for shares, knows in zip(each, knows_misc, strict=True)]  # fmt: skip
    total = {}
    for shares, weight in zip(each, weights, strict=True):
        for label, share in shares.items():
            total[label] = total.get(label, 0.0) + weight * share
    if task == "psg":
        return {label: share for label, share in total.items() if share >= LEAST_SHARE}
    return pruned(total)


def averaged(task, files, weights):
    """Yield the sentences of the mean: words, marks of predicates or None, and lists of {label:
    share}, one a word, of the task, or of each predicate.

    Raises SystemExit if sentences or predicates differ.
    """
    knows_misc = [f"-{MISC}:" in Path(file).read_text("utf8") for file in files]
    for number, each in enumerate(zip(*map(sentences, files), strict=True), 1):
        n_same = 2 if task == "srl" else 1
        if any(columns[:n_same] != each[0][:n_same] for columns in each[1:]):
            sys.exit(f"sentence {number} is not the same in {', '.join(files)}")
        columns = zip(*(columns[n_same:] for columns in each), strict=True)
        shares = [[mean_of_cells(task, cells, weights, knows_misc)
                   for cells in zip(*same, strict=True)] for same in columns]  # fmt: skip
        if task == "pos":
            shares = [[{"CD": 1.0} if TIME_OF_DAY.fullmatch(word) else found
                       for word, found in zip(each[0][0], *shares, strict=True)]]  # fmt: skip
        yield each[0][0], each[0][1] if task == "srl" else None, shares


def main(task, *files):
    """Print the mean."""
    files, weights = zip(*(file.rsplit("=", 1) for file in files), strict=True)
    weights = [float(weight) for weight in weights]
    weights = [weight / sum(weights) for weight in weights]
    sys.stdout.reconfigure(encoding="utf8")
    for words, marks, shares in averaged(task, files, weights):
        columns = [words, *([marks] if marks else []), *(map(cell_of, each) for each in shares)]
        sys.stdout.writelines("\t".join(row) + "\n" for row in zip(*columns, strict=True))
        sys.stdout.write("\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
