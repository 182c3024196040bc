"""Annotations as HTML: a list item a sentence, in pages that are written as they
come.
"""

from itertools import chain
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


class HtmlPrinter(Printer):
    """Prints list items, in a page of one document or several, or a page for each.

    Of entities alone, it prints the text, with marks.
    """

    def __init__(self, tagger, title=None):
        """title: of a page, the name of the only document on it; None if there are
        several.
        """
        super().__init__(tagger)
        self._title = title
        self._runs = is_running(t for t in tagger.tasks if not tagger.task(t).marked)

    def header(self):
        return page_start(self._title or "Sentences").encode()

    def begin(self, document):
        """Return the heading of a document, if the page has several, and its list's
        beginning.
        """
        heading = "" if self._title else f"<h2>{escape(document)}</h2>\n"
        return (heading + (TEXT_START if self._runs else LIST_START)).encode()

    def print(self, found, place):
        sentences = sentences_of_lines(found)
        if not self._runs:
            return "".join(chain.from_iterable(map(sentence_html, sentences))).encode()
        tokens = found.tokens
        bounds = sorted(
            {*zip(tokens.text_begin.tolist(), tokens.text_end.tolist(), strict=True)}
        )
        return running_html(tokens.data.decode("latin-1"), bounds, sentences).encode()

    def end(self):
        return (TEXT_END if self._runs else LIST_END).encode()

    def footer(self):
        return page_end().encode()

    def page_of(self, document):
        """Make the printer of a page of its own for a document."""
        return HtmlPrinter(self.tagger, document)

    def index(self, pages):
        """Return a page with links; pages: of (document, file name, number of
        sentences).
        """
        items = [
            f'<li><a href="{quote(name, errors="surrogateescape")}">{escape(document)}</a>: '
            f"{n_sentences:,} sentence{'' if n_sentences == 1 else 's'}\n"
            for document, name, n_sentences in pages
        ]
        return f"{page_start('Sentences')}<ul>\n{''.join(items)}</ul>\n{page_end()}".encode()
