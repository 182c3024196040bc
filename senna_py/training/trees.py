"""Level 0 of parse trees, from parse bits (Collobert et al. 2011, section 6.5)."""

import re

__all__ = ["level0_tags"]

_BIT = re.compile(r"((?:\([^()*\s]*)*)\*(\)*)")


def level0_tags(bits):
    """IOB2 tags of the deepest phrases: a list of one str a word.

    bits: one str a word, such as `(TOP(S(NP*`. Each word takes the label of its deepest phrase,
    without function tags; neighbours in the same phrase are one segment; words directly under S or
    the root are O. Raises ValueError(token, problem).
    """
    open_phrases, deepest, n_phrases = [], [], 0
    for token, bit in enumerate(bits):
        match = _BIT.fullmatch(bit)
        if match is None:
            raise ValueError(token, f"expected a parse bit such as (NP* or *), found {bit!r}")
        for label in match[1].split("(")[1:]:
            open_phrases.append((_bare(label), n_phrases))
            n_phrases += 1
        deepest.append(open_phrases[-1] if open_phrases else None)
        if len(match[2]) > len(open_phrases):
            raise ValueError(token, f"expected {len(open_phrases)} open phrases or more, "
                                    f"found {bit!r}")  # fmt: skip
        del open_phrases[len(open_phrases) - len(match[2]) :]
    if open_phrases:
        raise ValueError(len(bits) - 1, f"expected {open_phrases[-1][0]} to end in its sentence")
    return _tags(deepest)


def _bare(label):
    """Label without function tags and indices: NP-SBJ-1 and NP=2 are NP."""
    return re.split("[-=|]", label, maxsplit=1)[0] or label


def _tags(deepest):
    tags, before = [], None
    for phrase in deepest:
        if phrase is None or phrase[0] in ("S", "TOP", "ROOT", "S1", ""):
            tags.append("O")
            before = None
        else:
            tags.append(f"{'I' if phrase == before else 'B'}-{phrase[0]}")
            before = phrase
    return tags
