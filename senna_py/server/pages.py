"""The page that tags what is typed into its form."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import parse_qs

from starlette.exceptions import HTTPException

from senna_py.display import body_html
from senna_py.display.page import form_page
from senna_py.labels.tasks import ROLES
from senna_py.server.limits import LONGEST_SENTENCE
from senna_py.server.service import encoded

if TYPE_CHECKING:
    from senna_py.answers.document import Document

# The maximum size of the text of the form in bytes. A page is much larger than its text.
LONGEST_TEXT = 1 << 16
LARGEST_FORM = LONGEST_TEXT << 2  # The maximum size of a URL-encoded form.
# The maximum size of the pictures of roles on a page: the sum, over its sentences, of
# the number of predicates times the number of tokens.
MOST_DRAWN = 1 << 20


def text_of_form(body: bytes) -> tuple[str, HTTPException | None]:
    """Return the text of a form, and its problem, if it has one.

    The text can be shown again even if there is a problem with it.

    Args:
        body: The URL-encoded form, or its beginning if it is larger than LARGEST_FORM.
    """
    wrong = HTTPException(400, "send a form in UTF-8 with the field text")
    try:
        form = parse_qs(
            body.decode("latin-1"), True, max_num_fields=10, encoding="latin-1"
        )
        data = form["text"][0].encode("latin-1").replace(b"\r\n", b"\n")
    except (ValueError, KeyError):
        return "", wrong
    if len(data) > LONGEST_TEXT:
        size = f"{len(data):,}"
        if len(body) > LARGEST_FORM:
            size = "more than is shown"
        reason = f"a text has at most {LONGEST_TEXT:,} bytes, this one {size}"
        return data.decode("utf-8", "replace"), HTTPException(413, reason)
    try:
        return data.decode(), None
    except ValueError:
        return data.decode("utf-8", "replace"), wrong


def tagged_page(text: str, document: Document) -> bytes:
    """Return the page that shows a tagged text.

    If there are too many predicates to draw, only entities are marked.
    """
    style, message = "all", "" if document else "There is no text."
    frames = [
        (len(sentence.frames), len(sentence))
        for sentence in document.sentences
        if ROLES in sentence.layers
    ]
    if sum(n * min(length, LONGEST_SENTENCE) for n, length in frames) > MOST_DRAWN:
        n_frames = sum(n for n, _ in frames)
        style = "entities"
        message = (
            f"{n_frames:,} predicates are too many to draw: only entities are marked."
        )
    return encoded(form_page(text, body_html(document, style), message))


def error_page(text: str, reason: str) -> bytes:
    """Return the page with an error message and the text that was typed."""
    return encoded(form_page(text, message=f"Error: {reason}."))
