"""Tagged sentences as HTML: for notebooks, for web pages, and for whole files."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from senna_py.display.page import fragment, whole_page
from senna_py.display.sentence import STYLES, check_style, sentence_html
from senna_py.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from senna_py.annotation import Sentence

__all__ = ["STYLES", "render"]


def render(
    sentences: Sentence | Iterable[Sentence],
    style: str = "all",
    *,
    page: bool = False,
    title: str = "Sentences",
) -> str:
    """HTML of what was found; it needs neither a network nor scripts.

    Args:
        sentences: A Sentence, or many, such as a Document.
        style: `all`, `entities`, `chunks`, `roles` or `tree`.
        page: Whether to give a whole page, not a `<div>` to put into one.
        title: Of the page.

    Raises:
        UsageError: If there is no such style, or text stands in place of sentences.
    """
    check_style(style)
    given: object = sentences
    if isinstance(given, str):
        raise UsageError("expected sentences, such as nlp.document(text) gives, not text")
    found = cast("Iterable[Sentence]", [sentences] if hasattr(sentences, "tags") else sentences)
    body = "\n".join(sentence_html(sentence, style) for sentence in found)
    return whole_page(body, title) if page else fragment(body)
