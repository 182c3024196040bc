"""Nodes and their relations, by joins of arrays.

The matches of a node do not depend on where it stands in a pattern, so they are found
for all tokens of a table at once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from senna_py.labels.tasks import Structure
from senna_py.search.conditions import accepted
from senna_py.search.errors import PatternError
from senna_py.search.rows import Rows, distinct_rows, expanded, pairs_of_equal
from senna_py.search.syntax import Tag, Word, targets_of
from senna_py.search.table import attribute_named

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from senna_py.answers.layer import Layer
    from senna_py.search.conditions import Conditions
    from senna_py.search.syntax import Node, Relation

    Bools = NDArray[np.bool_]
    Ints = NDArray[np.int64]

_BEGIN, _END, _FIRST, _LAST = "begin", "end", "first", "last"


class _Steps(NamedTuple):
    """Pairs of tokens between which a relation holds.

    Attributes:
        source: int64[n], the token from which the relation starts.
        target: int64[n], the token to which it leads.
        begin: int64[n], the first token of the target, if it is an argument.
        end: int64[n], the index after the last token of the target.
        is_argument: Whether targets are spans, which may have several tokens.
    """

    source: Ints
    target: Ints
    begin: Ints
    end: Ints
    is_argument: bool = False


@dataclass(frozen=True)
class NodeFinder:
    """Finds the matches of nodes."""

    conditions: Conditions
    pattern: str

    def rows(self, node: Node) -> Rows:
        """Return the matches of a node, sorted by `begin`.

        Their columns are `begin` and `end`, the tokens of the node; `first` and `last`,
        the tokens from which its relations start; and the names of captures, with 0 for
        the first token and 1 for the index after the last one.
        """
        rows = self._start(node)
        for relation in node.relations:
            rows = self._related(rows, relation)
        if not isinstance(node.start, Word) or node.relations:
            rows = rows.take(np.argsort(rows[_BEGIN], kind="stable"))
        return rows

    def _start(self, node: Node) -> Rows:
        if isinstance(node.start, Tag):
            begin, end, first, last = self.conditions.spans(node.start)
            return Rows({_BEGIN: begin, _END: end, _FIRST: first, _LAST: last})
        token = np.flatnonzero(self.conditions.mask(node.start.condition))
        after = token + 1
        return Rows({_BEGIN: token, _END: after, _FIRST: token, _LAST: after})

    def _related(self, rows: Rows, relation: Relation) -> Rows:
        """Return the rows for which a relation holds, one for each target."""
        source, target = self._targets(rows, relation)
        n_rows = len(rows)
        has_target = np.zeros(n_rows, bool)
        has_target[source] = True
        if relation.is_negated:
            return rows.take(~has_target)
        if not target.columns:
            return rows if relation.is_optional else rows.take(has_target)
        related = rows.take(source).with_columns(target.columns)
        if not relation.is_optional:
            return related
        return Rows.joined([related, rows.take(~has_target)])

    def _targets(self, rows: Rows, relation: Relation) -> tuple[Ints, Rows]:
        """Return the targets of each row: the index of the row, and the captures."""
        target = relation.target
        matches = self.rows(target)
        source_row, source_token = expanded(rows[_FIRST], rows[_LAST] - rows[_FIRST])
        target_row, target_token = expanded(
            matches[_FIRST], matches[_LAST] - matches[_FIRST]
        )
        n_tokens = self.conditions.table.n_tokens
        is_source, is_target = np.zeros((2, n_tokens), bool)
        is_source[source_token] = True
        is_target[target_token] = True
        steps = self._steps(relation, is_source, is_target)
        at, step = pairs_of_equal(source_token, steps.source)
        source = source_row[at]
        if not target.names and not [*targets_of(target)]:
            return source, Rows({})  # It only matters whether there is a target.
        to_step, to_target = pairs_of_equal(steps.target[step], target_token)
        source, step = source[to_step], step[to_step]
        captures = matches.take(target_row[to_target])
        extent = captures[_BEGIN], captures[_END]
        if steps.is_argument and isinstance(target.start, Word):
            extent = steps.begin[step], steps.end[step]
        for name in target.names:
            captures = captures.with_columns(
                {(name, 0): extent[0], (name, 1): extent[1]}
            )
        captures = captures.without(_BEGIN, _END, _FIRST, _LAST)
        if steps.is_argument or not isinstance(target.start, Word):
            # Several tokens of a span may lead to the same captures.
            kept = distinct_rows([source, *captures.columns.values()])
            source, captures = source[kept], captures.take(kept)
        return source, captures

    def _steps(self, relation: Relation, is_source: Bools, is_target: Bools) -> _Steps:
        """Return the steps of a relation from some tokens to some others."""
        task = attribute_named(relation.task, self.conditions.table.layers).task
        layer = self.conditions.layer(task, relation.at)
        structure = layer.shape.structure
        if layer.anchor is None:
            raise PatternError(
                self.pattern, relation.at, f"the labels of {task} are no relations"
            )
        if relation.is_chain and structure is not Structure.HEADS:
            raise PatternError(
                self.pattern, relation.at, f"{task} has no chains: write > or <"
            )
        rows = np.flatnonzero(
            accepted(relation.label, layer.names)[layer.label]
            if relation.label
            else np.ones(len(layer), bool)
        )
        if structure is Structure.HEADS:
            return self._along_heads(layer, rows, relation, is_source, is_target)
        if relation.goes_up:
            is_source, is_target = is_target, is_source
        steps = self._to_spans(layer, rows, is_source, is_target)
        if relation.goes_up:
            source, target = steps.target, steps.source
            return _Steps(source, target, target, target + 1)
        return steps

    def _along_heads(
        self,
        layer: Layer,
        rows: Ints,
        relation: Relation,
        is_source: Bools,
        is_target: Bools,
    ) -> _Steps:
        """Return the steps between tokens and their heads."""
        assert layer.anchor is not None, "each token has a head"
        head = layer.anchor.astype(np.int64)
        is_low, is_high = is_target, is_source
        if relation.goes_up:
            is_low, is_high = is_source, is_target
        low = rows[is_low[rows]]
        high = head[low]
        lows, highs = [low], [high]
        # The heads of a file may form a circle, which would never end.
        left = int(np.diff(self.conditions.table.starts).max(initial=0))
        while relation.is_chain and len(low) and left:
            is_above = high >= 0
            low, high = low[is_above], head[high[is_above]]
            lows.append(low)
            highs.append(high)
            left -= 1
        low, high = np.concatenate(lows), np.concatenate(highs)
        has_head = high >= 0
        has_head[has_head] = is_high[high[has_head]]
        low, high = low[has_head], high[has_head]
        source, target = (low, high) if relation.goes_up else (high, low)
        return _Steps(source, target, target, target + 1)

    def _to_spans(
        self, layer: Layer, rows: Ints, is_source: Bools, is_target: Bools
    ) -> _Steps:
        """Return the steps from anchors to the tokens of the spans that hang on them."""
        assert layer.anchor is not None, "spans hang on tokens or on spans"
        starts = self.conditions.table.starts
        sentence = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
        rows = rows[layer.anchor[rows] >= 0]
        anchor = layer.anchor[rows].astype(np.int64)
        begin = layer.begin[rows].astype(np.int64)
        end = layer.end[rows].astype(np.int64)
        first, last = anchor, anchor + 1
        if layer.shape.hangs_on == "span":
            first = layer.begin[anchor].astype(np.int64)
            last = layer.end[anchor].astype(np.int64)
        span, target = expanded(begin, end - begin)
        kept = is_target[target]
        span, target = span[kept], target[kept]
        step, source = expanded(first[span], last[span] - first[span])
        kept = is_source[source] & (sentence[source] == sentence[target[step]])
        step, source = step[kept], source[kept]
        span = span[step]
        return _Steps(source, target[step], begin[span], end[span], True)
