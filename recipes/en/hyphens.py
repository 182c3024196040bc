"""The chunks of CoNLL-2000 with words split at hyphens, as the tokenizer `english` has it.

python recipes/en/hyphens.py CORPORA/conll2000/train.txt > CORPORA/conll2000/hyphens.txt

The pieces of a word have the part of speech of the word and are in its chunk. All
sentences stay in their order.
"""

from pathlib import Path

from senna_py.cli.scripts import run_script
from senna_py.text.tokenizer import Tokenizer
from senna_py.text.vocabulary import Vocabulary


def sentences(path):
    """Yield the sentences of a column file as lists of rows."""
    for block in Path(path).read_text(encoding="utf-8").split("\n\n"):
        rows = [line.split(" ") for line in block.split("\n") if line]
        if rows:
            yield rows


def split(rows, parts_of):
    """Return the rows of a sentence with a row for each piece of a word."""
    found = []
    for word, tag, chunk in rows:
        parts = parts_of.get(word, [word])
        found.append([parts[0], tag, chunk])
        found += [[part, tag, chunk.replace("B-", "I-")] for part in parts[1:]]
    return found


def main(path):
    """Print all sentences."""
    tokenizer = Tokenizer(Vocabulary.from_keys(["PADDING", "UNKNOWN"]), "english")
    all_rows = list(sentences(path))
    words = sorted(
        {row[0] for rows in all_rows for row in rows if row[0].strip("-").count("-")}
    )
    parts_of = {}
    for word in words:
        tokens = tokenizer.texts([word])
        parts = [tokens.text(i) for i in range(len(tokens))]
        if "-" in parts[1:-1]:
            parts_of[word] = parts
    for rows in all_rows:
        print("\n".join(" ".join(row) for row in split(rows, parts_of)), end="\n\n")


if __name__ == "__main__":
    run_script(main, __doc__)
