"""Tagged sentences as HTML: for notebooks, for web pages, and for whole files."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from senna_py.display import page as pages
from senna_py.display.sentence import STYLES, is_running, running_html, sentence_html
from senna_py.errors import UsageError
from senna_py.labels.tasks import find_task

if TYPE_CHECKING:
    from collections.abc import Iterable

    from senna_py.answers.document import Sentence

__all__ = ["STYLES", "body_html", "render"]


def render(
    sentences: Sentence | Iterable[Sentence],
    style: str = "all",
    *,
    page: bool = False,
    title: str = "Sentences",
) -> str:
    """HTML of what was found; it needs neither a network nor scripts.

    Where there are only entities or chunks to show, a Document is running text with
    marks; all else is a list of sentences.

    Args:
        sentences: A Sentence, or many, such as a Document.
        style: `all`, `entities`, `chunks`, `roles`, `tree` or `dependencies`.
        page: Whether to give a whole page, not a `<div>` to put into one.
        title: Of the page.

    Raises:
        UsageError: If there is no such style, or text stands in place of sentences.
    """
    if style not in STYLES:
        raise UsageError(f"no such style: {style!r}; there are {', '.join(STYLES)}")
    given: object = sentences
    if isinstance(given, str):
        raise UsageError(
            "expected sentences, such as nlp.document(text) gives, not text"
        )
    body = body_html(sentences, style)
    whole = f"{pages.page_start(title)}{body}{pages.page_end()}"
    return whole if page else pages.fragment(body)


def body_html(sentences: Sentence | Iterable[Sentence], style: str = "all") -> str:
    """HTML of the same without what is around it: a list, or a running text."""
    if hasattr(sentences, "sentences"):
        found = cast("list[Sentence]", [*sentences.sentences])
    else:
        found = cast(
            "list[Sentence]",
            [sentences] if hasattr(sentences, "tags") else [*sentences],
        )
    others = {
        name for each in found for name in each.layers if not find_task(name).marked
    }
    if hasattr(sentences, "sentences") and is_running(others, style):
        text, bounds = (
            str(sentences),
            [(each.start_char, each.end_char) for each in found],
        )
        return (
            pages.TEXT_START + running_html(text, bounds, found, style) + pages.TEXT_END
        )
    items = "\n".join("".join(sentence_html(each, style)) for each in found)
    return pages.LIST_START + items + pages.LIST_END
