"""Normalization of morphological features, depending on universal parts of speech.

English treebanks disagree about the features of some words, and a network trained on
several of them reproduces the disagreement. The English model follows the convention of
UD English EWT: adverbs have a degree if they are compared with *-er* and *-est*, *you*
and *your* have no number, and imperatives and infinitives have no person.
`features.tsv` lists the features that each part of speech may have, which were taken
from the training sets of UD English EWT and GUM and put into this convention.
`feature_words.tsv` lists words whose part of speech determines a feature.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from senna_py.io.package_tables import read_table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from senna_py.text.tokens import Tokens

_NONE = "_"
_VERBS = "VERB", "AUX"
# The parts of speech for which `in_convention` has rules.
_WITH_RULES = "ADV", "PRON", *_VERBS


@cache
def _tables() -> tuple[dict[str, dict[str, str]], dict[tuple[str, str], str]]:
    """Return the tables of allowed features and of words.

    Returns:
        The features that each part of speech may have, as the keys of a dict by part of
        speech; and the feature of each listed word, by part of speech and word.
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
    """Return the features of a word, changed to follow the convention.

    Args:
        upos: The universal part of speech of the word.
        feats: The features, such as `Number=Plur`, or `_` for none.
    """
    values: dict[str, str] = {}
    if feats != _NONE:
        values = dict(pair.split("=", 1) for pair in feats.split("|"))
    if upos == "ADV" and values.get("Degree") == "Pos":
        del values["Degree"]
    if upos == "PRON" and values.get("Person") == "2" and "Reflex" not in values:
        values.pop("Number", None)
    is_verb = upos in _VERBS
    if is_verb and (values.get("Mood") == "Imp" or values.get("VerbForm") == "Inf"):
        values.pop("Person", None)
    return _joined(values)


class Convention:
    """The convention as a whole: `in_convention`, and the features of listed words."""

    def __init__(self) -> None:
        _, self._words = _tables()
        self._of_lists: dict[str, set[str]] = {}
        for (upos, _), feature in self._words.items():
            self._of_lists.setdefault(upos, {_NONE}).add(feature)

    def features(self, word: str, upos: str, feats: str) -> str:
        """Return the features of a word in the convention.

        Args:
            word: The word.
            upos: Its universal part of speech.
            feats: Its features in another convention.
        """
        feats = in_convention(upos, feats)
        if feats in self._of_lists.get(upos, ()):
            return self._words.get((upos, word.lower()), feats)
        return feats


@cache
def are_known(feats: tuple[str, ...]) -> bool:
    """Return whether the table of allowed features covers all labels of a network.

    It covers a label if, after `in_convention`, some part of speech may have it.

    Args:
        feats: The labels of a network for morphological features.
    """
    known, _ = _tables()
    return all(
        any(in_convention(upos, name) in names for upos, names in known.items())
        for name in feats
    )


def _joined(features: dict[str, str]) -> str:
    pairs = sorted(features.items(), key=lambda pair: pair[0].lower())
    return "|".join(f"{name}={value}" for name, value in pairs) or _NONE


class FeatureRules:
    """The rules that put predicted features into the convention."""

    def __init__(self, upos: Sequence[str], feats: Sequence[str]) -> None:
        """Prepare the rules from the names of the labels of two networks.

        Args:
            upos: The names of the universal parts of speech.
            feats: The names of the feature labels.
        """
        _, self._words = _tables()
        self._upos, self._feats = upos, feats
        self._place = {name: i for i, name in enumerate(feats)}
        # Most parts of speech have no rules of their own.
        usual = [in_convention(_NONE, name) for name in feats]
        other = [
            [in_convention(tag, name) for name in feats]
            if tag in _WITH_RULES
            else usual
            for tag in upos
        ]
        self._other = np.array(
            [[self._place.get(name, i) for i, name in enumerate(row)] for row in other],
            np.int32,
        )
        # The table of words changes only empty features, and features that it assigns.
        of_lists: dict[str, set[str]] = {}
        for (tag, _), feature in self._words.items():
            of_lists.setdefault(tag, {_NONE}).add(feature)
        self._listed = np.array(
            [[name in of_lists.get(tag, ()) for name in feats] for tag in upos]
        )

    def apply(
        self, labels: NDArray[np.int32], upos: NDArray[np.int32], tokens: Tokens
    ) -> NDArray[np.int32]:
        """Return feature labels that follow the convention: int32[n_tokens].

        Args:
            labels: int32[n_tokens], the predicted feature labels.
            upos: int32[n_tokens], the predicted universal parts of speech.
            tokens: The tokens, which are looked up in the table of words.
        """
        conventional = self._other[upos, labels]
        rows = np.flatnonzero(self._listed[upos, conventional])
        for row, word in zip(rows.tolist(), tokens.texts(rows), strict=True):
            key = self._upos[upos[row]], word.decode("utf-8", "replace").lower()
            if (feature := self._words.get(key)) in self._place:
                conventional[row] = self._place[feature]
        return conventional
