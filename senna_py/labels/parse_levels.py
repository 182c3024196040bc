"""Levels 0 to 4 of parse trees, from parse bits (Collobert et al. 2011, section 6.5)."""

from senna_py.labels.parse_bits import read_bits

__all__ = ["level_tags"]


def level_tags(bits, level):
    """IOB2 tags of the deepest phrases at a level of the tree: a list of one str a word.

    bits: one str a word, such as `(TOP(S(NP*`. Level 0 is the whole tree; each further one is the
    one before without its leaves, the phrases that hold no other, whose words now belong to the
    phrase around them. Each word takes the label of its deepest phrase, without function tags;
    neighbours in the same phrase are one segment; words directly under S or the root are O, as
    are all when the root is gone. Raises ValueError(token, problem).
    """
    labels, around, _, _, inside = read_bits(bits)
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
