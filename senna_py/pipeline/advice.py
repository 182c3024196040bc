"""Advice on options for reading a text, from the appearance of its lines."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from senna_py.corpora.conllu import is_token_line
from senna_py.text.sentences import has_several

if TYPE_CHECKING:
    from senna_py.pipeline.options import Note, TextOptions

# The topics of notes. Each note ends with its topic.
SEVERAL = " has several sentences, tagged as one; --split-sentences, or senna-py tag, finds them"
WRAPPED = " end within sentences, as in text that is wrapped to a width; --paragraphs joins them"
CONLLU = " looks like CoNLL-U, and is tagged as text; senna-tag --layout conllu takes its tokens"
JSON = " looks like JSON lines, and is tagged as text; senna-py tag --field tags the texts in them"
MARKUP = " and other markup of HTML are tokens like any other; take the text out of the page first"

_MARKUP = re.compile(
    rb"&(?:#\d+|amp|[lg]t|quot|nbsp);|</?(?:p|br|div|span|a|b|i|li|td)(?: [^<>\n]*)?/?>"
)
_RECORD = re.compile(rb'\s*\{"\w+": ?["\d]')
_COMMENTS = re.compile(rb"(?:(?:#.*)?\n)*")


class Adviser:
    """Checks the batches of a text and suggests better options for reading it."""

    def __init__(self, name: str, options: TextOptions, note: Note) -> None:
        self._name, self._options, self._note = name, options, note
        self._has_markup = False

    def look(self, text: bytes, is_first: bool) -> None:
        """Check a batch of whole lines.

        Markup is reported once per text. Other advice depends only on the first batch.
        """
        if is_first and (advised := advice(text, self._options)):
            where, topic = advised
            self._note(f"{self._name}: {where}{topic}", topic)
        if not self._has_markup and (markup := find_markup(text)):
            self._has_markup = True
            self._note(f"{self._name}: {markup}{MARKUP}", MARKUP)


def advice(text: bytes, options: TextOptions) -> tuple[str, str] | None:
    """Return the subject and the topic of a note on the first batch of a text.

    The subject, such as `line 3`, precedes the topic. The result is None if the options
    suit the text.
    """
    comments = _COMMENTS.match(text)
    first_line = text[comments.end() if comments else 0 :].split(b"\n", 1)[0]
    if _RECORD.match(text) or is_token_line(first_line):
        return "this", JSON if _RECORD.match(text) else CONLLU
    if options.usrtokens or options.paragraphs:
        return None
    lines = text[: 1 << 13].decode("utf-8", "replace").split("\n")
    lines = [line.rstrip() for line in lines[: 1 if len(lines) == 1 else -1]]
    if _is_wrapped(lines):
        return "lines", WRAPPED
    if options.splits:
        return None
    several = [number for number, line in enumerate(lines, 1) if has_several(line)]
    # If the lines are sentences, a few of them may look like two by mistake.
    if several and 8 * len(several) >= sum(map(bool, lines)):
        return f"line {several[0]}", SEVERAL
    return None


def find_markup(text: bytes) -> str:
    """Return the first HTML tag or character reference; an empty string if none."""
    markup = _MARKUP.search(text)
    return markup[0].decode() if markup else ""


def _is_wrapped(lines: list[str]) -> bool:
    """Return whether lines are wrapped: most are full and continue in the next one."""
    pairs = [(line, after.split()) for line, after in pairwise(lines) if line and after]
    if len(pairs) < 3:
        return False
    width = sorted(len(line) for line, _ in pairs)[int(0.9 * len(pairs))]
    n_full = sum(len(line) + len(after[0]) >= 0.85 * width for line, after in pairs)
    n_open = sum(line[-1].isalnum() or line[-1] in ",-" for line, _ in pairs)
    n_continued = sum(after[0][0].islower() for _, after in pairs)
    goes_on = (
        n_full >= 0.8 * len(pairs)
        and n_open >= 0.6 * len(pairs)
        and n_continued >= 0.3 * len(pairs)
    )
    return goes_on and width >= 30  # Shorter lines may be the items of a list.
