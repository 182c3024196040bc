"""Annotations as HTML: a list item a sentence, in pages that are written as they come."""

from urllib.parse import quote

from senna_py.display.escapes import escape
from senna_py.display.page import LIST_END, LIST_START, page_end, page_start
from senna_py.display.sentence import sentence_html
from senna_py.reading import sentences_of_lines

__all__ = ["HtmlFormat", "index_page"]


class HtmlFormat:
    """Prints batches as bytes, in list items; may be shared by threads."""

    splits_lines = False  # a line that was cut for the networks is one sentence all the same
    wants_places = True

    def __init__(self, tagger, title=None):
        """Prepare to print what `tagger` finds.

        title: of the page, if there is only one document on it; may be changed for the next page.
        """
        self._tagger = tagger
        self.title = title

    def header(self):
        """What the page begins with."""
        return _encoded(page_start(self.title or "Sentences"))

    def begin(self, document):
        """The heading of a document, if the page has several, and the beginning of its list."""
        heading = "" if self.title else f"<h2>{escape(document)}</h2>\n"
        return _encoded(heading + LIST_START)

    def print(self, found, place):
        """Items of the sentences of Annotations; their Place does not matter."""
        items = map(sentence_html, sentences_of_lines(self._tagger, found))
        return b"".join(_encoded(item) for item in items)

    def end(self):
        """The end of the list that `begin` began."""
        return _encoded(LIST_END)

    def footer(self):
        """What the page ends with."""
        return _encoded(page_end())


def index_page(pages):
    """Page with links to others, as bytes; pages: (document, file name, number of sentences)."""
    items = [
        f'<li><a href="{quote(name, errors="surrogateescape")}">{escape(document)}</a>: '
        f"{n_sentences:,} sentence{'' if n_sentences == 1 else 's'}\n"
        for document, name, n_sentences in pages
    ]
    return _encoded(f"{page_start('Sentences')}<ul>\n{''.join(items)}</ul>\n{page_end()}")


def _encoded(text):
    return text.encode()
