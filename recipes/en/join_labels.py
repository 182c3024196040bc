"""Join files of soft labels, one directory a task, to files that have the labels of all tasks.

    python recipes/en/join_labels.py LABELS OUT TASK...

LABELS/TASK/NAME.tsv: a word a line, then its labels with probabilities; those of srl are a mark and
a column for each predicate. OUT/NAME.tsv gets the word and the columns of the tasks in the order in
which they are named; srl must be the last. The files of all tasks have the same words.
"""

import sys
from contextlib import ExitStack
from pathlib import Path


def join(files, out):
    """Write the joined lines of open files, of which each begins with the same words."""
    for number, lines in enumerate(zip(*files, strict=True), 1):
        (word, *first), *others = (line.rstrip("\n").split("\t") for line in lines)
        if any(other[0] != word for other in others):
            raise SystemExit(f"{out.name}: line {number}: not the same words")
        out.write(
            "\t".join([word, *first, *(cell for other in others for cell in other[1:])]) + "\n"
        )


def main(labels, out, *tasks):
    """Join the files that all tasks have."""
    Path(out).mkdir(parents=True, exist_ok=True)
    names = ({path.name for path in Path(labels, task).glob("*.tsv")} for task in tasks)
    for name in sorted(set.intersection(*names)):
        with ExitStack() as opened:
            files = [opened.enter_context(open(Path(labels, task, name), encoding="utf-8"))
                     for task in tasks]  # fmt: skip
            out_file = opened.enter_context(open(Path(out, name), "w", encoding="utf-8"))
            join(files, out_file)


if __name__ == "__main__":
    main(*sys.argv[1:])
