"""Dependency trees: arcs, the depths of words, and noun chunks ("the old dog")."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from senna_py.labels.tag_schemes import outermost

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

# The universal relations of content words, which count for CLAS.
CONTENT_RELATIONS = {
    "nsubj",
    "obj",
    "iobj",
    "csubj",
    "ccomp",
    "xcomp",
    "obl",
    "vocative",
    "expl",
    "dislocated",
    "advcl",
    "advmod",
    "discourse",
    "nmod",
    "appos",
    "nummod",
    "acl",
    "amod",
    "conj",
    "fixed",
    "flat",
    "compound",
    "list",
    "parataxis",
    "orphan",
    "goeswith",
    "reparandum",
    "root",
    "dep",
}
# The relations of function words, whose annotations count for the MLAS of their heads.
FUNCTIONAL_RELATIONS = {"aux", "cop", "mark", "det", "clf", "case", "cc"}
UNIVERSAL_RELATIONS = CONTENT_RELATIONS | FUNCTIONAL_RELATIONS | {"punct"}

# Relations that only nouns have.
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
# Relations that words of any part of speech may have.
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
# The relations of dependents that belong to a noun's chunk, before the noun (besides
# possessors) and after it.
_LEFT = {"det", "amod", "nummod", "clf", "compound", "flat"}
_RIGHT = {"flat", "fixed", "compound", "goeswith", "amod", "nummod", "clf", "det"}
# The prefixes of the tags of nouns and pronouns, both universal and Penn Treebank tags.
_NOUNS = ("NOUN", "PROPN", "PRON", "NN", "PRP")
_ADPOSITIONS = {"ADP", "IN", "TO", "RP"}
# Words with these tags are not nouns in any relation: *in* of *the house I live in*.
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
# Words with these tags are nouns only with a determiner: *the best*.
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


class Arc(NamedTuple):
    """The dependency of a token.

    Attributes:
        head: The index of the token's head in its sentence, or None for the root.
        relation: The relation, such as nsubj.
        score: The probability of head and relation, or None if it is not known.
    """

    head: int | None
    relation: str
    score: float | None = None


def shifted(arcs: Iterable[Arc], by: int) -> list[Arc]:
    """Return arcs with the indices of heads reduced by `by`.

    They are then relative to a token that is `by` tokens later.
    """
    return [
        arc if arc.head is None else arc._replace(head=arc.head - by) for arc in arcs
    ]


def depths(heads: Sequence[int]) -> list[int | None]:
    """Return the number of arcs from each word to its root.

    It is None for words that are in a cycle, or below one.

    Args:
        heads: The index of the head of each word, or -1 for a root.
    """
    depth_of_word: list[int | None] = [None] * len(heads)
    children = defaultdict(list)
    for word, head in enumerate(heads):
        children[head].append(word)
    level, depth = children[-1], 0
    while level:
        for word in level:
            depth_of_word[word] = depth
        level = [child for word in level for child in children[word]]
        depth += 1
    return depth_of_word


def noun_chunks(arcs: Sequence[Arc], tags: Sequence[str] = ()) -> list[tuple[int, int]]:
    """Return the noun chunks of a sentence as ranges of tokens, (begin, end).

    A chunk is a noun with its determiners, possessors, adjectives, numbers and parts of
    names, without prepositions and clauses. Chunks do not overlap.

    Args:
        arcs: The arc of each word.
        tags: The part of speech of each word, either universal or a Penn Treebank tag,
            if known. Tags exclude words that are not nouns, and include nouns with a
            relation that any word can have, such as root.
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
    """Return whether a word may head a chunk.

    Args:
        tag: The tag of the word.
        left: The relations of its left children.
    """
    return tag not in _NEVER and (
        tag not in _DETERMINED or not _DETERMINERS.isdisjoint(left)
    )


def _edges(arcs: Sequence[Arc]) -> tuple[list[int], list[int]]:
    """Return two lists: the first and the last token of the subtree of each token."""
    first, last = list(range(len(arcs))), list(range(len(arcs)))
    for i, arc in enumerate(arcs):
        head = arc.head
        while head is not None and not first[head] <= i <= last[head]:
            first[head], last[head] = min(first[head], i), max(last[head], i)
            head = arcs[head].head
    return first, last
