"""Tokens in columns, with rows of tags and of brackets below them.

A line of tokens that would be too wide is cut into several tables. End tags of cells
and rows are left out, as HTML allows, because most of a page are cells.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from senna_py.display.escapes import escape, hue, title, width
from senna_py.labels.brackets import Phrase
from senna_py.labels.tasks import FEATS, ROLES, UPOS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from senna_py.answers.document import Sentence
    from senna_py.answers.views import Span

_LINE = 92  # columns of text on a line, which A4 has room for
_PADDING = 1  # columns beside what a cell has in it
_LINKED = (
    24  # frames whose rows are one, however many lines there are: see the style sheet
)


class Row(NamedTuple):
    """A row: its name, its class (`u` of bars, `f0` of brackets, `v` of tags), and
    these.

    known: whether its labels are those of a task here; those of others may mean
    something else;
    first: the token with which its first bracket begins.
    """

    name: str
    kind: str
    brackets: list[Phrase]
    tags: Sequence[str] = ()
    known: bool = True
    first: int = 0


def tables(sentence: Sentence, frames_only: bool = False) -> list[str]:
    """HTML tables of a sentence, one a line; frames_only: leave out chunks and further
    tasks.
    """
    if not len(sentence):
        return []
    words = [token.text for token in sentence]
    rows = list(_rows(sentence, frames_only))
    cuts = _cuts(words, rows)
    of_lines = zip(pairwise(cuts), _lines(rows, cuts), strict=True)
    return [_table(words, own, begin, end) for (begin, end), own in of_lines]


def _rows(sentence: Sentence, frames_only: bool) -> Iterator[Row]:
    if "pos" in sentence.tags:
        yield Row("pos", "v", [], sentence.tags["pos"])
    if not frames_only:
        if "chk" in sentence.spans:
            yield from _bracket_rows("chunks", "u", sentence.chunks)
        for task, tags in sentence.tags.items():
            if task in ("pos", "chk", "ner"):
                continue
            if task in sentence.spans:
                yield Row(task, "u", _brackets(sentence.spans[task]), known=False)
            else:
                yield Row(task, "v", [], tags, known=task in (UPOS, FEATS))
    for number, frame in enumerate(sentence.frames if ROLES in sentence.layers else ()):
        kind = f"f{number}" if number < _LINKED else "f"  # lit line by line
        yield from _bracket_rows(frame.text, kind, frame.arguments)


def _brackets(spans: Sequence[Span]) -> list[Phrase]:
    first = spans[0].sentence.start if spans else 0
    return [Phrase(span.label, span.start - first, span.end - first) for span in spans]


def _bracket_rows(name: str, kind: str, spans: Sequence[Span]) -> Iterator[Row]:
    """A row of spans, and one more for those that overlap with its own."""
    waiting = sorted(_brackets(spans), key=lambda bracket: bracket.begin)
    while True:
        row: list[Phrase] = []
        left: list[Phrase] = []
        for bracket in waiting:
            fits = not row or row[-1].end <= bracket.begin
            (row if fits else left).append(bracket)
        yield Row(name, kind, row, first=row[0].begin if row else 0)
        if not left:
            break
        waiting = left


def _cuts(words: Sequence[str], rows: Sequence[Row]) -> list[int]:
    """Tokens with which the lines begin, and the number of tokens."""
    widths = [width(word) for word in words]
    for row in rows:
        for i, tag in enumerate(row.tags):
            widths[i] = max(widths[i], width(tag))
        for label, start, end in row.brackets:
            lacks = width(label)
            for have in widths[start:end]:
                lacks -= have
                if lacks <= 0:
                    break
            else:
                widths[end - 1] += lacks
    cuts, used = [0], 0
    for i, needed in enumerate(widths):
        if used + needed + _PADDING > _LINE and used:
            cuts.append(i)
            used = 0
        used += needed + _PADDING
    return [*cuts, len(words)]


def _lines(rows: Sequence[Row], cuts: Sequence[int]) -> list[list[Row]]:
    """Return the rows of each line, with the brackets that reach into it.

    A row of brackets has none on most lines of a long sentence: looking at all rows for
    each line would take time that grows with the square of the length. The first line
    has all empty rows.
    """
    lines: list[list[Row]] = [[] for _ in cuts[1:]]
    for row in rows:
        if row.tags:
            for line in lines:
                line.append(row)
            continue
        own: dict[int, list[Phrase]] = {} if row.brackets else {0: []}
        for bracket in row.brackets:
            first = bisect_right(cuts, bracket.begin) - 1
            for number in range(first, bisect_left(cuts, bracket.end)):
                own.setdefault(number, []).append(bracket)
        for number, brackets in own.items():
            lines[number].append(row._replace(brackets=brackets))
    return lines


def _table(words: Sequence[str], rows: Sequence[Row], begin: int, end: int) -> str:
    out = ["<table><tr><td>", *(f"<th>{escape(word)}" for word in words[begin:end])]
    for row in rows:
        cells = [f"<td{_title(row, tag)}>{escape(tag)}" for tag in row.tags[begin:end]]
        if not row.tags:
            cells = [*_cells(row, begin, end)]
        # The keyboard needs to find a predicate once, not on all lines.
        focus = " tabindex=0" if row.kind[0] == "f" and row.first >= begin else ""
        out += [f"<tr class={row.kind}{focus}><th>{escape(row.name)}", *cells]
    return "".join([*out, "</table>"])


def _cells(row: Row, begin: int, end: int) -> Iterator[str]:
    """Cells of brackets between two tokens, up to the last; one that goes on elsewhere
    is open.
    """
    at = begin
    for label, start, stop in row.brackets:
        first, last = max(start, begin), min(stop, end)
        if first > at:
            yield f"<td{_span(first - at)}>"
        kind = hue(label)
        if start < begin or stop > end:
            kind = f'"{kind}{" y" * (start < begin)}{" z" * (stop > end)}"'
        yield f"<td{_span(last - first)}{_title(row, label)} class={kind}>{escape(label)}"
        at = last


def _title(row: Row, label: str) -> str:
    return title(label) if row.known else ""


def _span(length: int) -> str:
    return f" colspan={length}" if length > 1 else ""
