"""Draw sentences of running text for teachers to label: one per line, none twice.

python recipes/en/sample.py CORPORA TEXT [NAME=WORDS...] > sentences.txt

CORPORA is the directory of the labeled corpora. TEXT is a directory of files
NAME.txt.xz with a paragraph per line. NAME=WORDS sets how many words of a file are
drawn. Sentences are tokenized; words with a hyphen are split in half of the paragraphs.
Some sentences are written in capitals, in lower case or like headlines, and some short
ones become items of a list. Sentences that share eight words in a row with a dev set
are left out.
"""

import lzma
import random
import re
import sys
from itertools import chain, pairwise
from pathlib import Path

import numpy as np
from teacher.corpora import DEV, read

from senna_py.cli.scripts import run_script
from senna_py.errors import SennaError
from senna_py.text.sentences import sentence_indices
from senna_py.text.treebank import treebank_ranges

# Words of each file, by genre: mail, posts, reviews, questions, news and speeches,
# encyclopedia.
WORDS = {
    "web_enron": 1_200_000,
    "web_20newsgroups": 1_000_000,
    "web_usgov_blogs": 500_000,
    "web_airbnb": 600_000,
    "web_hu_liu_reviews": 100_000,
    "web_mozilla_support": 500_000,
    "web_stackexchange": 300_000,
    "news_allsides": 1_000_000,
    "news_bbc_foreign": 500_000,
    "nltk_abc_speeches": 300_000,
    "enwiki_core": 600_000,
    "enwiki_2014_tail": 400_000,
}
SHORTEST, LONGEST = 2, 70
SHARED = 8  # words in a row
PARAGRAPHS = 2000  # that are tokenized at once
MARKS = ["-", "*", "1.", "2.", "3)", "a)", "•"]
SMALL = {
    "a",
    "an",
    "and",
    "as",
    "at",
    "but",
    "by",
    "for",
    "from",
    "in",
    "into",
    "of",
    "off",
    "on",
    "or",
    "out",
    "over",
    "per",
    "the",
    "to",
    "up",
    "via",
    "vs",
    "with",
}


def rows_of_words(words):
    """Return each eight words in a row as a str, with letters and digits only."""
    words = re.findall(r"[^\W_]+", " ".join(words).lower())
    return (" ".join(words[i : i + SHARED]) for i in range(len(words) - SHARED + 1))


def sentences(paragraphs, split_hyphens):
    """Yield the sentences of paragraphs as lists of str."""
    data = "\n".join(paragraphs).encode()
    begin, end = treebank_ranges(data, split_hyphens)
    newlines = np.flatnonzero(np.frombuffer(data, np.uint8) == ord("\n"))
    starts = np.unique(np.append(np.searchsorted(begin, newlines), [0, len(begin)]))
    tokens = [
        data[i:j].decode() for i, j in zip(begin.tolist(), end.tolist(), strict=True)
    ]
    for a, b in pairwise(
        [*sentence_indices(data, begin, end, starts).tolist(), len(tokens)]
    ):
        yield tokens[a:b]


def headline(words):
    """Return the sentence with a headline's capitals, and without its last full stop."""
    words = words[:-1] if words[-1] == "." else words
    return [
        w if n and w in SMALL else w[:1].upper() + w[1:] for n, w in enumerate(words)
    ]


def rewritten(words, rng):
    """Return the sentence, in most cases unchanged."""
    chance, is_short = rng.random(), len(words) <= 14
    if chance < 0.03:
        return [w.upper() for w in words]
    if chance < 0.07:
        return [w.lower() for w in words]
    if chance < 0.11 and is_short:
        return headline(words)
    return [rng.choice(MARKS), *words] if chance < 0.14 and is_short else words


def is_text(words):
    """Return whether a sentence has a usual length and letters in half of its words."""
    n_words = sum(any(map(str.isalpha, w)) for w in words)
    return SHORTEST <= len(words) <= LONGEST and 2 * n_words >= len(words)


def draw(path, n_words, known, rng):
    """Yield about `n_words` words of a file, as sentences that are lists of str.

    `known` has the rows of words of dev; see rows_of_words.
    """
    with lzma.open(path, "rt", encoding="utf-8") as file:
        paragraphs = file.read().splitlines()
    rng.shuffle(paragraphs)
    for first in range(0, len(paragraphs), PARAGRAPHS):
        split_hyphens = first // PARAGRAPHS % 2 == 1
        for words in sentences(paragraphs[first : first + PARAGRAPHS], split_hyphens):
            if is_text(words) and known.isdisjoint(rows_of_words(words)):
                yield rewritten(words, rng)
                n_words -= len(words)
                if n_words <= 0:
                    return


def amounts_of(words):
    """Return {name: number of words} as given by NAME=WORDS."""
    found = {}
    for each in words:
        name, _, number = each.partition("=")
        if not (name and number.isdecimal()):
            raise SennaError(f"{each}: expected NAME=WORDS, such as web_enron=1000")
        found[name] = int(number)
    return found


def main(corpora, text, *words):
    """Print the sentences."""
    amounts = amounts_of(words) or WORDS
    rng = random.Random(5)
    dev = [s.words for s in read(DEV, corpora)]
    known = {
        row
        for words in [*dev, chain.from_iterable(dev)]
        for row in rows_of_words(words)
    }
    drawn = []
    for name, n_words in amounts.items():
        path = Path(text) / f"{name}.txt.xz"
        drawn += [" ".join(words) for words in draw(path, n_words, known, rng)]
    lines = list(dict.fromkeys(drawn))
    rng.shuffle(lines)
    sys.stdout.reconfigure(encoding="utf-8")
    sys.stdout.writelines(f"{line}\n" for line in lines)


if __name__ == "__main__":
    run_script(main, __doc__)
