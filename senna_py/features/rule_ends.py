"""A feature of units: whether the rules of a tokenizer end a token there."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from senna_py.errors import SennaError
from senna_py.features.gap import UnitFeature, gap_codes
from senna_py.text.rule_tokens import RULE_KINDS, rule_ends

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from senna_py.text.tokens import Tokens


class RuleEnds(UnitFeature):
    """The feature `rules.NAME`: whether the tokenizer NAME ends a token with a unit.

    It is `end` or `inside`. See `text.rule_tokens.rule_ends`.

    Attributes:
        kind: The name of the tokenizer, one of RULE_KINDS.
    """

    pattern = re.compile(r"rules\.(?P<kind>.+)")
    begins = "rules."
    keys = ("PADDING", "inside", "end")

    def __init__(self, name: str, kind: str) -> None:
        """Create a feature.

        Args:
            name: The name of the feature.
            kind: The name of the tokenizer.

        Raises:
            SennaError: If there are no rules of this name.
        """
        super().__init__(name)
        if kind not in RULE_KINDS:
            known = ", ".join(RULE_KINDS)
            raise SennaError(f"{name}: no such rules: {kind!r}; there are {known}")
        self.kind = kind

    def codes(self, tokens: Tokens) -> NDArray[np.int64]:
        gaps = gap_codes(tokens.begin, tokens.end, tokens.starts)
        ends = rule_ends(tokens.data, tokens.begin, tokens.end, gaps, self.kind)
        return ends.astype(np.int64)
