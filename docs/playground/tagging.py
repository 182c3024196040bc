"""What the worker of the playground runs in Pyodide."""

import logging
from functools import lru_cache

from senna_py import Document, load
from senna_py.display import body_html
from senna_py.display.page import style_sheet

__all__ = ["style_sheet", "tag"]

# That NumPy alone tags is no news in a browser.
logging.getLogger("senna_py").setLevel(logging.ERROR)
tagger = load()


@lru_cache(1)
def document(text: str) -> Document:
    """Tag a text, or return the document of the same text before."""
    return tagger.document(text)


def tag(text: str, layers: str) -> tuple[str, int]:
    """Return the HTML of a text, and the number of its sentences.

    Args:
        text: The text.
        layers: A style of `senna_py.display`, such as `roles`.
    """
    tagged = document(text)
    return body_html(tagged, layers), len(tagged.sentences)


tag("The first text takes longest.", "all")
