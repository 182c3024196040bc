"""Comparison of two systems, and whether the difference may be one of the sentences
chosen.

The paired bootstrap: both systems are scored on the same samples of the sentences,
drawn with replacement. Efron and Tibshirani (1993), An Introduction to the Bootstrap;
Koehn (2004), Statistical significance tests for machine translation evaluation.
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
_CELLS = 1 << 22  # numbers of the samples that are drawn at once


@dataclass(frozen=True)
class Estimate:
    """A figure, and the interval in which it lies in most samples."""

    value: float
    low: float
    high: float

    @property
    def sign(self) -> int:
        """1 or -1 if the whole interval is above or below 0, else 0."""
        return int(self.low > 0) - int(self.high < 0)


@dataclass(frozen=True)
class Comparison:
    """Figures of two systems, the second less the first, and how often that was above
    0.

    a, b, difference: in percent; p_value: how often samples with no difference between
    the systems would have one as large, in either direction; confidence: percent of
    samples in an interval.
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
    """Comparison by F1 of the Counts of each sentence, for two systems; at least one
    sentence.

    Of tags, as many as predicted, F1 is accuracy. The same seed gives the same figures.
    """
    # Gold, predicted and correct ones: float64[2, n_sentences, 3].
    systems = np.array(
        [[(c.gold, c.predicted, c.correct) for c in each] for each in (a, b)], float
    )
    values = resampled(_f1, systems, samples, seed)
    a_value, b_value = _f1(systems.sum(axis=1))
    differences = values[1] - values[0]
    # The figures that were found are one more sample, so that no difference has p = 0.
    shares = [
        (np.sum(wrong) + 1) / (samples + 1)
        for wrong in (differences <= 0, differences >= 0)
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
    """Estimate with the middle `confidence` percent of samples: float64[n], NaN without
    a value.
    """
    tail = (100 - confidence) / 2
    low, high = np.nanpercentile(drawn, [tail, 100 - tail])
    return Estimate(float(value), float(low), float(high))


def resampled(
    figure: Callable[[Floats], Floats], table: Floats, samples: int, seed: int
) -> Floats:
    """Values of a figure in samples of as many sentences: float64[..., samples].

    table: float64[..., n_sentences, k], numbers of each sentence; figure: function from
    sums over samples, [..., n_samples, k], to [..., n_samples]. A seed gives the same
    samples.
    """
    n, rng, drawn = table.shape[-2], np.random.default_rng(seed), []
    at_once = max(_CELLS // n, 1)
    for begin in range(0, samples, at_once):
        times = rng.multinomial(n, np.full(n, 1 / n), min(at_once, samples - begin))
        drawn.append(figure(times.astype(np.float64) @ table))
    return np.concatenate(drawn, axis=-1)


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
        lines.append(
            f"{name:>6} {each.value:{sign}9.2f}   {low:>6} to {high:<6}   {system}"
        )
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
    """Counts of each sentence for two systems, whose files have the sentences of the
    gold one.

    kind: chunk, token, srl or tree, a command of senna-eval, whose files they are; of
    chunks and tokens, the last column of each file counts. Trees that cannot be
    compared, of either system, are left out of both; parameters: for them. Raises
    SennaError naming file and line, also if there is no sentence.
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
