"""Sentences of running text, drawn at random: tokenised, one a line, none twice.

python recipes/en/sample.py CORPUS NAME=WORDS... > sentences.txt

CORPUS is the tokenised text of a run of `vectors train skipgram`, its directory `corpus`; NAME a
file that it was made of, without `.txt.xz`; WORDS how many to draw.
"""

import sys
from pathlib import Path

import numpy as np

from senna_py.lm.text.corpus import open_corpus

SHORTEST, LONGEST = 3, 60


def draw(corpus, wanted, rng):
    """Sentences of a Corpus in random order, as lists of str; wanted: {name: words}."""
    begin, length, file = corpus.sentences("train", SHORTEST, LONGEST)
    chosen = []
    for number, (path, *_) in enumerate(corpus.info["files"]):
        if n_words := wanted.get(Path(path).name.split(".")[0]):
            rows = rng.permutation(np.flatnonzero(file == number))
            chosen.append(rows[np.cumsum(length[rows]) <= n_words])
    for row in rng.permutation(np.concatenate(chosen)):
        yield [corpus.words[i] for i in corpus.train[begin[row] : begin[row] + length[row]]]


def main(corpus, *shares):
    """Print the sentences."""
    wanted = {name: int(words) for name, _, words in (share.partition("=") for share in shares)}
    corpus = open_corpus(corpus, "form")
    names = {Path(path).name.split(".")[0] for path, *_ in corpus.info["files"]}
    if unknown := sorted(set(wanted) - names):
        sys.exit(f"{corpus.path}: no file {unknown[0]}; there are {', '.join(sorted(names))}")
    lines = (" ".join(words) for words in draw(corpus, wanted, np.random.default_rng(5)))
    sys.stdout.reconfigure(encoding="utf-8", errors="surrogateescape")
    sys.stdout.writelines(f"{line}\n" for line in dict.fromkeys(lines))


if __name__ == "__main__":
    main(*sys.argv[1:])
