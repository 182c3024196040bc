"""Matching of sequences: all candidates of a table take each step together.

A candidate is a row with the token at which its match begins (`start`), the token that
comes next (`pos`), and the end of what it may not leave (`limit`): its sentence, or the
span of a region. A part of a pattern turns candidates into those that have matched it.
Candidates that differ only in captures between which a pattern does not distinguish
become one, so that their number does not grow exponentially.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from senna_py.search.conditions import Conditions
from senna_py.search.errors import PatternError
from senna_py.search.relations import NodeFinder
from senna_py.search.rows import (
    ABSENT,
    Rows,
    TooManyRows,
    distinct_rows,
    expanded,
    pairs_of_equal,
)
from senna_py.search.syntax import (
    Alternatives,
    Before,
    Capture,
    Edge,
    Node,
    Region,
    Repeat,
    Same,
    Sequence,
    Word,
    can_be_empty,
    captures_of,
    children,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from senna_py.search.rows import Key
    from senna_py.search.syntax import Condition, Part, Query, Tag
    from senna_py.search.table import Column, Table

    Bools = NDArray[np.bool_]
    Ints = NDArray[np.int64]

_START, _POS, _LIMIT = "start", "pos", "limit"
_ENTRY, _OUTER = 2, 3  # Sides of keys: the begin of an open capture, an outer limit.
_IS_NEW = "is_new"  # Whether a candidate is the result of the latest repetition.
# The most candidates of several starts; fewer starts are tried at once if there are more.
_MOST_ROWS = 1 << 20


class Matcher:
    """Matches the parts of a query with a table."""

    def __init__(self, query: Query, table: Table, pattern: str) -> None:
        """Store the query and the table; `pattern` is the text of the query."""
        self.query, self.table, self._pattern = query, table, pattern
        self.conditions = Conditions(table, pattern)
        self._nodes: dict[Node, Rows] = {}
        self._finder = NodeFinder(self.conditions, pattern)
        lengths = np.diff(table.starts)
        self._sentence_end = np.repeat(table.starts[1:].astype(np.int64), lengths)
        self._sentence_begin = np.repeat(table.starts[:-1].astype(np.int64), lengths)
        # Captures of which all assignments are matches. Of other captures, a match has
        # one assignment.
        compared = {
            name
            for condition in query.conditions
            for name in (condition.left, condition.right)
        }
        self.observed = query.targets | compared
        # Captures that a match can assign only once.
        self._once = {*query.names} - {*_repeated_names(query.part)}
        self._late = table.n_tokens + 1  # A begin that comes after all others.
        self._depth = 0  # The number of regions around the current part.

    def starts(self) -> Ints:
        """Return the tokens at which a match may begin: of sentences that may have one."""
        possible = self._sentences(self.query.part)
        lengths = np.diff(self.table.starts)
        return np.flatnonzero(np.repeat(possible, lengths))

    def _sentences(self, part: Part) -> Bools:
        """Return which sentences may have a match of a part: bool[n_sentences]."""
        starts = self.table.starts
        match part:
            case Node():
                rows = self._node_rows(part)
                before = np.searchsorted(rows["begin"], starts)
                return before[1:] > before[:-1]
            case Repeat(_, 0) | Edge():
                return np.ones(len(starts) - 1, bool)
            case Alternatives(parts):
                return np.logical_or.reduce([*map(self._sentences, parts)])
        return np.logical_and.reduce([*map(self._sentences, children(part))])

    def rows(self, start: Ints) -> Rows:
        """Return the matches that begin at some tokens.

        Raises:
            TooManyRows: If there are too many candidates for these starts.
        """
        rows = Rows({_START: start, _POS: start, _LIMIT: self._sentence_end[start]})
        rows = self._step(self.query.part, rows)
        rows = rows.take(rows[_POS] > rows[_START])
        rows = self._within(rows)
        for condition in self.query.conditions:
            rows = rows.take(self._holds(condition, rows))
        return rows

    def _step(self, part: Part, rows: Rows) -> Rows:
        """Return the candidates after a part."""
        self._check(len(rows), rows)
        match part:
            case Node(Word(condition), ()):
                after = self._word(condition, rows)
            case Node():
                after = self._node(part, rows)
            case Sequence(parts):
                after = rows
                for each in parts:
                    after = self._step(each, after)
            case Alternatives(parts):
                after = self._merged([self._step(each, rows) for each in parts])
            case Capture(name, inner):
                after = self._capture(name, inner, rows)
            case Repeat():
                after = self._repeat(part, rows)
            case Region():
                after = self._region(part, rows)
            case Edge():
                after = self._edge(part, rows)
        return after

    def _word(self, condition: Condition, rows: Rows) -> Rows:
        pos = rows[_POS]
        rows = rows.take(self.conditions.mask(condition)[pos] & (pos < rows[_LIMIT]))
        return rows.with_columns({_POS: rows[_POS] + 1})

    def _node_rows(self, node: Node) -> Rows:
        rows = self._nodes.get(node)
        if rows is None:
            rows = self._nodes[node] = self._finder.rows(node)
        return rows

    def _node(self, node: Node, rows: Rows) -> Rows:
        matches = self._node_rows(node)
        at, match = pairs_of_equal(rows[_POS], matches["begin"])
        end = matches["end"][match]
        inside = end <= rows[_LIMIT][at]
        at, match = at[inside], match[inside]
        captures = matches.without("begin", "end", "first", "last").take(match).columns
        rows = rows.take(at)
        for key in captures.keys() & rows.columns.keys():  # of an earlier repetition
            column = captures[key]
            captures[key] = np.where(column == ABSENT, rows[key], column)
        return rows.with_columns({**captures, _POS: end[inside]})

    def _capture(self, name: str, part: Part, rows: Rows) -> Rows:
        """Return the candidates after a part with a name, which needs a word."""
        entry: Key = name, _ENTRY
        rows = self._step(part, rows.with_columns({entry: rows[_POS]}))
        absent = np.full(len(rows), ABSENT)
        has_word = rows[_POS] > rows[entry]
        ends: dict[Key, Ints] = {}
        for side, place in enumerate((rows[entry], rows[_POS])):
            before = rows.columns.get((name, side), absent)
            ends[name, side] = np.where(has_word, place, before)
        return rows.with_columns(ends).without(entry)

    def _repeat(self, repeat: Repeat, rows: Rows) -> Rows:
        part, least, most = repeat.part, repeat.least, repeat.most
        match part:
            case Node(Word(condition), ()):
                return self._run(self.conditions.mask(condition), least, most, rows)
        # A repetition without a word changes nothing.
        n_done = 0 if can_be_empty(part) else least
        for _ in range(n_done):
            rows = self._merged([self._step(part, rows)])
        every = rows
        while len(rows) and (most is None or n_done < most):
            before = every.with_columns({_IS_NEW: np.zeros(len(every), np.int64)})
            rows = self._step(part, rows)
            after = rows.with_columns({_IS_NEW: np.ones(len(rows), np.int64)})
            every = self._merged([before, after])
            rows = every.take(every[_IS_NEW] > 0).without(_IS_NEW)
            every = every.without(_IS_NEW)
            n_done += 1
        return every

    def _run(self, mask: Bools, least: int, most: int | None, rows: Rows) -> Rows:
        """Return the candidates after a run of words for which a mask is True."""
        # The first token at or after each token for which the mask is False.
        stops = np.flatnonzero(~mask)
        stop = np.minimum(stops[np.searchsorted(stops, rows[_POS])], rows[_LIMIT])
        if most is None:
            return self._run_to(stop, least, rows)
        first = rows[_POS] + least
        counts = np.maximum(np.minimum(stop, rows[_POS] + most) - first + 1, 0)
        self._check(int(counts.sum()), rows)
        at, place = expanded(first, counts)
        return self._merged([rows.take(at).with_columns({_POS: place})])

    def _run_to(self, stop: Ints, least: int, rows: Rows) -> Rows:
        """Return the candidates after runs of any length.

        Several candidates may reach the same place. Each place is computed once, with
        the preferred one of the candidates that reach it.

        Args:
            stop: The place at which the run of each candidate ends at the latest.
            least: The least number of words.
            rows: The candidates.
        """
        reaches = rows[_POS] + least <= stop
        rows, stop = rows.take(reaches), stop[reaches]
        if not len(rows):
            return rows
        groups = [*self._keys(rows), stop]
        order = np.lexsort((rows[_POS], *reversed(groups)))
        rows, stop = rows.take(order), stop[order]
        is_new = np.zeros(len(rows), bool)
        is_new[0] = True
        for key in groups:
            is_new[1:] |= key[order[1:]] != key[order[:-1]]
        first = rows[_POS] + least
        last = np.append(first[1:], 0)
        ends_group = np.append(is_new[1:], True)
        last[ends_group] = stop[ends_group] + 1
        self._check(int((last - first).sum()), rows)
        at, place = expanded(first, last - first)
        best = self._best_so_far(rows, np.cumsum(is_new))
        return rows.take(best[at]).with_columns({_POS: place})

    def _best_so_far(self, rows: Rows, group: Ints) -> Ints:
        """Return, for each row, the preferred one of those of its group up to it.

        Groups are numbered in ascending order.
        """
        preferences = self._preferences(rows)
        if not preferences:
            return np.arange(len(rows))
        by_rank = np.lexsort(tuple(reversed(preferences)))
        rank = np.empty(len(rows), np.int64)
        rank[by_rank] = np.arange(len(rows))
        # Ranks of later groups are lower, so that the minimum begins anew.
        shift = (group[-1] - group) * len(rows)
        least = np.minimum.accumulate(rank + shift) - shift
        return by_rank[least]

    def _check(self, n_rows: int, rows: Rows) -> None:
        """Raise TooManyRows if fewer starts should be tried at once."""
        if n_rows > _MOST_ROWS and (rows[_START] != rows[_START][0]).any():
            raise TooManyRows

    def _region(self, region: Region, rows: Rows) -> Rows:
        spans = self.conditions.spans(region.tag)
        at, span = pairs_of_equal(rows[_POS], spans.begin)
        inside = spans.end[span] <= rows[_LIMIT][at]
        at, span = at[inside], span[inside]
        limit: Key = id(region), _OUTER
        rows = rows.take(at)
        rows = rows.with_columns({limit: rows[_LIMIT], _LIMIT: spans.end[span]})
        self._depth += 1
        rows = self._step(region.part, rows)
        self._depth -= 1
        rows = rows.take(rows[_POS] == rows[_LIMIT])
        rows = rows.with_columns({_LIMIT: rows[limit]}).without(limit)
        return self._merged([rows])

    def _edge(self, edge: Edge, rows: Rows) -> Rows:
        spans = self.conditions.spans(edge.tag)
        is_edge = np.zeros(self.table.n_tokens + 1, bool)
        is_edge[spans.end if edge.is_end else spans.begin] = True
        pos = rows[_POS]
        # The end of one sentence is the beginning of the next.
        if edge.is_end:
            inside = pos > self._sentence_begin[rows[_START]]
        else:
            inside = pos < self._sentence_end[rows[_START]]
        return rows.take(is_edge[pos] & inside)

    def _merged(self, parts: list[Rows]) -> Rows:
        """Join candidates, and keep one of those that a pattern does not distinguish.

        It is the one whose first capture begins first or, if that is the same, is
        longest; then the same holds for the second capture, and so on.
        """
        rows = Rows.joined(parts)
        if len(rows) < 2:
            return rows
        keys = [*self._keys(rows), rows[_POS]]
        if len(keys) == 2:  # One key is sorted faster than two.
            keys = [keys[0] * (self.table.n_tokens + 1) + keys[1]]
        preferences = self._preferences(rows)
        if _IS_NEW in rows.columns:
            preferences.append(rows[_IS_NEW])
        return rows.take(distinct_rows(keys, preferences))

    def _keys(self, rows: Rows) -> list[Ints]:
        """Return what a pattern distinguishes in candidates, except their place."""
        keys = [rows[_START]]
        if self._depth:
            keys.append(rows[_LIMIT])
        for key, column in rows.columns.items():
            if isinstance(key, tuple):
                name, side = key
                is_entry = side == _ENTRY and name in self._once
                if name in self.observed or (side >= _ENTRY and not is_entry):
                    keys.append(column)
        return keys

    def _preferences(self, rows: Rows) -> list[Ints]:
        """Return columns of which lower values are preferred.

        They are the begins and ends of unobserved captures. A capture that is still
        open has the place at which it began.
        """
        preferences = []
        for name in self.query.names:
            if name in self.observed:
                continue
            if (name, 0) in rows.columns:
                begin, end = rows[name, 0], rows[name, 1]
                preferences += [np.where(begin == ABSENT, self._late, begin), -end]
            elif name in self._once and (name, _ENTRY) in rows.columns:
                preferences.append(rows[name, _ENTRY])
        return preferences

    def _within(self, rows: Rows) -> Rows:
        """Return the matches that lie in a span of the tag after `within`."""
        tag: Tag | None = self.query.within
        if tag is None:
            return rows
        spans = self.conditions.spans(tag)
        # The end of the longest of the spans that begin at or before each token.
        reach = np.zeros(self.table.n_tokens + 1, np.int64)
        np.maximum.at(reach, spans.begin, spans.end)
        reach = np.maximum.accumulate(reach)
        return rows.take(reach[rows[_START]] >= rows[_POS])

    def _holds(self, condition: Same | Before, rows: Rows) -> Bools:
        """Return whether a condition on captures holds for each match."""
        absent = np.full(len(rows), ABSENT)
        begin, end, other, other_end = (
            rows.columns.get((name, side), absent)
            for name in (condition.left, condition.right)
            for side in (0, 1)
        )
        present = (begin != ABSENT) & (other != ABSENT)
        if isinstance(condition, Before):
            return present & (end <= other)
        length = end - begin
        as_long = np.flatnonzero(present & (length == other_end - other))
        same = self._same(condition, begin, other, length, as_long)
        return present & (same != condition.is_negated)

    def _same(
        self, condition: Same, begin: Ints, other: Ints, length: Ints, rows: Ints
    ) -> Bools:
        """Return whether two captures have the same values: bool[len(begin)].

        Args:
            condition: The condition, which names the attributes.
            begin: The first token of one capture in each match.
            other: The first token of the other one.
            length: The number of tokens of both.
            rows: The indices of the matches in which both have this length.
        """
        left = self._column(condition.left_attribute, condition.at)
        right = self._column(condition.right_attribute, condition.at)
        # Several labels may have the same name, such as those of lemmas.
        numbers: dict[str, int] = {}
        left_number, right_number = (
            np.array([numbers.setdefault(name, len(numbers)) for name in names])
            for names in (left.names, right.names)
        )
        row, token = expanded(begin[rows], length[rows])
        other_token = token + (other - begin)[rows][row]
        left_value = left_number[left.label[token]]
        differs = left_value != right_number[right.label[other_token]]
        same = np.zeros(len(begin), bool)
        same[rows] = True
        same[rows[row[differs]]] = False
        return same

    def _column(self, attribute: str, at: int) -> Column:
        column = self.conditions.column(attribute, at)
        if column is None:
            problem = f"{attribute} is no attribute of which each word has one value"
            raise PatternError(self._pattern, at, problem)
        return column


def _repeated_names(part: Part) -> Iterator[str]:
    """Yield the names of captures within repetitions."""
    if isinstance(part, Repeat):
        yield from captures_of(part.part)
    for inner in children(part):
        yield from _repeated_names(inner)
