"""How words are written inside sentences, as a file of word classes for senna-train.

python recipes/en/casing.py TEXT... > CORPORA/classes/casing.tsv

TEXT is files of running text, with a paragraph per line, which may be compressed. The
first word of a sentence and words after a quote or a bracket do not count, and neither
do lines in which most words have a capital. Words that are seen at least ten times have
these classes:

    upper    most occurrences are in capitals
    lower, seldom, mixed, often, capital    under 3, 25, 60, 90 and 100% begin with one
"""

from collections import Counter
from itertools import pairwise

import numpy as np

from senna_py.cli.scripts import run_script
from senna_py.io.streaming import Source, read_batches
from senna_py.text.sentences import sentence_indices
from senna_py.text.treebank import treebank_ranges

LEAST = 10
SHARES = {"lower": 0.03, "seldom": 0.25, "mixed": 0.6, "often": 0.9, "capital": 1.01}
OPENING = set("\"'`([{:-") | {"``", "''", "--"}
LOWER, CAPITAL, UPPER = range(3)


def writing(word):
    """Return which of the three spellings a word has, or None if it is not a word."""
    if not word[0].isalpha():
        return None
    if word.islower():
        return LOWER
    return UPPER if len(word) > 1 and word.isupper() else CAPITAL


def count_batch(data, counts):
    """Count the words of some lines (bytes) in `counts`: {(word, spelling): number}."""
    begin, end = treebank_ranges(data)
    newlines = np.flatnonzero(np.frombuffer(data, np.uint8) == ord("\n"))
    starts = np.unique(np.append(np.searchsorted(begin, newlines), [0, len(begin)]))
    first = set(sentence_indices(data, begin, end, starts).tolist())
    tokens = [
        data[i:j].decode("utf-8", "replace") for i, j in zip(begin, end, strict=True)
    ]
    ways = [writing(token) for token in tokens]
    for a, b in pairwise(starts.tolist()):
        n_words = sum(way is not None for way in ways[a:b])
        if sum(way in (CAPITAL, UPPER) for way in ways[a:b]) > 0.6 * n_words:
            continue
        for i in range(a + 1, b):
            if ways[i] is not None and i not in first and tokens[i - 1] not in OPENING:
                counts[tokens[i].lower(), ways[i]] += 1


def word_class(lower, capital, upper):
    """Return the class of a word, given how often it has each spelling."""
    total = lower + capital + upper
    if upper > 0.6 * total:
        return "upper"
    return next(
        name for name, share in SHARES.items() if (capital + upper) / total < share
    )


def main(*paths):
    """Print the classes of the words of some files."""
    counts = Counter()
    for path in paths:
        with Source(path) as source:
            for data in read_batches(source):
                count_batch(data, counts)
    for word in sorted({word for word, _ in counts}):
        seen = [counts[word, way] for way in (LOWER, CAPITAL, UPPER)]
        if sum(seen) >= LEAST:
            print(word_class(*seen), word, sum(seen), sep="\t")


if __name__ == "__main__":
    run_script(main, __doc__)
