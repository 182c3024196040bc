"""Dependencies of a sentence: heads of words, and chunks of nouns such as "the old
dog".
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from senna_py.labels.tag_schemes import outermost

if TYPE_CHECKING:
    from collections.abc import Sequence

    from senna_py.kinds import Arc

_OF_NOUNS = {
    "nsubj",
    "obj",
    "iobj",
    "obl",
    "vocative",
    "expl",
    "dislocated",
    "nmod",
    "appos",
}
_OF_ANY = {
    "root",
    "conj",
    "parataxis",
    "list",
    "xcomp",
    "ccomp",
    "advcl",
    "acl",
    "orphan",
    "dep",
}
_LEFT = {"det", "amod", "nummod", "clf", "compound", "flat"}  # and possessors
_RIGHT = {"flat", "fixed", "compound", "goeswith", "amod", "nummod", "clf", "det"}
_NOUNS = (
    "NOUN",
    "PROPN",
    "PRON",
    "NN",
    "PRP",
)  # what parts of speech of nouns begin with
# Parts of speech, universal and of the Penn Treebank, of words that are no nouns in any
# relation, such as *in* of *the house I live in*, and of those that a determiner makes
# one, as *the best*.
_ADPOSITIONS = {"ADP", "IN", "TO", "RP"}
_NEVER = _ADPOSITIONS | {
    "ADV",
    "AUX",
    "CCONJ",
    "SCONJ",
    "PART",
    "INTJ",
    "PUNCT",
    "RB",
    "RBR",
    "RBS",
    "WRB",
    "MD",
    "CC",
    "POS",
    "UH",
    "HYPH",
    "NFP",
    ",",
    ".",
    ":",
    "``",
    "''",
    "-LRB-",
    "-RRB-",
}
_DETERMINED = {
    "ADJ",
    "VERB",
    "JJ",
    "JJR",
    "JJS",
    "VB",
    "VBD",
    "VBG",
    "VBN",
    "VBP",
    "VBZ",
}
_PARTICLE = "compound:prt"
_DETERMINERS = {"det", "nmod:poss"}


def depths(heads: Sequence[int]) -> list[int | None]:
    """How far words are from a root, None in a circle; heads: their numbers, or -1 for
    a root.
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


def noun_chunks(arcs: Sequence[Arc], tags: Sequence[str] = ()) -> list[tuple[int, int]]:
    """First tokens of the noun chunks of a sentence, and those after their last ones.

    A chunk is a noun between its determiners, adjectives, numbers and parts of names,
    without prepositions and clauses; none lies in another. tags: parts of speech,
    universal or of the Penn Treebank, which say what is no noun, and what of relations
    that any word can have, such as root, is one.
    """
    relations = [arc.relation.partition(":")[0] for arc in arcs]
    children: list[list[int]] = [[] for _ in arcs]
    for i, arc in enumerate(arcs):
        if arc.head is not None:
            children[arc.head].append(i)
    first, last = _edges(arcs)
    chunks: list[tuple[int, int]] = []
    for i, relation in enumerate(relations):
        noun = relation in _OF_ANY and bool(tags) and tags[i].startswith(_NOUNS)
        if not noun and relation not in _OF_NOUNS:
            continue
        left = [child for child in children[i] if child < i]
        if tags and not _may_be_noun(tags[i], [arcs[child].relation for child in left]):
            continue
        begin = end = i
        for child in reversed(left):
            if relations[child] not in _LEFT and arcs[child].relation != "nmod:poss":
                if relations[child] != "punct":
                    break
            elif tags and tags[child] in _ADPOSITIONS and relations[child] != "det":
                break
            elif last[child] < begin:
                begin = first[child]
        for child in (child for child in children[i] if child > i):
            joins = relations[child] in _RIGHT and first[child] == end + 1
            if (
                not joins
                or relations[end + 1] == "punct"
                or arcs[child].relation == _PARTICLE
            ):
                break
            end = last[child]
        chunks.append((begin, end + 1))
    return outermost(chunks)


def _may_be_noun(tag: str, left: Sequence[str]) -> bool:
    """Return whether a word may be the noun of a chunk; left: relations of what stands
    before.
    """
    return tag not in _NEVER and (
        tag not in _DETERMINED or not _DETERMINERS.isdisjoint(left)
    )


def _edges(arcs: Sequence[Arc]) -> tuple[list[int], list[int]]:
    """The first and the last token of what depends on each token, with that."""
    first, last = list(range(len(arcs))), list(range(len(arcs)))
    for i, arc in enumerate(arcs):
        head = arc.head
        while head is not None and not first[head] <= i <= last[head]:
            first[head], last[head] = min(first[head], i), max(last[head], i)
            head = arcs[head].head
    return first, last
