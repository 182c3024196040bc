"""Compare two systems by the paired bootstrap.

Both systems are scored on the same samples of the sentences, which are drawn with
replacement. This shows whether the difference may be due to the choice of sentences.
See Efron and Tibshirani (1993), An Introduction to the Bootstrap, and Koehn (2004),
Statistical significance tests for machine translation evaluation.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from senna_py.errors import SennaError
from senna_py.evaluation.chunks import score_chunks
from senna_py.evaluation.counts import Counts
from senna_py.evaluation.evalb_parameters import COLLINS, EvalbParameters
from senna_py.evaluation.files import read_last_columns, read_roles, read_tree_pairs
from senna_py.evaluation.roles import score_roles
from senna_py.evaluation.tokens import score_tokens
from senna_py.evaluation.trees import VALID, score_trees

Floats = NDArray[np.float64]
_CELLS = 1 << 22  # the number of array elements for samples that are drawn at a time


@dataclass(frozen=True)
class Estimate:
    """The value of a metric with its confidence interval.

    Attributes:
        value: The metric on all sentences.
        low: The lower end of the interval.
        high: The upper end of the interval.
    """

    value: float
    low: float
    high: float

    @property
    def sign(self) -> int:
        """1 if the interval is above 0, -1 if it is below 0, and 0 if it contains 0."""
        return int(self.low > 0) - int(self.high < 0)


@dataclass(frozen=True)
class Comparison:
    """The metrics of two systems A and B, in percent, and their difference.

    Attributes:
        a: The metric of system A.
        b: The metric of system B.
        difference: The metric of B minus the metric of A.
        p_value: The two-sided p-value of the hypothesis that the systems are equally
            good.
        n_sentences: The number of sentences.
        n_samples: The number of samples.
        confidence: The confidence level of the intervals in percent.
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
        """A sentence that states which system is better, if the samples show it."""
        verdicts = (
            "These sentences do not tell which is better.",
            "B is better.",
            "A is better.",
        )
        return verdicts[self.difference.sign]


def compare(
    a: Sequence[Counts],
    b: Sequence[Counts],
    samples: int = 10_000,
    confidence: float = 95.0,
    seed: int = 0,
) -> Comparison:
    """Compare two systems by F1.

    If every token has a gold and a predicted tag, the F1 of tags is their accuracy.

    Args:
        a: The counts of each sentence for system A. There must be at least one.
        b: The counts of the same sentences for system B.
        samples: The number of samples.
        confidence: The confidence level of the intervals in percent.
        seed: The random seed. The same seed gives the same result.
    """
    # The gold, predicted and correct items: float64[2, n_sentences, 3].
    systems = np.array(
        [[(c.gold, c.predicted, c.correct) for c in sentences] for sentences in (a, b)],
        float,
    )
    values = resampled(_f1, systems, samples, seed)
    a_value, b_value = _f1(systems.sum(axis=1))
    differences = values[1] - values[0]
    # One is added for the original sample, so that the p-value is never 0.
    shares = [
        (np.sum(is_opposite) + 1) / (samples + 1)
        for is_opposite in (differences <= 0, differences >= 0)
    ]
    return Comparison(
        estimate(a_value, values[0], confidence),
        estimate(b_value, values[1], confidence),
        estimate(b_value - a_value, differences, confidence),
        float(min(2 * min(shares), 1.0)),
        len(a),
        samples,
        confidence,
    )


def estimate(value: float, drawn: Floats, confidence: float = 95.0) -> Estimate:
    """Return the value of a metric with its bootstrap percentile interval.

    Args:
        value: The metric on all sentences.
        drawn: float64[n_samples], the metric on each sample, or NaN if it is undefined.
        confidence: The confidence level in percent.
    """
    tail = (100 - confidence) / 2
    low, high = np.nanpercentile(drawn, [tail, 100 - tail])
    return Estimate(float(value), float(low), float(high))


