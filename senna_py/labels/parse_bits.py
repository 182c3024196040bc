"""Parse bits: the tree of a sentence as one string per word, such as `(TOP(S(NP*`.

This is the format of trees in CoNLL-2012. Its levels 0 to 4 are converted to tags
(Collobert et al. 2011, section 6.5).
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from senna_py.errors import counted
from senna_py.labels.brackets import ROOTS, Phrase

_BIT = re.compile(r"((?:\([^()*\s]*)*)\*(\)*)")


class BitPhrases(NamedTuple):
    """The phrases of a sentence.

    Attributes:
        phrases: The phrases in the order in which they open, without function tags.
        parents: The index of the phrase around each phrase, or None.
        innermost: The index of the innermost phrase around each token, or None.
    """

    phrases: list[Phrase]
    parents: list[int | None]
    innermost: list[int | None]


def read_bits(bits: Sequence[str]) -> BitPhrases:
    """Return the phrases of a sentence, given the parse bit of each word.

    Raises:
        ValueError: If a parse bit is malformed, or if brackets do not match. The two
            arguments are the index of the token and the problem.
    """
    phrases: list[Phrase] = []
    parents: list[int | None] = []
    innermost: list[int | None] = []
    open_phrases: list[int] = []
    for token, bit in enumerate(bits):
        match = _BIT.fullmatch(bit)
        if match is None:
            raise ValueError(
                token, f"expected a parse bit such as (NP* or *), found {bit!r}"
            )
        for label in match[1].split("(")[1:]:
            parents.append(open_phrases[-1] if open_phrases else None)
            open_phrases.append(len(phrases))
            phrases.append(Phrase(bare_label(label), token, token))
        innermost.append(open_phrases[-1] if open_phrases else None)
        n_open = len(open_phrases)
        if len(match[2]) > n_open:
            most = counted(n_open, "closing bracket")
            raise ValueError(token, f"expected at most {most}, found {bit!r}")
        for _ in match[2]:
            closed = open_phrases.pop()
            phrases[closed] = Phrase(*phrases[closed][:2], token + 1)
    if open_phrases:
        name = phrases[open_phrases[-1]].label
        raise ValueError(len(bits) - 1, f"expected {name} to end in its sentence")
    return BitPhrases(phrases, parents, innermost)


def bare_label(label: str) -> str:
    """Return a label without function tags and indices: NP-SBJ-1 and NP=2 are NP."""
    return re.split("[-=|]", label, maxsplit=1)[0] or label


def is_parse_bit(text: str) -> bool:
    """Return whether a text has the form of a parse bit, such as `(NP*` or `*`."""
    return _BIT.fullmatch(text) is not None


def level_tags(bits: Sequence[str], level: int) -> list[str]:
    """Return the IOB2 tags of the deepest phrases at a level of the tree.

    Level 0 is the whole tree. Each further level removes the leaves of the level before
    it, which are the phrases that contain no other phrase; their words then belong to
    the phrase around them. The type of a word's tag is the label of its deepest phrase,
    without function tags. Neighbors in the same phrase are one segment. Words directly
    under S or the root are O, and so are all words once the root is removed.

    Args:
        bits: The parse bit of each word, such as `(TOP(S(NP*`.
        level: The level of the tree.

    Raises:
        ValueError: If a parse bit is malformed, or if brackets do not match. The two
            arguments are the index of the token and the problem.
    """
    phrases, parents, innermost = read_bits(bits)
    heights = [0] * len(phrases)
    for child in reversed(range(len(phrases))):  # from the inside to the outside
        parent = parents[child]
        if parent is not None:
            heights[parent] = max(heights[parent], heights[child] + 1)
    tags: list[str] = []
    previous = None
    for token_phrase in innermost:
        phrase = token_phrase
        # A phrase of height h is removed as a leaf after h levels.
        while phrase is not None and heights[phrase] < level:
            phrase = parents[phrase]
        if phrase is None or phrases[phrase].label in ("S", *ROOTS):
            tags.append("O")
            previous = None
        else:
            prefix = "I" if phrase == previous else "B"
            tags.append(f"{prefix}-{phrases[phrase].label}")
            previous = phrase
    return tags
