"""Draw the character n-grams of a character-aware language model (Kim et al., Figure 2).

    python recipes/paper/ngrams.py models/characters/english.lm ngrams.png

The n-grams are those that at least two words share, up to the width of the filters. The
picture shows the output of the convolution for each of them, on the two axes of greatest
variance. Prefixes, suffixes, n-grams with a hyphen and others differ in color. The
script needs matplotlib.
"""

import argparse
from collections import Counter
from itertools import pairwise

import numpy as np

from senna_py.errors import SennaError
from senna_py.lm.lstm.lexicon import PADDING, WORD_END, WORD_START
from senna_py.lm.lstm.word_vectors import open_speller
from senna_py.lm.word_list import SPECIAL
from senna_py.training.plots import check_plotting, new_figure, save_figure

KINDS = {
    "other": "0.75",
    "prefix": "tab:red",
    "suffix": "tab:blue",
    "hyphenated": "tab:orange",
}
_LEAST_WORDS = 2
_AT_ONCE = 4096


def ngrams_of(alphabet, words, longest):
    """Return the n-grams that occur in two words or more.

    They are a sorted list of tuples of character indices. The marks of the start and the
    end of a word are characters, but not n-grams by themselves. `alphabet` is an Alphabet,
    and `words` a list of str, in which marks are passed over.
    """
    found = Counter()
    characters, starts = alphabet.spell([w for w in words if w not in SPECIAL], 0)
    characters = characters.tolist()
    for a, b in pairwise(starts.tolist()):
        lengths = range(1, longest + 1)
        found.update(
            {tuple(characters[i : i + n]) for n in lengths for i in range(a, b - n + 1)}
        )
    enough = {ngram for ngram, count in found.items() if count >= _LEAST_WORDS}
    return sorted(enough - {(WORD_START,), (WORD_END,)})


def kind_of(ngram, alphabet):
    """Return one of KINDS; any n-gram with a hyphen is hyphenated."""
    n = alphabet.n_special
    if any(i >= n and alphabet.characters[i - n] == "-" for i in ngram):
        return "hyphenated"
    if ngram[0] == WORD_START:
        return "prefix"
    return "suffix" if ngram[-1] == WORD_END else "other"


def ngram_vectors(convolution, ngrams):
    """Return the output of a Convolution for n-grams: float32[n, n_filters].

    N-grams are padded like words.
    """
    widest = max(map(len, convolution.weights))
    width = widest + max(map(len, ngrams))
    rows = np.full((len(ngrams), width), PADDING, np.int32)
    for row, ngram in zip(rows, ngrams, strict=True):
        row[: len(ngram)] = ngram
    parts = [rows[i : i + _AT_ONCE] for i in range(0, len(rows), _AT_ONCE)]
    starts = width * np.arange(_AT_ONCE + 1)
    found = [
        convolution.forward(part.reshape(-1), starts[: len(part) + 1])[0]
        for part in parts
    ]
    return np.concatenate(found)


def principal_components(vectors):
    """Project vectors, float[n, dim], on two axes of most variance: float64[n, 2]."""
    centred = vectors.astype(np.float64)
    centred -= centred.mean(axis=0)
    _, axes = np.linalg.eigh(centred.T @ centred)  # the least variance first
    return centred @ axes[:, ::-1][:, :2]


def draw_ngrams(model, path):
    """Draw the n-grams of the words of a model to `path`; return how many of each sort.

    Args:
        model: An LstmModel that reads characters.
        path: The picture.

    Raises:
        SennaError: If words have no n-grams in common.
    """
    figure, alphabet = new_figure(), model.lexicon.alphabet
    ngrams = ngrams_of(alphabet, model.word_list.words, model.shape.widths)
    if len(ngrams) < 2:
        raise SennaError("the model's words have no n-grams in common")
    if model.shape.n_features < 2:
        raise SennaError("the model has one filter: nothing to draw in two dimensions")
    points = principal_components(
        ngram_vectors(model.network.inputs.convolution, ngrams)
    )
    kinds = np.array([kind_of(ngram, alphabet) for ngram in ngrams])
    axes = figure.add_subplot(xticks=[], yticks=[])
    for kind, colour in KINDS.items():
        axes.scatter(*points[kinds == kind].T, s=2, c=colour, label=kind, linewidths=0)
    axes.legend(markerscale=4)
    save_figure(figure, path)
    return {kind: int((kinds == kind).sum()) for kind in KINDS}


def main():
    """Draw the n-grams, and print how many of each sort there are."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model")
    parser.add_argument("picture")
    options = parser.parse_args()
    try:
        check_plotting(options.picture)
        counts = draw_ngrams(
            open_speller(options.model, after=False).model, options.picture
        )
        print(", ".join(f"{count:,} {kind}" for kind, count in counts.items()))
    except SennaError as error:
        parser.exit(error.exit_code, f"{error}\n")


if __name__ == "__main__":
    main()
