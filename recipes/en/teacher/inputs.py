"""What the network sees of sentences: pieces and spelling of words, and lists of names."""

import re
from collections import Counter, defaultdict
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import mpnet
import numpy as np
import torch
from tokenizers import Tokenizer

N_SHAPES = 64
LISTS = ("location", "organisation", "person.first", "person.last", "misc")
# Of each list: whether a word is an entry, or in one of several words.
N_NAMES = 2 * len(LISTS)
MOST_PIECES, OF_WORD = 510, 6  # of a sentence, without its marks, and of a word
POOL = 20_000  # sentences that are sorted by length at once


def shape_of(word):
    """Return how a word is written: `Rome` is Xx, `U.S.` X-X-, `G20` Xdd.

    Runs of more than two equal characters count as two.
    """
    shape = re.sub(r"[^\W\d_]", lambda m: "X" if m[0].isupper() else "x", word)
    shape = re.sub(r"\d", "d", re.sub(r"[^Xx\d]", "-", shape))
    return re.sub(r"(.)\1+", r"\1\1", shape)[:6]


def frequent_shapes(sentences):
    """Return the numbers of the frequent shapes; all other shapes have the number 0."""
    counts = Counter(shape_of(word) for words in sentences for word in words)
    return {
        shape: n for n, (shape, _) in enumerate(counts.most_common(N_SHAPES - 1), 1)
    }


class Names:
    """Lists of names, in which words are looked up in any case."""

    def __init__(self, directory):
        """Read the files of a directory `gazetteers`."""
        self._entries, self._longest = defaultdict(int), Counter()
        for bit, name in enumerate(LISTS):
            for path in sorted(Path(directory).glob(f"{name}.*.txt")):
                for line in path.read_text(encoding="utf8").splitlines():
                    if words := tuple(line.lower().split()):
                        self._entries[words] |= 1 << bit
                        self._longest[words[0]] = max(
                            self._longest[words[0]], len(words)
                        )

    def find(self, words):
        """Return the bits of each word, as lists of int; list n has the bits 2n and 2n
        + 1.
        """
        lower, found = tuple(word.lower() for word in words), [0] * len(words)
        for i, first in enumerate(lower):
            for length in range(
                min(self._longest.get(first, 0), len(lower) - i), 0, -1
            ):
                lists = self._entries.get(lower[i : i + length], 0)
                for n in range(len(LISTS)):
                    if lists >> n & 1:
                        for k in range(i, i + length):
                            found[k] |= 1 << (2 * n + (length > 1))
        return found


class Reader:
    """Looks up pieces, shapes and names of words."""

    def __init__(self, encoder, names, shapes):
        """Prepare to read.

        encoder: the directory of the encoder
        names: Names
        shapes: the result of frequent_shapes
        """
        self._tokenizer = Tokenizer.from_file(f"{encoder}/tokenizer.json")
        # of words: the file has sentences of a length in mind
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()
        self._unknown = self._tokenizer.token_to_id("[UNK]")
        self._names, self._shapes, self._known = names, shapes, {}

    def _word(self, word):
        """Return the pieces of a word, and its shapes as written, in lower and in upper
        case.
        """
        found = self._known.get(word)
        if found is None:
            pieces = self._tokenizer.encode(word, add_special_tokens=False).ids[
                :OF_WORD
            ]
            cases = word, word.lower(), word.upper()
            shapes = [self._shapes.get(shape_of(case), 0) for case in cases]
            found = self._known[word] = pieces or [self._unknown], shapes
        return found

    def __call__(self, words):
        """Return what the network sees of a sentence.

        These are the pieces; the word of each piece, 0 for marks; and for each word its first
        and last piece, its shapes, and its bits of lists of names.
        """
        pieces, of, places, shapes = [], [], [], []
        for number, word in enumerate(words, 1):
            mine, its = self._word(word)
            first = min(len(pieces), MOST_PIECES - 1) + 1
            pieces += mine
            of += [number] * len(mine)
            places.append((first, min(len(pieces), MOST_PIECES)))
            shapes.append(its)
        pieces = [mpnet.BEGIN, *pieces[:MOST_PIECES], mpnet.END]
        return (
            pieces,
            [0, *of[:MOST_PIECES], 0],
            places,
            shapes,
            self._names.find(words),
        )


