"""Rules that split a paragraph into sentences, given its tokens.

A sentence ends after `.`, `!`, `?`, an ellipsis, an emoticon or an abbreviation,
followed by any closing quotes, closing brackets, emoticons, emoji and footnote marks.
The text after these must begin like a sentence: with a capital or a digit, possibly
after an opening quote or bracket. After an abbreviation, it must begin with a word that
often begins sentences (`sentence_starters.txt`). No sentence ends after a title such as
`Mr.`, or after the number of a list item that begins the sentence. Directly after `!`
or `?`, or after a word and a period, any letter begins a sentence.

A `"` or `'` opens if only the token before it is separated by a space, and closes if
only the token after it is. Otherwise, `"` alternates and `'` closes.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from senna_py.errors import one_line
from senna_py.kernels.text.sentences import find_sentences
from senna_py.text.characters import CLASS, cover_characters
from senna_py.text.known_texts import all_abbreviations, known_texts

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from senna_py.text.text_trie import TrieArray

_END = re.compile(r"(?<![.!?])[.!?]+[\"'”’)\]]*\s+[\"'“‘(\[]*(\w)")
_noted: list[str] = []  # the text about which this process has warned, if any


def sentence_indices(
    data: bytes,
    begin: NDArray[np.int32],
    end: NDArray[np.int32],
    starts: NDArray[np.integer],
    trie: TrieArray | None = None,
    small: bool = True,
) -> NDArray[np.int64]:
    """Return the first token of each sentence of some paragraphs: int64[n_sentences].

    Args:
        data: The text.
        begin: int32[n_tokens], the first byte of each token.
        end: int32[n_tokens], the byte after each token.
        starts: int[n_paragraphs + 1]; paragraph p consists of the tokens
            `starts[p]:starts[p + 1]`. No paragraph may be empty.
        trie: The abbreviations, marks and sentence starters of a language. The default
            is `known_texts()`, for English.
        small: Whether a sentence may begin with a lower-case letter.
    """
    cover_characters(data)
    raw = np.frombuffer(data, np.uint8)
    opens = np.empty(len(begin), bool)
    firsts = np.empty(len(begin), np.int64)
    trie = known_texts() if trie is None else trie
    starts = starts.astype(np.int32)
    n = find_sentences(raw, begin, end, starts, trie, small, CLASS, opens, firsts)
    return firsts[:n]


def sentence_starts(tokens: Sequence[str]) -> list[int]:
    """Return the index of the first token of each sentence of an English paragraph.

    Args:
        tokens: The tokens of the paragraph, which are joined with spaces.
    """
    encoded = [token.encode("utf-8", "surrogateescape") for token in tokens]
    length = np.array([len(token) for token in encoded], np.int32)
    begin = np.cumsum(length + 1, dtype=np.int32) - length - 1
    starts = np.array([0, len(tokens)] if tokens else [0])
    return sentence_indices(b" ".join(encoded), begin, begin + length, starts).tolist()


def note_sentences(texts: Iterable[str], advice: str) -> None:
    """Log a warning if a text that should be one sentence seems to have several.

    There is at most one warning per process.

    Args:
        texts: The texts.
        advice: The recommendation for several sentences, for the message.
    """
    if not _noted and (text := next(filter(has_several, texts), None)):
        import logging  # noqa: PLC0415 - a short start

        _noted.append(text)
        logging.getLogger(__name__.partition(".")[0]).warning(
            "a text given as one sentence looks like several: %s; use %s",
            one_line(repr(text), 60),
            advice,
        )


def has_several(text: str) -> bool:
    """Return whether a text seems to have several sentences, by a strict quick test.

    A final mark must follow an English word in lower case that is not an abbreviation,
    and precede a capital.
    """
    for end in _END.finditer(text):
        last = text[: end.start()].rstrip().rpartition(" ")[2].lstrip("\"'“‘([")
        is_word = len(last) > 1 and last[-2:].isalpha() and last[-1].islower()
        if is_word and end[1].isupper() and last not in all_abbreviations():
            return True
    return False
