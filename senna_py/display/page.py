"""The HTML around sentences: a whole page, or a `<div>` with a style sheet."""

from functools import cache
from pathlib import Path

from senna_py.display.escapes import escape

# No script runs and nothing is loaded, even if a browser mistakes text for markup.
POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'"
)
# The language of the text is unknown.
LIST_START, LIST_END = (
    '<ol lang="">\n',
    "\n</ol>\n",
)
TEXT_START, TEXT_END = '<p class=r lang="">', "</p>\n"


@cache
def _file(name: str) -> str:
    return Path(__file__).with_name(name).read_text("utf-8")


def style_sheet() -> str:
    """Return the style sheet, whose rules only affect elements in `.senna-py`."""
    return _file("style.css")


def fragment(body: str) -> str:
    """Return a `<div>` with a style sheet, in which notebooks do not typeset `$`."""
    style = f"<style>\n{style_sheet()}</style>\n"
    return f'<div class="senna-py tex2jax_ignore mathjax_ignore">{style}{body}</div>'


def page_start(title: str) -> str:
    """Return the start of a page, up to the content of its body."""
    start = _file("page.html").partition("{body}")[0]
    return start.format(policy=POLICY, title=escape(title), style=style_sheet())


def page_end() -> str:
    """Return the end of a page, after the content of its body."""
    return _file("page.html").partition("{body}")[2]


def form_page(text: str = "", body: str = "", message: str = "") -> str:
    """Return a page with a form for text.

    Args:
        text: The text in the form.
        body: The HTML of its sentences, below the form.
        message: An error message; empty if there is none.
    """
    alert = f"<p role=alert>{escape(message)}</p>\n" if message else ""
    form = _file("form.html").format(text=escape(text), message=alert)
    return f"{page_start('senna-py')}{form}{body}{page_end()}"
