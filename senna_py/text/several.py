"""Texts that look like several sentences, for notes to those who gave them as one."""

import re
from collections.abc import Iterable

from senna_py.errors import one_line
from senna_py.text.known_texts import read_words

_END = re.compile(r"(?<![.!?])[.!?]+[\"'”’)\]]*\s+[\"'“‘(\[]*(\w)")
_noted: list[str] = []  # by this process


def note_sentences(texts: Iterable[str], advice: str) -> None:
    """Warn, once in a process, if one of `texts` is several sentences; advice: what to use."""
    if not _noted and (text := next(filter(has_several, texts), None)):
        import logging  # noqa: PLC0415 - a short start

        _noted.append(text)
        logging.getLogger(__name__.partition(".")[0]).warning(
            "a text given as one sentence looks like several: %s; use %s",
            one_line(repr(text), 60), advice,
        )  # fmt: skip


def has_several(text: str) -> bool:
    """Whether a sentence ends within the text, and another begins with a capital."""
    for found in _END.finditer(text):
        last = text[: found.start()].rstrip().rpartition(" ")[2].lstrip("\"'“‘([")
        is_word = len(last) > 1 and last[-2:].isalpha() and last[-1].islower()
        if is_word and found[1].isupper() and last not in read_words("abbreviations.txt"):
            return True
    return False
