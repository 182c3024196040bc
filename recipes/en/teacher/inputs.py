"""What the network sees of sentences: pieces of words, how words are written, lists of names."""

import random
import re
from collections import Counter, defaultdict
from pathlib import Path
from typing import NamedTuple

import torch
from tokenizers import Tokenizer

N_SHAPES = 64
LISTS = ("location", "organisation", "person.first", "person.last", "misc")
N_NAMES = 2 * len(LISTS)  # of each list: whether a word is an entry, or in one of several words
_MOST_PIECES, _OF_WORD = 510, 6  # of a sentence, without its marks, and of a word
_BEGIN, _END, _UNKNOWN = 101, 102, 100  # marks of BERT's vocabulary


def shape_of(word):
    """How a word is written: `Rome` is Xx, `U.S.` X-X-, `G20` Xdd; longer runs are two."""
    shape = re.sub(r"[^\W\d_]", lambda m: "X" if m[0].isupper() else "x", word)
    shape = re.sub(r"\d", "d", re.sub(r"[^Xx\d]", "-", shape))
    return re.sub(r"(.)\1+", r"\1\1", shape)[:6]


def frequent_shapes(sentences):
    """Numbers of the frequent shapes; those of all others are 0."""
    counts = Counter(shape_of(word) for words in sentences for word in words)
    return {shape: n for n, (shape, _) in enumerate(counts.most_common(N_SHAPES - 1), 1)}


class Names:
    """Lists of names, in which words are found whatever their case."""

    def __init__(self, directory):
        """Read the files of a directory `gazetteers`."""
        self._entries, self._longest = defaultdict(int), Counter()
        for bit, name in enumerate(LISTS):
            for path in sorted(Path(directory).glob(f"{name}.*.txt")):
                for line in path.read_text(encoding="utf8").splitlines():
                    if words := tuple(line.lower().split()):
                        self._entries[words] |= 1 << bit
                        self._longest[words[0]] = max(self._longest[words[0]], len(words))

    def find(self, words):
        """Bits of each word: list of int, of which 2n and 2n + 1 are those of list n."""
        lower, found = tuple(word.lower() for word in words), [0] * len(words)
        for i, first in enumerate(lower):
            for length in range(min(self._longest.get(first, 0), len(lower) - i), 0, -1):
                lists = self._entries.get(lower[i : i + length], 0)
                for n in range(len(LISTS)):
                    if lists >> n & 1:
                        for k in range(i, i + length):
                            found[k] |= 1 << (2 * n + (length > 1))
        return found


class Seen(NamedTuple):
    """What is seen of a sentence.

    pieces; first, last: those of each word; shapes: as written, in lower and in upper case; names:
    bits of lists of names.
    """

    pieces: list
    first: list
    last: list
    shapes: tuple
    names: list


class Reader:
    """Makes Seen of words."""

    def __init__(self, encoder, names, shapes):
        """Prepare to read.

        encoder: directory of the encoder; names: Names; shapes: of frequent_shapes.
        """
        self._tokenizer = Tokenizer.from_file(f"{encoder}/tokenizer.json")
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()
        self._names, self._shapes, self._known = names, shapes, {}

    def __call__(self, words):
        pieces, first, last = [], [], []
        for word in words:
            mine = self._known.get(word)
            if mine is None:
                ids = self._tokenizer.encode(word, add_special_tokens=False).ids[:_OF_WORD]
                mine = self._known[word] = ids or [_UNKNOWN]
            first.append(min(len(pieces), _MOST_PIECES - 1) + 1)
            pieces += mine
            last.append(min(len(pieces), _MOST_PIECES))
        cases = words, [w.lower() for w in words], [w.upper() for w in words]
        shapes = tuple([self._shapes.get(shape_of(w), 0) for w in case] for case in cases)
        pieces = [_BEGIN, *pieces[:_MOST_PIECES], _END]
        return Seen(pieces, first, last, shapes, self._names.find(words))


class Batch(NamedTuple):
    """Sentences side by side; T: most pieces, N: most words.

    pieces: int64[B, T]; mask: bool[B, T]; word: int64[B, T], of each piece, 0 for marks, else 1 +
    its word; first, last: int64[B, N], pieces of words; shapes: int64[B, N]; names: float32[B, N,
    N_NAMES]; lengths: of the sentences.
    """

    pieces: torch.Tensor
    mask: torch.Tensor
    word: torch.Tensor
    first: torch.Tensor
    last: torch.Tensor
    shapes: torch.Tensor
    names: torch.Tensor
    lengths: list


def padded(rows, length, value=0):
    """int64[n, length] of lists."""
    return torch.tensor([row + [value] * (length - len(row)) for row in rows])


def make_batch(seen, rng=None):
    """Batch of a list of Seen.

    rng: a random.Random for training, which takes some sentences as all lower or upper case, and
    some without lists of names.
    """
    lengths = [len(s.first) for s in seen]
    most, n_words = max(len(s.pieces) for s in seen), max(lengths)
    case = [rng.choices((0, 1, 2), (0.92, 0.04, 0.04))[0] if rng else 0 for _ in seen]
    bits = padded([[0] * n if rng and rng.random() < 0.2 else s.names
                   for s, n in zip(seen, lengths, strict=True)], n_words)  # fmt: skip
    return Batch(
        padded([s.pieces for s in seen], most),
        padded([[1] * len(s.pieces) for s in seen], most).bool(),
        padded([_words_of_pieces(s) for s in seen], most),
        padded([s.first for s in seen], n_words),
        padded([s.last for s in seen], n_words),
        padded([s.shapes[c] for s, c in zip(seen, case, strict=True)], n_words),
        (bits[..., None] >> torch.arange(N_NAMES) & 1).float(),
        lengths,
    )


def _words_of_pieces(seen):
    found = [0] * len(seen.pieces)
    for word, (a, b) in enumerate(zip(seen.first, seen.last, strict=True), 1):
        found[a : b + 1] = [word] * (b + 1 - a)
    return found


def batches_of(lengths, most, rng=None):
    """Numbers of sentences of each batch, sentences of like length together.

    lengths: pieces of each sentence; most: pieces of a batch; rng: to shuffle, or None.
    """
    order = list(range(len(lengths)))
    if rng:
        rng.shuffle(order)
    found, pool = [], 1500 if rng else len(order)
    for start in range(0, len(order), pool):
        rows = sorted(order[start : start + pool], key=lengths.__getitem__)
        batch = []
        for row in rows:
            if batch and (len(batch) + 1) * lengths[row] > most:
                found.append(batch)
                batch = []
            batch.append(row)
        found.append(batch)
    if rng:
        rng.shuffle(found)
    return found


def random_of(*numbers):
    """A random.Random of some numbers."""
    return random.Random(" ".join(map(str, numbers)))
