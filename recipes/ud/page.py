"""The text of web pages, a paragraph per line.

python recipes/ud/page.py PAGE.html... > page.txt

Headings, entries of lists and cells of tables are lines of their own; scripts, styles
and what stands in `head` are left out.
"""

from html.parser import HTMLParser

from senna_py.cli.scripts import run_script
from senna_py.errors import SennaError

INLINE = {
    "a",
    "abbr",
    "b",
    "bdi",
    "bdo",
    "cite",
    "code",
    "data",
    "del",
    "dfn",
    "em",
    "font",
    "i",
    "img",
    "ins",
    "kbd",
    "label",
    "mark",
    "q",
    "s",
    "samp",
    "small",
    "span",
    "strong",
    "sub",
    "sup",
    "time",
    "tt",
    "u",
    "var",
    "wbr",
}
HIDDEN = {"head", "script", "style", "template", "noscript", "svg", "select"}


class Page(HTMLParser):
    """Collects the lines of the HTML that it is fed, as a list of str in `lines`."""

    def __init__(self):
        """Begin without lines."""
        super().__init__()
        self.lines, self._parts, self._hidden = [], [], 0

    def _tag(self, tag, depth):
        if tag in HIDDEN:
            self._hidden = max(self._hidden + depth, 0)
        if tag not in INLINE:
            self.finish()

    def handle_starttag(self, tag, attrs):
        """See HTMLParser. A page may omit `</head>`."""
        if tag == "body":
            self._hidden = 0
        self._tag(tag, 1)

    def handle_endtag(self, tag):
        """See HTMLParser."""
        self._tag(tag, -1)

    def handle_startendtag(self, tag, attrs):
        """See HTMLParser. Such an element has no contents."""
        self._tag(tag, 0)

    def handle_data(self, data):
        """See HTMLParser."""
        if not self._hidden:
            self._parts.append(data)

    def finish(self):
        """End the line.

        As in a browser, any white space becomes a single space.
        """
        line = " ".join("".join(self._parts).split())
        if line:
            self.lines.append(line)
        self._parts = []


def main(*paths):
    """Print the lines of all pages, which are in UTF-8."""
    for path in paths:
        page = Page()
        try:
            with open(path, encoding="utf-8") as file:
                page.feed(file.read())
        except (OSError, UnicodeDecodeError) as error:
            raise SennaError(
                f"{path}: {getattr(error, 'strerror', None) or error}"
            ) from None
        page.close()
        page.finish()
        print(*page.lines, sep="\n")


if __name__ == "__main__":
    run_script(main, __doc__)
