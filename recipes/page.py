"""The text of web pages, a paragraph per line.

python recipes/page.py PAGE.html... > page.txt

Headings, entries of lists and cells of tables are lines of their own; scripts, styles
and the contents of `head` are left out.
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

    def __init__(self) -> None:
        """Begin without lines."""
        super().__init__()
        self.lines: list[str] = []
        self._parts: list[str] = []
        self._hidden = 0

    def _tag(self, tag: str, depth: int) -> None:
        if tag in HIDDEN:
            self._hidden = max(self._hidden + depth, 0)
        if tag not in INLINE:
            self.finish()

    def handle_starttag(self, tag: str, attrs: object) -> None:
        """See HTMLParser. A page may omit `</head>`."""
        if tag == "body":
            self._hidden = 0
        self._tag(tag, 1)

    def handle_endtag(self, tag: str) -> None:
        """See HTMLParser."""
        self._tag(tag, -1)

    def handle_startendtag(self, tag: str, attrs: object) -> None:
        """See HTMLParser. Such an element has no contents."""
        self._tag(tag, 0)

    def handle_data(self, data: str) -> None:
        """See HTMLParser."""
        if not self._hidden:
            self._parts.append(data)

    def finish(self) -> None:
        """End the line.

        As in a browser, any white space becomes a single space.
        """
        line = " ".join("".join(self._parts).split())
        if line:
            self.lines.append(line)
        self._parts = []


def main(*paths: str) -> None:
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
