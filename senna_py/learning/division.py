"""Divides sentences into those to learn from and those to score on."""

from collections.abc import Collection, Sequence
from typing import NamedTuple

import numpy as np

from senna_py.learning.alignment import LabeledSentence

ENOUGH = 100  # the minimum number of spans on which a single division is scored
_FOLDS = 5
_LEAST_DEV, _MOST_DEV = 0.1, 0.2  # the share of the spans that dev may have
_FEW = 10  # With fewer texts, their sentences are divided.


class Round(NamedTuple):
    """A training of the model, and the sentences that it is scored on.

    Attributes:
        learned: The sentences to learn from.
        scored: The sentences to score on.
    """

    learned: list[LabeledSentence]
    scored: list[LabeledSentence]


class Division(NamedTuple):
    """The trainings that are scored.

    Attributes:
        rounds: The rounds. In a cross-validation, each sentence is scored in one round.
            There is none if there are too few spans for it.
        crosses: Whether this is a cross-validation, after which the model learns from
            all sentences. Otherwise, there is one round, which gives the model.
    """

    rounds: list[Round]
    crosses: bool


def divide(
    sentences: Sequence[LabeledSentence], labels: Collection[str], seed: int
) -> Division:
    """Divide sentences at random; those of a text stay together.

    If a fifth of the spans are 100 or more, some of the texts are scored, with at least
    100 spans and a tenth of all spans. Otherwise there are five rounds of a
    cross-validation.

    Args:
        sentences: The sentences.
        labels: The labels of the spans that count.
        seed: The random seed.
    """
    sizes = [sum(span[0] in labels for span in each.spans) for each in sentences]
    sources = [sentence.source for sentence in sentences]
    if len({*sources}) < _FEW:
        sources = [*range(len(sentences))]
    members: dict[int, list[int]] = {}
    for i, source in enumerate(sources):
        members.setdefault(source, []).append(i)
    order = np.random.default_rng(seed).permutation([*members]).tolist()
    n_spans = sum(sizes)
    if n_spans * _MOST_DEV >= ENOUGH:
        dev: set[int] = set()
        n_in_dev = 0
        for source in order:
            if n_in_dev >= max(ENOUGH, _LEAST_DEV * n_spans):
                break
            dev.update(members[source])
            n_in_dev += sum(sizes[i] for i in members[source])
        if len(dev) < len(sentences):
            return Division([_round(sentences, dev)], crosses=False)
    n_parts = min(_FOLDS, len(order))
    rounds = [
        _round(sentences, {i for source in order[k::n_parts] for i in members[source]})
        for k in range(n_parts)
    ]
    usable = all(any(each.spans for each in one.learned) for one in rounds)
    return Division(rounds if usable else [], crosses=True)


def _round(sentences: Sequence[LabeledSentence], scored: set[int]) -> Round:
    return Round(
        [each for i, each in enumerate(sentences) if i not in scored],
        [each for i, each in enumerate(sentences) if i in scored],
    )


def share_of(
    sentences: Sequence[LabeledSentence], share: float, seed: int
) -> list[LabeledSentence]:
    """Return a random share of sentences, in their order; at least one."""
    n = max(round(share * len(sentences)), 1)
    chosen = np.random.default_rng([seed, 1]).permutation(len(sentences))[:n]
    return [sentences[i] for i in sorted(chosen.tolist())]