def resampled(
    figure: Callable[[Floats], Floats], table: Floats, samples: int, seed: int
) -> Floats:
    """Compute a metric on several bootstrap samples of the sentences.

    Args:
        figure: A function that computes the metric of each sample, float64[...,
            n_samples], from sums over its sentences, float64[..., n_samples, k].
        table: float64[..., n_sentences, k], the k terms that each sentence adds to the
            sums.
        samples: The number of samples.
        seed: The random seed.

    Returns:
        The metric on each sample: float64[..., samples].
    """
    n, rng, drawn = table.shape[-2], np.random.default_rng(seed), []
    at_once = max(_CELLS // n, 1)
    for begin in range(0, samples, at_once):
        times = rng.multinomial(n, np.full(n, 1 / n), min(at_once, samples - begin))
        drawn.append(figure(times.astype(np.float64) @ table))
    return np.concatenate(drawn, axis=-1)


def _f1(sums: Floats) -> Floats:
    """Return F1 in percent: float64[...].

    Args:
        sums: float64[..., 3], the numbers of gold, predicted and correct items.
    """
    both = sums[..., 0] + sums[..., 1]
    return 200 * sums[..., 2] / np.where(both > 0, both, 1)


def comparison_report(comparison: Comparison, figure: str, a: str, b: str) -> list[str]:
    """Return the lines of a report on a comparison.

    Args:
        comparison: The comparison.
        figure: The name of the metric, `F1` or `accuracy`.
        a: The name of system A, such as its file.
        b: The name of system B.
    """
    rows = [
        ("A", comparison.a, a),
        ("B", comparison.b, b),
        ("B - A", comparison.difference, ""),
    ]
    lines = []
    for name, estimated, system in rows:
        sign = "+" if name == "B - A" else ""
        low, high = (f"{bound:{sign}.2f}" for bound in (estimated.low, estimated.high))
        lines.append(
            f"{name:>6} {estimated.value:{sign}9.2f}   {low:>6} to {high:<6}   {system}"
        )
    return [
        f"{comparison.n_sentences:,} sentences, {comparison.n_samples:,} samples of as many",
        f"{'':>6} {figure:>9}   {comparison.confidence:g} % of samples",
        *(line.rstrip() for line in lines),
        f"p = {comparison.p_value:.4f}",
        comparison.verdict,
    ]


def comparison_object(comparison: Comparison, figure: str) -> dict[str, Any]:
    """Return a comparison as a JSON object; `figure` is the name of the metric."""

    def to_object(estimated: Estimate) -> dict[str, float]:
        return {
            figure.lower(): estimated.value,
            "low": estimated.low,
            "high": estimated.high,
        }

    return {
        "sentences": comparison.n_sentences,
        "samples": comparison.n_samples,
        "confidence": comparison.confidence,
        "a": to_object(comparison.a),
        "b": to_object(comparison.b),
        "difference": to_object(comparison.difference),
        "p": comparison.p_value,
        "verdict": comparison.verdict,
    }


def read_counts(
    kind: str, gold: str, a: str, b: str, parameters: EvalbParameters = COLLINS
) -> tuple[list[Counts], list[Counts]]:
    """Return the counts of each sentence for two systems, from files.

    A tree that cannot be compared for one system is left out for both.

    Args:
        kind: What is scored: `chunk`, `token`, `srl` or `tree`. The files are in the
            format that the senna-eval command of this name reads. For chunks and
            tokens, the last column of each file is scored.
        gold: The file of the gold standard.
        a: The file of system A, with the same sentences.
        b: The file of system B, with the same sentences.
        parameters: The parameters of EVALB for trees.

    Raises:
        SennaError: If a file cannot be read, the files do not have the same sentences,
            there is no sentence, or too many trees cannot be compared. The message
            names the file and, if possible, the line.
    """
    if kind == "tree":
        return _trees(gold, a, b, parameters)
    return _counts(kind, gold, a), _counts(kind, gold, b)


def _counts(kind: str, gold: str, path: str) -> list[Counts]:
    if kind == "srl":
        return [score_roles([pair], False).overall for pair in read_roles(gold, path)]
    score = score_chunks if kind == "chunk" else score_tokens
    return [
        score([pair]).overall for pair in read_last_columns(gold, path, kind == "chunk")
    ]


def _trees(
    gold: str, a: str, b: str, parameters: EvalbParameters
) -> tuple[list[Counts], list[Counts]]:
    scores = [
        score_trees(read_tree_pairs(gold, path), parameters).sentences
        for path in (a, b)
    ]
    both = [
        pair
        for pair in zip(*scores, strict=True)
        if all(sentence.status == VALID for sentence in pair)
    ]
    if not both:
        raise SennaError(f"{gold}: no tree can be compared with those of both systems")
    return [pair[0].brackets for pair in both], [pair[1].brackets for pair in both]
