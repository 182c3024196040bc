"""The corpora of entities as soft labels of PER, LOC, ORG and MISC.

python recipes/en/entities.py CORPORA -path MODEL

The script writes entities/ewt.tsv and entities/others.tsv in CORPORA. A word has the
label of its corpus. Some corpora leave several labels open: where MISC is not marked, a
word outside entities may be O or MISC. Then the labels have the probabilities that
MODEL gives them.
"""

import subprocess
from pathlib import Path

from teacher.corpora import training
from teacher.labels import cell_of

from senna_py.cli.scripts import run_script
from senna_py.io.files import replace_file
from senna_py.tagging.soft_labels import parse_shares


def left_by(options, shares):
    """Return the probabilities of the labels that a corpus leaves open.

    They are {label: probability} and add up to 1; None leaves all labels open.
    """
    kept = {label: shares.get(label, 0.0) for label in sorted(options or shares)}
    total = sum(kept.values())
    return {
        label: share / total if total else 1 / len(kept)
        for label, share in kept.items()
        if share or not total
    }


def entity_cells(sentences, options):
    """Return the cells of entities of sentences with labels of entities.

    Args:
        sentences: The sentences, as teacher/corpora.py reads them.
        options: Options for senna-tag, which say which model gives probabilities.

    Returns:
        A list of cells for each sentence.
    """
    text = "".join(" ".join(s.words) + "\n" for s in sentences)
    command = ["senna-tag", "-usrtokens", "-ner", "--probabilities", *options]
    tagged = subprocess.run(
        command, input=text, stdout=subprocess.PIPE, text=True, check=True
    )
    cells = iter([line.split("\t")[1] for line in tagged.stdout.split("\n") if line])
    return [
        [cell_of(left_by(may, dict(parse_shares(next(cells))))) for may in s.options]
        for s in sentences
    ]


def main(directory, *options):
    """Write the files."""
    sentences = [s for s in training(directory) if s.options]
    found = {"ewt": [], "others": []}
    for s, cells in zip(sentences, entity_cells(sentences, options), strict=True):
        rows = found["ewt" if s.group == "ewt" else "others"]
        rows += [f"{word}\t{cell}\n" for word, cell in zip(s.words, cells, strict=True)]
        rows.append("\n")
    for name, rows in found.items():
        data = "".join(rows).encode()
        path = Path(directory) / f"entities/{name}.tsv"
        replace_file(path, lambda file, data=data: file.write(data))


if __name__ == "__main__":
    run_script(main, __doc__)
