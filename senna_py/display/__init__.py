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
    """HTML of a Sentence, or of many such as a Document; it needs neither a network nor scripts.

    style: `all`, or one of `entities`, `chunks`, `roles` and `tree`; what was not asked for when
    the sentences were tagged is left out. page: whether to give a whole page with `title`, and not
    a `<div>` to put into one. Text of any kind is shown as text. Raises UsageError for another
    style, and for text in place of sentences.
    """
    check_style(style)
    given: object = sentences
    if isinstance(given, str):
        raise UsageError("expected sentences, such as nlp.document(text) gives, not text")
    found = cast("Iterable[Sentence]", [sentences] if hasattr(sentences, "tags") else sentences)
    body = "\n".join(sentence_html(sentence, style) for sentence in found)
    return whole_page(body, title) if page else fragment(body)
