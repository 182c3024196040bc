"""Tagged sentences as HTML, for notebooks and web pages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from senna_py.display import page as pages
from senna_py.display.sentence import STYLES, is_running, running_html, sentence_html
from senna_py.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from senna_py.answers.document import Document, Sentence

__all__ = ["STYLES", "body_html", "render"]


def render(
    sentences: Document | Sentence | Iterable[Sentence],
    style: str = "all",
    *,
    page: bool = False,
    title: str = "Sentences",
) -> str:
    """Return the layers of sentences as HTML, which loads nothing and has no scripts.

    Sentences are shown as a list. If only entities or chunks are shown, a Document is
    running text with marks instead.

    Args:
        sentences: A Sentence, a Document, or an iterable of Sentences.
        style: The layers to show: `all`, `entities`, `chunks`, `roles`, `tree` or
            `dependencies`.
        page: Whether to return a whole page instead of a `<div>`.
        title: The title of the page.

    Raises:
        UsageError: If there is no such style, or a text is passed instead of sentences.

    Example:
        >>> from senna_py.display import render
        >>> html = render(doc, "entities", page=True)
        >>> html[:15]
        '<!DOCTYPE html>'
    """
    if style not in STYLES:
        raise UsageError(f"no such style: {style!r}; there are {', '.join(STYLES)}")
    value: object = sentences  # Callers that ignore the types may pass text.
    if isinstance(value, str):
        raise UsageError(
            "expected sentences, such as nlp.document(text) gives, not text"
        )
    body = body_html(sentences, style)
    whole = f"{pages.page_start(title)}{body}{pages.page_end()}"
    return whole if page else pages.fragment(body)


def body_html(
    sentences: Document | Sentence | Iterable[Sentence], style: str = "all"
) -> str:
    """Return the HTML of `render` without the `<div>` or the page around it."""
    given: Any = sentences
    if hasattr(given, "sentences"):
        each = [*given.sentences]
    elif hasattr(given, "document"):
        each = [given]
    else:
        each = [*given]
    others = {
        task.name for sentence in each for task in sentence.tasks if not task.marked
    }
    if hasattr(sentences, "sentences") and is_running(others, style):
        bounds = [(sentence.start_char, sentence.end_char) for sentence in each]
        body = running_html(str(sentences), bounds, each, style)
        return pages.TEXT_START + body + pages.TEXT_END
    items = "\n".join("".join(sentence_html(sentence, style)) for sentence in each)
    return pages.LIST_START + items + pages.LIST_END
