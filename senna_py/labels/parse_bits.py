"""Parse bits: a tree as one str a word, such as `(TOP(S(NP*`, `*` and `*))`
(CoNLL-2012).

Levels 0 to 4 of the tree are labels of words (Collobert et al. 2011, section 6.5).
"""

import re

from senna_py.errors import counted
from senna_py.labels.brackets import ROOTS, Phrase

_BIT = re.compile(r"((?:\([^()*\s]*)*)\*(\)*)")


def read_bits(
    bits: list[str],
) -> tuple[list[Phrase], list[int | None], list[int | None]]:
    """Phrases of a sentence from one parse bit a word, in the order in which they open.

    Their labels have no function tags. With them come the number of the phrase around
    each, and of the innermost phrase of each word; None for none. Raises
    ValueError(token, problem).
    """
    phrases: list[Phrase] = []
    around: list[int | None] = []
    inside: list[int | None] = []
    open_phrases: list[int] = []
    for token, bit in enumerate(bits):
        match = _BIT.fullmatch(bit)
        if match is None:
            raise ValueError(
                token, f"expected a parse bit such as (NP* or *), found {bit!r}"
            )
        for label in match[1].split("(")[1:]:
            around.append(open_phrases[-1] if open_phrases else None)
            open_phrases.append(len(phrases))
            phrases.append(Phrase(bare_label(label), token, token))
        inside.append(open_phrases[-1] if open_phrases else None)
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
    return phrases, around, inside


def bare_label(label: str) -> str:
    """Label without function tags and indices: NP-SBJ-1 and NP=2 are NP."""
    return re.split("[-=|]", label, maxsplit=1)[0] or label


def is_parse_bit(text: str) -> bool:
    """Return whether a str is a parse bit."""
    return _BIT.fullmatch(text) is not None


def level_tags(bits, level):
    """IOB2 tags of the deepest phrases at a level of the tree: a list of one str a
    word.

    bits: one str a word, such as `(TOP(S(NP*`. Level 0 is the whole tree; each further
    one is the one before without its leaves, the phrases that hold no other, whose
    words now belong to the phrase around them. Each word takes the label of its deepest
    phrase, without function tags; neighbors in the same phrase are one segment; words
    directly under S or the root are O, as are all when the root is gone. Raises
    ValueError(token, problem).
    """
    phrases, around, inside = read_bits(bits)
    heights = [0] * len(phrases)
    for phrase in reversed(range(len(phrases))):  # from the inside to the outside
        if around[phrase] is not None:
            heights[around[phrase]] = max(heights[around[phrase]], heights[phrase] + 1)
    tags, before = [], None
    for innermost in inside:
        phrase = innermost
        # A phrase is a leaf, and goes, after as many levels as there are phrases below
        # it.
        while phrase is not None and heights[phrase] < level:
            phrase = around[phrase]
        if phrase is None or phrases[phrase].label in ("S", *ROOTS):
            tags.append("O")
            before = None
        else:
            tags.append(f"{'I' if phrase == before else 'B'}-{phrases[phrase].label}")
            before = phrase
    return tags
