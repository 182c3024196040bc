"""HTML of a sentence: its text, rows below its tokens, and its trees."""

from __future__ import annotations

from typing import TYPE_CHECKING

from senna_py.display.arcs import arcs_svg
from senna_py.display.escapes import direction, escape, hue, title
from senna_py.display.rows import tables
from senna_py.display.tree import tree_svg
from senna_py.labels.dependencies import shifted
from senna_py.labels.tasks import ARCS, TABLE, TREES, find_task

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from senna_py.answers.document import Sentence

STYLES = ("all", "entities", "chunks", "roles", "tree", "dependencies")


def sentence_html(sentence: Sentence, style: str = "all") -> Iterator[str]:
    """Yield a list item of HTML in pieces, without its end tag; style: one of
    STYLES.
    """
    backwards = direction(sentence.text) == "rtl"
    parts: list[str] = []
    if style in ("all", "roles"):
        parts += tables(sentence, frames_only=style == "roles")
    if style in ("all", "tree") and TREES in sentence.layers and len(sentence):
        shows = style == "tree" or "pos" not in sentence.tags
        parts.append(tree_svg(sentence.tree.to_tree(), backwards, shows))
    if style in ("all", "dependencies") and ARCS in sentence.layers and len(sentence):
        known = [
            sentence.tags[task]
            for task in ("upos", "pos", "xpos")
            if task in sentence.tags
        ]
        tags = known[0] if known and style == "dependencies" else ()
        words = [token.text for token in sentence]
        arcs = shifted(sentence.arcs, sentence.start)
        parts.append(arcs_svg(words, arcs, tags, backwards))
    yield f"<li{' dir=rtl' if backwards else ''}><p>{_text(sentence, style)}</p>"
    if parts:
        yield "<div class=x tabindex=0>"
        yield from parts
        yield "</div>"


def is_running(others: Iterable[str], style: str = "all") -> bool:
    """Whether a text can stand as it is, with marks; others: what was found besides
    them.
    """
    return style in ("entities", "chunks") or (style == "all" and not [*others])


def running_html(
    text: str,
    bounds: Iterable[tuple[int, int]],
    found: Iterable[Sentence],
    style: str = "all",
) -> str:
    """HTML of a text as it runs, with marks; bounds: of the sentences in it."""
    out, done = [], 0
    for (begin, end), sentence in zip([*bounds], found, strict=True):
        out += [_space(text[done:begin]), _text(sentence, style)]
        done = end
    return "".join([*out, _space(text[done:])])


def _space(text: str) -> str:
    return "\n" * text.count("\n") or " " * bool(text)


def _text(sentence: Sentence, style: str) -> str:
    """Text with marks of entities and own spans, or of chunks: of two that overlap, the
    first.
    """
    tasks = ["chk"] if style == "chunks" else []
    if style in ("all", "entities"):
        tasks = [task for task in sentence.spans if find_task(task).marked]
    marks = [(task, span) for task in tasks for span in sentence.spans.get(task, ())]
    text, at, out, done = sentence.text, sentence.start_char, [], 0
    for task, span in sorted(marks, key=lambda mark: (mark[1].start, -mark[1].end)):
        begin, end = span.start_char - at, span.end_char - at
        if begin < done:
            continue
        said = (
            title(span.label) if task in TABLE else ""
        )  # what others mean is not known
        out.append(escape(text[done:begin]))
        out.append(
            f"<mark class={hue(span.label)}{said}><bdi>{escape(text[begin:end])}</bdi>"
            f"<b>{escape(span.label)}</b></mark>"
        )
        done = end
    out.append(escape(text[done:]))
    return "".join(out)
