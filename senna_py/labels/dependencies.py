"""Dependencies of a sentence: where the head of each word is."""

from collections import defaultdict
from collections.abc import Sequence


def depths(heads: Sequence[int]) -> list[int | None]:
    """How far each word is from a root; None where its heads form a circle.

    heads: of each word, the number of another one, from 0 on, or -1 for a root.
    """
    found: list[int | None] = [None] * len(heads)
    below = defaultdict(list)
    for word, head in enumerate(heads):
        below[head].append(word)
    level, depth = below[-1], 0
    while level:
        for word in level:
            found[word] = depth
        level, depth = [word for head in level for word in below[head]], depth + 1
    return found
