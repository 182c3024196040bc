"""Levels 0 to 4 of parse trees, from parse bits (Collobert et al. 2011, section 6.5)."""

import re

__all__ = ["LEVELS", "level_tags"]

LEVELS = {f"pt{level}": level for level in range(5)}  # by the name of the label
_BIT = re.compile(r"((?:\([^()*\s]*)*)\*(\)*)")


def level_tags(bits, level):
    """IOB2 tags of the deepest phrases at a level of the tree: a list of one str a word.

    bits: one str a word, such as `(TOP(S(NP*`. Level 0 is the whole tree; each further one is the
    one before without its leaves, the phrases that hold no other, whose words now belong to the
    phrase around them. Each word takes the label of its deepest phrase, without function tags;
    neighbours in the same phrase are one segment; words directly under S or the root are O, as
    are all when the root is gone. Raises ValueError(token, problem).
    """
    labels, around, inside = _phrases(bits)
    heights = [0] * len(labels)
    for phrase in reversed(range(len(labels))):  # from the inside to the outside
        if around[phrase] is not None:
            heights[around[phrase]] = max(heights[around[phrase]], heights[phrase] + 1)
    deepest = []
    for innermost in inside:
        phrase = innermost
        # A phrase is a leaf, and goes, after as many levels as there are phrases below it.
        while phrase is not None and heights[phrase] < level:
            phrase = around[phrase]
        deepest.append(phrase)
    return _tags(labels, deepest)


def _phrases(bits):
    """Label of each phrase, the phrase around each (or None), and the deepest one of each word.

    A phrase is told by its number; the one around it has a lower number.
    """
    labels, around, inside, open_phrases = [], [], [], [None]
    for token, bit in enumerate(bits):
        match = _BIT.fullmatch(bit)
        if match is None:
            raise ValueError(token, f"expected a parse bit such as (NP* or *), found {bit!r}")
        for label in match[1].split("(")[1:]:
            around.append(open_phrases[-1])
            open_phrases.append(len(labels))
            labels.append(_bare(label))
        inside.append(open_phrases[-1])
        n_open = len(open_phrases) - 1
        if len(match[2]) > n_open:
            raise ValueError(token, f"expected {n_open} open phrases or more, found {bit!r}")
        del open_phrases[n_open + 1 - len(match[2]) :]
    if len(open_phrases) > 1:
        name = labels[open_phrases[-1]]
        raise ValueError(len(bits) - 1, f"expected {name} to end in its sentence")
    return labels, around, inside


def _bare(label):
    """Label without function tags and indices: NP-SBJ-1 and NP=2 are NP."""
    return re.split("[-=|]", label, maxsplit=1)[0] or label


def _tags(labels, deepest):
    tags, before = [], None
    for phrase in deepest:
        if phrase is None or labels[phrase] in ("S", "TOP", "ROOT", "S1", ""):
            tags.append("O")
            before = None
        else:
            tags.append(f"{'I' if phrase == before else 'B'}-{labels[phrase]}")
            before = phrase
    return tags
