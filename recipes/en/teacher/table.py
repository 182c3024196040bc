"""Dev figures of teachers and of their means.

python recipes/en/teacher/table.py CORPORA DIR               writes DIR/sentences and DIR/predicates
python recipes/en/teacher/table.py CORPORA DIR NAME NAME...  prints the table

With --config FILE, dev is that of a configuration of senna-train (see train.py).
A teacher is a directory DIR/NAME with the files that predict.py writes of DIR/sentences, with the
predicates DIR/predicates, or some of them. A row has the weight of the first NAME in the mean of
two.
"""

import argparse
from itertools import combinations
from pathlib import Path

import corpora
import numpy as np
from average import averaged
from scores import SEGMENTS, Scorer, Shares

WEIGHTS = (0.3, 0.5, 0.7)
TASKS = ("pos", "chk", "ner", "pt0", "vbs", "psg", "srl")


def write_text(sentences, directory):
    """Write sentences and their predicates."""
    directory.mkdir(parents=True, exist_ok=True)
    lines = "".join(" ".join(s.words) + "\n" for s in sentences)
    (directory / "sentences").write_text(lines, encoding="utf8")
    marks = ("".join(f"{word}\n" if i in (s.roles or ()) else "-\n"
                     for i, word in enumerate(s.words)) for s in sentences)  # fmt: skip
    (directory / "predicates").write_text("\n".join(marks), encoding="utf8")


def _dense(rows, number):
    found = np.zeros((len(rows), len(number)), np.float32)
    for i, shares in enumerate(rows):
        for label, share in shares.items():
            found[i, number[label]] = share
    return found


def shares_of_mean(task, marks, columns, number):
    """Shares of one task; marks, columns: see average.averaged; number: {label: int}."""
    if task == "psg":
        spans = {}
        for i, shares in enumerate(columns[0]):
            for label, share in shares.items():
                kind, _, length = label.rpartition("/")
                spans.setdefault((i, i + int(length) - 1), {})[kind] = share
        return Shares({}, spans)
    rows = [_dense(column, number) for column in columns]
    if task == "srl":
        predicates = [i for i, mark in enumerate(marks) if mark != "-"]
        return Shares({}, roles=dict(zip(predicates, rows, strict=True)))
    return Shares({task: rows[0]})


def figures(task, files, weights, sentences):
    """Figures of the mean of files."""
    found = [(marks, columns) for _, marks, columns in averaged(task, files, weights)]
    labels = sorted(
        {label for _, columns in found for rows in columns for row in rows for label in row}
    )
    if task in SEGMENTS:  # all tags of every type, so that sequences have a way
        kinds = sorted({label[2:] for label in labels if label != "O"})
        labels = ["O", *(f"{prefix}-{kind}" for kind in kinds for prefix in "BIES")]
    scorer, number = Scorer({task: labels}), {label: n for n, label in enumerate(labels)}
    for sentence, (marks, columns) in zip(sentences, found, strict=True):
        scorer.add(sentence, shares_of_mean(task, marks, columns, number))
    return scorer.figures()


def main():
    """Write the text or print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("corpora")
    parser.add_argument("where", type=Path)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--config")
    options = parser.parse_args()
    where, names = options.where, options.names
    sentences = corpora.read(corpora.sources(options.config)[1], options.corpora)
    if not names:
        write_text(sentences, where)
    for task in TASKS if names else ():
        have = [name for name in names if (where / name / f"{task}.tsv").exists()]
        mixed = [((a, b), (w, 1 - w)) for a, b in combinations(have, 2) for w in WEIGHTS]
        if len(have) > 2:
            mixed.append((tuple(have), (1 / len(have),) * len(have)))
        for chosen, weights in [*(((name,), (1.0,)) for name in have), *mixed]:
            found = figures(
                task, [where / name / f"{task}.tsv" for name in chosen], weights, sentences
            )
            shown = ", ".join(
                f"{group}{name.removeprefix(task)} {figure:.2f}"
                for (name, group), figure in found.items()
            )
            print(f"{task} {'+'.join(chosen)} {weights[0]:.1f}: {shown}", flush=True)


if __name__ == "__main__":
    main()