class Ragged:
    """Rows of different lengths, one after the other."""

    def __init__(self, lengths):
        """Take the lengths of the rows."""
        self.length = np.asarray(lengths, np.int64)
        self.begin = np.cumsum(self.length) - self.length

    def entries(self, rows):
        """Return, for each entry of some rows, its row among them, its place, and its
        number.
        """
        n = self.length[rows]
        of = np.repeat(np.arange(len(rows)), n)
        place = np.arange(len(of)) - np.repeat(np.cumsum(n) - n, n)
        return of, place, self.begin[rows][of] + place


class Batch(NamedTuple):
    """Sentences side by side; T is the largest number of pieces, N of words.

    pieces: int64[B, T]
    word: int64[B, T], for each piece 1 + the number of its word, or 0 for marks
    ends: int64[B, N, 2], the first and the last piece of words
    shapes: int64[B, N]
    names: float32[B, N, N_NAMES]
    mask: bool[B, N], where there is a word
    length: int64[B], the numbers of words
    """

    pieces: torch.Tensor
    word: torch.Tensor
    ends: torch.Tensor
    shapes: torch.Tensor
    names: torch.Tensor
    mask: torch.Tensor
    length: torch.Tensor


def put(array, dtype=torch.int64):
    """Return the array on the device that is used."""
    return torch.from_numpy(np.ascontiguousarray(array)).to(
        torch.get_default_device(), dtype
    )


class Inputs:
    """What the network reads of sentences, as arrays.

    words, pieces: Ragged, with a row per sentence
    """

    def __init__(self, sentences, read):
        """Read sentences, which are lists of str, with a Reader."""
        seen = [read(words) for words in sentences]
        self.words = Ragged([len(words) for words in sentences])
        self.pieces = Ragged([len(each[0]) for each in seen])
        self._arrays = [
            np.array(list(chain.from_iterable(each[k] for each in seen)), dtype)
            for k, dtype in enumerate(("u2", "u1", "u2", "u1", "u2"))
        ]

    def batch(self, rows, rng=None):
        """Return the Batch of some sentences.

        rng: a NumPy generator for training; some sentences are then read as all lower or upper
            case, and some without lists of names
        """
        of, place, at = self.words.entries(rows)
        n_words = int(self.words.length[rows].max())

        def padded(array, of=of, place=place, at=at, n=n_words, fill=0):
            out = np.full((len(rows), n, *array.shape[1:]), fill, np.int64)
            out[of, place] = array[at]
            return out

        pieces, word, ends, shapes, names = self._arrays
        of_pieces = (*self.pieces.entries(rows), int(self.pieces.length[rows].max()))
        case, hidden = np.zeros(len(rows), int), np.zeros(len(rows), bool)
        if rng:
            case = rng.choice(3, len(rows), p=(0.92, 0.04, 0.04))
            hidden = rng.random(len(rows)) < 0.2
        bits = padded(names) * ~hidden[:, None]
        return Batch(
            put(padded(pieces, *of_pieces, fill=mpnet.PAD)),
            put(padded(word, *of_pieces)),
            put(padded(ends)),
            put(padded(shapes)[np.arange(len(rows)), :, case]),
            put(bits[..., None] >> np.arange(N_NAMES) & 1, torch.float32),
            put(padded(np.ones(len(at)), at=slice(None)), torch.bool),
            put(self.words.length[rows]),
        )


def batches_of(lengths, most, rng=None):
    """Return the rows of each batch, with sentences of similar length together.

    lengths: the number of pieces of each sentence
    most: the largest number of pieces in a batch
    rng: a NumPy generator to shuffle the batches, or None
    """
    order = np.arange(len(lengths))
    if rng:
        rng.shuffle(order)
    found, pool = [], POOL if rng else len(order)
    for first in range(0, len(order), pool):
        rows = order[first : first + pool]
        rows = rows[np.argsort(lengths[rows], kind="stable")]
        begin = 0
        for end in range(1, len(rows) + 1):
            if end == len(rows) or (end + 1 - begin) * lengths[rows[end]] > most:
                found.append(rows[begin:end])
                begin = end
    if rng:
        rng.shuffle(found)
    return found
