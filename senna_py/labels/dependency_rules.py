"""What Universal Dependencies demand of trees, as arrays for the relations of a network."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    Flags = NDArray[np.bool_]

# Relations that all treebanks of Universal Dependencies have. Stanford Dependencies have
# neither `case` nor `obl`: the relations of prepositions are `prep` and `pobj`.
_KNOWN = {"root", "nsubj", "punct", "case", "obl"}


@cache
def _rules() -> Mapping[str, Any]:
    from senna_py.io.toml import read_toml  # noqa: PLC0415 - few commands need it

    return read_toml(Path(__file__).with_suffix(".toml"))


def follow_guidelines(names: Sequence[str]) -> bool:
    """Return whether relations are those of Universal Dependencies."""
    return {name.partition(":")[0] for name in names} >= _KNOWN


class DependencyRules:
    """The rules for the relations of a network.

    Attributes:
        is_root: bool[n_relations], whether a relation is that of roots.
        is_punct: bool[n_relations], whether a relation is that of punctuation.
        is_fixed: bool[n_relations], whether a relation is that of fixed expressions.
        head_first: bool[n_relations], whether the head must precede the dependent.
        groups: bool[n_groups, n_relations], the groups of relations of which a word has
            at most one dependent.
        dependents: bool[n_relations, n_relations], whether a dependent of a word that
            has the first relation may have the second one.
    """

    def __init__(self, names: Sequence[str]) -> None:
        """Look up the rules of relations by their names."""
        rules = _rules()
        self._names = names
        self._base = [name.partition(":")[0] for name in names]
        self.is_root = self._are(["root"])
        self.is_punct = self._are(["punct"])
        self.is_fixed = self._are(["fixed"])
        self.head_first = self._are(rules["head_first"])
        is_single = np.array([name not in rules["repeatable"] for name in names])
        self.groups = np.array(
            [self._are(group) & is_single for group in rules["once"]]
        )
        self.dependents = np.array(
            [
                self._are(rules["dependents"].get(base, self._base))
                for base in self._base
            ]
        )

    def _are(self, relations: Sequence[str]) -> Flags:
        """Return whether each relation of the network is among some, without subtypes."""
        return np.array([base in relations for base in self._base])

    def allowed(self, upos: Sequence[str]) -> Flags:
        """Return whether words may have relations: bool[n_upos, n_relations].

        Args:
            upos: The universal parts of speech of the words.
        """
        rules = _rules()
        table = np.ones((len(upos), len(self._base)), bool)
        for k, tag in enumerate(upos):
            for i, base in enumerate(self._base):
                table[k, i] = (
                    tag in rules["only"].get(base, upos)
                    and tag not in rules["never"].get(base, ())
                    and base in rules["relations"].get(tag, self._base)
                )
        return table
