"""Morphological features that go with universal parts of speech, in one convention.

Treebanks of English differ in what they say of some words, and a network that learned
from several of them mixes what they say. The English model follows the convention of UD
English EWT: adverbs have a degree if they compare by *-er* and *-est*, *you* and *your*
no number, imperatives and infinitives no person. `features.tsv` has the features that a
part of speech may have, from the training parts of UD English EWT and GUM, put in this
convention; `feature_words.tsv` has the feature that words of a part of speech have.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from senna_py.io.files import read_table

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from senna_py.text.tokens import Tokens

_NONE = "_"
_VERBS = "VERB", "AUX"


@cache
def _tables() -> tuple[dict[str, dict[str, str]], dict[tuple[str, str], str]]:
    """The features by part of speech, and the one of each word by its part of
    speech.
    """
    path = Path(__file__)
    words = {
        (upos, word): feature
        for upos, features in read_table(path.with_name("feature_words.tsv")).items()
        for feature, listed in features.items()
        for word in listed.split(" ")
    }
    return read_table(path.with_suffix(".tsv")), words


def in_convention(upos: str, feats: str) -> str:
    """Return the features of a word of a universal part of speech in the convention."""
    found = (
        dict(pair.split("=", 1) for pair in feats.split("|")) if feats != _NONE else {}
    )
    if upos == "ADV" and found.get("Degree") == "Pos":
        del found["Degree"]
    if upos == "PRON" and found.get("Person") == "2" and "Reflex" not in found:
        found.pop("Number", None)
    if upos in _VERBS and (
        found.get("Mood") == "Imp" or found.get("VerbForm") == "Inf"
    ):
        found.pop("Person", None)
    return _joined(found)


def are_known(feats: Iterable[str]) -> bool:
    """Return whether the convention knows all labels of a network of features."""
    known, _ = _tables()
    return all(
        any(in_convention(upos, name) in names for upos, names in known.items())
        for name in feats
    )


def _joined(features: dict[str, str]) -> str:
    pairs = sorted(features.items(), key=lambda pair: pair[0].lower())
    return "|".join(f"{name}={value}" for name, value in pairs) or _NONE


class FeatureRules:
    """What a network's features become beside universal parts of speech.

    allowed: bool[n_upos, n_feats], whether a word of a part of speech may have the
    features.
    """

    def __init__(self, upos: Sequence[str], feats: Sequence[str]) -> None:
        """Prepare the rules for two networks; upos, feats: the names of their
        labels.
        """
        known, self._words = _tables()
        self._upos, self._feats = upos, feats
        self._place = {name: i for i, name in enumerate(feats)}
        other = [[in_convention(tag, name) for name in feats] for tag in upos]
        pairs = zip(upos, other, strict=True)
        self.allowed = np.array(
            [[name in known.get(tag, ()) for name in row] for tag, row in pairs]
        )
        self.allowed[~self.allowed.any(axis=1)] = (
            True  # a part of speech that UD does not know
        )
        self._other = np.array(
            [[self._place.get(name, i) for i, name in enumerate(row)] for row in other],
            np.int32,
        )
        # The features that a list of words may change: none, or one of the same name.
        of_lists: dict[str, set[str]] = {}
        for (tag, _), feature in self._words.items():
            of_lists.setdefault(tag, {_NONE}).add(feature)
        self._listed = np.array(
            [[name in of_lists.get(tag, ()) for name in feats] for tag in upos]
        )

    def apply(
        self, labels: NDArray[np.int32], upos: NDArray[np.int32], tokens: Tokens
    ) -> NDArray[np.int32]:
        """Return labels of features, int32[n_tokens], in the convention; upos: beside
        these.
        """
        found = self._other[upos, labels]
        rows = np.flatnonzero(self._listed[upos, found])
        for row, word in zip(rows.tolist(), tokens.texts(rows), strict=True):
            key = self._upos[upos[row]], word.decode("utf-8", "replace").lower()
            if (feature := self._words.get(key)) in self._place:
                found[row] = self._place[feature]
        return found
