"""Soft labels: for each word a share for each of some labels, such as another model's
posteriors.

In files they are `NN:0.93,NNP:0.07`, or for trees `S/4:0.93,NP/1:0.99`, the
constituents that begin there with their lengths, as `formats.probabilities` prints
them.
"""

import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from senna_py.networks.batch import ranges

# Labels may have commas and colons themselves, as those of punctuation in the Penn
# Treebank.
_SHARE = re.compile(r"(.+?):([0-9]*\.?[0-9]+(?:[eE][-+]?[0-9]+)?)(?:,|$)")
_ROUNDING = (
    0.05  # how far from 1 a sum of shares may be: they may be told in steps of 0.04
)


def parse_shares(text: str) -> tuple[tuple[str, float], ...]:
    """Pairs (label, share) of one word, whose shares add up to 1.

    Raises ValueError, which says what is wrong: no such pairs, a label that comes
    twice, or shares that do not add up to 1 (0.95 to 1.05).
    """
    shares = _pairs(text, "labels such as NN:0.93,NNP:0.07")
    total = sum(shares.values())
    if not abs(total - 1) <= _ROUNDING:
        raise ValueError(f"the probabilities of {text!r} add up to {total:g}, not to 1")
    return tuple((label, share / total) for label, share in shares.items() if share > 0)


def parse_constituents(text: str) -> tuple[tuple[str, int, float], ...]:
    """Triples (label, length, share) of the constituents that begin with one word.

    Raises ValueError, which says what is wrong: none of these, one that comes twice, or
    probabilities of a length that add up to more than 1 (1.05).
    """
    if text == "-":
        return ()
    what = "constituents such as NP/2:0.93 or -"
    found, totals = [], dict[int, float]()
    for name, share in _pairs(text, what).items():
        label, _, length = name.rpartition("/")
        if not (all(label.split("(")) and length.isdecimal() and int(length)):
            raise ValueError(f"expected {what}, found {name!r}")
        found.append((sys.intern(label), int(length), share))
        totals[int(length)] = totals.get(int(length), 0.0) + share
    if over := next(
        (n for n, total in totals.items() if not total <= 1 + _ROUNDING), None
    ):
        raise ValueError(
            f"the probabilities of length {over} of {text!r} add up to {totals[over]:g}"
        )
    return tuple(
        (label, n, share / max(totals[n], 1)) for label, n, share in found if share > 0
    )


def _pairs(text, what):
    """Shares by label of one cell; what: is expected there."""
    shares, end = {}, 0
    while match := _SHARE.match(text, end):
        label, share = match.groups()
        if label in shares:
            raise ValueError(f"the label {label} occurs twice in {text!r}")
        shares[label], end = float(share), match.end()
    if end < len(text) or not shares or text.endswith(","):
        raise ValueError(f"expected probabilities of {what}, found {text!r}")
    return shares


class SoftTags(list):
    """The likeliest tags of words, list of str; shares: a tuple of pairs (label, share)
    of each.
    """

    def __init__(self, shares: Iterable[Any]) -> None:
        """Of several labels with the largest probability, the first is taken."""
        super().__init__(max(word, key=lambda pair: pair[1])[0] for word in shares)
        self.shares = shares


@dataclass
class SoftLabels:
    """Probabilities of the labels of many words, or of many rows of roles.

    begin: int64[n_words + 1], word i has the elements `begin[i]:begin[i + 1]` of label:
    int32[n], indices, and share: float32[n].
    """

    begin: np.ndarray
    label: np.ndarray
    share: np.ndarray

    @classmethod
    def make(
        cls, sequences: Iterable[Sequence[str]], index: Mapping[str, int]
    ) -> "SoftLabels":
        """Those of sequences of tags, of which some are SoftTags; a hard tag has the
        share 1.

        index: of each label. Other labels are read as the first.
        """
        words = list[Any]()
        for tags in sequences:
            words += (
                tags.shares
                if isinstance(tags, SoftTags)
                else [((tag, 1.0),) for tag in tags]
            )
        begin = np.append(
            0, np.cumsum([len(shares) for shares in words], dtype=np.int64)
        )
        pairs = [pair for shares in words for pair in shares]
        label = np.array([index.get(label, 0) for label, _ in pairs], np.int32)
        return cls(begin, label, np.array([share for _, share in pairs], np.float32))

    def take(self, words: np.ndarray) -> "SoftLabels":
        """Those of some words: int64[n]."""
        first, last = self.begin[words], self.begin[words + 1]
        chosen, begin = ranges(first, last), np.append(0, np.cumsum(last - first))
        return SoftLabels(begin, self.label[chosen], self.share[chosen])

    def dense(self, n_labels: int) -> np.ndarray:
        """Probabilities of all labels: float32[n_words, n_labels]."""
        out = np.zeros((len(self.begin) - 1, n_labels), np.float32)
        word = np.repeat(np.arange(len(out)), np.diff(self.begin))
        np.add.at(out, (word, self.label), self.share)
        return out
