"""The report of a run of learning: scores, confusions, errors and the curve."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from senna_py.errors import counted
from senna_py.evaluation.counts import NO_LABEL
from senna_py.evaluation.tokens import TokenScores
from senna_py.learning.alignment import LabeledSentence
from senna_py.learning.division import ENOUGH, Division
from senna_py.learning.scores import Spans, chosen_errors, errors, score

_MOST_ERRORS, _MOST_CONFUSIONS = 10, 10
_MUCH = 1.0  # The loss of F1, in points, from which on there is advice.


@dataclass
class Results:
    """What a run found out about its model.

    Attributes:
        labels: The labels of the annotations.
        old: The labels that the model had before.
        division: The trainings that were scored.
        scored: The sentences that were scored.
        before: The spans that the old model finds in them; empty if it knows none of
            the labels.
        after: The spans that were found in them after learning.
        kept: The F1 of the model's answers to other text against those of the old
            model, or None.
        n_kept: The number of the old model's answers to this text.
        checks: The F1 of the old labels in files of the user, before and after.
        curve: The names of the shares of the data, and the F1 of each.
        has_new_tags: Whether the network learned tags that it did not know, so that it
            cannot be a mean with the old one.
    """

    labels: list[str]
    old: list[str]
    division: Division
    scored: list[LabeledSentence] = field(default_factory=list)
    before: list = field(default_factory=list)
    after: list = field(default_factory=list)
    kept: float | None = None
    n_kept: int = 0
    checks: dict[str, tuple[float, float]] = field(default_factory=dict)
    curve: list[tuple[str, float]] = field(default_factory=list)
    has_new_tags: bool = False


def report(results: Results) -> list[str]:
    """Return the lines of the report."""
    lines = [""]
    if results.scored:
        lines += _table(results)
    else:
        lines.append("too few annotations for scores; label more, or use --dev")
    lines += _forgotten(results)
    if results.curve:
        points = ", ".join(f"{name} {f1:.1f}" for name, f1 in results.curve)
        lines += ["", f"F1 by share of the data: {points}"]
    if results.scored:
        lines += _mistakes(results)
    return lines


def _table(results: Results) -> Iterator[str]:
    """Yield the lines of the table of scores."""
    n_rounds = len(results.division.rounds)
    title = f"Scores on {counted(len(results.scored), 'sentence')}"
    if results.division.crosses:
        yield (
            f"{title}, in {n_rounds} rounds of a cross-validation: each sentence is tagged "
            "by a model that did not learn from it"
        )
        yield f"  F1 of the rounds: {_by_round(results)}"
    else:
        yield f"{title} from which the model did not learn"
    after = score(results.scored, results.after, results.labels)
    before = None
    if results.before:
        before = score(results.scored, results.before, results.labels)
    width = max(5, *(len(label) for label in results.labels))
    yield f"{'F1':{width}} {'before':>8} {'after':>8} {'precision':>10} {'recall':>8} {'spans':>7}"
    for label in (*results.labels, "all"):
        yield _row(label, width, before, after, results.old)
    n_spans = after.overall.gold
    if n_spans < ENOUGH:
        yield f"{counted(n_spans, 'span')}: too few for a score to be sure"


def _row(
    label: str,
    width: int,
    before: TokenScores | None,
    after: TokenScores,
    old: Sequence[str],
) -> str:
    counts = after.overall if label == "all" else after.labels.get(label)
    first = ""
    if before is not None and (label == "all" or label in old):
        earlier = before.overall if label == "all" else before.labels.get(label)
        first = f"{earlier.f1 if earlier else 0.0:.2f}"
    if counts is None:
        return f"{label:{width}} {first:>8} {'-':>8} {'-':>10} {'-':>8} {0:7}"
    return (
        f"{label:{width}} {first:>8} {counts.f1:8.2f} {counts.precision:10.2f} "
        f"{counts.recall:8.2f} {counts.gold:7,}"
    )


def _by_round(results: Results) -> str:
    values, first = [], 0
    for one in results.division.rounds:
        spans: Sequence[Spans] = results.after[first : first + len(one.scored)]
        first += len(one.scored)
        values.append(f"{score(one.scored, spans, results.labels).overall.f1:.1f}")
    return ", ".join(values)


def _forgotten(results: Results) -> Iterator[str]:
    """Yield lines on the labels that the model knew before, on other text."""
    if results.kept is None and not results.checks:
        return
    yield ""
    yield f"What the model knew before ({', '.join(results.old)}), on other text"
    if results.kept is not None:
        yield (
            f"  answers as before: F1 {results.kept:.1f} against its "
            f"{counted(results.n_kept, 'former answer')}"
        )
    for name, (before, after) in results.checks.items():
        yield f"  {name}: F1 {before:.2f} before, {after:.2f} after"
    if any(before - after >= _MUCH for before, after in results.checks.values()):
        other = "--set network.keep=0.5"
        if results.has_new_tags:
            other = "--task NAME, which leaves the old labels as they are"
        yield f"  To forget less: --text FILE, with text like that, or {other}"


def _mistakes(results: Results) -> Iterator[str]:
    """Yield lines with confusions and errors."""
    confusions = score(results.scored, results.after, results.labels).confusions
    names = {NO_LABEL: "nothing"}
    if confusions:
        yield ""
        yield "Confusions of spans (annotated, found, number)"
        for (gold, found), n in confusions.most_common(_MOST_CONFUSIONS):
            yield f"  {names.get(gold, gold)} -> {names.get(found, found)}: {n:,}"
    every = errors(results.scored, results.after, results.labels)
    if every:
        chosen = chosen_errors(every, _MOST_ERRORS)
        yield ""
        yield f"{len(chosen)} of {counted(len(every), 'error')}"
        for error in chosen:
            yield f"  {error}"
