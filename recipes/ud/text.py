"""Tokens of a treebank's training text and of more text, a sentence per line.

python recipes/ud/text.py TOKENIZER TRAIN.conllu|ner.train|TEXT... > tokens.txt

TOKENIZER is the tokenizer of the language, or `unicode`. It is used for running text,
of which each line is a paragraph, and knows the abbreviations of the .conllu files. The
.conllu files and ner.train have tokens already, which are kept. Sentences with tokens
of several words are printed twice, as tokens and as words.
"""

from itertools import pairwise
from pathlib import Path

from senna_py.cli.scripts import run_script
from senna_py.corpora.conll import DOCUMENT_MARK
from senna_py.corpora.conllu import MULTIWORDS, ConlluFile, is_conllu
from senna_py.corpora.layout_files import LayoutFile
from senna_py.corpora.layouts import layout_of
from senna_py.errors import SennaError
from senna_py.text.learning import learn_abbreviations
from senna_py.text.tokenizer import Tokenizer
from senna_py.text.vocabulary import Vocabulary


def of_text(path, tokenizer):
    """Yield the sentences of running text."""
    try:
        with open(path, encoding="utf-8") as file:
            for line in file:
                tokens = tokenizer.document(line)
                for begin, end in pairwise(tokens.starts.tolist()):
                    yield [tokens.text(i) for i in range(begin, end)]
    except (OSError, UnicodeDecodeError) as error:
        raise SennaError(
            f"{path}: {getattr(error, 'strerror', None) or error}"
        ) from None


def of_columns(path, layout):
    """Yield the sentences of a labeled file."""
    ways = [LayoutFile(path, layout, ["word"], how) for how in MULTIWORDS]
    for words, tokens in zip(*ways, strict=True):
        if words.columns[0] != [DOCUMENT_MARK]:
            yield words.columns[0]
            if tokens.columns != words.columns:
                yield tokens.columns[0]


def main(kind, first, *others):
    """Print the sentences of all files."""
    paths = first, *others
    treebanks = (
        each for path in paths if is_conllu(path) for each in ConlluFile(path, "tokens")
    )
    words = Vocabulary.from_keys(["PADDING", "UNKNOWN"])
    own = learn_abbreviations(Tokenizer(words, kind), treebanks)
    tokenizer = Tokenizer(words, kind, own)
    for path in paths:
        layout = "conll2002" if Path(path).name == "ner.train" else layout_of(path, "")
        for sentence in (
            of_columns(path, layout) if layout else of_text(path, tokenizer)
        ):
            print(" ".join(token.replace(" ", "_") for token in sentence))


if __name__ == "__main__":
    run_script(main, __doc__)
