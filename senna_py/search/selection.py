"""The choice of matches among all candidates that matched."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from senna_py.search.rows import ABSENT, Rows, distinct_rows

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from numpy.typing import NDArray

    Ints = NDArray[np.int64]


class Hits(NamedTuple):
    """The matches of a pattern in a table, in text order.

    Attributes:
        begin: int64[n], the first token of each match.
        end: int64[n], the index after its last token.
        captures: The first token and the index after the last one by name, int64[n]
            each; both are ABSENT if the part with the name did not match anything.
    """

    begin: Ints
    end: Ints
    captures: dict[str, tuple[Ints, Ints]]

    def __len__(self) -> int:
        return len(self.begin)

    def shifted(self, n_tokens: int) -> Hits:
        """Return the matches with all token indices increased."""
        captures = {
            name: (
                np.where(begin == ABSENT, ABSENT, begin + n_tokens),
                np.where(begin == ABSENT, ABSENT, end + n_tokens),
            )
            for name, (begin, end) in self.captures.items()
        }
        return Hits(self.begin + n_tokens, self.end + n_tokens, captures)

    @classmethod
    def joined(cls, parts: Sequence[Hits], names: Sequence[str]) -> Hits:
        """Return the matches of all parts, in their order."""
        if len(parts) == 1:
            return parts[0]
        none = np.empty(0, np.int64)
        captures = {
            name: tuple(
                np.concatenate([none, *(part.captures[name][side] for part in parts)])
                for side in (0, 1)
            )
            for name in names
        }
        begin = np.concatenate([none, *(part.begin for part in parts)])
        end = np.concatenate([none, *(part.end for part in parts)])
        return cls(begin, end, captures)  # type: ignore[arg-type] # pairs

    def places(self) -> Iterator[tuple[int, int, dict[str, tuple[int, int]]]]:
        """Yield the tokens of each match, and those of its captures by name."""
        columns = {
            name: [*zip(begin.tolist(), end.tolist(), strict=True)]
            for name, (begin, end) in self.captures.items()
        }
        pairs = zip(self.begin.tolist(), self.end.tolist(), strict=True)
        for row, (begin, end) in enumerate(pairs):
            captures = {
                name: column[row]
                for name, column in columns.items()
                if column[row][0] != ABSENT
            }
            yield begin, end, captures


def selected(rows: Rows, names: Sequence[str], observed: Collection[str]) -> Hits:
    """Return the matches: the longest of each start, of which none overlap.

    A match that begins within an earlier one is left out. Matches of the same tokens
    are reported once for each assignment of the observed captures; of other captures,
    they have the first assignment, as in `Matcher`.

    Args:
        rows: All candidates, with the columns `start` and `pos`.
        names: The names of the captures.
        observed: The names of observed captures.
    """
    begin, end = rows["start"], rows["pos"]
    absent = np.full(len(rows), ABSENT)
    captures = {
        name: tuple(rows.columns.get((name, side), absent) for side in (0, 1))
        for name in names
    }
    keys, preferences = [begin, -end], []
    for name, (first, last) in captures.items():
        if name in observed:
            keys += [first, last]
        else:
            late = np.iinfo(np.int64).max
            preferences += [np.where(first == ABSENT, late, first), -last]
    order = distinct_rows(keys, preferences)
    begin, end = begin[order], end[order]
    order = order[_without_overlap(begin, end)]
    return Hits(
        rows["start"][order],
        rows["pos"][order],
        {name: (first[order], last[order]) for name, (first, last) in captures.items()},
    )


def _without_overlap(begin: Ints, end: Ints) -> NDArray[np.bool_]:
    """Return which spans are the longest of their start and overlap no earlier one.

    Spans are sorted by begin, and longer ones come first. Equal ones are all kept.
    """
    is_first = np.append(True, begin[1:] != begin[:-1])[: len(begin)]
    # The length of the longest span of the same start.
    longest = end[is_first][np.cumsum(is_first) - 1]
    kept = end == longest
    firsts, lasts = begin[is_first], end[is_first]
    if (firsts[1:] >= lasts[:-1]).all():
        return kept
    free, is_free = 0, []
    for first, last in zip(firsts.tolist(), lasts.tolist(), strict=True):
        is_free.append(first >= free)
        if first >= free:
            free = last
    return kept & np.array(is_free)[np.cumsum(is_first) - 1]
