"""Comparison of two systems, and whether the difference may be one of the sentences chosen.

Both systems are scored on the same samples of the sentences, see `evaluation.bootstrap`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from senna_py.errors import SennaError
from senna_py.evaluation.bootstrap import Estimate, Floats, estimate, resampled
from senna_py.evaluation.chunks import score_chunks
from senna_py.evaluation.counts import Counts
from senna_py.evaluation.evalb_parameters import COLLINS, EvalbParameters
from senna_py.evaluation.files import read_last_columns, read_roles, read_tree_pairs
from senna_py.evaluation.roles import score_roles
from senna_py.evaluation.tokens import score_tokens
from senna_py.evaluation.trees import VALID, score_trees


@dataclass(frozen=True)
class Comparison:
    """Figures of two systems, the second less the first, and how often that was above 0.

    a, b, difference: in percent; p_value: how often samples with no difference between the systems
    would have one as large, in either direction; confidence: percent of samples in an interval.
    """

    a: Estimate
    b: Estimate
    difference: Estimate
    p_value: float
    n_sentences: int
    n_samples: int
    confidence: float

    @property
    def verdict(self) -> str:
        """Say in a sentence what follows."""
        verdicts = "These sentences do not tell which is better.", "B is better.", "A is better."
        return verdicts[self.difference.sign]


def compare(
    a: Sequence[Counts],
    b: Sequence[Counts],
    samples: int = 10_000,
    confidence: float = 95.0,
    seed: int = 0,
) -> Comparison:
    """Comparison by F1 of the Counts of each sentence, for two systems; at least one sentence.

    Of tags, of which there are as many in the gold standard as were predicted, F1 is accuracy. The
    same seed gives the same figures.
    """
    # Gold, predicted and correct ones: float64[2, n_sentences, 3].
    systems = np.array([[(c.gold, c.predicted, c.correct) for c in each] for each in (a, b)], float)
    values = resampled(_f1, systems, samples, seed)
    a_value, b_value = _f1(systems.sum(axis=1))
    differences = values[1] - values[0]
    # The figures that were found are one more sample, so that no difference has p = 0.
    shares = [(np.sum(wrong) + 1) / (samples + 1) for wrong in (differences <= 0, differences >= 0)]
    return Comparison(
        estimate(a_value, values[0], confidence),
        estimate(b_value, values[1], confidence),
        estimate(b_value - a_value, differences, confidence),
        float(min(2 * min(shares), 1.0)),
        len(a),
        samples,
        confidence,
    )


def _f1(sums: Floats) -> Floats:
    """F1 in percent, 0 of nothing, of sums [..., 3]."""
    both = sums[..., 0] + sums[..., 1]
    return 200 * sums[..., 2] / np.where(both > 0, both, 1)


def comparison_report(found: Comparison, figure: str, a: str, b: str) -> list[str]:
    """Lines of a Comparison; figure: `F1` or `accuracy`; a, b: names of the systems."""
    rows = [("A", found.a, a), ("B", found.b, b), ("B - A", found.difference, "")]
    head = f"{'':>6} {figure:>9}   {found.confidence:g} % of samples"
    lines = []
    for name, each, system in rows:
        sign = "+" if name == "B - A" else ""
        low, high = (f"{bound:{sign}.2f}" for bound in (each.low, each.high))
        lines.append(f"{name:>6} {each.value:{sign}9.2f}   {low:>6} to {high:<6}   {system}")
    return [
        f"{found.n_sentences:,} sentences, {found.n_samples:,} samples of as many",
        head,
        *(line.rstrip() for line in lines),
        f"p = {found.p_value:.4f}",
        found.verdict,
    ]


def comparison_object(found: Comparison, figure: str) -> dict[str, Any]:
    """A Comparison as an object for JSON."""

    def of(each: Estimate) -> dict[str, float]:
        return {figure.lower(): each.value, "low": each.low, "high": each.high}

    return {
        "sentences": found.n_sentences,
        "samples": found.n_samples,
        "confidence": found.confidence,
        "a": of(found.a),
        "b": of(found.b),
        "difference": of(found.difference),
        "p": found.p_value,
        "verdict": found.verdict,
    }


def read_counts(
    kind: str, gold: str, a: str, b: str, parameters: EvalbParameters = COLLINS
) -> tuple[list[Counts], list[Counts]]:
    """Counts of each sentence for two systems, whose files have the sentences of the gold one.

    kind: chunk, token, srl or tree, a command of senna-eval, whose files they are; of chunks and
    tokens, the last column of each file counts. Trees that cannot be compared, of either system,
    are left out of both; parameters: for them. Raises SennaError naming file and line, also if
    there is no sentence.
    """
    if kind == "tree":
        return _trees(gold, a, b, parameters)
    return _counts(kind, gold, a), _counts(kind, gold, b)


def _counts(kind: str, gold: str, path: str) -> list[Counts]:
    if kind == "srl":
        return [score_roles([pair], False).overall for pair in read_roles(gold, path)]
    score = score_chunks if kind == "chunk" else score_tokens
    return [score([pair]).overall for pair in read_last_columns(gold, path, kind == "chunk")]


def _trees(
    gold: str, a: str, b: str, parameters: EvalbParameters
) -> tuple[list[Counts], list[Counts]]:
    scores = [score_trees(read_tree_pairs(gold, path), parameters).sentences for path in (a, b)]
    both = [
        pair
        for pair in zip(*scores, strict=True)
        if all(sentence.status == VALID for sentence in pair)
    ]
    if not both:
        raise SennaError(f"{gold}: no tree can be compared with those of both systems")
    return [pair[0].brackets for pair in both], [pair[1].brackets for pair in both]
