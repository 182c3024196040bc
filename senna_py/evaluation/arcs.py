"""Scores of dependency trees, with the counts of the evaluation of Universal
Dependencies.

Zeman et al. (2018), CoNLL 2018 shared task, section 5: relations are compared without
what follows a colon; CLAS (Nivre and Fang 2017) is of the relations of content words.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from senna_py.evaluation.counts import Counts, Pairs, Scores, percentage
from senna_py.evaluation.tokens import same_length

Arcs = Sequence[tuple[int, str]]

_CONTENT = {
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


@dataclass(frozen=True)
class ArcScores(Scores):
    """Counts of heads and of arcs, by relation, {relation: Counts}, and mistakes.

    n_heads: tokens with the right head; n_arcs: those with the right relation, too.
    confusions: {(gold relation, predicted one): n}; where the head is wrong, the other
    one is counts.NO_LABEL.
    """

    n_tokens: int
    n_heads: int
    n_arcs: int

    @property
    def uas(self) -> float:
        """Percentage of the tokens that have their gold head."""
        return percentage(self.n_heads, self.n_tokens)

    @property
    def las(self) -> float:
        """Percentage of the tokens that have their gold head and relation."""
        return percentage(self.n_arcs, self.n_tokens)

    @property
    def content(self) -> Counts:
        """Counts of the arcs of content words, whose F1 is CLAS."""
        return sum((c for name, c in self.labels.items() if name in _CONTENT), Counts())


def is_content(relation: str) -> bool:
    """Whether a relation is one of content words, which count for CLAS."""
    return relation.partition(":")[0] in _CONTENT


def score_arcs(sentences: Iterable[tuple[Arcs, Arcs]]) -> ArcScores:
    """ArcScores of sentences, pairs (gold, predicted) of sequences of a head and a
    relation.
    """
    pairs: Pairs = Counter()
    n_tokens = n_heads = n_arcs = 0
    for number, (gold, found) in enumerate(sentences, 1):
        same_length(number, gold, found)
        n_tokens += len(gold)
        for (head, relation), (found_head, found_relation) in zip(
            gold, found, strict=True
        ):
            one, other = relation.partition(":")[0], found_relation.partition(":")[0]
            if head == found_head:
                n_heads += 1
                n_arcs += one == other
                pairs[one, other] += 1
            else:
                pairs.update([(one, None), (None, other)])
    return ArcScores(pairs, n_tokens, n_heads, n_arcs)
