"""HTML of a sentence: its text, tables of its layers, and its trees."""

from __future__ import annotations

from typing import TYPE_CHECKING

from senna_py.display.arcs import arcs_svg
from senna_py.display.escapes import direction, escape, hue, title
from senna_py.display.rows import tables
from senna_py.display.tree import tree_svg
from senna_py.labels.brackets import Leaf, Phrase
from senna_py.labels.dependencies import Arc
from senna_py.labels.parts_of_speech import shown_tags
from senna_py.labels.tasks import ENTITIES, TABLE, Structure

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from senna_py.answers.document import Sentence
    from senna_py.labels.tasks import Task

# The styles of pictures: all layers, or only the layers of one style.
_STYLES = (task.style for task in TABLE.values() if task.style)
STYLES = (*dict.fromkeys(("all", ENTITIES, *_STYLES)),)


def sentence_html(sentence: Sentence, style: str = "all") -> Iterator[str]:
    """Yield the pieces of an HTML list item for a sentence, without its end tag.

    Args:
        sentence: The sentence.
        style: One of STYLES.
    """
    right_to_left = direction(sentence.text) == "rtl"
    tasks = sentence.tasks
    drawn = [task for task in tasks if style in ("all", task.style)]
    parts: list[str] = []
    if style == "all":
        parts += tables(sentence)
    elif Structure.FRAMES in _structures_of(style):
        parts += tables(sentence, of_anchors_only=True)
    if len(sentence):
        alone = style != "all"
        for structure, draw in _DRAWINGS.items():
            parts += [
                draw(sentence, task, alone, right_to_left)
                for task in drawn
                if task.shape.structure is structure
            ]
    direction_of_item = " dir=rtl" if right_to_left else ""
    yield f"<li{direction_of_item}><p>{_text(sentence, style)}</p>"
    if parts:
        yield "<div class=x tabindex=0>"
        yield from parts
        yield "</div>"


def _structures_of(style: str) -> set[Structure]:
    """Return the structures of the tasks in TABLE that have a style."""
    return {task.shape.structure for task in TABLE.values() if task.style == style}


def _tree(sentence: Sentence, task: Task, alone: bool, right_to_left: bool) -> str:
    """Return the SVG of a constituent tree.

    Its leaves have parts of speech unless a table above shows them.
    """
    has_tags = not alone and any(need in sentence.tags for need in task.needs)
    tags = sentence.leaf_tags
    words = (token.text for token in sentence)
    leaves = [Leaf(*pair) for pair in zip(words, tags, strict=True)]
    phrases = [Phrase(*row[:3]) for row in sentence.rows(task)]
    return tree_svg(leaves, phrases, right_to_left, not has_tags)


def _arcs(sentence: Sentence, task: Task, alone: bool, right_to_left: bool) -> str:
    """Return the SVG of a dependency tree, with tags if nothing else is shown."""
    arcs = [
        Arc(None if row.anchor is None else row.anchor[0], row.label)
        for row in sentence.rows(task)
    ]
    tags = shown_tags(sentence.tags) if alone else ()
    words = [token.text for token in sentence]
    return arcs_svg(words, arcs, tags, right_to_left)


# What is drawn below the tables, in this order.
_DRAWINGS = {Structure.TREE: _tree, Structure.HEADS: _arcs}


def is_running(others: Iterable[str], style: str = "all") -> bool:
    """Return whether all layers can be shown as marks in running text.

    Args:
        others: The tasks whose spans are not marked in the text by default.
        style: One of STYLES.
    """
    if style == "all":
        return not [*others]
    return _structures_of(style) <= {Structure.SPANS}


def running_html(
    text: str,
    bounds: Iterable[tuple[int, int]],
    sentences: Iterable[Sentence],
    style: str = "all",
) -> str:
    """Return the HTML of running text with marks.

    Args:
        text: The text.
        bounds: The start and end offset of each sentence in it.
        sentences: The sentences.
        style: One of STYLES.
    """
    out, done = [], 0
    for (begin, end), sentence in zip([*bounds], sentences, strict=True):
        out += [_space(text[done:begin]), _text(sentence, style)]
        done = end
    return "".join([*out, _space(text[done:])])


def _space(text: str) -> str:
    """Return only the newlines of white space or, if it has none, one space.

    The result for an empty text is empty.
    """
    return "\n" * text.count("\n") or (" " if text else "")


def _text(sentence: Sentence, style: str) -> str:
    """Return the text as HTML with marked spans; of two that overlap, only the first."""
    marks = [
        (task, row)
        for task in sentence.tasks
        if (task.marked if style == "all" else task.shape.flat and task.style == style)
        for row in sentence.rows(task)
    ]
    text, at, out, done = sentence.text, sentence.start_char, [], 0
    for task, row in sorted(marks, key=lambda mark: (mark[1].start, -mark[1].end)):
        span = sentence[row.start : row.end]
        begin, end = span.start_char - at, span.end_char - at
        if begin < done:
            continue
        meaning = title(row.label) if task.explained else ""
        out.append(escape(text[done:begin]))
        out.append(
            f"<mark class={hue(row.label)}{meaning}>"
            f"<bdi>{escape(text[begin:end])}</bdi><b>{escape(row.label)}</b></mark>"
        )
        done = end
    out.append(escape(text[done:]))
    return "".join(out)
