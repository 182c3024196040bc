"""Tokens of a treebank's training text and of more text, a sentence per line.

python recipes/ud/text.py TOKENIZER TRAIN.conllu|TRAIN.ner|TEXT.txt... > tokens.txt

TOKENIZER: the one of the language, or `unicode`; it is for .txt files, of which each line is a
paragraph. Of all others the tokens are those of the file.
"""

import sys
from itertools import pairwise

from senna_py.formats.layouts import LayoutFile, layout_of
from senna_py.text.tokens import Tokenizer
from senna_py.text.vocabulary import Vocabulary


def of_text(path, kind):
    """Yield the sentences of running text."""
    tokenizer = Tokenizer(Vocabulary.from_keys(["PADDING", "UNKNOWN"]), kind)
    with open(path, encoding="utf-8") as file:
        for line in file:
            tokens = tokenizer.document(line)
            for begin, end in pairwise(tokens.starts.tolist()):
                yield [tokens.text(i) for i in range(begin, end)]


def of_columns(path):
    """Yield the sentences of a labelled file."""
    layout = layout_of(path, "") or "conll2002"
    for sentence in LayoutFile(path, layout, ["word"], "tokens"):
        if sentence.columns[0] != ["-DOCSTART-"]:
            yield sentence.columns[0]


def main(kind, *paths):
    """Print the sentences of all files."""
    for path in paths:
        for sentence in of_text(path, kind) if path.endswith(".txt") else of_columns(path):
            print(" ".join(token.replace(" ", "_") for token in sentence))


if __name__ == "__main__":
    main(*sys.argv[1:])
