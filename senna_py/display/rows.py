"""HTML tables of sentences: tokens in columns, and rows of tags and brackets below.

A sentence that is too wide is divided into several tables. The end tags of cells and
rows are omitted, as HTML allows, because a page consists mostly of cells.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from senna_py.display.escapes import escape, hue, title, width
from senna_py.labels.brackets import Phrase
from senna_py.labels.parts_of_speech import SPECIFIC
from senna_py.labels.tasks import Structure

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from senna_py.answers.document import Sentence
    from senna_py.labels.tasks import Task

_LINE = 92  # The maximum width of a table in columns of text, which fits on A4.
_PADDING = 1  # The width of the padding of a cell, in columns of text.
# The number of predicates whose rows can be highlighted together in all tables of a
# sentence; see the style sheet.
_LINKED = 24


class Row(NamedTuple):
    """A row of a table.

    Attributes:
        name: The heading of the row.
        row_class: The CSS class: `u` for flat spans and links, `f0` to `f23` for the
            spans of the first 24 predicates and `f` for those of others, or `v` for
            tags.
        brackets: The spans, if the row has no tags.
        tags: The tags of the tokens; empty for a row of spans.
        known: Whether the labels can be explained. In a task that the user defined, the
            same label may mean something else.
        first: The first token of the row's first span, or 0 if there are no spans.
    """

    name: str
    row_class: str
    brackets: list[Phrase]
    tags: Sequence[str] = ()
    known: bool = True
    first: int = 0


def tables(sentence: Sentence, of_anchors_only: bool = False) -> list[str]:
    """Return the HTML tables of a sentence, one for each line of its tokens.

    A sentence without tokens has none.

    Args:
        sentence: The sentence.
        of_anchors_only: Whether to show only language-specific parts of speech and
            spans with tokens as anchors (roles).
    """
    if not len(sentence):
        return []
    words = [token.text for token in sentence]
    rows = [*_rows(sentence, of_anchors_only)]
    cuts = _cuts(words, rows)
    of_lines = zip(pairwise(cuts), _lines(rows, cuts), strict=True)
    return [_table(words, on_line, begin, end) for (begin, end), on_line in of_lines]


def _rows(sentence: Sentence, of_anchors_only: bool) -> Iterator[Row]:
    tasks = sentence.tasks
    # Spans that are marked in the text need no row. Only the spans of one task are
    # left out, because the marks of two tasks may overlap.
    in_text = next((task for task in tasks if task.marked), None)
    for task in tasks:
        known, is_shown = task.explained, not of_anchors_only
        match task.shape.structure:
            case Structure.TAGS if is_shown or task.name in SPECIFIC:
                yield Row(task.name, "v", [], sentence.tags[task.name], known)
            case Structure.SPANS if is_shown and task is not in_text:
                spans = [Phrase(*row[:3]) for row in sentence.rows(task)]
                name = task.attribute or task.name
                yield from _bracket_rows(name, "u", spans, known)
            case Structure.LINKS if is_shown:
                yield from _bracket_rows(task.name, "u", _links(sentence, task), known)
    for task in tasks:
        if task.shape.structure is Structure.FRAMES:
            yield from _anchor_rows(sentence, task)


def _anchor_rows(sentence: Sentence, task: Task) -> Iterator[Row]:
    """Yield rows of spans for each anchor, such as roles for each predicate."""
    for number, (i, spans) in enumerate(sentence.rows_by_anchor(task).items()):
        # Rows of class `f` are highlighted only one by one.
        row_class = f"f{number}" if number < _LINKED else "f"
        brackets = [Phrase(*span[:3]) for span in spans]
        word = sentence[i].text
        yield from _bracket_rows(word, row_class, brackets, task.explained)


def _links(sentence: Sentence, task: Task) -> list[Phrase]:
    """Return the spans, with the words of the anchor in each label."""
    document, first = sentence.document, sentence.start
    brackets = []
    for label, start, end, anchor, _ in sentence.rows(task):
        shown = label
        if anchor is not None:
            words = document[anchor[0] + first : anchor[1] + first].text
            shown = f"{label} → {words}"
        brackets.append(Phrase(shown, start, end))
    return brackets


def _bracket_rows(
    name: str, row_class: str, brackets: Sequence[Phrase], known: bool
) -> Iterator[Row]:
    """Yield a row of spans, and further rows for spans that overlap with others."""
    waiting = sorted(brackets, key=lambda bracket: bracket.begin)
    while True:
        row: list[Phrase] = []
        left: list[Phrase] = []
        for bracket in waiting:
            fits = not row or row[-1].end <= bracket.begin
            (row if fits else left).append(bracket)
        first = row[0].begin if row else 0
        yield Row(name, row_class, row, (), known, first)
        if not left:
            break
        waiting = left


def _cuts(words: Sequence[str], rows: Sequence[Row]) -> list[int]:
    """Return the first token of each line, and the number of tokens."""
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
    """Return the rows of each line, with the brackets that overlap with it.

    Rows of brackets are left out of lines where they have none, except that rows
    without any bracket are on the first line. The time is linear in the number of
    brackets, not quadratic in the length of the sentence.
    """
    lines: list[list[Row]] = [[] for _ in cuts[1:]]
    for row in rows:
        if row.tags:
            for line in lines:
                line.append(row)
            continue
        of_line: dict[int, list[Phrase]] = {} if row.brackets else {0: []}
        for bracket in row.brackets:
            first = bisect_right(cuts, bracket.begin) - 1
            for number in range(first, bisect_left(cuts, bracket.end)):
                of_line.setdefault(number, []).append(bracket)
        for number, brackets in of_line.items():
            lines[number].append(row._replace(brackets=brackets))
    return lines


def _table(words: Sequence[str], rows: Sequence[Row], begin: int, end: int) -> str:
    out = ["<table><tr><td>", *(f"<th>{escape(word)}" for word in words[begin:end])]
    for row in rows:
        cells = [f"<td{_title(row, tag)}>{escape(tag)}" for tag in row.tags[begin:end]]
        if not row.tags:
            cells = [*_cells(row, begin, end)]
        # A predicate needs keyboard focus only once, not on all lines.
        focus = " tabindex=0" if row.row_class[0] == "f" and row.first >= begin else ""
        out += [f"<tr class={row.row_class}{focus}><th>{escape(row.name)}", *cells]
    return "".join([*out, "</table>"])


def _cells(row: Row, begin: int, end: int) -> Iterator[str]:
    """Yield the cells of a row for the tokens `begin:end`, up to the last bracket.

    A bracket that continues in another table is drawn open on that side.
    """
    at = begin
    for label, start, stop in row.brackets:
        first, last = max(start, begin), min(stop, end)
        if first > at:
            yield f"<td{_span(first - at)}>"
        css_class = hue(label)
        if start < begin or stop > end:
            open_before = " y" if start < begin else ""
            open_behind = " z" if stop > end else ""
            css_class = f'"{css_class}{open_before}{open_behind}"'
        shown = f"{_title(row, label)} class={css_class}>{escape(label)}"
        yield f"<td{_span(last - first)}{shown}"
        at = last


def _title(row: Row, label: str) -> str:
    return title(label) if row.known else ""


def _span(length: int) -> str:
    return f" colspan={length}" if length > 1 else ""
