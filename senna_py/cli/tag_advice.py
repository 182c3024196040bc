"""What the first lines of a text say of how it would better be read."""

import re
from itertools import pairwise

from senna_py.corpora.conllu import is_token_line
from senna_py.text.sentences import has_several

# Kinds of notes, and how these end.
SEVERAL = " has several sentences, tagged as one; --split-sentences, or senna-py tag, finds them"
WRAPPED = " end within sentences, as in text that is wrapped to a width; --paragraphs joins them"
CONLLU = " looks like CoNLL-U, and is tagged as text; senna-tag --layout conllu takes its tokens"
JSON = " looks like JSON lines, and is tagged as text; senna-py corpus tags the texts in them"
MARKUP = " and other markup of HTML are tokens like any other; take the text out of the page first"

_MARKUP = re.compile(
    rb"&(?:#\d+|amp|[lg]t|quot|nbsp);|</?(?:p|br|div|span|a|b|i|li|td)(?: [^<>\n]*)?/?>"
)
_RECORD = re.compile(rb'\s*\{"\w+": ?["\d]')
_COMMENTS = re.compile(rb"(?:(?:#.*)?\n)*")


def advice(text, options):
    """A note on the first batch of a text, bytes, and its kind; None for text as it
    should be.
    """
    is_record = _RECORD.match(text)
    if is_record or is_token_line(
        text[_COMMENTS.match(text).end() :].split(b"\n", 1)[0]
    ):
        return "this", JSON if is_record else CONLLU
    if options.usrtokens or options.paragraphs:
        return None
    lines = text[: 1 << 13].decode("utf-8", "replace").split("\n")
    lines = [line.rstrip() for line in lines[: 1 if len(lines) == 1 else -1]]
    if _is_wrapped(lines):
        return "lines", WRAPPED
    if options.split:
        return None
    several = [i for i, line in enumerate(lines, 1) if has_several(line)]
    # What looks like two sentences now and then, in lines that were cut by somebody,
    # may be one.
    if several and 8 * len(several) >= sum(map(bool, lines)):
        return f"line {several[0]}", SEVERAL
    return None


def markup(text):
    """The first markup of HTML in a text, bytes: str, empty without any."""
    found = _MARKUP.search(text)
    return found[0].decode() if found else ""


def _is_wrapped(lines):
    """Whether most lines go on in the next one, whose first word had no room on
    them.
    """
    pairs = [(line, after.split()) for line, after in pairwise(lines) if line and after]
    if len(pairs) < 3:
        return False
    width = sorted(len(line) for line, _ in pairs)[int(0.9 * len(pairs))]
    full = sum(len(line) + len(after[0]) >= 0.85 * width for line, after in pairs)
    open_ = sum(line[-1].isalnum() or line[-1] in ",-" for line, _ in pairs)
    goes_on = sum(after[0][0].islower() for _, after in pairs)
    often = all(
        n >= part * len(pairs)
        for n, part in ((full, 0.8), (open_, 0.6), (goes_on, 0.3))
    )
    return often and width >= 30  # else they are short lines, of any kind
