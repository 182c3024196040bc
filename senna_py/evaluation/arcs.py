"""Score dependency trees: UAS, LAS and CLAS.

The CoNLL 2018 shared task defines the scores (Zeman et al. 2018, section 5). Subtypes,
which follow a colon in the name of a relation, are ignored. CLAS (Nivre and Fang 2017)
counts only the relations of content words.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from senna_py.evaluation.counts import Counts, Pairs, Scores, percentage
from senna_py.evaluation.tokens import check_lengths
from senna_py.labels.dependencies import CONTENT_RELATIONS, FUNCTIONAL_RELATIONS

Arcs = Sequence[tuple[int, str]]  # the head and the relation of each token


@dataclass(frozen=True)
class ArcScores(Scores):
    """Scores of dependencies.

    `labels` counts arcs by relation. In `confusions`, an arc with the wrong head counts
    twice: its gold and its predicted relation are each paired with NO_LABEL.

    Attributes:
        n_tokens: The number of tokens.
        n_heads: The number of tokens with the correct head.
        n_arcs: The number of tokens with the correct head and relation.
    """

    n_tokens: int
    n_heads: int
    n_arcs: int

    @property
    def uas(self) -> float:
        """The percentage of tokens with the correct head."""
        return percentage(self.n_heads, self.n_tokens)

    @property
    def las(self) -> float:
        """The percentage of tokens with the correct head and relation."""
        return percentage(self.n_arcs, self.n_tokens)

    @property
    def content(self) -> Counts:
        """The counts of the arcs of content words, whose F1 is CLAS."""
        content = (
            self.labels[name] for name in self.labels if name in CONTENT_RELATIONS
        )
        return sum(content, Counts())


def is_content(relation: str) -> bool:
    """Return whether a relation attaches a content word, which counts for CLAS."""
    return relation.partition(":")[0] in CONTENT_RELATIONS


def is_functional(relation: str) -> bool:
    """Return whether a relation attaches a function word, which counts for MLAS."""
    return relation.partition(":")[0] in FUNCTIONAL_RELATIONS


def score_arcs(sentences: Iterable[tuple[Arcs, Arcs]]) -> ArcScores:
    """Score dependencies by UAS, LAS and CLAS.

    Args:
        sentences: The gold and the predicted arcs of each sentence.

    Raises:
        SennaError: If a sentence has different numbers of gold and predicted arcs.
    """
    pairs: Pairs = Counter()
    n_tokens = n_heads = n_arcs = 0
    for number, (gold_arcs, predicted_arcs) in enumerate(sentences, 1):
        check_lengths(number, gold_arcs, predicted_arcs)
        n_tokens += len(gold_arcs)
        for gold, predicted in zip(gold_arcs, predicted_arcs, strict=True):
            relation, other = (arc[1].partition(":")[0] for arc in (gold, predicted))
            if gold[0] == predicted[0]:
                n_heads += 1
                n_arcs += relation == other
                pairs[relation, other] += 1
            else:
                pairs.update([(relation, None), (None, other)])
    return ArcScores(pairs, n_tokens, n_heads, n_arcs)
