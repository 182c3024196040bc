"""Soft labels: a distribution over labels for each word, such as a model's output.

Files have cells such as `NN:0.93,NNP:0.07`. For trees, a cell lists the constituents
that begin at the word, with their lengths: `S/4:0.93,NP/1:0.99`. The module
`formats.probabilities` writes both.
"""

import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from senna_py.networks.batch import ranges

# Labels may contain commas and colons, as do the tags of punctuation in the Penn
# Treebank.
_SHARE = re.compile(r"(.+?):([0-9]*\.?[0-9]+(?:[eE][-+]?[0-9]+)?)(?:,|$)")
# The largest deviation of a sum of probabilities from 1, because of rounding.
_ROUNDING = 0.05


def parse_shares(text: str) -> tuple[tuple[str, float], ...]:
    """Parse the labels of one word and their probabilities.

    Returns:
        Pairs of a label and its probability, without labels of probability 0. The
        probabilities are normalized to sum to 1.

    Raises:
        ValueError: If the text has no labels, a label occurs twice, or the
            probabilities do not sum to 1 within 0.05. The message names the problem.
    """
    shares = _pairs(text, "labels such as NN:0.93,NNP:0.07")
    total = sum(shares.values())
    if not abs(total - 1) <= _ROUNDING:
        raise ValueError(f"the probabilities of {text!r} add up to {total:g}, not to 1")
    return tuple((label, share / total) for label, share in shares.items() if share > 0)


def parse_constituents(text: str) -> tuple[tuple[str, int, float], ...]:
    """Parse the constituents that begin at a word; `-` means none.

    Returns:
        A tuple (label, length in words, probability) for each constituent, without
        constituents of probability 0. Probabilities of one length that sum to more than
        1 are normalized to sum to 1.

    Raises:
        ValueError: If the text is malformed, a constituent occurs twice, or the
            probabilities of one length sum to more than 1.05. The message names the
            problem.
    """
    if text == "-":
        return ()
    what = "constituents such as NP/2:0.93 or -"
    constituents: list[tuple[str, int, float]] = []
    totals: dict[int, float] = {}
    for name, share in _pairs(text, what).items():
        label, _, length = name.rpartition("/")
        if not (all(label.split("(")) and length.isdecimal() and int(length)):
            raise ValueError(f"expected {what}, found {name!r}")
        constituents.append((sys.intern(label), int(length), share))
        totals[int(length)] = totals.get(int(length), 0.0) + share
    for n_words, total in totals.items():
        if not total <= 1 + _ROUNDING:
            raise ValueError(
                f"the probabilities of length {n_words} of {text!r} add up to {total:g}"
            )
    return tuple(
        (label, n_words, share / max(totals[n_words], 1))
        for label, n_words, share in constituents
        if share > 0
    )


def _pairs(text: str, what: str) -> dict[str, float]:
    """Parse the probabilities of a cell, by label; `what` is for error messages.

    Raises ValueError if the text is malformed or a label occurs twice.
    """
    shares: dict[str, float] = {}
    end = 0
    while match := _SHARE.match(text, end):
        label, share = match.groups()
        if label in shares:
            raise ValueError(f"the label {label} occurs twice in {text!r}")
        shares[label], end = float(share), match.end()
    if end < len(text) or not shares or text.endswith(","):
        raise ValueError(f"expected probabilities of {what}, found {text!r}")
    return shares


Shares = Sequence[tuple[str, float]]  # The labels of a word with their probabilities.


class SoftTags(list[str]):
    """The most probable tag of each word of a sentence, with all probabilities.

    Attributes:
        shares: For each word, its labels with their probabilities.
    """

    def __init__(self, shares: Sequence[Shares]) -> None:
        """Choose the most probable label of each word; ties go to the first label."""
        super().__init__(max(word, key=lambda pair: pair[1])[0] for word in shares)
        self.shares = shares


@dataclass
class SoftLabels:
    """Sparse distributions over labels, one for each word (or row of a role sequence).

    Word i has the elements `begin[i]:begin[i + 1]` of `label` and `share`.

    Attributes:
        begin: int64[n_words + 1], the offset of the first element of each word, and
            the number of elements.
        label: int32[n], the index of each label.
        share: float32[n], the probability of each label.
    """

    begin: NDArray[np.int64]
    label: NDArray[np.int32]
    share: NDArray[np.float32]

    @classmethod
    def make(
        cls, sequences: Iterable[list[str]], index: Mapping[str, int]
    ) -> "SoftLabels":
        """Concatenate the distributions of sequences of tags.

        Args:
            sequences: The sequences. In those that are not SoftTags, each tag has
                probability 1.
            index: The index of each label.
        """
        words: list[Shares] = []
        for tags in sequences:
            if isinstance(tags, SoftTags):
                words += tags.shares
            else:
                words += [((tag, 1.0),) for tag in tags]
        lengths = [len(shares) for shares in words]
        begin = np.append(0, np.cumsum(lengths, dtype=np.int64))
        pairs = [pair for shares in words for pair in shares]
        label = np.array([index[label] for label, _ in pairs], np.int32)
        return cls(begin, label, np.array([share for _, share in pairs], np.float32))

    def take(self, words: NDArray[np.int64]) -> "SoftLabels":
        """Return the distributions of the words with the given indices, int64[n]."""
        first, last = self.begin[words], self.begin[words + 1]
        chosen, begin = ranges(first, last), np.append(0, np.cumsum(last - first))
        return SoftLabels(begin, self.label[chosen], self.share[chosen])

    def dense(self, n_labels: int) -> NDArray[np.float32]:
        """Return the distributions as a dense matrix, float32[n_words, n_labels]."""
        dense = np.zeros((len(self.begin) - 1, n_labels), np.float32)
        word = np.repeat(np.arange(len(dense)), np.diff(self.begin))
        np.add.at(dense, (word, self.label), self.share)
        return dense
