"""The format `html`: pages of sentences, which are written piece by piece."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING
from urllib.parse import quote

from senna_py.answers.reading import sentences_of_lines
from senna_py.display.escapes import escape
from senna_py.display.page import (
    LIST_END,
    LIST_START,
    TEXT_END,
    TEXT_START,
    page_end,
    page_start,
)
from senna_py.display.sentence import is_running, running_html, sentence_html
from senna_py.formats.base import Printer

if TYPE_CHECKING:
    from collections.abc import Iterable

    from senna_py.answers.annotations import Annotations
    from senna_py.corpora.places import BatchPlace
    from senna_py.tagger import Tagger


class HtmlPrinter(Printer):
    """Prints a list item for each sentence, or running text with marked spans.

    The text is running text if all tasks have spans that are marked in it, as entities.
    Documents share a page or have a page each.
    """

    def __init__(self, tagger: Tagger, title: str | None = None) -> None:
        """Set the title.

        Args:
            tagger: The tagger whose tasks are printed.
            title: The title of the page: the name of its only document, or None if
                there are several.
        """
        super().__init__(tagger)
        self._title = title
        self._runs = is_running(t for t in tagger.tasks if not tagger.task(t).marked)

    def header(self) -> bytes:
        """Return the start of a page."""
        return page_start(self._title or "Sentences").encode()

    def begin(self, document: str) -> bytes:
        """Return the start of a document's list or running text.

        It has a heading if there are several documents on the page.
        """
        heading = "" if self._title else f"<h2>{escape(document)}</h2>\n"
        return (heading + (TEXT_START if self._runs else LIST_START)).encode()

    def format(self, annotations: Annotations, place: BatchPlace) -> bytes:
        """Return the list items of the sentences that have tokens, or running text."""
        sentences = sentences_of_lines(annotations)
        if not self._runs:
            return "".join(chain.from_iterable(map(sentence_html, sentences))).encode()
        tokens = annotations.tokens
        bounds = sorted(
            {*zip(tokens.text_begin.tolist(), tokens.text_end.tolist(), strict=True)}
        )
        return running_html(tokens.data.decode("latin-1"), bounds, sentences).encode()

    def end(self) -> bytes:
        """Return the end of a document's list or running text."""
        return (TEXT_END if self._runs else LIST_END).encode()

    def footer(self) -> bytes:
        """Return the end of a page."""
        return page_end().encode()

    def page_of(self, document: str) -> HtmlPrinter:
        """Return a printer for the page of a single document."""
        return HtmlPrinter(self.tagger, document)

    def index(self, pages: Iterable[tuple[str, str, int]]) -> bytes:
        """Return an index: a page with links to other pages.

        Args:
            pages: For each page, the document, the name of the file and the number of
                sentences.
        """
        items = "".join(
            f'<li><a href="{quote(name, errors="surrogateescape")}">{escape(document)}</a>: '
            f"{n_sentences:,} sentence{'' if n_sentences == 1 else 's'}\n"
            for document, name, n_sentences in pages
        )
        body = f"<ul>\n{items}</ul>\n"
        return f"{page_start('Sentences')}{body}{page_end()}".encode()
